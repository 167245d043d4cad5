"""The only place of the harness that reaches into trio's internals. A test checks them against the installed
version."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Final, TypeVar

import trio
import trio._core._run as trio_scheduler

from shared_nodes.tasks import TooSlowError

__all__ = ["SCHEDULER_VARIABLES", "run_in_trio", "seeded_scheduler"]

_Result = TypeVar("_Result")

SCHEDULER_VARIABLES: Final = ("_ALLOW_DETERMINISTIC_SCHEDULING", "_r")
"""The switch that makes scheduling depend on the generator alone, and the generator."""


def run_in_trio(seed: int, function: Callable[[], Awaitable[_Result]], timeout_s: float) -> _Result:
    """Run the function in an event loop of trio, and return its result. TooSlowError is raised if it waits for longer
    than `timeout_s`. Not for two threads at a time: the randomness of the scheduler belongs to the whole program."""
    results: list[_Result] = []

    async def limited() -> None:
        """Return no result to the event loop, which would stay in memory with it until garbage is collected."""
        with trio.fail_after(timeout_s):
            results.append(await function())

    try:
        with seeded_scheduler(seed):
            trio.run(limited)
    except trio.TooSlowError as problem:
        raise TooSlowError from problem
    return results[0]


@contextmanager
def seeded_scheduler(seed: int) -> Iterator[None]:
    """Make the schedule of event loops depend on the seed.

    Trio shuffles the tasks that could run next with a generator of its own, so that no program relies on their order.
    It offers a seed to Hypothesis and pytest-trio only, by these two variables. They are restored afterwards. The text
    in the seed keeps the draws apart from those an engine makes with the same number.
    """
    ours = dict(zip(SCHEDULER_VARIABLES, (True, Random(f"scheduler {seed}")), strict=True))
    variables = vars(trio_scheduler)
    before = {name: variables[name] for name in ours}
    variables.update(ours)
    try:
        yield
    finally:
        variables.update(before)
