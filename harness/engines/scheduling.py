"""One seed, one schedule: everything that concurrency leaves open depends on the seed, and on nothing else.

An engine decides by the seed which of several ready operations is first; the rest is decided here, for every engine.
`run_deterministically` is the only function of the harness that starts an event loop for an engine. `interleaved` makes
providers that let other tasks run in the middle of their calls: the builtin provider never waits for anything, and
calls that never wait would run one after the other at every parallelism, whatever mistake the engine makes in between.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any, Final, TypeVar, cast

from shared_nodes import tasks
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.task_loop import TaskLoop, current_loop

__all__ = ["interleaved", "run_deterministically"]

_Result = TypeVar("_Result")

_MOST_TURNS: Final = 3
_CALLS: Final = frozenset(name for name, member in vars(Provider).items() if inspect.iscoroutinefunction(member))


def run_deterministically(
    seed: int,
    function: Callable[..., Awaitable[_Result]],
    *arguments: Any,
    timeout_s: float = float("inf"),
    in_trio: bool = False,
) -> _Result:
    """Run the function in an event loop of its own, and return its result. TooSlowError is raised if it waits for
    longer than `timeout_s`. If it may wait for other processes, or is not ours, that is a loop of trio, and it is not
    for two threads at a time."""
    if in_trio:
        from harness.engines.trio_internals import run_in_trio

        return run_in_trio(seed, partial(function, *arguments), timeout_s)
    return TaskLoop(Random(f"scheduler {seed}")).run(function, *arguments, timeout_s=timeout_s)


def interleaved(providers: ProviderFactory, seed: int) -> ProviderFactory:
    """Return the same providers, whose calls let other tasks run for a few turns before they work and before they
    answer."""
    random = Random(f"providers {seed}")

    def make(source: ProviderSource) -> Provider | None:
        provider = providers(source)
        return None if provider is None else cast("Provider", _Interleaved(provider, random))

    return make


class _Interleaved:
    """A provider whose calls are wrapped when they are first made: it has many, and most operations use few."""

    def __init__(self, provider: Provider, random: Random) -> None:
        self._provider = provider
        self._random = random

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._provider, name)
        if name in _CALLS:
            member = _interleaved(member, self._random)
            setattr(self, name, member)
        return member


def _interleaved(call: Callable[..., Awaitable[Any]], random: Random) -> Callable[..., Awaitable[Any]]:
    """The turns are shielded: what a provider has done must be reported, even to a caller that was cancelled. A first
    turn lets the engine begin something else. If no task can run even then, the others are left out."""

    async def take_turns() -> None:
        for number in range(random.randint(0, _MOST_TURNS)):
            if number and _runs_alone():
                return
            await tasks.shielded_checkpoint()

    async def interleaved(*arguments: Any) -> Any:
        await take_turns()
        answer = await call(*arguments)
        await take_turns()
        return answer

    return interleaved


def _runs_alone() -> bool:
    """Return whether a turn would only come back to the current task. In trio's loop it is taken all the same."""
    loop = current_loop()
    return loop is not None and loop.runs_alone()
