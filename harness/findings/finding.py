"""One thing in which an engine differs: from its baseline, from a recording, or from itself.

A case has as many findings as it has differences: a finding says nothing about the others, and an entry of `known.yaml`
that documents one of them hides no other. A difference from both the baseline and the recording is one finding.

A difference that follows from another one is a *consequence*: what an engine does after it has failed in a step, and
what differs only because the states differed before. It is kept and reported under its cause.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from harness.findings.signature import Signature
from harness.findings.weight import Weight, weight_of
from shared_nodes.record import record

__all__ = ["RESYNCHRONISED", "Finding", "Standing", "leading"]

RESYNCHRONISED: Final = ", from the baseline's state"
"""Ends the place of a finding that shows only where the engine begins the step in the state of the baseline."""

_EXPECTATIONS: Final = (("expect",), ("story",))
"""What a finding is against that is about one engine alone."""


class Standing(StrEnum):
    """Whether a finding is a cause. The values are published."""

    OWN = "own"
    FOLLOWS = "follows"
    """It follows from another one: from what happened before in the same step, or it is gone where the engine begins
    the step in the baseline's state."""

    MAY_FOLLOW = "may-follow"
    """It is about objects that the engines had left in different states before, and no run from the same state has
    shown whether that is the reason."""


@record
class Finding:
    signature: Signature
    against: tuple[str, ...]
    """The name of the baseline, `recorded`, both, or the engine's own name if it differs from itself; `story` if the
    story did not end successfully, `expect` if a step did not come to what its case expects. Empty for a crash."""

    place: str
    """The place in the case: "step 2 (apply v2)", "task repair #3 (apply v2)"."""

    field: str
    expected: str
    got: str
    is_detail: bool = False
    """Only the prose of a diagnostic differs."""

    explanation: tuple[str, ...] = ()
    """Sentences: what happened, and why."""

    known: str = ""
    """The entry of known.yaml that documents it."""

    is_accepted: bool = True
    """Whether the entry makes it acceptable. An entry may only give a cause its name."""

    inherits: bool = False
    """Whether no entry describes it, and it is documented only because everything it follows from is."""

    schedules: tuple[str, ...] = ()
    """If an engine differs from itself: the schedule of the first run, and the one with this outcome."""

    objects: tuple[str, ...] = ()
    """The addresses of the objects it is about."""

    count: int = 1
    """How many places of the step differ in this way."""

    standing: Standing = Standing.OWN
    follows: tuple[str, ...] = ()
    """Digests of the signatures from which it follows, or may follow."""

    @property
    def is_expectation(self) -> bool:
        """Whether it says that an engine does not do what the case expects, and nothing about other engines."""
        return self.against in _EXPECTATIONS

    @property
    def weight(self) -> Weight:
        return weight_of(self.signature, is_detail=self.is_detail)


def leading(findings: Iterable[Finding]) -> list[Finding]:
    """Return the worst finding of each engine: no consequence, if possible, then the heaviest, then the first."""
    worst: dict[str, Finding] = {}
    for finding in findings:
        found = worst.get(finding.signature.subject)
        if found is None or _badness(finding) > _badness(found):
            worst[finding.signature.subject] = finding
    return list(worst.values())


def _badness(finding: Finding) -> tuple[bool, int]:
    return finding.standing is Standing.OWN, finding.weight
