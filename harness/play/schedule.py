"""Schedules in which a case is run. None of them may show in the outcome.

An engine whose outcome depends on the schedule has a race, or loses something between planning and applying.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from itertools import product
from typing import Final

from shared_nodes.record import record

__all__ = ["PARALLELISMS", "PlanTransfer", "Schedule", "every_schedule", "parse_schedule"]

PARALLELISMS: Final = (10, 2, 1)
"""The default of the original, then the two with the least concurrency."""


class PlanTransfer(StrEnum):
    """How a plan gets from planning to applying."""

    FILE = "file"
    """Saved, and read again by the process that planned. Everything that a file would lose is lost, at little cost.
    Recordings were made from saved plans as well."""

    MEMORY = "memory"
    """Applied at once and never saved. Warnings about the configuration and its inputs are then reported once, because
    applying a saved plan reads both again. Outputs of modules keep their planned values, which no plan file holds."""

    PROCESS = "process"
    """Saved, and applied by a process that has planned nothing and has nothing but the files."""


@record
class Schedule:
    """`seed` decides the order of everything that dependencies leave open."""

    seed: int = 0
    parallelism: int = 10
    handover: PlanTransfer = PlanTransfer.FILE

    def __str__(self) -> str:
        """Return the recorded form, which findings and journals contain and `parse_schedule` reads."""
        return _RECORDED_FORM.format(self.seed, self.parallelism, self.handover)


_RECORDED_FORM: Final = "seed {}, parallelism {}, plan by {}"
_RECORDED_PATTERN: Final = re.compile(_RECORDED_FORM.format(r"(-?\d+)", r"(\d+)", f"({'|'.join(PlanTransfer)})"))


def parse_schedule(text: str) -> Schedule | None:
    """Read the recorded form of a schedule. Return None for any other text."""
    match = _RECORDED_PATTERN.fullmatch(text)
    return None if match is None else Schedule(int(match[1]), int(match[2]), PlanTransfer(match[3]))


def every_schedule(
    seeds: Iterable[int], parallelisms: Iterable[int], transfers: Iterable[PlanTransfer] = (PlanTransfer.FILE,)
) -> list[Schedule]:
    """Return every seed at every parallelism with every kind of plan transfer."""
    return [Schedule(*choice) for choice in product(seeds, parallelisms, transfers)]
