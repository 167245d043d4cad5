"""`diffharness fuzz`: stories nobody has written, through the engines."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from harness.cli.fuzz_report import FuzzReport, print_report, report_tree
from harness.cli.known_option import documented_divergences, known_option
from harness.cli.mutant_option import mutant_option
from harness.cli.support.output import write_file
from harness.cli.support.provenance import commit_here
from harness.engines.external import require_engine
from harness.engines.registry import DEFAULT_ENGINES, EngineNotFoundError
from harness.generate.campaign import Campaign, CampaignOptions, StoryOutcome, run_campaign, save_stories
from harness.generate.profiles import PROFILES
from harness.reduce.saving import save_reduced
from harness.trials.canary import Sight, sight_of
from shared_nodes.values.json import dumps

__all__ = ["fuzz"]

_EXAMPLES: Final = 200


@click.command()
@click.option("--examples", type=click.IntRange(min=1), help=f"How many stories.  [default: {_EXAMPLES}]")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="How long, in the place of how many.")
@click.option("--seed", type=int, default=0, help="One seed, the same stories, findings and files.")
@click.option("--profile", type=click.Choice(list(PROFILES)), default="default", show_default=True)
@click.option(
    "--engines",
    callback=lambda _context, _option, value: _engines(value),
    help="The first is the baseline.  [default: legacy,new; with the profile terraform: terraform,legacy]",
)
@click.option(
    "--schedules", type=click.IntRange(min=1), default=2, help="In how many ways each engine runs each story."
)
@click.option("--jobs", type=click.IntRange(min=1), default=1, help="Processes.")
@known_option
@mutant_option
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Write a case for each new signature.")
@click.option(
    "--shrink/--no-shrink", "shrinks", default=True, help="Make what is saved as small as possible.  [default: shrink]"
)
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the result here.")
@click.pass_context
def fuzz(
    context: click.Context,
    /,
    *,
    examples: int | None,
    minutes: float | None,
    seed: int,
    profile: str,
    engines: tuple[str, ...],
    schedules: int,
    jobs: int,
    known: Path | None,
    mutant: str,
    save: Path | None,
    shrinks: bool,
    json_file: Path | None,
) -> None:
    """Make up stories, run each through the engines, and tell where they differ: configurations, edits of them,
    options, drift, faults. What shows something new is tried more.

    Laws that hold for one engine alone are tried as well: that a second plan is empty, that the order of blocks does
    not matter, and others. The profile terraform keeps to what a real binary can run, and compares legacy with it."""
    if examples is not None and minutes is not None:
        raise click.UsageError("--examples or --minutes, not both")
    if examples is None and minutes is None:
        examples = _EXAMPLES
    chosen = engines or (("terraform", "legacy") if profile == "terraform" else DEFAULT_ENGINES)
    for name in chosen:
        _require(name)
    options = CampaignOptions(seed, profile, tuple(chosen), schedules, mutant)
    campaign = Campaign(options, documented_divergences(known))
    started, interrupted = time.monotonic(), False
    try:
        _watched(campaign, examples, minutes, jobs)
    except KeyboardInterrupt:
        interrupted = True
    elapsed_s = time.monotonic() - started
    sight = Sight.UNTRIED if interrupted else sight_of(options)
    run = campaign.run({"command": "fuzz", "seed": str(seed), "profile": profile})
    report = FuzzReport(campaign, run, sight, elapsed_s, commit_here())
    print_report(report)
    save_found = save_reduced if shrinks and not interrupted else save_stories
    for place in save_found(campaign, run.groups, save) if save is not None else ():
        click.echo(f"saved {place}")
    if json_file is not None:
        write_file(json_file, dumps(report_tree(report), escape_html=False, indent=2) + "\n")
    if interrupted:
        raise KeyboardInterrupt
    if sight is Sight.BLIND:
        raise click.ClickException("this campaign is blind: it does not even find an engine that plans nothing")
    context.exit(run.exit_status)


def _engines(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in (text or "").split(",") if name.strip()))


def _require(name: str) -> None:
    try:
        require_engine(name)
    except EngineNotFoundError as problem:
        raise click.UsageError(str(problem)) from problem


def _watched(campaign: Campaign, examples: int | None, minutes: float | None, jobs: int) -> None:
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
