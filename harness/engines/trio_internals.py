"""The only place of the harness that reaches into trio's internals. A test checks them against the installed
version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Final

import trio._core._run as trio_scheduler

__all__ = ["SCHEDULER_VARIABLES", "seeded_scheduler"]

SCHEDULER_VARIABLES: Final = ("_ALLOW_DETERMINISTIC_SCHEDULING", "_r")
"""The switch that makes scheduling depend on the generator alone, and the generator."""


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
