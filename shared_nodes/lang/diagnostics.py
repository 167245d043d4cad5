"""Diagnostics: a user's mistakes, as values.

Nothing in the engines raises for a user's mistake: it is a `Diagnostic`, collected in order. Exceptions inside the
packages are either turned into diagnostics where the source range is known, or mean a bug of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from shared_nodes.lang.source import Range
from shared_nodes.values.paths import Path

if TYPE_CHECKING:
    from shared_nodes.lang.scope import Scope
    from shared_nodes.lang.tree import Expression
    from shared_nodes.values.marks import Marks
    from shared_nodes.values.value import Value

__all__ = ["Diagnostic", "Evaluated", "Severity", "error", "found_in", "has_errors", "warning"]


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    """The expression a problem was found in and what it saw, from which views tell what was known. Kept as it is: most
    problems inside `try` and `can` are never shown, so nothing is worked out before somebody looks."""

    expression: Expression
    scope: Scope
    bound: Mapping[str, Value] = field(default_factory=dict)
    """Variables of enclosing `for` expressions, which come before those of the scope."""

    function: str | None = None
    """The function whose call failed, by the name it was called by."""

    unknown_is_cause: bool = False
    marks_are_cause: Marks = frozenset()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem. `subject` is what to mark, `context` (if any) the larger construct worth showing around it;
    `address` names the object concerned, printed form, where there is one. Providers, who know no source ranges, say
    with `attribute` which part of a configuration value they mean: it becomes a subject where the body is known."""

    severity: Severity
    summary: str
    detail: str = ""
    subject: Range | None = None
    context: Range | None = None
    address: str | None = None
    attribute: Path | None = None
    evaluated: Evaluated | None = field(default=None, compare=False, repr=False)
    from_check: bool = field(default=False, compare=False, repr=False)
    """Found by a check block: worth saying again at every opportunity to check, and so only the last time."""

    def __str__(self) -> str:
        where = f"{self.subject}: " if self.subject is not None else ""
        return f"{where}{self.summary}; {self.detail}" if self.detail else f"{where}{self.summary}"


def error(summary: str, detail: str = "", subject: Range | None = None, context: Range | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, summary, detail, subject, context)


def warning(summary: str, detail: str = "", subject: Range | None = None, context: Range | None = None) -> Diagnostic:
    return Diagnostic(Severity.WARNING, summary, detail, subject, context)


def found_in(
    problem: Diagnostic,
    expression: Expression,
    scope: Scope,
    *,
    unknown_is_cause: bool = False,
    marks_are_cause: Marks = frozenset(),
) -> Diagnostic:
    """The problem, known to be about the result of an expression. That something is unknown, sensitive or ephemeral
    is worth mentioning only where it is the cause."""
    evaluated = Evaluated(expression, scope, unknown_is_cause=unknown_is_cause, marks_are_cause=marks_are_cause)
    return replace(problem, evaluated=evaluated)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Asked after every step of everything, and nearly always of nothing."""
    if not diagnostics:
        return False
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
