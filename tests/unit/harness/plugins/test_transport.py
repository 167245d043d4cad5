"""Calls over a connection: answers, failures, cancellation, limits, and peers that send anything."""

from __future__ import annotations

import math
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
import trio
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("h2")

from h2.config import H2Configuration
from h2.connection import H2Connection

from harness.plugins.wire import framing
from harness.plugins.wire.address import Address, listen
from harness.plugins.wire.framing import MessageReader, framed
from harness.plugins.wire.rpc_client import Channel, connect, open_channel
from harness.plugins.wire.rpc_server import Handler, serve_connections
from harness.plugins.wire.status import RpcError, Status, failure_in, failure_trailers

_ECHO = "/test.Service/Echo"
_ANY_PORT = Address("tcp", "127.0.0.1:0")
_PATIENCE_S = 30

_Result = TypeVar("_Result")


@dataclass(slots=True)
class _Echo:
    """Answers with the request. It remembers what happened to it."""

    handlers: dict[str, Handler] = field(default_factory=dict)
    is_closed: bool = False

    def handler(self, method: str) -> Handler | None:
        return self.handlers.get(method)

    async def close(self) -> None:
        self.is_closed = True


async def _echo(request: bytes) -> bytes:
    return request


def _run(scenario: Callable[[], Awaitable[_Result]]) -> _Result:
    async def limited() -> _Result:
        with trio.fail_after(_PATIENCE_S):
            return await scenario()

    return trio.run(limited)


@asynccontextmanager
async def _served(services: list[_Echo], place: Address = _ANY_PORT, **handlers: Handler) -> AsyncIterator[Address]:
    """Serve. `services` gets one entry for each connection that was used."""
    known = {_ECHO: _echo, **{f"/test.Service/{name}": handler for name, handler in handlers.items()}}

    def open_service() -> _Echo:
        services.append(_Echo(known))
        return services[-1]

    listener, address = await listen(place)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_connections, listener, open_service)
        yield address
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("size", [0, 1, 16_384, 5_000_000, 40_000_000])
@pytest.mark.parametrize("network", ["unix", "tcp"])
def test_a_call_is_answered(network: str, size: int, tmp_path: Path) -> None:
    """The size does not matter: also one that is larger than all windows, in both directions."""
    message = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    place = Address("unix", str(tmp_path / "s")) if network == "unix" else _ANY_PORT

    async def scenario() -> bytes:
        async with _served([], place) as address, open_channel(address) as channel:
            return await channel.call(_ECHO, message)

    assert _run(scenario) == message


def test_many_calls_at_once_get_their_own_answers() -> None:
    async def scenario() -> list[bool]:
        found: list[bool] = []

        async def ask(channel: Channel, number: int) -> None:
            message = str(number).encode() * 10_000
            found.append(await channel.call(_ECHO, message) == message)

        async with _served([]) as address, open_channel(address) as channel, trio.open_nursery() as nursery:
            for number in range(300):
                nursery.start_soon(ask, channel, number)
        return found

    assert _run(scenario) == [True] * 300


def test_failures_keep_status_and_text() -> None:
    text = "50 % of it\nfailed: Äö \u2028 \U0001f600"

    async def fail(_request: bytes) -> bytes:
        raise RpcError(Status.FAILED_PRECONDITION, text)

    async def crash(_request: bytes) -> bytes:
        raise KeyError("gone")

    async def scenario() -> list[RpcError]:
        found: list[RpcError] = []
        async with _served([], Fail=fail, Crash=crash) as address, open_channel(address) as channel:
            for name in ("Fail", "Crash", "Missing"):
                with pytest.raises(RpcError) as caught:
                    await channel.call(f"/test.Service/{name}", b"")
                found.append(caught.value)
            assert await channel.call(_ECHO, b"still there") == b"still there"
        return found

    failed, crashed, missing = _run(scenario)
    assert (failed.status, failed.message) == (Status.FAILED_PRECONDITION, text)
    assert (crashed.status, crashed.message) == (Status.INTERNAL, "KeyError: 'gone'")
    assert missing.status is Status.UNIMPLEMENTED


