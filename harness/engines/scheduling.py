"""One seed, one schedule: everything that concurrency leaves open is drawn from it, and from nothing else.

An engine decides by the seed which of several ready things goes first; the rest is decided here, for whichever engine
runs. `run_deterministically` is the only way the harness starts an event loop for an engine, and `interleaved` makes
providers that let others work in the middle of their calls: the builtin provider never waits for anything, and calls
that never wait would run one after the other at every parallelism, whatever the engine might do wrong in between.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Final, TypeVar, cast

import trio
import trio._core._run as trio_scheduler

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.registry import ProviderFactory

__all__ = ["interleaved", "run_deterministically"]

_Result = TypeVar("_Result")

_MOST_TURNS: Final = 3
_CALLS: Final = frozenset(name for name, member in vars(Provider).items() if inspect.iscoroutinefunction(member))


def run_deterministically(
    seed: int, function: Callable[..., Awaitable[_Result]], *arguments: Any, timeout_s: float = float("inf")
) -> _Result:
    """What the function returns, having been run in an event loop of its own; TooSlowError where it waits for longer
    than `timeout_s`. Not for two threads at a time: the scheduler's randomness is one for the whole program."""

    results: list[_Result] = []

    async def limited() -> None:
        """The event loop is given no result: it stays in memory until garbage is collected, with all it holds."""
        with trio.fail_after(timeout_s):
            results.append(await function(*arguments))

    with _seeded_scheduler(seed):
        trio.run(limited)
    return results[0]


@contextmanager
def _seeded_scheduler(seed: int) -> Iterator[None]:
    """Trio shuffles the tasks that could run next, by a generator of its own, so that no program comes to rely on their
    order. It offers no seed to programs, only to Hypothesis and pytest-trio, by these two variables. They are set for
    one run and put back after it. The text keeps the draws apart from those an engine makes with the same number."""
    ours = {"_ALLOW_DETERMINISTIC_SCHEDULING": True, "_r": Random(f"scheduler {seed}")}
    variables = vars(trio_scheduler)
    before = {name: variables[name] for name in ours}
    variables.update(ours)
    try:
        yield
    finally:
        variables.update(before)


def interleaved(providers: ProviderFactory, seed: int) -> ProviderFactory:
    """The same providers, whose calls let others go first for a few turns before they work and before they answer."""
    random = Random(f"providers {seed}")

    def make(source: ProviderSource) -> Provider | None:
        provider = providers(source)
        return None if provider is None else cast("Provider", _Interleaved(provider, random))

    return make


class _Interleaved:
    """Calls are wrapped when first made: a provider has many, and most operations use few."""

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
    """Shielded: what a provider has done must be told, also to somebody who has given up."""
    turn = trio.lowlevel.cancel_shielded_checkpoint

    async def interleaved(*arguments: Any) -> Any:
        for _ in range(random.randint(0, _MOST_TURNS)):
            await turn()
        answer = await call(*arguments)
        for _ in range(random.randint(0, _MOST_TURNS)):
            await turn()
        return answer

    return interleaved
