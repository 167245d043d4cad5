"""How many calls to the outside run at a time.

Only calls are counted: those of providers, and processes of provisioners. Waiting for a promise takes no place, so the
limit can slow things down but never deadlock them. Stopping, closing and renewing are never limited: what expires
cannot wait until other calls are done.

An object and its provisioners keep one place from the first call to the last (`holding_place`). Otherwise all objects
would be created before the first provisioner runs, and a run that is killed would leave all of them unfinished.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from typing import Any, Final, cast

from shared_nodes import tasks
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.operations.engine import EngineRequest
from shared_nodes.plan.options import DEFAULT_PARALLELISM
from shared_nodes.processes import Command, OnLine, Processes
from shared_nodes.providers.contract import Provider
from shared_nodes.record import record

__all__ = ["CallLimit"]

_UNLIMITED: Final = frozenset({"schema", "functions", "stop", "close", "renew_ephemeral"})

_HAS_PLACE: Final[ContextVar[bool]] = ContextVar("has_place", default=False)
"""Whether the calls of this task are made in a place that the task holds."""


class CallLimit:
    """The limit of one operation: its providers and processes count their calls together."""

    __slots__ = ("_limiter", "_request")

    def __init__(self, request: EngineRequest) -> None:
        self._request = request
        self._limiter = _Limiter(request.options.parallelism or DEFAULT_PARALLELISM)

    @property
    def request(self) -> EngineRequest:
        """The request, with providers and processes that are limited."""
        request = self._request
        processes = _LimitedProcesses(request.world.processes, self._limiter)
        return replace(request, providers=self._make_provider, world=replace(request.world, processes=processes))

    def _make_provider(self, source: ProviderSource) -> Provider | None:
        provider = self._request.providers(source)
        return None if provider is None else cast("Provider", _LimitedProvider(provider, self._limiter))

    @asynccontextmanager
    async def holding_place(self) -> AsyncIterator[None]:
        """Make all calls of this task in one place. Nothing inside may wait for a promise."""
        await self._limiter.take()
        token = _HAS_PLACE.set(True)
        try:
            yield
        finally:
            _HAS_PLACE.reset(token)
            self._limiter.give_back()


class _Limiter:
    """A number of places. It does not track which task holds which place, as trio's does, since that takes longer than
    most calls to a provider of this project."""

    __slots__ = ("_free", "_waiting")

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting = tasks.ParkingLot()

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
        if _HAS_PLACE.get():
            return await call(*arguments, **named)
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


@record
class _LimitedProcesses:
    processes: Processes
    limiter: _Limiter

    async def run(self, command: Command, on_line: OnLine) -> int:
        return cast("int", await _limited(self.limiter, self.processes.run)(command, on_line))
