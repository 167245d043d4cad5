"""What becomes of the cases that use each part of the language: the table that shows what a candidate can do yet.

Unlike a ruling, an outcome counts documented findings as well: a feature that is known to be missing is missing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from harness.compare.roles import OTHERWISE
from harness.compare.ruling import Ruling
from harness.findings.finding import Finding, Standing
from harness.findings.result import CaseResult
from harness.findings.weight import Weight
from shared_nodes.record import record

__all__ = ["FeatureOutcomes", "Outcome", "count_features", "outcome_of"]

_FEWEST_CASES: Final = 3
"""A feature that fewer cases have says little."""

_IDLE: Final = ("none", "no-op", "read")
"""Intentions with which nothing is done to an object."""


class Outcome(StrEnum):
    """What the candidate makes of a case. The values are published."""

    SAME = "same"
    ERROR = "error"
    """It fails, and the baseline does not."""

    IGNORED = "ignored"
    """It does nothing where the baseline acts or complains."""

    WRONG = "wrong"
    CRASH = "crash"
    """It crashes, or comes to no end."""


@record
class FeatureOutcomes:
    name: str
    """A feature or a tag."""

    cases: int
    counts: Mapping[Outcome, int]
    """Every outcome has a number; together they are all cases."""


def count_features(results: Sequence[CaseResult], candidates: Collection[str]) -> tuple[FeatureOutcomes, ...]:
    """Return a row for each feature and tag, those with the most cases that are not the same first. Cases in which no
    candidate could be compared are left out."""
    counts: dict[str, Counter[Outcome]] = defaultdict(Counter)
    for result in results:
        outcome = outcome_of(result, candidates)
        if outcome is not None:
            for name in {*result.features, *result.tags}:
                counts[name][outcome] += 1
    rows = [
        FeatureOutcomes(name, found.total(), {outcome: found[outcome] for outcome in Outcome})
        for name, found in counts.items()
        if found.total() >= _FEWEST_CASES
    ]
    return tuple(sorted(rows, key=lambda row: (row.counts[Outcome.SAME] - row.cases, row.name)))


def outcome_of(result: CaseResult, candidates: Collection[str]) -> Outcome | None:
    """Return the worst outcome of the candidates; None if there was nothing to compare: none of them could run the
    case, or the baseline broke or differs from itself."""
    compared = [name for name in candidates if name in result.engines and name not in result.not_run]
    others = [finding for finding in result.findings if finding.signature.subject not in candidates]
    if not compared or any(_is_unusable(finding) for finding in others):
        return None
    own = (finding for finding in result.findings if finding.signature.subject in compared)
    findings = [finding for finding in own if not finding.is_expectation]
    heavy = [finding for finding in findings if finding.weight > Weight.EVENTS]
    return _outcome(heavy) if heavy else Outcome.SAME


def _is_unusable(finding: Finding) -> bool:
    ruling = finding.signature.ruling
    return ruling.is_breakdown or ruling.is_variation or ruling is Ruling.INVALID_CASE


def _outcome(findings: Iterable[Finding]) -> Outcome:
    """Return the outcome according to the heaviest findings, consequences last."""
    findings = list(findings)
    own = [finding for finding in findings if finding.standing is Standing.OWN] or findings
    weight = max(finding.weight for finding in own)
    heaviest = [finding for finding in own if finding.weight is weight]
    if weight >= Weight.HANG:
        return Outcome.CRASH
    if weight is Weight.FAILURE:
        fails = any(finding.signature.ruling is Ruling.ONLY_CANDIDATE_FAILS for finding in heaviest)
        return Outcome.ERROR if fails else Outcome.IGNORED
    is_ignored = weight is Weight.ACTIONS and any(_is_inaction(finding.signature.role) for finding in heaviest)
    return Outcome.IGNORED if is_ignored else Outcome.WRONG


def _is_inaction(role: str) -> bool:
    """Return whether the baseline acts on the object, and the candidate does not."""
    wanted, separator, got = role.partition(OTHERWISE)
    return bool(separator) and wanted not in _IDLE and got in ("none", "no-op")
