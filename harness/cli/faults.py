"""`diffharness faults`: every fault at every call of a story, and whether the engines recover from it alike."""

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
from harness.case.trust import may_execute
from harness.cli.support.output import write_file
from harness.cli.trust import allow_exec_option, trusted_for
from harness.engines.registry import DEFAULT_ENGINES, EngineNotFoundError, engine_named
from harness.faults.sweep import Report, Story, StoryError, Trial, Trouble, rehearse, try_all
from harness.simulation.simcloud.faults import Kind
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["faults"]

_STORY: Final = Path("corpus/faults/ten_resources")
_SHOWN: Final = 20


@click.command()
@click.argument("story", metavar="[CASE]", default=_STORY, type=click.Path(path_type=Path))
@click.option(
    "--engines",
    callback=lambda _context, _option, value: _engines(value),
    default=",".join(DEFAULT_ENGINES),
    show_default=True,
    help="Who is put to the test; the first is the baseline, the others are held against it.",
)
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes.")
@click.option("--every", type=click.IntRange(min=1), default=1, help="Only every n-th trial: a sample.")
@click.option("--seed", type=int, default=0, help="One seed, one order of everything dependencies leave open.")
@allow_exec_option
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the result here.")
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
    """Let each call of a story go wrong in every way there is, one at a time. CASE is the directory of a case in the
    simulated cloud that succeeds by itself; without one, a story of ten resources.

    Engines must do the same, leave the same state, and get to where they should be when the step is run again."""
    try:
        trusted = may_execute(story, trusted_for(engines, [story], allow_exec))
        told = rehearse(story, engines[0], seed, may_execute=trusted)
    except (CaseError, StoryError) as problem:
        raise click.ClickException(str(problem)) from problem
    started = time.monotonic()
    reports = _watched(told, engines, told.trials[::every], jobs)
    elapsed = time.monotonic() - started
    _print(reports, engines, elapsed)
    if json_file is not None:
        write_file(json_file, dumps(_tree(reports, engines, elapsed), escape_html=False, indent=2) + "\n")
    context.exit(1 if any(report.trouble for report in reports) else 0)


def _engines(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise click.BadParameter("name at least one engine")
    for name in names:
        try:
            engine_named(name)
        except EngineNotFoundError as problem:
            raise click.BadParameter(str(problem)) from problem
    return names


def _watched(story: Story, engines: Sequence[str], trials: Sequence[Trial], jobs: int) -> list[Report]:
    columns = (TextColumn("{task.description:18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    reports: list[Report] = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("faults", total=len(trials))
        for report in try_all(story, engines, trials, jobs):
            reports.append(report)
            progress.advance(task)
    return reports


def _print(reports: Sequence[Report], engines: Sequence[str], elapsed: float) -> None:
    console = Console(width=None if Console().is_terminal else 120)
    table = Table(title="Faults at every call, and what became of them", title_justify="left")
    table.add_column("kind", no_wrap=True)
    for heading in ("trials", "fine", *Trouble):
        table.add_column(str(heading), justify="right")
    for kind in Kind:
        found = [report for report in reports if report.trial.fault.kind is kind]
        if found:
            table.add_row(str(kind), *map(str, _row(found)))
    table.add_section()
    table.add_row("total", *map(str, _row(reports)))
    console.print(table)
    for report in [report for report in reports if report.trouble][:_SHOWN]:
        told = report.text.strip().rpartition("\n")[2]
        console.print(f"{report.engine} {report.trouble}: {report.trial}: {told}", highlight=False)
    runs = sum(report.runs for report in reports)
    console.print(f"{runs:,} runs of {', '.join(engines)} in {elapsed:.0f} s", highlight=False)


def _row(reports: Sequence[Report]) -> list[int]:
    counts = Counter(report.trouble for report in reports)
    return [len(reports), counts[None], *(counts[trouble] for trouble in Trouble)]


def _tree(reports: Sequence[Report], engines: Sequence[str], elapsed: float) -> Tree:
    """How long it took is told in whole seconds: nothing finer would be the same twice."""
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
