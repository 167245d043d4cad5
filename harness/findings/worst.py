"""The order in which findings of one case matter: documented ones after all others, consequences after their causes,
then by weight."""

from __future__ import annotations

from collections.abc import Iterable

from harness.findings.finding import Finding

__all__ = ["worst_first"]


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings, the worst first. Among those of one weight, the order of the case is kept: a later
    difference may follow from an earlier one."""
    return sorted(findings, key=lambda each: (bool(each.known), each.is_consequence, -each.weight))
