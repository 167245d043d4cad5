"""`diffharness report`: report on runs from their directories, without running anything again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from harness.cli.reproduce.copied import reproduction_texts
from harness.cli.support.completions import complete_runs
from harness.cli.support.options import judging_option
from harness.cli.support.project import read_known_divergences, read_project_configuration
from harness.cli.support.publishing import ReportFiles, SummaryOptions, publish, publishing_options
from harness.cli.support.run_directory import find_run
from harness.cli.trend import report_trend
from harness.execute.journal import JournalError, read_run
from harness.findings.judging import judge_again
from reports.run.harness_quality import HarnessQuality, QualityError, read_quality

__all__ = ["report"]

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, shell_complete=complete_runs)
@click.option(
    "--against",
    metavar="RUN",
    multiple=True,
    shell_complete=complete_runs,
    help="Earlier run: report what is new and what is gone.",
)
@click.option(
    "--mutants",
    type=_FILE,
    help="Output of diffharness mutants run --json, to show on the page.  [default: RUN/mutants.json]",
)
@click.option(
    "--fuzz",
    type=_FILE,
    help="Output of diffharness fuzz --json, to show on the page.  [default: RUN/fuzz.json]",
)
@click.option(
    "--trend",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Instead of a RUN: the causes over all runs in this directory; with --html, --json and --markdown.",
)
@judging_option
@publishing_options
@click.pass_context
def report(
    context: click.Context,
    /,
    runs: tuple[str, ...],
    *,
    against: tuple[str, ...],
    mutants: Path | None,
    fuzz: Path | None,
    trend: Path | None,
    known: Path | None,
    **values: Any,
) -> None:
    """Report on a RUN again, given by its directory, its name, or latest. Several RUNs are merged as shards of one. The
    exit code is that of the run, or that of the run as judged by --known; of --trend it is 0."""
    if trend is not None:
        report_trend(trend, runs, known, values)
        return
    if not runs:
        raise click.UsageError("name a RUN, or a directory of runs with --trend")
    configuration = read_project_configuration()
    places = [find_run(configuration, text) for text in runs]
    try:
        now = read_run(places)
        before = read_run(find_run(configuration, text) for text in against) if against else None
        health = _describe_mutants(read_quality(places[0], mutants, fuzz))
    except (JournalError, QualityError) as problem:
        raise click.ClickException(str(problem)) from problem
    if known is not None:
        now = judge_again(now, read_known_divergences(known))
    files, summary = ReportFiles.from_click(values), SummaryOptions.from_click(values)
    publish(now, files, before, health=health, summary=summary, reproduce=reproduction_texts(now.header))
    context.exit(now.exit_status)


def _describe_mutants(health: HarnessQuality) -> HarnessQuality:
    """Add what each mutant breaks. The catalogue is imported only if the run measured mutants."""
    if health.benchmark is None:
        return health
    from harness.mutants.catalogue import MUTANTS

    attempts = [
        replace(attempt, breaks=MUTANTS[attempt.mutant].breaks) if attempt.mutant in MUTANTS else attempt
        for attempt in health.benchmark.attempts
    ]
    return replace(health, benchmark=replace(health.benchmark, attempts=tuple(attempts)))