def test_one_connection_is_one_service_and_its_end_is_seen() -> None:
    async def scenario() -> tuple[list[bool], list[bool]]:
        services: list[_Echo] = []
        async with _served(services) as address:
            async with open_channel(address), open_channel(address) as first, open_channel(address) as second:
                await first.call(_ECHO, b"")
                await second.call(_ECHO, b"")
                await first.call(_ECHO, b"")
                during = [service.is_closed for service in services]
            while not all(service.is_closed for service in services):
                await trio.sleep(0.001)
        return during, [service.is_closed for service in services]

    assert _run(scenario) == ([False, False], [True, True])


def test_a_given_up_call_is_cancelled_at_the_other_end() -> None:
    async def scenario() -> tuple[list[str], bytes]:
        begun, ended, seen = trio.Event(), trio.Event(), list[str]()

        async def wait(_request: bytes) -> bytes:
            begun.set()
            try:
                await trio.sleep_forever()
            except trio.Cancelled:
                seen.append("cancelled")
                raise
            finally:
                ended.set()

        async with _served([], Wait=wait) as address, open_channel(address) as channel:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(channel.call, "/test.Service/Wait", b"")
                await begun.wait()
                nursery.cancel_scope.cancel()
            await ended.wait()
            return seen, await channel.call(_ECHO, b"next")

    assert _run(scenario) == (["cancelled"], b"next")


def test_a_deadline_ends_a_call() -> None:
    async def wait(_request: bytes) -> bytes:
        await trio.sleep_forever()

    async def scenario() -> Status:
        async with _served([], Wait=wait) as address, open_channel(address) as channel:
            with pytest.raises(RpcError) as caught:
                await channel.call("/test.Service/Wait", b"", timeout_s=0.01)
            return caught.value.status

    assert _run(scenario) is Status.DEADLINE_EXCEEDED


def test_a_closed_connection_is_unavailable() -> None:
    async def wait(_request: bytes) -> bytes:
        await trio.sleep_forever()

    async def scenario() -> list[Status]:
        found: list[Status] = []

        async def attempt(channel: Channel) -> None:
            with pytest.raises(RpcError) as caught:
                await channel.call("/test.Service/Wait", b"")
            found.append(caught.value.status)

        async with _served([], Wait=wait) as address:
            channel = await connect(address)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(attempt, channel)
                await trio.testing.wait_all_tasks_blocked()
                await channel.close()
            await attempt(channel)
        with pytest.raises(RpcError) as caught:
            await connect(address)
        return [*found, caught.value.status]

    assert _run(scenario) == [Status.UNAVAILABLE] * 3


