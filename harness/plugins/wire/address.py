"""Where a plugin listens: a unix socket, or a port of this machine."""

from __future__ import annotations

import os
import socket
import ssl
from pathlib import Path

import trio

from harness.plugins.wire.status import RpcError, Status
from shared_nodes.record import record

__all__ = ["Address", "connect_stream", "listen"]


@record
class Address:
    """An address as the handshake writes it: the network, `unix` or `tcp`, and a path or `host:port`."""

    network: str
    place: str


async def connect_stream(address: Address, security: ssl.SSLContext | None = None) -> trio.abc.Stream:
    """Connect. RpcError says that nothing listens there."""
    try:
        stream = await _open_stream(address)
    except OSError as problem:
        raise RpcError(Status.UNAVAILABLE, f"no connection to {address.place}: {problem}") from problem
    return stream if security is None else await _secured(stream, address, security)


async def _open_stream(address: Address) -> trio.SocketStream:
    if address.network == "unix":
        return await trio.open_unix_socket(address.place)
    return await trio.open_tcp_stream(*_host_and_port(address))


async def _secured(stream: trio.SocketStream, address: Address, security: ssl.SSLContext) -> trio.abc.Stream:
    secured = trio.SSLStream(stream, security, server_hostname="localhost", https_compatible=True)
    try:
        await secured.do_handshake()
    except BaseException as problem:
        await trio.aclose_forcefully(stream)
        if isinstance(problem, trio.BrokenResourceError | ssl.SSLError | OSError):
            raise RpcError(Status.UNAVAILABLE, f"no secure connection to {address.place}: {problem}") from problem
        raise
    return secured


async def listen(address: Address) -> tuple[trio.SocketListener, Address]:
    """Begin to listen, and return the address as well, since port 0 stands for any that is free. Only this user can
    connect to a unix socket."""
    if address.network == "unix":
        Path(address.place).unlink(missing_ok=True)
        place = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        await place.bind(address.place)
        os.chmod(address.place, 0o600)
        place.listen()
        return trio.SocketListener(place), address
    host, port = _host_and_port(address)
    listener = (await trio.open_tcp_listeners(port, host=host))[0]
    assert isinstance(listener, trio.SocketListener)
    return listener, Address("tcp", f"{host}:{listener.socket.getsockname()[1]}")


def _host_and_port(address: Address) -> tuple[str, int]:
    host, _, port = address.place.rpartition(":")
    if address.network != "tcp" or not port.isdigit() or int(port) > 0xFFFF:
        raise RpcError(Status.UNAVAILABLE, f"{address.network} {address.place} is no address of a plugin")
    return host.strip("[]"), int(port)
