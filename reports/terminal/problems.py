"""Prepares diagnostics for people: in a useful order, and without repeating similar warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from shared_nodes.lang.diagnostics import Diagnostic, Severity

__all__ = ["problems_for_people"]


def problems_for_people(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort and consolidate diagnostics.

    Warnings come first, because the most important ones should be last, where the reader looks; then they are sorted by
    place. Of warnings with a place and the same summary only the first is shown, with the number of the others. Failed
    checks are all shown, because each says something of its own.
    """
    found = sorted(diagnostics, key=_place)
    counts = Counter(problem.summary for problem in found if _is_foldable(problem))
    shown: list[Diagnostic] = []
    for problem in found:
        if not _is_foldable(problem):
            shown.append(problem)
            continue
        others = counts.pop(problem.summary, 0) - 1
        if others == 0:
            shown.append(problem)
        elif others > 0:
            shown.append(replace(problem, detail=f"{problem.detail}\n\n({_count_similar(others)} elsewhere)"))
    return shown


def _is_foldable(problem: Diagnostic) -> bool:
    return problem.severity is Severity.WARNING and problem.subject is not None and not problem.from_check


def _count_similar(others: int) -> str:
    return "and one more similar warning" if others == 1 else f"and {others} more similar warnings"


def _place(problem: Diagnostic) -> tuple[bool, bool, int, str, int, int]:
    """Return the sort key: files of a module precede those of its child modules."""
    is_error, subject = problem.severity is Severity.ERROR, problem.subject
    if subject is None:
        return is_error, False, 0, "", 0, 0
    filename = subject.source.filename
    return is_error, True, filename.count("/"), filename, subject.start, subject.end
