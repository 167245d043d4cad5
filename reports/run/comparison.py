"""What has changed since an earlier run, as lines of text for the terminal and for build servers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from harness.findings.causes import Cause
from harness.findings.run import Group
from harness.findings.run_comparison import Comparison
from reports.visible import shortened, visible_line

__all__ = ["CASE_CHANGES", "comparison_lines", "list_some"]

CASE_CHANGES: Final = ("worse", "better", "added", "missing")
"""What can happen to a case: names of fields of `Comparison`."""

_MOST: Final = 6
"""Number of lines of each kind."""

_LONGEST: Final = 300


def comparison_lines(comparison: Comparison) -> list[str]:
    if comparison.is_empty:
        return ["Nothing has changed since the earlier run."]
    lines = ["Since the earlier run:"]
    lines += _list_lines("new cause", map(_describe_cause, comparison.new_causes))
    lines += _list_lines("gone cause", map(_describe_cause, comparison.gone_causes))
    lines += _list_lines("new", map(_describe, comparison.new))
    lines += _list_lines("gone", map(_describe, comparison.gone))
    classes = [f"{_describe(group)}: was {before}, is {now}" for group, before, now in comparison.changed]
    lines += _list_lines("another class", classes)
    for name in CASE_CHANGES:
        cases: Sequence[str] = getattr(comparison, name)
        if cases:
            lines.append(f"  {len(cases)} {'case' if len(cases) == 1 else 'cases'} {name}: {list_some(cases)}")
    return [visible_line(line) for line in lines]


def _list_lines(kind: str, texts: Iterable[str]) -> list[str]:
    lines = [f"  {kind}: {text}" for text in texts]
    return lines if len(lines) <= _MOST else [*lines[:_MOST], f"  and {len(lines) - _MOST} more {kind}"]


def _describe(group: Group) -> str:
    signature = shortened(str(group.signature), _LONGEST)
    return f"{signature} ({len(group.cases)}, such as {group.smallest.identifier})"


def _describe_cause(cause: Cause) -> str:
    return f"{shortened(cause.title, _LONGEST)} ({len(cause.cases)}, such as {cause.smallest})"


def list_some(cases: Sequence[str]) -> str:
    return ", ".join(cases[:5]) + (", ..." if len(cases) > 5 else "")
