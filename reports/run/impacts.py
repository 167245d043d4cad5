"""What came of each case with the candidates, in the words of the headline: each case once, documented or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

from harness.findings.feature_outcomes import Outcome, outcome_of
from harness.findings.result import CaseResult
from harness.findings.run import Run

__all__ = ["IMPACTS", "count_impacts", "impact_of"]

IMPACTS: Final = {
    "crash": "crashes",
    "error": "fails",
    "ignored": "leaves something out",
    "wrong": "does something else",
    "remarks": "other events or wording only",
    "not-compared": "not compared",
    "same": "the same",
}
"""What came of a case, the worst first, in the words of the headline: an outcome, `remarks` where nothing else differs,
or that no candidate could be compared."""


def impact_of(result: CaseResult, candidates: Collection[str]) -> str:
    found = outcome_of(result, candidates)
    if found is Outcome.SAME and any(finding.signature.subject in candidates for finding in result.findings):
        return "remarks"
    return "not-compared" if found is None else str(found)


def count_impacts(run: Run) -> Mapping[str, int]:
    """Return the number of cases by impact, the worst first. Together they are all cases."""
    counts = Counter(impact_of(result, run.candidates) for result in run.results)
    return {name: counts[name] for name in IMPACTS if counts[name]}
