"""The only place of the harness that reaches into trio's internals. A test checks them against the installed
version."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager
from random import Random
from typing import Any, Final

import trio._core._run as trio_scheduler

__all__ = ["SCHEDULER_VARIABLES", "runs_alone", "seeded_scheduler"]

SCHEDULER_VARIABLES: Final = ("_ALLOW_DETERMINISTIC_SCHEDULING", "_r")
"""The switch that makes scheduling depend on the generator alone, and the generator."""


@contextmanager
def seeded_scheduler(seed: int) -> Iterator[None]:
    """Make the schedule of event loops depend on the seed.

    Trio shuffles the tasks that could run next with a generator of its own, so that no program relies on their order.
    It offers a seed to Hypothesis and pytest-trio only, by these two variables. They are restored afterwards. The text
    in the seed keeps the draws apart from those an engine makes with the same number.
    """
    ours = dict(zip(SCHEDULER_VARIABLES, (True, _Scheduler(f"scheduler {seed}")), strict=True))
    variables = vars(trio_scheduler)
    before = {name: variables[name] for name in ours}
    variables.update(ours)
    try:
        yield
    finally:
        variables.update(before)


class _Scheduler(Random):
    """The generator of a seeded event loop. It is asked to shuffle each batch of tasks that could run, and so knows how
    many there were. Shuffling a single one draws nothing."""

    batch_size = 0

    def shuffle(self, x: MutableSequence[Any]) -> None:
        self.batch_size = len(x)
        super().shuffle(x)


def runs_alone() -> bool:
    """Return whether no other task of a seeded event loop could run if the current one let it. A turn would then only
    come back to the current task, and have drawn nothing: to leave it out changes no schedule."""
    scheduler = vars(trio_scheduler)["_r"]
    is_single = isinstance(scheduler, _Scheduler) and scheduler.batch_size == 1
    return is_single and not trio_scheduler.GLOBAL_RUN_CONTEXT.runner.runq
