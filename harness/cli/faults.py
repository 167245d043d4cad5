"""`diffharness faults`: inject every fault at every call of a story, and compare how the engines recover."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from harness.case.case import CaseError
from harness.cli.support.completions import complete_engines
from harness.cli.support.options import allow_exec_option, json_file_option, read_engines, seed_help
from harness.cli.support.output import write_file
from harness.cli.support.project import find_trusted_directories
from harness.cli.support.unreadable_case import UnreadableCaseError
from harness.configuration import may_execute
from harness.engines.registry import DEFAULT_ENGINES
from harness.faults.report import TrialReport, Trouble
from harness.faults.sweep import FaultSweep, SweepError, prepare_sweep, try_all
from harness.faults.trials import FaultTrial
from harness.simulation.simcloud.faults import FaultKind
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["faults"]

_STORY: Final = Path("corpus/faults/ten_resources")
_MAX_PRINTED: Final = 20


@click.command()
@click.argument("story", metavar="[CASE]", default=_STORY, type=click.Path(path_type=Path))
@click.option(
    "--engines",
    shell_complete=complete_engines,
    callback=lambda _context, _option, value: read_engines(value, in_process_only=True),
    default=",".join(DEFAULT_ENGINES),
    show_default=True,
    help="Engines to run; the first is the baseline.",
)
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Worker processes.")
@click.option("--every", type=click.IntRange(min=1), default=1, help="Run only every n-th trial.")
@click.option("--seed", type=int, default=0, help=seed_help)
@allow_exec_option
@json_file_option
@click.pass_context
def faults(
    context: click.Context,
    /,
    story: Path,
    *,
    engines: tuple[str, ...],
    jobs: int,
    every: int,
    seed: int,
    allow_exec: bool,
    json_file: Path | None,
) -> None:
    """Make every provider call of a story fail in every possible way, one at a time.

    CASE is the directory of a case with the simulated cloud that succeeds without faults; the default has ten
    resources. The engines must behave alike, leave the same state, and converge when the step is run again."""
    try:
        trusted = may_execute(story, find_trusted_directories(engines, [story], allow_exec))
        rehearsed = prepare_sweep(story, engines[0], seed, may_execute=trusted)
    except CaseError as problem:
        raise UnreadableCaseError(str(problem)) from problem
    except SweepError as problem:
        raise click.ClickException(str(problem)) from problem
    started = time.monotonic()
    reports = _run_trials(rehearsed, engines, rehearsed.trials[::every], jobs)
    elapsed = time.monotonic() - started
    _print(reports, engines, elapsed)
    if json_file is not None:
        write_file(json_file, dumps(_reports_to_json(reports, engines, elapsed), escape_html=False, indent=2) + "\n")
    context.exit(1 if any(report.trouble for report in reports) else 0)


def _run_trials(
    story: FaultSweep, engines: Sequence[str], trials: Sequence[FaultTrial], jobs: int
) -> list[TrialReport]:
    columns = (TextColumn("{task.description:18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    reports: list[TrialReport] = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("faults", total=len(trials))
        for report in try_all(story, engines, trials, jobs):
            reports.append(report)
            progress.advance(task)
    return reports


def _print(reports: Sequence[TrialReport], engines: Sequence[str], elapsed: float) -> None:
    console = Console(width=None if Console().is_terminal else 120)
    table = Table(title="Faults at every call, and what became of them", title_justify="left")
    table.add_column("kind", no_wrap=True)
    for heading in ("trials", "fine", *Trouble):
        table.add_column(str(heading), justify="right")
    for kind in FaultKind:
        found = [report for report in reports if report.trial.fault.kind is kind]
        if found:
            table.add_row(str(kind), *map(str, _row(found)))
    table.add_section()
    table.add_row("total", *map(str, _row(reports)))
    console.print(table)
    for report in [report for report in reports if report.trouble][:_MAX_PRINTED]:
        message = report.text.strip().rpartition("\n")[2]
        console.print(f"{report.engine} {report.trouble}: {report.trial}: {message}", highlight=False)
    runs = sum(report.runs for report in reports)
    console.print(f"{runs:,} runs of {', '.join(engines)} in {elapsed:.0f} s", highlight=False)


def _row(reports: Sequence[TrialReport]) -> list[int]:
    counts = Counter(report.trouble for report in reports)
    return [len(reports), counts[None], *(counts[trouble] for trouble in Trouble)]


def _reports_to_json(reports: Sequence[TrialReport], engines: Sequence[str], elapsed: float) -> Tree:
    """Return the reports as JSON. Seconds are rounded, because finer figures are never the same twice."""
    troubles: list[Tree] = [
        {"trial": str(report.trial), "trouble": str(report.trouble), "engine": report.engine, "text": report.text}
        for report in reports
        if report.trouble
    ]
    return {
        "engines": [*engines],
        "trials": _number(len(reports)),
        "runs": _number(sum(report.runs for report in reports)),
        "seconds": _number(round(elapsed)),
        "troubles": troubles,
    }


def _number(count: int) -> JsonNumber:
    return JsonNumber(str(count))
