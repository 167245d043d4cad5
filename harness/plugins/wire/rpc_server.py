"""The answering end: unary calls, any number at once, on any number of connections.

`serve_connections(listener, open_service)` makes one `Service` for each connection, when its first request comes, and
closes it when the connection ends: one provider instance is one connection, and its end is the only sign that the
instance is no longer needed. A connection on which nothing is requested, as clients make to try an address, has none.

A call that the client gives up is cancelled. A handler fails by RpcError; any other exception of it becomes INTERNAL.
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import field
from typing import Final, Protocol

import trio
from h2.errors import ErrorCodes
from h2.events import DataReceived, Event, RequestReceived, StreamEnded, StreamReset

from harness.plugins.wire.framing import MessageReader, framed
from harness.plugins.wire.http2 import Http2Connection
from harness.plugins.wire.status import Headers, RpcError, Status, failure_trailers
from shared_nodes.record import record

__all__ = ["Handler", "Service", "serve_connections"]

Handler = Callable[[bytes], Awaitable[bytes]]

_START: Final[Headers] = [(":status", "200"), ("content-type", "application/grpc")]
_CLOSING_S: Final = 5
"""How long a service may take to close, so that one that hangs does not keep the server from ending."""


class Service(Protocol):
    """What one connection offers."""

    def handler(self, method: str) -> Handler | None:
        """Return the handler of a method, such as "/tfplugin6.Provider/ReadResource", or None if there is none."""
        ...

    async def close(self) -> None:
        """The connection has ended."""
        ...


async def serve_connections(
    listener: trio.SocketListener,
    open_service: Callable[[], Service],
    security: ssl.SSLContext | None = None,
) -> None:
    """Serve until cancelled. Then all connections are closed."""

    async def serve(socket: trio.SocketStream) -> None:
        stream: trio.abc.Stream = socket
        if security is not None:
            stream = trio.SSLStream(socket, security, server_side=True, https_compatible=True)
        await _ServedConnection(stream, open_service).run()

    await trio.serve_listeners(serve, [listener])


@record(frozen=False)
class _Call:
    """A request that is being received, or answered."""

    method: str
    body: MessageReader = field(default_factory=MessageReader)
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)


class _ServedConnection:
    __slots__ = ("_calls", "_connection", "_nursery", "_open_service", "_service")

    def __init__(self, socket: trio.abc.Stream, open_service: Callable[[], Service]) -> None:
        self._connection = Http2Connection(socket, is_client=False)
        self._open_service = open_service
        self._service: Service | None = None
        self._calls: dict[int, _Call] = {}
        self._nursery: trio.Nursery

    async def run(self) -> None:
        try:
            async with trio.open_nursery() as self._nursery:
                self._nursery.start_soon(self._connection.transmit)
                await self._connection.receive(self._handle)
                self._nursery.cancel_scope.cancel()
        finally:
            await self._connection.close()
            if self._service is not None:
                with trio.move_on_after(_CLOSING_S, shield=True):
                    await self._service.close()

    async def _handle(self, event: Event) -> None:
        stream = getattr(event, "stream_id", None) or 0
        if isinstance(event, RequestReceived):
            headers = {str(name): str(value) for name, value in event.headers or ()}
            self._calls[stream] = _Call(headers.get(":path", ""))
            return
        call = self._calls.get(stream)
        if call is None:
            return
        match event:
            case DataReceived():
                try:
                    call.body.add(event.data or b"")
                except RpcError as failure:
                    self._refuse(stream, failure)
            case StreamEnded():
                self._nursery.start_soon(self._answer, stream, call)
            case StreamReset():
                call.scope.cancel()
                del self._calls[stream]

    def _refuse(self, stream: int, failure: RpcError) -> None:
        """Answer a request before its end, and take no more of it."""
        del self._calls[stream]
        with suppress(RpcError):
            self._fail(stream, failure)
        self._connection.reset(stream, ErrorCodes.NO_ERROR)

    def _fail(self, stream: int, failure: RpcError) -> None:
        self._connection.send_headers(stream, [*_START, *failure_trailers(failure)], ends=True)

    async def _answer(self, stream: int, call: _Call) -> None:
        with call.scope:
            try:
                await self._send(stream, await self._result(call))
            except RpcError:
                self._connection.reset(stream)  # the client is gone, or has given up
            finally:
                self._calls.pop(stream, None)

    async def _result(self, call: _Call) -> bytes | RpcError:
        try:
            request = call.body.finish()
            if self._service is None:
                self._service = self._open_service()
            handler = self._service.handler(call.method)
            if handler is None:
                return RpcError(Status.UNIMPLEMENTED, f"unknown method {call.method}")
            return framed(await handler(request))
        except RpcError as failure:
            return failure
        except Exception as problem:  # the client waits for an answer to every call, and other calls go on
            return RpcError(Status.INTERNAL, f"{type(problem).__name__}: {problem}")

    async def _send(self, stream: int, result: bytes | RpcError) -> None:
        if isinstance(result, RpcError):
            self._fail(stream, result)
            return
        self._connection.send_headers(stream, _START)
        await self._connection.send_body(stream, result)
        self._connection.send_headers(stream, [("grpc-status", "0")], ends=True)
