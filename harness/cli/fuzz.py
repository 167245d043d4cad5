"""`diffharness fuzz`: stories nobody has written, through the engines."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from harness.cli.mutant_option import mutant_option
from harness.cli.output import write_file
from harness.engines.external import require_engine
from harness.engines.registry import JUDGED, EngineNotFoundError
from harness.fuzz.campaign import Campaign, Outcome, Terms, conduct, save_groups
from harness.fuzz.feedback import PAIRED, Coverage
from harness.fuzz.telling import PROFILES
from harness.judging.run import Group, Run
from harness.mutants.canary import is_blind
from harness.shrink.harvest import save_shrunk
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["fuzz"]

_EXAMPLES: Final = 200
_SHOWN: Final = 600


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
    chosen = engines or (("terraform", "legacy") if profile == "terraform" else JUDGED)
    for name in chosen:
        _require(name)
    campaign = Campaign(Terms(seed, profile, tuple(chosen), schedules, mutant))
    started, interrupted = time.monotonic(), False
    try:
        _watched(campaign, examples, minutes, jobs)
    except KeyboardInterrupt:
        interrupted = True
    elapsed = time.monotonic() - started
    run = campaign.run({"command": "fuzz", "seed": str(seed), "profile": profile})
    _print(campaign, run, elapsed)
    save_found = save_shrunk if shrinks and not interrupted else save_groups
    for place in save_found(campaign, run.groups, save) if save is not None else ():
        click.echo(f"saved {place}")
    if json_file is not None:
        write_file(json_file, dumps(_tree(campaign, run, elapsed), escape_html=False, indent=2) + "\n")
    if interrupted:
        raise KeyboardInterrupt
    if not mutant and is_blind(campaign.terms):
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

        def advance(_outcome: Outcome) -> None:
            found = f", {len(campaign.stories)} signatures" if campaign.stories else ""
            progress.update(task, advance=1, description=f"stories{found}")

        conduct(campaign.terms, examples=examples, minutes=minutes, jobs=jobs, on_outcome=advance, campaign=campaign)


# For people


def _print(campaign: Campaign, run: Run, elapsed: float) -> None:
    console = Console(width=None if Console().is_terminal else 120)
    console.print(_features(campaign.coverage))
    console.print(_pairs(campaign.coverage))
    for group in run.groups:
        _print_group(console, group)
    for line in _figures(campaign, run, elapsed):
        console.print(line, highlight=False)


def _features(coverage: Coverage) -> Table:
    table = Table(title="Features, and in how many stories they were", title_justify="left", show_header=False)
    cells = [f"{name} {count}" for name, count in sorted(coverage.used.items())]
    for start in range(0, len(cells), 4):
        table.add_row(*cells[start : start + 4])
    return table


def _pairs(coverage: Coverage) -> Table:
    table = Table(title="What happens to an object (down) and to one that depends on it (across)", title_justify="left")
    table.add_column("")
    for heading in PAIRED:
        table.add_column(heading, justify="right")
    pairs = coverage.pairs()
    for first in PAIRED:
        table.add_row(first, *(str(pairs.get((first, second), "·")) for second in PAIRED))
    return table


def _print_group(console: Console, group: Group) -> None:
    finding = group.example
    known = f" (known: {group.known})" if group.known else ""
    console.print(
        f"\n{len(group.cases)}x {group.signature.digest} {group.signature}{known}", highlight=False, markup=False
    )
    console.print(
        f"   smallest: {group.smallest.path}, {finding.place}: {finding.field}", highlight=False, markup=False
    )
    for side, text in (("expected", finding.expected), ("got", finding.got[-_SHOWN:])):
        console.print(f"   {side}: {text[:_SHOWN]}", highlight=False, markup=False)


def _figures(campaign: Campaign, run: Run, elapsed: float) -> Iterable[str]:
    coverage, stories = campaign.coverage, len(campaign.results)
    share = campaign.valid / max(1, campaign.configurations)
    kinds = {
        kind: sum(key.startswith(kind) for key in coverage.seen) for kind in ("plan", "pair", "edge", "diagnostic")
    }
    yield ""
    yield f"{stories:,} stories of {campaign.steps:,} steps, {stories / max(elapsed, 0.001):.1f} a second"
    yield (
        f"{campaign.configurations:,} configurations, {share:.0%} of them valid; "
        f"{campaign.wrong_on_purpose} stories were wrong on purpose"
    )
    yield "seen: " + ", ".join(f"{count} {kind}s" for kind, count in kinds.items())
    open_groups = [group for group in run.groups if not group.known]
    yield f"{len(open_groups)} signatures in {sum(len(group.cases) for group in open_groups)} stories"


# For programs


def _tree(campaign: Campaign, run: Run, elapsed: float) -> Tree:
    coverage = campaign.coverage
    groups: list[Tree] = [
        {
            "digest": group.signature.digest,
            "signature": str(group.signature),
            "stories": [case.path for case in group.cases],
            "known": group.known,
            "place": group.example.place,
            "field": group.example.field,
            "expected": group.example.expected,
            "got": group.example.got,
        }
        for group in run.groups
    ]
    return {
        "engines": [*campaign.terms.engines],
        "seed": _number(campaign.terms.seed),
        "profile": campaign.terms.profile,
        "stories": _number(len(campaign.results)),
        "configurations": _number(campaign.configurations),
        "valid": _number(campaign.valid),
        "wrong_on_purpose": _number(campaign.wrong_on_purpose),
        "seconds": _number(round(elapsed)),
        "features": {name: _number(count) for name, count in sorted(coverage.used.items())},
        "seen": {name: _number(count) for name, count in sorted(coverage.seen.items())},
        "signatures": groups,
    }


def _number(count: int) -> JsonNumber:
    return JsonNumber(str(count))
