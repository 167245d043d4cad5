"""The causes that show in one case, and which of its findings belongs to which of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from harness.findings.causes import Cause
from harness.findings.finding import Finding, Standing
from harness.findings.result import CaseResult

__all__ = ["assign_causes", "causes_by_case", "example_of"]


def causes_by_case(causes: Iterable[Cause]) -> Mapping[str, tuple[Cause, ...]]:
    """Return the causes of each case that has any, by its identifier, in the order in which they are given."""
    found: dict[str, list[Cause]] = defaultdict(list)
    for cause in causes:
        for case in cause.cases:
            found[case].append(cause)
    return {case: tuple(those) for case, those in found.items()}


def assign_causes(result: CaseResult, causes: Sequence[Cause]) -> list[Cause | None]:
    """Return the cause of each finding of a case, in the order of the findings. `causes` are those of the case. A
    finding that follows from several causes is assigned to the first of them; one whose reason was not kept has
    none."""
    documented = {cause.known: cause for cause in causes if cause.known}
    new = {signature: cause for cause in reversed(causes) if not cause.known for signature in cause.signatures}
    found: list[Cause | None] = []
    for finding in result.findings:
        if finding.known:
            found.append(documented.get(finding.known))
        else:
            found.append(None if finding.standing is Standing.FOLLOWS else new.get(finding.signature))
    reasons = {finding.signature.digest: cause for finding, cause in zip(result.findings, found, strict=True) if cause}
    for number, finding in enumerate(result.findings):
        if found[number] is None:
            cause = next((reasons[digest] for digest in finding.follows if digest in reasons), None)
            found[number] = cause
            if cause is not None:
                reasons.setdefault(finding.signature.digest, cause)
    return found


def example_of(result: CaseResult, cause: Cause, causes: Sequence[Cause]) -> Finding:
    """Return the finding by which a cause shows in one of its cases: the heaviest that is no consequence."""
    assigned = assign_causes(result, causes)
    found = [finding for finding, other in zip(result.findings, assigned, strict=True) if other is cause]
    own = [finding for finding in found if finding.standing is not Standing.FOLLOWS]
    return max(own or found, key=lambda finding: finding.weight, default=cause.example)
