"""Diagnostics: a user's mistakes, as values.

The engines never raise an exception for a user's mistake: they return a `Diagnostic`, collected in order. An exception
inside the packages is either turned into a diagnostic where the source range is known, or it is a bug in this program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from shared_nodes.lang.source import Range
from shared_nodes.record import record
from shared_nodes.values.paths import Path

if TYPE_CHECKING:
    from shared_nodes.lang.function import FunctionError
    from shared_nodes.lang.scope import Scope
    from shared_nodes.lang.tree import Expression
    from shared_nodes.values.marks import Marks
    from shared_nodes.values.value import Value

__all__ = ["Diagnostic", "Evaluated", "Severity", "error", "found_in", "has_errors", "joined_problems", "warning"]


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@record(eq=False)
class Evaluated:
    """The expression in which a problem was found and what it could see. Views derive evidence from it on demand: most
    problems inside `try` and `can` are never shown, so nothing is computed in advance."""

    expression: Expression
    scope: Scope
    bound: Mapping[str, Value] = field(default_factory=dict)
    """Variables of enclosing `for` expressions. They shadow those of the scope."""

    function: str | None = None
    """The function whose call failed, under the name used in the call."""

    failure: FunctionError | None = None
    """What that function raised."""

    unknown_is_cause: bool = False
    marks_are_cause: Marks = frozenset()


@record
class Diagnostic:
    """One problem. `subject` is the range to highlight and `context` (if any) the larger construct to show around it;
    `address` is the printed address of the object concerned, if there is one. A provider knows no source ranges, so it
    sets `attribute` to the path of the configuration value it objects to; the path becomes a subject where the body is
    known."""

    severity: Severity
    summary: str
    detail: str = ""
    subject: Range | None = None
    context: Range | None = None
    address: str | None = None
    attribute: Path | None = None
    evaluated: Evaluated | None = field(default=None, compare=False, repr=False)
    from_check: bool = field(default=False, compare=False, repr=False)
    """Found by a check block. Checks are evaluated again at every opportunity, so only the last result is worth
    reporting."""

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
    """Attach to a problem the expression whose result it is about. The report mentions that something is unknown,
    sensitive or ephemeral only if that is the cause."""
    evaluated = Evaluated(expression, scope, unknown_is_cause=unknown_is_cause, marks_are_cause=marks_are_cause)
    return replace(problem, evaluated=evaluated)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether any diagnostic is an error. This runs after every step, nearly always on an empty list, hence the
    early exit."""
    if not diagnostics:
        return False
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)


def joined_problems(problems: Sequence[Diagnostic]) -> str:
    """Return several problems as one text, as messages quote them that have no place for more than a text."""
    texts = [f"{problem.summary}: {problem.detail}" if problem.detail else problem.summary for problem in problems]
    if len(texts) == 1:
        return texts[0]
    return f"{len(texts)} problems:\n\n" + "\n".join(f"- {text}" for text in texts)
