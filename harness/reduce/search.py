"""One pass after another over the best specimen so far, until none of them helps or the budget is spent.

A pass is asked for all its changes of the best specimen. Each is tried, and where one is accepted the pass is asked
again and goes on at the same position: what was refused before is tried once more only in the next round. Passes whose
changes can be made at once try many first, then half as many: of a large case most is dropped in few trials.

Every accepted change lowers the rank, so that the search ends. Nothing in it depends on chance or on the clock, unless
a deadline cuts it off.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from harness.reduce.history import ReductionStep
from harness.reduce.predicate import SignaturePredicate
from harness.reduce.specimen import Specimen, SpecimenChange, merge_changes
from harness.reduce.syntax import breaks_syntax

__all__ = ["DEFAULT_LIMITS", "BudgetSpentError", "Limits", "OnTrial", "Pass", "Search", "ignore"]


OnTrial = Callable[[int, Specimen], None]
"""Told before each trial: how many there have been, this one included, and the best specimen so far."""


def ignore(_trials: int, _best: Specimen) -> None:
    """For whoever does not watch."""


class BudgetSpentError(Exception):
    """The budget is used up. What has been reached is kept."""


@dataclass(frozen=True, slots=True)
class Limits:
    trials: int = 2000
    minutes: float | None = None


DEFAULT_LIMITS: Final = Limits()
INITIAL: Final = "as it was"


@dataclass(frozen=True, slots=True)
class Pass:
    make: Callable[[Specimen], Sequence[SpecimenChange]]
    told: str
    """What it does, for whoever sees how a case became small."""

    at_once: bool = False
    """Whether several of its changes can be made together."""


@dataclass(slots=True)
class Search:
    predicate: SignaturePredicate
    best: Specimen
    limits: Limits
    on_trial: OnTrial = ignore
    trials: int = 0
    frames: list[ReductionStep] = field(default_factory=list)
    """Every version that was accepted, the first one included."""

    _ends_at: float | None = None
    _refused: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.limits.minutes is not None:
            self._ends_at = time.monotonic() + 60 * self.limits.minutes
        self.frames.append(ReductionStep(INITIAL, 0, self.best))

    def run(self, passes: Sequence[Pass]) -> None:
        before = None
        while before is not self.best:
            before = self.best
            for each in passes:
                self._exhaust(each)

    def _exhaust(self, one: Pass) -> None:
        width = len(one.make(self.best)) if one.at_once else 1
        while width:
            position, changes = 0, one.make(self.best)
            while position < len(changes):
                if self.attempt(self.best.changed(merge_changes(changes[position : position + width])), one.told):
                    changes = one.make(self.best)
                else:
                    position += width
            width //= 2

    def attempt(self, specimen: Specimen, told: str, *, must_be_simpler: bool = True) -> bool:
        """Whether it is the best one now. What could not be read any more is refused without a trial."""
        if must_be_simpler and specimen.rank >= self.best.rank:
            return False
        if breaks_syntax(self.best, specimen) or not self.is_interesting(specimen):
            return False
        self.accept(specimen, told)
        return True

    def accept(self, specimen: Specimen, told: str) -> None:
        self.best = specimen
        self.frames.append(ReductionStep(told, self.trials, specimen))

    def is_interesting(self, specimen: Specimen) -> bool:
        content = hashlib.sha256(repr(specimen.rank).encode("utf-8", "surrogateescape")).digest()
        if content in self._refused:
            return False
        if self.trials >= self.limits.trials or (self._ends_at is not None and time.monotonic() >= self._ends_at):
            raise BudgetSpentError
        self.trials += 1
        self.on_trial(self.trials, self.best)
        if self.predicate.is_interesting(specimen):
            return True
        self._refused.add(content)
        return False
