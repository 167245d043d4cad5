"""The calling end: unary calls to a plugin, any number at once, over one connection.

    async with open_channel(Address("unix", path)) as channel:
        answer = await channel.call("/tfplugin6.Provider/GetProviderSchema", b"")

A call that gets no answer raises RpcError: that of the peer, UNAVAILABLE if the connection is gone, DEADLINE_EXCEEDED
if it took too long. A cancelled call resets its stream, so that the peer can stop working on it.
"""

from __future__ import annotations

import math
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import field

import trio
from h2.events import DataReceived, Event, ResponseReceived, StreamEnded, StreamReset, TrailersReceived

from harness.plugins.wire.address import Address, connect_stream
from harness.plugins.wire.framing import MessageReader, framed
from harness.plugins.wire.http2 import Http2Connection
from harness.plugins.wire.status import Headers, RpcError, Status, failure_in
from shared_nodes.record import record

__all__ = ["Channel", "connect", "open_channel"]


@asynccontextmanager
async def open_channel(address: Address, security: ssl.SSLContext | None = None) -> AsyncIterator[Channel]:
    """Return a channel for the time of the block. RpcError says that nothing listens there."""
    channel = await connect(address, security)
    try:
        yield channel
    finally:
        await channel.close()


async def connect(address: Address, security: ssl.SSLContext | None = None) -> Channel:
    """Return a channel that the caller closes. Its tasks belong to the event loop, so that a provider can be made in
    one task and closed in another."""
    channel = Channel(await connect_stream(address, security), "http" if security is None else "https")
    trio.lowlevel.spawn_system_task(channel.run)
    return channel


@record(frozen=False)
class _Answer:
    """What has come of an answer. `failure` is final, whatever comes later."""

    body: MessageReader = field(default_factory=MessageReader)
    headers: dict[str, str] = field(default_factory=dict)
    failure: RpcError | None = None
    is_ended: bool = False
    """Whether the peer has ended the stream, so that there is nothing to reset."""

    done: trio.Event = field(default_factory=trio.Event)

    def finish(self, failure: RpcError | None) -> None:
        self.failure = self.failure or failure
        self.done.set()

    def message(self) -> bytes:
        if self.failure is not None:
            raise self.failure
        return self.body.finish()


class Channel:
    __slots__ = ("_answers", "_connection", "_finished", "_scheme", "_scope")

    def __init__(self, socket: trio.abc.Stream, scheme: str) -> None:
        self._connection = Http2Connection(socket, is_client=True)
        self._scheme = scheme
        self._answers: dict[int, _Answer] = {}
        self._scope, self._finished = trio.CancelScope(), trio.Event()

    @property
    def is_closed(self) -> bool:
        return self._connection.closed.is_set()

    async def run(self) -> None:
        """Move bytes until the connection ends. `connect` starts this."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._connection.transmit)
                    await self._connection.receive(self._handle)
                    nursery.cancel_scope.cancel()
        finally:
            await self._connection.close()
            for answer in self._answers.values():
                answer.finish(self._connection.failure())
            self._finished.set()

    async def close(self) -> None:
        """Close the connection. Calls under way end with UNAVAILABLE."""
        self._scope.cancel()
        with trio.CancelScope(shield=True):
            await self._finished.wait()

    async def call(self, method: str, request: bytes, *, timeout_s: float = math.inf) -> bytes:
        """Return the message that answers a request. `method` is the path: "/tfplugin6.Provider/ReadResource"."""
        body = framed(request)
        with trio.move_on_after(timeout_s):
            return await self._call(method, body)
        raise RpcError(Status.DEADLINE_EXCEEDED, f"{method} was not answered within {timeout_s:g} s")

    async def _call(self, method: str, body: bytes) -> bytes:
        stream = await self._open_stream(method)
        answer = self._answers[stream] = _Answer()
        try:
            await self._connection.send_body(stream, body, ends=True, is_over=answer.done.is_set)
            await answer.done.wait()
        except RpcError as failure:
            answer.finish(failure)
        finally:
            del self._answers[stream]
            if not answer.is_ended:
                self._connection.reset(stream)
        return answer.message()

    async def _open_stream(self, method: str) -> int:
        """Begin a stream as soon as the peer allows another one."""
        connection, state = self._connection, self._connection.state
        while not self.is_closed and state.open_outbound_streams >= state.remote_settings.max_concurrent_streams:
            await connection.until_changed()
        if self.is_closed:
            raise connection.failure()
        headers: Headers = [
            (":method", "POST"),
            (":scheme", self._scheme),
            (":path", method),
            (":authority", "localhost"),
            ("te", "trailers"),
            ("content-type", "application/grpc"),
        ]
        stream = state.get_next_available_stream_id()
        connection.send_headers(stream, headers)
        return stream

    async def _handle(self, event: Event) -> None:
        answer = self._answers.get(getattr(event, "stream_id", None) or 0)
        if answer is None:
            return
        match event:
            case ResponseReceived() | TrailersReceived():
                answer.headers |= {str(name): str(value) for name, value in event.headers or ()}
            case DataReceived():
                try:
                    answer.body.add(event.data or b"")
                except RpcError as failure:
                    answer.finish(failure)
            case StreamEnded():
                answer.is_ended = True
                answer.finish(failure_in(answer.headers))
            case StreamReset():
                answer.is_ended = True
                answer.finish(RpcError(Status.UNAVAILABLE, f"the peer gave up the call (code {event.error_code})"))
