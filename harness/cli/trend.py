"""`diffharness report --trend DIR`: the causes over all runs of one corpus in a directory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from harness.cli.support.output import write_file
from harness.cli.support.project import read_known_divergences
from harness.execute.journal import RUN_FILE, JournalError, read_run
from harness.findings.judging import judge_again
from harness.findings.trend import Trend, TrendPoint, point_of, trend_of
from reports.html.trend import trend_report
from reports.run.trend import print_trend, trend_document, trend_markdown

__all__ = ["report_trend"]

_FORMATS: Final[Mapping[str, Callable[[Trend], str]]] = {
    "html_file": trend_report,
    "json_file": lambda trend: json.dumps(trend_document(trend), indent=2) + "\n",
    "markdown_file": trend_markdown,
}


def report_trend(directory: Path, runs: Sequence[str], known: Path | None, files: Mapping[str, Path | None]) -> None:
    """Print the trend and write its files."""
    if runs:
        raise click.UsageError("--trend reports on all runs in its directory: name no RUN beside it")
    for name, file in files.items():
        if file and name not in _FORMATS:
            option = name.removesuffix("_file")
            raise click.UsageError(f"--trend has no form for --{option}; choose --html, --json or --markdown")
    points = list(_comparable(list(_points(directory, known))))
    if not points:
        raise click.UsageError(f"there is no run in {directory}")
    trend = trend_of(points)
    print_trend(trend, Console(width=None if Console().is_terminal else 120))
    for name, render in _FORMATS.items():
        file = files.get(name)
        if file is not None:
            write_file(file, render(trend))


def _points(directory: Path, known: Path | None) -> Iterator[TrendPoint]:
    """Yield what a trend keeps of each run. Only one run is in memory at a time. A link, such as `latest`, points to
    a run that is there anyway."""
    entries = None if known is None else read_known_divergences(known)
    for place in sorted(directory.iterdir()):
        if place.is_symlink() or not (place / RUN_FILE).is_file():
            continue
        try:
            run = read_run([place])
        except JournalError as problem:
            click.echo(f"left out: {place.name}: {problem}", err=True)
            continue
        yield point_of(place.name, run if entries is None else judge_again(run, entries))


def _comparable(points: Sequence[TrendPoint]) -> Iterator[TrendPoint]:
    """Yield the runs that have the engines of the newest, and some of its cases."""
    newest = max(points, key=lambda point: (bool(point.cases), point.started, point.name), default=None)
    for point in points:
        reason = "" if newest is None else _obstacle(point, newest)
        if reason:
            click.echo(f"left out: {point.name}: it has {reason}", err=True)
        else:
            yield point


def _obstacle(point: TrendPoint, newest: TrendPoint) -> str:
    if point.engines != newest.engines:
        return f"other engines than {newest.name}"
    return f"no case of {newest.name}" if point.cases.isdisjoint(newest.cases) else ""
