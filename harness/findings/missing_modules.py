"""Sources of modules that are not here, with the cases that need them: what to install first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from harness.findings.result import CaseResult

__all__ = ["cases_by_source"]


def cases_by_source(results: Iterable[CaseResult]) -> Mapping[str, tuple[str, ...]]:
    """Return the identifiers of the cases that need each missing source: the source with most cases first."""
    cases: dict[str, list[str]] = defaultdict(list)
    for result in results:
        for source in result.missing_modules:
            cases[source].append(result.identifier)
    return {source: tuple(cases[source]) for source in sorted(cases, key=lambda each: (-len(cases[each]), each))}
