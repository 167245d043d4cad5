"""The order in which findings of one case matter: documented ones after all others, consequences after their causes,
then by weight."""

from __future__ import annotations

from collections.abc import Iterable

from harness.findings.finding import Finding, Standing

__all__ = ["is_own", "worst_first"]


def is_own(finding: Finding) -> bool:
    """Return whether a finding follows from no other one."""
    return finding.standing is Standing.OWN


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings, the worst first. Among those of one weight, the order of the case is kept: a later
    difference may follow from an earlier one."""
    return sorted(findings, key=lambda each: (bool(each.known), not is_own(each), -each.weight))
