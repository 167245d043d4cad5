"""One HTTP/2 connection as both ends of a call need it.

`h2` keeps the state of the protocol and does no input or output; here its bytes are moved. Two tasks do so, `receive`
and `transmit`, so that a call that is cancelled never leaves half a frame on the wire. Everything else only changes the
state and wakes the transmitter.

A peer can send anything. Whatever `h2` objects to ends the connection, and every call on it with UNAVAILABLE.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import trio
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import ConnectionTerminated, DataReceived, Event
from h2.exceptions import H2Error
from h2.settings import SettingCodes, Settings

from harness.plugins.wire.status import Headers, RpcError, Status

__all__ = ["Http2Connection"]

_WINDOW: Final = 16 * 2**20
"""Bytes that a peer may send before we have read them. A schema of megabytes comes in one go."""

_FRAME: Final = 2**20
_CHUNK: Final = 2**18
_SETTINGS: Final = {
    SettingCodes.INITIAL_WINDOW_SIZE: _WINDOW,
    SettingCodes.MAX_FRAME_SIZE: _FRAME,
    SettingCodes.MAX_CONCURRENT_STREAMS: 10_000,
    SettingCodes.ENABLE_PUSH: 0,
}
_BROKEN: Final = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)
_LAST_WORDS_S: Final = 1
"""How long the last frame, which announces the end, may take."""


class Http2Connection:
    """A connection. `closed` is set once it cannot be used any more, and `reason` says why."""

    __slots__ = ("_changed", "_has_output", "_socket", "closed", "reason", "state")

    def __init__(self, socket: trio.abc.Stream, *, is_client: bool) -> None:
        self._socket = socket
        self._has_output = trio.Event()
        self._changed = trio.lowlevel.ParkingLot()
        self.closed = trio.Event()
        self.reason = "the connection was closed"
        self.state = H2Connection(
            H2Configuration(client_side=is_client, header_encoding="utf-8", validate_outbound_headers=False)
        )
        self.state.local_settings = Settings(client=is_client, initial_values=_SETTINGS)
        self.state.max_inbound_frame_size = _FRAME
        self.state.initiate_connection()
        self.state.increment_flow_control_window(_WINDOW)
        self.wake()

    def wake(self) -> None:
        """Have the transmitter send what the state has to say."""
        self._has_output.set()

    async def transmit(self) -> None:
        """Send until the connection is closed, and then the last words."""
        try:
            while not self.closed.is_set():
                await self._has_output.wait()
                self._has_output = trio.Event()
                while data := self.state.data_to_send():
                    await self._socket.send_all(data)
        except _BROKEN as problem:
            self.fail(f"the connection broke: {problem}")

    async def receive(self, handle: Callable[[Event], Awaitable[None]]) -> None:
        """Pass on events until the connection is closed. What a peer sends is acknowledged at once: the limit on the
        length of a message bounds the memory, not the window."""
        while not self.closed.is_set():
            try:
                data = await self._socket.receive_some(_CHUNK)
            except _BROKEN as problem:
                return self.fail(f"the connection broke: {problem}")
            if not data:
                return self.fail("the peer closed the connection")
            try:
                events = self.state.receive_data(bytes(data))
            except (H2Error, ValueError, TypeError, LookupError, ArithmeticError) as problem:
                return self.fail(f"the peer does not keep to HTTP/2: {_said(problem)}")
            for event in events:
                if isinstance(event, DataReceived) and event.flow_controlled_length:
                    self.state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                await handle(event)
            self._changed.unpark_all()
            self.wake()
            if any(isinstance(event, ConnectionTerminated) for event in events):
                return self.fail("the peer ended the connection")
        return None

    def fail(self, reason: str) -> None:
        """End the connection. Everyone who waits for something on it wakes up."""
        if not self.closed.is_set():
            self.reason = reason
            self.closed.set()
        self._changed.unpark_all()
        self.wake()

    def failure(self) -> RpcError:
        return RpcError(Status.UNAVAILABLE, self.reason)

    async def until_changed(self) -> None:
        """Wait for anything from the peer: a larger window, the end of a stream, the end of the connection."""
        await self._changed.park()

    def send_headers(self, stream: int, headers: Headers, *, ends: bool = False) -> None:
        with self._change():
            self.state.send_headers(stream, headers, end_stream=ends)

    async def send_body(
        self, stream: int, body: bytes, *, ends: bool = False, is_over: Callable[[], bool] = lambda: False
    ) -> None:
        """Send a body as the windows of the peer allow, until `is_over` says that the rest is not wanted. The end is in
        the last frame with data: a peer may answer, and reset the stream, before it sees a frame that holds nothing but
        the end."""
        rest = memoryview(body)
        while rest and not is_over():
            if self.closed.is_set():
                raise self.failure()
            with self._change():
                size = min(len(rest), self.state.local_flow_control_window(stream), self.state.max_outbound_frame_size)
                if size > 0:
                    part, rest = bytes(rest[:size]), rest[size:]
                    self.state.send_data(stream, part, end_stream=ends and not rest)
            if size <= 0:
                await self.until_changed()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Change the state. It refuses if the stream or the connection has ended meanwhile."""
        try:
            yield
        except H2Error as problem:
            raise RpcError(
                Status.UNAVAILABLE, f"the stream has ended: {problem or type(problem).__name__}"
            ) from problem
        self.wake()

    def reset(self, stream: int, code: ErrorCodes = ErrorCodes.CANCEL) -> None:
        """Give up a stream. One that has already ended needs nothing."""
        with suppress(RpcError), self._change():
            self.state.reset_stream(stream, code)

    async def close(self) -> None:
        """Say goodbye, if the peer listens, and close the socket. This is not cut short by cancellation: what follows
        it, such as the end of a service, must happen."""
        self.fail("the connection was closed")
        with suppress(H2Error):
            self.state.close_connection()
        with trio.CancelScope(shield=True):
            with trio.move_on_after(_LAST_WORDS_S), suppress(*_BROKEN):
                if data := self.state.data_to_send():
                    await self._socket.send_all(data)
            await trio.aclose_forcefully(self._socket)


def _said(problem: Exception) -> str:
    return str(problem) or type(problem).__name__