def test_a_message_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the sender, and by the receiver of an announced length."""
    monkeypatch.setattr(framing, "LONGEST_MESSAGE", 1000)
    with pytest.raises(RpcError, match="1,001 bytes, and at most 1,000"):
        framed(b"x" * 1001)
    with pytest.raises(RpcError, match="RESOURCE_EXHAUSTED"):
        MessageReader().add(b"\0\0\0\x04\0")

    async def too_much(_request: bytes) -> bytes:
        return b"x" * 1001

    async def scenario() -> Status:
        async with _served([], Much=too_much) as address, open_channel(address) as channel:
            with pytest.raises(RpcError) as caught:
                await channel.call("/test.Service/Much", b"")
            return caught.value.status

    assert _run(scenario) is Status.RESOURCE_EXHAUSTED


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"\1\0\0\0\0", Status.UNIMPLEMENTED),
        (b"\0\xff\xff\xff\xff", Status.RESOURCE_EXHAUSTED),
        (b"\0\0\0\0\1", Status.INTERNAL),
        (b"\0\0\0\0\0\0", Status.INTERNAL),
        (b"", Status.INTERNAL),
    ],
)
def test_a_body_that_holds_no_message_is_refused(body: bytes, status: Status) -> None:
    """Compressed, too long, cut off, more than one, none."""

    async def scenario() -> str:
        async with _served([]) as address:
            host, _, port = address.place.rpartition(":")
            async with await trio.open_tcp_stream(host, int(port)) as stream:
                client = H2Connection(H2Configuration(header_encoding="utf-8"))
                client.initiate_connection()
                names = {":method": "POST", ":scheme": "http", ":path": _ECHO, ":authority": "localhost"}
                client.send_headers(1, list(names.items()))
                client.send_data(1, body, end_stream=True)
                await stream.send_all(client.data_to_send())
                while True:
                    for event in client.receive_data(await stream.receive_some()):
                        headers = dict(getattr(event, "headers", ()))
                        if "grpc-status" in headers:
                            return str(headers["grpc-status"])

    assert _run(scenario) == str(int(status))


def _h2_answer(data: bytes) -> bytes:
    """Return the preface of a server, and whatever follows it."""
    server = H2Connection(H2Configuration(client_side=False))
    server.initiate_connection()
    return server.data_to_send() + data


def _frame(length: int, kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return length.to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


_FRAMES = st.builds(
    lambda payload, kind, flags, stream, extra: _frame(len(payload) + extra, kind, flags, stream, payload),
    st.binary(max_size=40),
    st.integers(0, 11),
    st.integers(0, 255),
    st.sampled_from([0, 1, 2, 3, 2**31 - 1]),
    st.sampled_from([0, 0, 0, 1, 2**23]),
)
_HOSTILE = st.one_of(
    st.binary(max_size=200),
    st.binary(max_size=200).map(_h2_answer),
    st.lists(_FRAMES, max_size=6).map(b"".join).map(_h2_answer),
)


@given(_HOSTILE)
@settings(deadline=None, max_examples=300)
def test_a_hostile_server_gives_nothing_but_failures(data: bytes) -> None:
    async def scenario() -> None:
        async def answer(stream: trio.SocketStream) -> None:
            async with stream:
                try:
                    await stream.send_all(data)
                    await stream.send_eof()
                    while await stream.receive_some():
                        pass
                except (OSError, trio.BrokenResourceError):
                    pass

        listener, address = await listen(_ANY_PORT)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, answer, [listener])
            async with open_channel(address) as channel:
                with pytest.raises(RpcError):
                    await channel.call(_ECHO, b"hello")
            nursery.cancel_scope.cancel()

    _run(scenario)


@given(st.one_of(st.binary(max_size=200), st.lists(_FRAMES, max_size=6).map(b"".join)), st.booleans())
@settings(deadline=None, max_examples=300)
def test_a_server_survives_a_hostile_client(data: bytes, has_preface: bool) -> None:
    async def scenario() -> bytes:
        async with _served([]) as address:
            host, _, port = address.place.rpartition(":")
            async with await trio.open_tcp_stream(host, int(port)) as stream:
                try:
                    await stream.send_all((b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" if has_preface else b"") + data)
                    await stream.send_eof()
                    while await stream.receive_some():
                        pass
                except (OSError, trio.BrokenResourceError):
                    pass
            async with open_channel(address) as channel:
                return await channel.call(_ECHO, b"still there")

    assert _run(scenario) == b"still there"


@given(st.text(), st.sampled_from([status for status in Status if status is not Status.OK]))
def test_a_failure_survives_its_headers(text: str, status: Status) -> None:
    text = text.encode("utf-8", "replace").decode()
    headers = dict(failure_trailers(RpcError(status, text)))
    assert all(0x20 <= ord(character) < 0x7F for value in headers.values() for character in value)
    failure = failure_in(headers)
    assert failure is not None
    assert (failure.status, failure.message) == (status, text)


@given(st.binary(max_size=300), st.lists(st.integers(0, 310), max_size=5))
def test_a_message_survives_any_splitting(message: bytes, cuts: list[int]) -> None:
    body, reader, places = framed(message), MessageReader(), sorted({0, *cuts, math.inf})
    for begin, end in pairwise(places):
        reader.add(body[int(begin) : None if end == math.inf else int(end)])
    assert reader.finish() == message


def test_calls_work_over_tls(tmp_path: Path) -> None:
    import ssl

    try:
        request = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost"
        command = ["openssl", *request.split(), "-addext", "subjectAltName=DNS:localhost"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("there is no openssl to make a certificate")
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    serving.set_alpn_protocols(["h2"])
    asking = ssl.create_default_context(cafile=tmp_path / "cert.pem")
    asking.set_alpn_protocols(["h2"])

    async def scenario() -> tuple[bytes, Status]:
        listener, address = await listen(_ANY_PORT)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve_connections, listener, lambda: _Echo({_ECHO: _echo}), serving)
            async with open_channel(address, asking) as channel:
                answer = await channel.call(_ECHO, b"x" * 300_000)
            with pytest.raises(RpcError) as caught:
                await connect(address, ssl.create_default_context())
            nursery.cancel_scope.cancel()
        return answer, caught.value.status

    assert _run(scenario) == (b"x" * 300_000, Status.UNAVAILABLE)
