"""The causes over many runs, for the terminal, for Markdown and as a document."""

from __future__ import annotations

from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.findings.trend import Trend, TrendRow
from reports.run.cause_status import describe_status
from reports.run.document import cause_document
from reports.run.markdown import code, title
from reports.visible import visible_line

__all__ = [
    "gone_count",
    "present_count",
    "print_trend",
    "short_time",
    "stopped_note",
    "trend_document",
    "trend_headline",
    "trend_markdown",
]

FORMAT: Final = 1
_MOST_COLUMNS: Final = 8
_MOST_ROWS: Final = 40


def short_time(started: str) -> str:
    """Return the time of a run to the minute: `2026-11-18 20:05`."""
    return visible_line(started.replace("T", " ")[:16])


def present_count(trend: Trend) -> int:
    return sum(row.is_present for row in trend.rows)


def gone_count(trend: Trend) -> int:
    return len(trend.rows) - present_count(trend)


def trend_headline(trend: Trend) -> str:
    """Return the state of things in one sentence, without a full stop."""
    present, gone, runs = present_count(trend), gone_count(trend), len(trend.points)
    causes = "1 cause is" if present == 1 else f"{present:,} causes are"
    text = f"After {runs:,} {'run' if runs == 1 else 'runs'}, {causes if present else 'no cause is'} left"
    return f"{text}, and {gone:,} {'is' if gone == 1 else 'are'} gone" if gone else text


def stopped_note(trend: Trend) -> str:
    """Return what the last numbers say nothing about, if the last run was stopped; otherwise nothing."""
    last = trend.points[-1]
    if not last.never_run:
        return ""
    return f"The last run was stopped: it lacks {last.never_run:,} of {last.planned:,} cases."


def print_trend(trend: Trend, console: Console) -> None:
    """Print the last runs as a table on one screen."""
    first = max(len(trend.points) - _MOST_COLUMNS, 0)
    table = Table(box=None, pad_edge=False)
    table.add_column("weight")
    for point in trend.points[first:]:
        time = short_time(point.started)[5:] or visible_line(point.name)
        table.add_column(f"{time}\nstopped" if point.never_run else time, justify="right")
    table.add_column("cause", overflow="fold")
    for row in trend.rows[:_MOST_ROWS]:
        title = Text(visible_line(f"{row.cause.title} [{describe_status(row.cause)}]"))
        table.add_row(row.cause.weight.description, *(_cell(row, at) for at in range(first, len(row.counts))), title)
    console.print(table)
    if len(trend.rows) > _MOST_ROWS:
        console.print(f"and {len(trend.rows) - _MOST_ROWS:,} more: see --html")
    console.print(Text(f"\n{trend_headline(trend)}.", style="bold"))
    if note := stopped_note(trend):
        console.print(note)


def _cell(row: TrendRow, number: int) -> str:
    count = row.counts[number]
    if count is None:
        return "·"
    return "gone" if not count and number > row.first else f"{count:,}" if count else ""


def trend_markdown(trend: Trend) -> str:
    first = max(len(trend.points) - _MOST_COLUMNS, 0)
    heads = " | ".join(short_time(point.started) or code(point.name) for point in trend.points[first:])
    note = stopped_note(trend)
    lines = [
        f"## {trend_headline(trend)}",
        "",
        *([f"**{note}**", ""] if note else []),
        f"| weight | cause | status | {heads} |",
    ]
    lines.append(f"|---|---|---|{'---:|' * (len(trend.points) - first)}")
    for row in trend.rows[:_MOST_ROWS]:
        cells = " | ".join(_cell(row, at) for at in range(first, len(row.counts)))
        weight = row.cause.weight.description
        lines.append(f"| {weight} | {title(row.cause)} | {describe_status(row.cause)} | {cells} |")
    if len(trend.rows) > _MOST_ROWS:
        lines += ["", f"*{len(trend.rows) - _MOST_ROWS:,} more causes*"]
    return "\n".join([*lines, ""])


def trend_document(trend: Trend) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "headline": trend_headline(trend),
        "runs": [
            {
                "name": point.name,
                "started": point.started,
                "commit": point.commit,
                "cases": len(point.cases),
                "never_run": point.never_run,
                "affected": point.affected,
                "causes": len(point.causes),
                "undocumented": point.undocumented,
            }
            for point in trend.points
        ],
        "causes": [
            {**cause_document(row.cause), "present": row.is_present, "counts": list(row.counts)} for row in trend.rows
        ],
    }
