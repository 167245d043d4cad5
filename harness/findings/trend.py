"""The causes over many runs of one corpus: which have appeared, which are gone, and in how many cases each shows.

A cause is the same one in two runs if it has the same identifier, or has only got another one (`run_comparison.py`). It
is gone from a run only if a case that has ever shown it was run again there: a smaller run burns nothing down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from harness.findings.causes import Cause
from harness.findings.run import Run
from harness.findings.run_comparison import is_same_cause
from shared_nodes.record import record

__all__ = ["Trend", "TrendPoint", "TrendRow", "point_of", "trend_of"]


@record
class TrendPoint:
    """What a trend keeps of a run. Evidence, which is most of it, can be dropped."""

    name: str
    started: str
    commit: str
    engines: tuple[str, ...]
    cases: frozenset[str]
    planned: int
    causes: tuple[Cause, ...]

    @property
    def never_run(self) -> int:
        """How many cases were left when the run was stopped."""
        return max(self.planned - len(self.cases), 0)

    @property
    def undocumented(self) -> int:
        return sum(not cause.known for cause in self.causes)

    @property
    def affected(self) -> int:
        """How many cases show any cause."""
        return len({case for cause in self.causes for case in cause.cases})


@record
class TrendRow:
    cause: Cause
    """As it was in the last run that showed it."""

    counts: tuple[int | None, ...]
    """By run, the number of cases that show it; None where no case was run that has ever shown it."""

    @property
    def is_present(self) -> bool:
        """Whether the last run that could show it does."""
        return next((count for count in reversed(self.counts) if count is not None), 0) > 0

    @property
    def first(self) -> int:
        """The number of the first run that shows it."""
        return next(number for number, count in enumerate(self.counts) if count)


@record
class Trend:
    points: tuple[TrendPoint, ...]
    """In the order in which the runs were started."""

    rows: tuple[TrendRow, ...]
    """Causes that are present first, then the heaviest, then those with the most cases."""


def point_of(name: str, run: Run) -> TrendPoint:
    cases = frozenset(result.identifier for result in run.results)
    started, commit = run.header.get("started", ""), run.header.get("commit", "")
    return TrendPoint(name, started, commit, run.engines, cases, run.planned, run.causes)


def trend_of(points: Iterable[TrendPoint]) -> Trend:
    ordered = sorted(points, key=lambda point: (point.started, point.name))
    lines: list[_Line] = []
    for number, point in enumerate(ordered):
        _continue_lines(lines, number, point)
    rows = [TrendRow(line.cause, tuple(line.count(each, at) for at, each in enumerate(ordered))) for line in lines]
    return Trend(tuple(ordered), tuple(sorted(rows, key=_rank)))


@record(frozen=False)
class _Line:
    """One cause on its way through the runs."""

    cause: Cause
    cases: set[str] = field(default_factory=set)
    """All cases that have ever shown it."""

    shown: dict[int, int] = field(default_factory=dict)

    def count(self, point: TrendPoint, number: int) -> int | None:
        if number in self.shown:
            return self.shown[number]
        return None if self.cases.isdisjoint(point.cases) else 0


def _continue_lines(lines: list[_Line], number: int, point: TrendPoint) -> None:
    here = {cause.identifier for cause in point.causes}
    by_name = {line.cause.identifier: line for line in lines}
    renamed = [line for line in lines if line.cause.identifier not in here]
    for cause in point.causes:
        line = by_name.get(cause.identifier) or _counterpart(cause, renamed, number)
        if line is None:
            line = _Line(cause)
            lines.append(line)
        line.cause = cause
        line.cases.update(cause.cases)
        line.shown[number] = len(cause.cases)


def _counterpart(cause: Cause, renamed: Sequence[_Line], number: int) -> _Line | None:
    return next((line for line in renamed if number not in line.shown and is_same_cause(line.cause, cause)), None)


def _rank(row: TrendRow) -> tuple[bool, int, int, str]:
    return not row.is_present, -row.cause.weight, -len(row.cause.cases), row.cause.identifier
