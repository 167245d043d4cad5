"""Replies that are held back and released in a chosen order, which forces a schedule on a real binary.

A provider does what it is asked to, and keeps the answer to itself. When the binary has asked nothing more for a while,
it waits for answers alone: what is under way then is the *frontier*, everything that it was willing to do at that
moment. One call is chosen from it and answered, and so on. So the order of completion is ours to decide, and the
frontiers show which order the binary keeps to by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Final, cast

import trio

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.providers.contract import ApplyRequest, ApplyResponse, Provider
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.record import record
from shared_nodes.values.value import Value

__all__ = ["HeldReplies"]

_QUIET_S: Final = 0.06


@record(frozen=False, eq=False)
class _Held:
    name: str
    released: trio.Event = field(default_factory=trio.Event)


@record(frozen=False)
class HeldReplies:
    """The apply calls of all providers of a run. `choose` gets the frontier, in the order of the alphabet, and returns
    the member that is answered next."""

    choose: Callable[[Sequence[str]], str] = min
    quiet_s: float = _QUIET_S
    """How long the binary must have asked nothing."""

    frontiers: list[tuple[str, ...]] = field(default_factory=list)
    """What was under way whenever a reply was released."""

    _waiting: list[_Held] = field(default_factory=list)
    _is_watched: bool = False
    _parked: trio.lowlevel.ParkingLot = field(default_factory=trio.lowlevel.ParkingLot)

    def between(self, factory: ProviderFactory) -> ProviderFactory:
        """Return providers whose replies are held."""

        def make(source: ProviderSource) -> Provider | None:
            provider = factory(source)
            return None if provider is None else cast("Provider", _Holding(provider, self))

        return make

    async def hold(self, name: str) -> None:
        """Wait until this call is chosen. One of those who wait watches for all."""
        held = _Held(name)
        self._waiting.append(held)
        try:
            while not held.released.is_set():
                if self._is_watched:
                    await self._parked.park()
                else:
                    await self._watch()
        finally:
            if held in self._waiting:
                self._waiting.remove(held)

    async def _watch(self) -> None:
        self._is_watched = True
        from trio.testing import wait_all_tasks_blocked  # imports pytest where there is one

        try:
            await wait_all_tasks_blocked(self.quiet_s)
            frontier = tuple(sorted(held.name for held in self._waiting))
            self.frontiers.append(frontier)
            chosen = self.choose(frontier)
            held = next(held for held in self._waiting if held.name == chosen)
            self._waiting.remove(held)
            held.released.set()
        finally:
            self._is_watched = False
            self._parked.unpark_all()


class _Holding:
    """A provider that holds the answers of its applies, and is itself in everything else."""

    def __init__(self, provider: Provider, replies: HeldReplies) -> None:
        self._provider = provider
        self._replies = replies

    def __getattr__(self, name: str) -> Any:
        return getattr(self._provider, name)

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        answer = await self._provider.apply(request)
        await self._replies.hold(_name_of(request))
        return answer


def _name_of(request: ApplyRequest) -> str:
    """Return what is done to which object: "create a", by the name it has in the cloud."""
    if request.planned.is_null:
        return f"delete {_text(request.prior)}"
    return f"{'create' if request.prior.is_null else 'update'} {_text(request.planned)}"


def _text(value: Value) -> str:
    name = value.payload.get("name") or value.payload.get("id")
    return name.payload if name is not None and isinstance(name.payload, str) else ""
