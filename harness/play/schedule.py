"""Ways to run a case. None of them may show in the outcome: an engine whose outcome depends on the way has a race, or
loses something between planning and applying."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Final

__all__ = ["PARALLELISMS", "PlanTransfer", "Schedule", "every_schedule", "parse_schedule"]

PARALLELISMS: Final = (10, 2, 1)
"""The usual one first, then those at which least and nothing at all is done at a time."""


class PlanTransfer(StrEnum):
    """How a plan gets from planning to applying."""

    FILE = "file"
    """Saved, and read again by the process that planned: all that a file would lose is lost, and it costs little.
    Recordings were made from saved plans, too."""

    MEMORY = "memory"
    """Applied at once and never saved. Warnings about the configuration and its inputs are then told once: who applies
    a saved plan reads both again. Outputs of modules keep their planned values, which no plan file holds."""

    PROCESS = "process"
    """Saved, and applied by a process that has planned nothing and knows nothing but the files."""


@dataclass(frozen=True, slots=True)
class Schedule:
    seed: int = 0
    parallelism: int = 10
    handover: PlanTransfer = PlanTransfer.FILE

    def __str__(self) -> str:
        return f"seed {self.seed}, parallelism {self.parallelism}, plan by {self.handover}"


_TOLD: Final = re.compile(rf"seed (-?\d+), parallelism (\d+), plan by ({'|'.join(PlanTransfer)})")


def parse_schedule(text: str) -> Schedule | None:
    """From how a way is told, in findings and journals. None for any other text."""
    match = _TOLD.fullmatch(text)
    return None if match is None else Schedule(int(match[1]), int(match[2]), PlanTransfer(match[3]))


def every_schedule(
    seeds: Iterable[int], parallelisms: Iterable[int], handovers: Iterable[PlanTransfer] = (PlanTransfer.FILE,)
) -> list[Schedule]:
    """Every seed at every parallelism with every handover."""
    return [Schedule(*choice) for choice in product(seeds, parallelisms, handovers)]
