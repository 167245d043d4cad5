"""The other words of C01: how upstream's newer engine reports some mistakes of the old one.

Only words change. Severity, place and address stay, so that a mistake can be recognised as the same one by them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.pattern import pattern
from shared_nodes.record import record

__all__ = ["reword"]


def _always(_problem: Diagnostic) -> bool:
    return True


_MODULE: Final = pattern(r"\bmodule\.[\w-]+(\[[^\]]*\])?\s*$")


def _is_behind_module(problem: Diagnostic) -> bool:
    """Whether the marked range follows directly after the name of a module: the old engine sees only an object
    there."""
    subject = problem.subject
    return subject is not None and _MODULE.search(subject.source.text[: subject.start]) is not None


@record
class _Entry:
    """One replacement. `pattern` must match the whole detail; `new_detail` may use its groups."""

    summary: str
    pattern: re.Pattern[str]
    new_summary: str
    new_detail: str
    applies_to: Callable[[Diagnostic], bool] = _always


_TABLE: Final = (
    _Entry(
        "Unsupported attribute",
        pattern(r"This object does not have an attribute named (.+)\."),
        "Reference to undeclared output value",
        r"This module does not declare an output value named \1.",
        _is_behind_module,
    ),
    _Entry(
        "Invalid count argument",
        pattern(r'The given "count" argument value is unsuitable: (.+)', re.DOTALL),
        "Invalid value for instance count",
        r'The value of "count" does not say how many instances there are to be: \1',
    ),
    _Entry(
        "Invalid value for variable",
        pattern(r"(.+)\n\nThis was checked by the validation rule at (.+)\.", re.DOTALL),
        "Value refused by validation rule",
        r"\1\n\nThe rule that refuses the value stands at \2.",
    ),
)


def reword(problems: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(map(_reword, problems))


def _reword(problem: Diagnostic) -> Diagnostic:
    for entry in _TABLE:
        match = entry.pattern.fullmatch(problem.detail) if problem.summary == entry.summary else None
        if match is not None and entry.applies_to(problem):
            return replace(problem, summary=entry.new_summary, detail=match.expand(entry.new_detail))
    return problem
