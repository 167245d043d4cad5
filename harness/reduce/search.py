"""Apply one pass after another to the best specimen so far, until none helps or the budget is spent.

A pass proposes all its changes of the best specimen, and each is tried. After an accepted change the pass is asked
again and continues at the same position; rejected changes are only tried again in the next round. Passes whose changes
can be combined try many at once first, then half as many: most of a large case is dropped in a few trials.

Every accepted change lowers the rank, so the search terminates. It depends neither on chance nor on the clock, unless a
deadline ends it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final

from harness.reduce.history import ReductionStep
from harness.reduce.passes.reduction_pass import Pass
from harness.reduce.predicate import SignaturePredicate
from harness.reduce.specimens.specimen import Specimen, merge_changes
from harness.reduce.specimens.syntax import breaks_syntax
from shared_nodes.record import record

__all__ = ["DEFAULT_LIMITS", "BudgetSpentError", "Limits", "OnTrial", "Search", "ignore_trial"]

OnTrial = Callable[[int, Specimen], None]
"""Called before each trial with the number of trials, including this one, and the best specimen so far."""


def ignore_trial(_trials: int, _best: Specimen) -> None:
    """The default for `OnTrial`: do nothing."""


class BudgetSpentError(Exception):
    """The budget is spent. The best specimen so far is kept."""


@record
class Limits:
    trials: int = 2000
    minutes: float | None = None


DEFAULT_LIMITS: Final = Limits()
INITIAL: Final = "as it was"


@record(frozen=False)
class Search:
    predicate: SignaturePredicate
    best: Specimen
    limits: Limits
    on_trial: OnTrial = ignore_trial
    trials: int = 0
    history: list[ReductionStep] = field(default_factory=list)
    """All accepted versions, including the original."""

    _ends_at: float | None = None
    _refused: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.limits.minutes is not None:
            self._ends_at = time.monotonic() + 60 * self.limits.minutes
        self.history.append(ReductionStep(INITIAL, 0, self.best))

    def run(self, passes: Sequence[Pass]) -> None:
        before = None
        while before is not self.best:
            before = self.best
            for each in passes:
                self._apply_pass(each)

    def _apply_pass(self, one: Pass) -> None:
        width = len(one.make(self.best)) if one.at_once else 1
        while width:
            position, changes = 0, one.make(self.best)
            while position < len(changes):
                if self.attempt(
                    self.best.changed(merge_changes(changes[position : position + width])), one.description
                ):
                    changes = one.make(self.best)
                else:
                    position += width
            width //= 2

    def attempt(self, specimen: Specimen, description: str, *, must_be_simpler: bool = True) -> bool:
        """Try a specimen and return whether it is the best now. New syntax errors are rejected without a trial."""
        if must_be_simpler and specimen.rank >= self.best.rank:
            return False
        if breaks_syntax(self.best, specimen) or not self.is_interesting(specimen):
            return False
        self.accept(specimen, description)
        return True

    def accept(self, specimen: Specimen, description: str) -> None:
        self.best = specimen
        self.history.append(ReductionStep(description, self.trials, specimen))

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
