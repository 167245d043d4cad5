"""The outcome of a fault sweep: one report per trial."""

from __future__ import annotations

from enum import StrEnum

from harness.faults.trials import FaultTrial
from shared_nodes.record import record

__all__ = ["TrialReport", "Trouble"]


class Trouble(StrEnum):
    CRASHED = "crashed"
    DIFFERS = "differs"
    DOES_NOT_RECOVER = "does not recover"
    LEAKS = "leaks"


@record
class TrialReport:
    """The first thing that is wrong with a trial, if anything is. `runs` is the number of operations it took."""

    trial: FaultTrial
    trouble: Trouble | None = None
    engine: str = ""
    text: str = ""
    runs: int = 0
