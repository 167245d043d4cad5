"""`diffharness fuzz`: generate stories and compare the engines on them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from harness.case.case import CaseError
from harness.case.prelude import Prelude
from harness.cli.fuzz_report import FuzzReport, print_report, report_to_json, times_to_json
from harness.cli.support.completions import complete_engines
from harness.cli.support.given_options import InputCommand, given_values, value_options
from harness.cli.support.options import json_file_option, known_option, mutant_option, prelude_option, read_engines
from harness.cli.support.output import surviving_closed_pipe, write_file
from harness.cli.support.project import read_known_divergences
from harness.cli.support.provenance import commit_here
from harness.cli.support.publishing import ReportFiles, document_options, write_documents
from harness.cli.support.unreadable_case import UnreadableCaseError
from harness.findings.run import Run
from harness.generate.campaign import (
    AREA,
    Campaign,
    CampaignOptions,
    StoryOutcome,
    run_campaign,
    save_stories,
    saved_digest,
)
from harness.generate.profiles import PROFILES
from harness.reduce.saving import reduce_saved
from harness.trials.canary import CanaryOutcome, try_canary
from reports.run.harness_quality import TIMES_SUFFIX
from shared_nodes.values.json import Tree, dumps

__all__ = ["fuzz"]

_EXAMPLES: Final = 200


@click.command(cls=InputCommand)
@click.option("--examples", type=click.IntRange(min=1), help=f"Number of stories.  [default: {_EXAMPLES}]")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="Duration, instead of --examples.")
@click.option("--seed", type=int, default=0, help="The same seed gives the same stories, findings and files.")
@click.option(
    "--profile", type=click.Choice(list(PROFILES)), default="default", show_default=True, help="Features to generate."
)
@click.option(
    "--engines",
    shell_complete=complete_engines,
    help="Engines to run; the first is the baseline.  [default: legacy,new; profile terraform: terraform,legacy;"
    " profile tofu: tofu,legacy,new]",
)
@click.option(
    "--schedules",
    type=click.IntRange(min=1),
    default=2,
    help="Schedules per engine, for stories in which engines differ and for a sample of the others.",
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, help="Worker processes.")
@known_option
@prelude_option
@value_options[0]
@value_options[1]
@mutant_option
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Directory for new findings as cases.")
@click.option("--shrink/--no-shrink", "shrinks", default=True, help="Reduce the saved cases.  [default: shrink]")
@json_file_option
@document_options("junit", "markdown", "sarif")
@click.pass_context
def fuzz(
    context: click.Context,
    /,
    *,
    examples: int | None,
    minutes: float | None,
    seed: int,
    profile: str,
    engines: str | None,
    schedules: int,
    jobs: int,
    known: Path | None,
    prelude: Prelude | None,
    inputs: tuple[tuple[str, str], ...],
    mutant: str,
    save: Path | None,
    shrinks: bool,
    json_file: Path | None,
    **values: Any,
) -> None:
    """Generate stories and compare the engines on them.

    A story is a configuration with edits, options, drift and faults. Features that show new behaviour are generated
    more often. Laws that hold for a single engine are checked as well, for example that a second plan is empty and that
    the order of blocks does not matter. The profiles terraform and tofu are limited to what a real binary can run, and
    compare other engines with it."""
    if examples is not None and minutes is not None:
        raise click.UsageError("--examples or --minutes, not both")
    if examples is None and minutes is None:
        examples = _EXAMPLES
    chosen = read_engines(engines, PROFILES[profile].engines)
    terms = CampaignOptions(seed, profile, chosen, schedules, mutant, prelude, given_values(inputs))
    campaign = Campaign(terms, read_known_divergences(known))
    try:
        report = _run(campaign, examples, minutes, jobs)
    except CaseError as problem:
        raise UnreadableCaseError(str(problem)) from problem
    saved = [] if save is None else save_stories(campaign, report.run.causes, save)
    if json_file is not None:
        _write_json(json_file, report_to_json(report))
        if json_file.is_file():  # and not standard output
            _write_json(json_file.with_suffix(TIMES_SUFFIX), times_to_json(report))
    write_documents(_with_places(report.run, campaign, saved), ReportFiles.from_click(values))
    with surviving_closed_pipe():
        print_report(report)
        for place in saved:
            click.echo(f"saved {place}")
    if shrinks and not report.is_interrupted:
        _reduce(campaign, report, saved)
    if report.is_interrupted:
        raise KeyboardInterrupt
    if report.canary is CanaryOutcome.MISSED:
        raise click.ClickException("this campaign is blind: it does not even find an engine that plans nothing")
    context.exit(report.run.exit_status)


def _write_json(file: Path, tree: Tree) -> None:
    write_file(file, dumps(tree, escape_html=False, indent=2) + "\n")


def _run(campaign: Campaign, examples: int | None, minutes: float | None, jobs: int) -> FuzzReport:
    """Run the campaign, and report on what there is at its end, or when it is interrupted."""
    options = campaign.options
    started, canary, interrupted = time.monotonic(), CanaryOutcome.NOT_TRIED, False
    elapsed_s = 0.0
    try:
        _conduct(campaign, examples, minutes, jobs)
        elapsed_s = time.monotonic() - started
        canary = try_canary(options)
    except KeyboardInterrupt:
        interrupted = True
    run = campaign.make_run({"command": "fuzz", "seed": str(options.seed), "profile": options.profile})
    elapsed_s = elapsed_s or time.monotonic() - started
    return FuzzReport(campaign, run, canary, elapsed_s, commit_here(), interrupted)


def _with_places(run: Run, campaign: Campaign, saved: Sequence[Path]) -> Run:
    """Return the run with the places of stories that have become cases, so that reports can name their files."""
    places = {
        f"{AREA}/{campaign.tasks[digest].name}": place
        for place in saved
        if (digest := saved_digest(place)) in campaign.tasks
    }
    results = [
        replace(result, path=places[result.identifier].as_posix(), generated_by="")
        if result.identifier in places
        else result
        for result in run.results
    ]
    return replace(run, results=tuple(results))


def _reduce(campaign: Campaign, report: FuzzReport, saved: Sequence[Path]) -> None:
    """Reduce what was saved, one after the other: an interrupt loses none."""
    for place in reduce_saved(campaign, report.run.causes, saved):
        with surviving_closed_pipe():
            click.echo(f"reduced {place}")


def _conduct(campaign: Campaign, examples: int | None, minutes: float | None, jobs: int) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("stories", total=examples)

        def advance(_outcome: StoryOutcome) -> None:
            found = f", {len(campaign.stories)} signatures" if campaign.stories else ""
            progress.update(task, advance=1, description=f"stories{found}")

        run_campaign(
            campaign.options, examples=examples, minutes=minutes, jobs=jobs, on_outcome=advance, campaign=campaign
        )
