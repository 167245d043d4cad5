"""The order in which findings of one case matter: an engine that broke first, wording last, documented ones after all
others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding

__all__ = ["worst_first"]

_RULINGS: Final = (
    Ruling.CRASH,
    Ruling.HANG,
    Ruling.OVER_BUDGET,
    Ruling.ONLY_CANDIDATE_FAILS,
    Ruling.ONLY_BASELINE_FAILS,
    Ruling.DIFFERS,
    Ruling.FLAKY,
    Ruling.NOISE,
)


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings by weight. Among those of one weight, the order of the case is kept: a later difference may
    be a consequence of an earlier one."""
    return sorted(findings, key=_weight)


def _weight(finding: Finding) -> tuple[bool, bool, int]:
    ruling = finding.signature.ruling
    return bool(finding.known), finding.is_detail, _RULINGS.index(ruling) if ruling in _RULINGS else len(_RULINGS)
