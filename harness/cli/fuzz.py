"""`diffharness fuzz`: generate stories and compare the engines on them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from harness.case.prelude import Prelude
from harness.cli.fuzz_report import FuzzReport, print_report, report_to_json
from harness.cli.support.options import json_file_option, known_option, mutant_option, prelude_option, read_engines
from harness.cli.support.output import write_file
from harness.cli.support.project import read_known_divergences
from harness.cli.support.provenance import commit_here
from harness.generate.campaign import Campaign, CampaignOptions, StoryOutcome, run_campaign, save_stories
from harness.generate.profiles import PROFILES
from harness.reduce.saving import save_reduced
from harness.trials.canary import CanaryOutcome, try_canary
from shared_nodes.values.json import dumps

__all__ = ["fuzz"]

_EXAMPLES: Final = 200


@click.command()
@click.option("--examples", type=click.IntRange(min=1), help=f"Number of stories.  [default: {_EXAMPLES}]")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="Duration, instead of --examples.")
@click.option("--seed", type=int, default=0, help="The same seed gives the same stories, findings and files.")
@click.option(
    "--profile", type=click.Choice(list(PROFILES)), default="default", show_default=True, help="Features to generate."
)
@click.option(
    "--engines",
    help="Engines to run; the first is the baseline.  [default: legacy,new; profile terraform: terraform,legacy;"
    " profile tofu: tofu,legacy,new]",
)
@click.option("--schedules", type=click.IntRange(min=1), default=2, help="Schedules per engine and story.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, help="Worker processes.")
@known_option
@prelude_option
@mutant_option
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Directory for new findings as cases.")
@click.option("--shrink/--no-shrink", "shrinks", default=True, help="Reduce the saved cases.  [default: shrink]")
@json_file_option
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
    mutant: str,
    save: Path | None,
    shrinks: bool,
    json_file: Path | None,
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
    terms = CampaignOptions(seed, profile, chosen, schedules, mutant, prelude)
    campaign = Campaign(terms, read_known_divergences(known))
    started, interrupted = time.monotonic(), False
    try:
        _conduct(campaign, examples, minutes, jobs)
    except KeyboardInterrupt:
        interrupted = True
    elapsed_s = time.monotonic() - started
    canary = CanaryOutcome.NOT_TRIED if interrupted else try_canary(terms)
    run = campaign.make_run({"command": "fuzz", "seed": str(seed), "profile": profile})
    report = FuzzReport(campaign, run, canary, elapsed_s, commit_here())
    print_report(report)
    save_found = save_reduced if shrinks and not interrupted else save_stories
    for place in save_found(campaign, run.groups, save) if save is not None else ():
        click.echo(f"saved {place}")
    if json_file is not None:
        write_file(json_file, dumps(report_to_json(report), escape_html=False, indent=2) + "\n")
    if interrupted:
        raise KeyboardInterrupt
    if canary is CanaryOutcome.MISSED:
        raise click.ClickException("this campaign is blind: it does not even find an engine that plans nothing")
    context.exit(run.exit_status)


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
