"""Diagnostics: a user's mistakes, as values.

Nothing in the engines raises for a user's mistake: it is a `Diagnostic`, collected in order. Exceptions inside the
packages are either turned into diagnostics where the source range is known, or mean a bug of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from shared_nodes.lang.source import Range
from shared_nodes.values.paths import Path

__all__ = ["Diagnostic", "Severity", "error", "has_errors", "warning"]


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


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

    def __str__(self) -> str:
        where = f"{self.subject}: " if self.subject is not None else ""
        return f"{where}{self.summary}; {self.detail}" if self.detail else f"{where}{self.summary}"


def error(summary: str, detail: str = "", subject: Range | None = None, context: Range | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, summary, detail, subject, context)


def warning(summary: str, detail: str = "", subject: Range | None = None, context: Range | None = None) -> Diagnostic:
    return Diagnostic(Severity.WARNING, summary, detail, subject, context)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
