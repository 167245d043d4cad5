"""The page over many runs of one corpus: causes as rows, runs as columns, and how many are left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from harness.findings.trend import Trend, TrendPoint, TrendRow
from reports.html.shell import render_page
from reports.run.cause_status import describe_status, task_of
from reports.run.engine_labels import engine_labels
from reports.run.trend import gone_count, present_count, short_time, stopped_note, trend_headline
from reports.visible import visible_line

__all__ = ["trend_report"]

_MOST_ROWS: Final = 1_000
_WIDTH, _HEIGHT, _MARGIN = 900, 160, 34
SCRIPTS: Final = ("trend.js",)


def trend_report(trend: Trend) -> str:
    """Return the page. There is at least one run."""
    last = trend.points[-1]
    labels = engine_labels(last.engines)
    return render_page(
        "trend.html",
        SCRIPTS,
        title=visible_line(trend_headline(trend)),
        note=stopped_note(trend),
        engines=[labels[name] for name in last.engines],
        present=present_count(trend),
        gone=gone_count(trend),
        points=[_point(point) for point in trend.points],
        rows=[_row(row) for row in trend.rows[:_MOST_ROWS]],
        more=max(len(trend.rows) - _MOST_ROWS, 0),
        chart=_chart(trend.points),
    )


def _point(point: TrendPoint) -> dict[str, Any]:
    return {
        "time": short_time(point.started) or visible_line(point.name),
        "name": visible_line(point.name),
        "commit": visible_line(point.commit),
        "cases": len(point.cases),
        "never_run": point.never_run,
        "affected": point.affected,
        "causes": len(point.causes),
        "undocumented": point.undocumented,
    }


def _row(row: TrendRow) -> dict[str, Any]:
    cause = row.cause
    return {
        "title": visible_line(cause.title),
        "id": visible_line(cause.identifier),
        "weight": cause.weight.description,
        "status": describe_status(cause),
        "task": str(task_of(cause)),
        "is_present": row.is_present,
        "smallest": visible_line(cause.smallest),
        "cells": [_cell(row, number) for number in range(len(row.counts))],
    }


def _cell(row: TrendRow, number: int) -> tuple[str, str, str]:
    """Return the class of a cell, its text, and what a screen reader says."""
    count = row.counts[number]
    if count is None:
        return "dim", "·", "not run"
    if count:
        return ("first-seen" if number == row.first else ""), f"{count:,}", ""
    return ("away", "0", "gone") if number > row.first else ("dim", "", "not there yet")


def _chart(points: Sequence[TrendPoint]) -> dict[str, Any] | None:
    """Return the lines of the drawing: all causes, and the undocumented ones, by run."""
    if len(points) < 2:
        return None
    highest = max(1, *(len(point.causes) for point in points))
    left, width, height = _MARGIN, _WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN

    def line(counts: Sequence[int]) -> str:
        steps = [
            f"{left + width * number / (len(counts) - 1):.0f} {_MARGIN + height * (1 - count / highest):.0f}"
            for number, count in enumerate(counts)
        ]
        return "M" + "L".join(steps)

    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "margin": _MARGIN,
        "highest": highest,
        "all": line([len(point.causes) for point in points]),
        "open": line([point.undocumented for point in points]),
        "first": short_time(points[0].started),
        "last": short_time(points[-1].started),
    }
