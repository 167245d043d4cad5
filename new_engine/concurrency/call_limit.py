"""How many calls to the outside run at a time.

Only calls are counted: those of providers, and processes of provisioners. Waiting for a promise takes no place, so the
limit can slow things down but never deadlock them. Stopping, closing and renewing are never limited: what expires
cannot wait until other calls are done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Final, cast

import trio

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.operations.engine import EngineRequest
from shared_nodes.plan.options import DEFAULT_PARALLELISM
from shared_nodes.processes import Command, OnLine, Processes
from shared_nodes.providers.contract import Provider

__all__ = ["limit_calls"]

_UNLIMITED: Final = frozenset({"schema", "functions", "stop", "close", "renew_ephemeral"})


def limit_calls(request: EngineRequest) -> EngineRequest:
    """Return a request whose providers and processes count their calls together."""
    limiter = _Limiter(request.options.parallelism or DEFAULT_PARALLELISM)

    def make_provider(source: ProviderSource) -> Provider | None:
        provider = request.providers(source)
        return None if provider is None else cast("Provider", _LimitedProvider(provider, limiter))

    processes = _LimitedProcesses(request.world.processes, limiter)
    return replace(request, providers=make_provider, world=replace(request.world, processes=processes))


class _Limiter:
    """A number of places. Trio's own limiter tracks which task holds which place, and that takes longer than most calls
    to a provider of this project."""

    __slots__ = ("_free", "_waiting")

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting = trio.lowlevel.ParkingLot()

    async def take(self) -> None:
        """Take a place. If one is free there is no checkpoint, since there is no reason to let other tasks run
        first."""
        if self._free:
            self._free -= 1
        else:
            await self._waiting.park()

    def give_back(self) -> None:
        """Give the place to the call that has waited longest, if any."""
        if self._waiting:
            self._waiting.unpark()
        else:
            self._free += 1


def _limited(limiter: _Limiter, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @wraps(call)
    async def limited(*arguments: Any, **named: Any) -> Any:
        await limiter.take()
        try:
            return await call(*arguments, **named)
        finally:
            limiter.give_back()

    return limited


class _LimitedProvider:
    """A provider whose calls are limited. Calls are wrapped when first made: a provider has many methods, and most
    operations use few."""

    def __init__(self, provider: Provider, limiter: _Limiter) -> None:
        self._provider = provider
        self._limiter = limiter

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._provider, name)
        if name not in _UNLIMITED:
            attribute = _limited(self._limiter, attribute)
            setattr(self, name, attribute)
        return attribute


@dataclass(frozen=True, slots=True)
class _LimitedProcesses:
    processes: Processes
    limiter: _Limiter

    async def run(self, command: Command, on_line: OnLine) -> int:
        return cast("int", await _limited(self.limiter, self.processes.run)(command, on_line))
