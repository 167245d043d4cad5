"""One provider instance as the service of one connection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from google.protobuf.message import DecodeError

from harness.plugins.serving.calls import ANSWERS, Answer, ServedProvider
from harness.plugins.wire.methods import SHUTDOWN, method_path, request_type
from harness.plugins.wire.rpc_server import Handler
from harness.plugins.wire.status import RpcError, Status
from harness.plugins.wire.wire_error import WireError
from harness.simulation.simcloud.sim import BrokenCallError

__all__ = ["ProviderService"]

_HEALTH: Final = "/grpc.health.v1.Health/Check"
_HEALTHY: Final = b"\x08\x01"
"""The answer to a health check: field 1 holds the number 1, which means well."""


class ProviderService:
    """The calls of a provider by the paths of the protocol, and those that every plugin answers. The other services of
    a plugin, which stream, are unknown here: a client that asks for them does without.

    `failed` gets an exception of the provider. That is a mistake of ours; the binary only sees a failed call.
    """

    __slots__ = ("_handlers", "_served")

    def __init__(self, served: ServedProvider, failed: Callable[[Exception], None]) -> None:
        self._served = served
        calls = {method_path(call, served.major): (call, answer) for call, answer in ANSWERS.items()}
        self._handlers: Mapping[str, Handler] = {
            **{path: _handler(served, call, answer, failed) for path, (call, answer) in calls.items()},
            _HEALTH: _be_healthy,
            SHUTDOWN: _stay,
        }

    def handler(self, method: str) -> Handler | None:
        return self._handlers.get(method)

    async def close(self) -> None:
        await self._served.provider.close()


def _handler(served: ServedProvider, call: str, answer: Answer, failed: Callable[[Exception], None]) -> Handler:
    make = request_type(call)

    async def handle(data: bytes) -> bytes:
        try:
            return (await answer(served, make.FromString(data))).SerializeToString()
        except RpcError:
            raise
        except BrokenCallError as problem:
            raise RpcError(Status.UNKNOWN, str(problem)) from problem
        except (DecodeError, WireError) as problem:
            raise RpcError(Status.INVALID_ARGUMENT, f"{call}: {problem}") from problem
        except Exception as problem:  # noted and passed on, so that a mistake of ours is not taken for the binary's
            failed(problem)
            raise

    return handle


async def _be_healthy(_request: bytes) -> bytes:
    return _HEALTHY


async def _stay(_request: bytes) -> bytes:
    """Answer a request to end the process, which is that of the harness."""
    return b""
