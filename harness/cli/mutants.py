"""`diffharness mutants`: put known mistakes into an engine, and measure which are detected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import click
from rich.progress import Progress
from rich.table import Table

from harness.case.unit import Unit, find_units
from harness.cli.mutant_mixes import mix
from harness.cli.mutant_support import (
    corpus_option,
    jobs_option,
    require_corpus,
    select_mutants,
    show_progress,
    start_workers,
    to_number,
    wide_console,
)
from harness.cli.support.options import json_file_option
from harness.cli.support.output import write_file
from harness.cli.support.project import find_trusted_directories
from harness.engines.registry import DEFAULT_ENGINES
from harness.generate.campaign import CampaignOptions
from harness.mutants.catalogue import MUTANTS, mutant_named
from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.source import targets_of
from harness.play.run_spec import RunSpec
from harness.trials.baseline import Baseline
from harness.trials.shrunk_size import with_shrunk_size
from harness.trials.table import markdown_table
from harness.trials.trial import MutantTrial, Work, try_corpus, try_stories
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps

__all__ = ["mutants"]

_TIMEOUT_S: Final = 20.0
_BUDGET: Final = 150
"""Trials per case: enough to drop most of what does not matter. `diffharness shrink` continues until nothing can be
dropped."""


@click.group()
def mutants() -> None:
    """Put known mistakes into an engine, and measure whether the harness detects them."""


mutants.add_command(mix)


@mutants.command("list", short_help="List all mutants.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", is_flag=True, help="Print the table of docs/mutants.md.")
def list_mutants(as_json: bool, markdown: bool) -> None:
    """List all mutants: what each breaks, and where the mistake shows."""
    if markdown:
        click.echo(markdown_table(), nl=False)
        return
    if as_json:
        click.echo(dumps([_describe(mutant) for mutant in MUTANTS.values()], escape_html=False, indent=2))
        return
    table = Table(title=f"{len(MUTANTS)} mutants", title_justify="left")
    for heading in ("id", "engine", "what it breaks", "function", "shows in"):
        table.add_column(heading, no_wrap=heading == "id")
    for mutant in MUTANTS.values():
        function = targets_of(mutant)[0].partition(":")[2]
        table.add_row(mutant.identifier, mutant.engine, mutant.breaks, function, f"{mutant.phase}: {mutant.field}")
    wide_console().print(table)


@mutants.command("run", short_help="Try to detect each mutant.")
@click.argument("identifiers", metavar="[ID]...", nargs=-1)
@click.option(
    "--by", type=click.Choice(["corpus", "fuzz"]), default="corpus", show_default=True, help="Where to look for them."
)
@corpus_option
@click.option("--examples", type=click.IntRange(min=1), default=500, show_default=True, help="Stories per mutant.")
@click.option("--seed", type=int, default=0, help="Seed of the stories.")
@jobs_option
@click.option(
    "--shrink/--no-shrink",
    "shrinks",
    default=True,
    help="Reduce the case that detected each mutant.  [default: shrink]",
)
@click.option("--budget", type=click.IntRange(min=1), default=_BUDGET, show_default=True, help="Trials per reduction.")
@json_file_option
@click.pass_context
def run_mutants(
    context: click.Context,
    /,
    *,
    identifiers: tuple[str, ...],
    by: str,
    corpus: Path,
    examples: int,
    seed: int,
    jobs: int,
    shrinks: bool,
    budget: int,
    json_file: Path | None,
) -> None:
    """Try to detect each mutant, or the named ones, with the cases of the corpus or with generated stories.

    A finding counts only if it does not occur without the mutant. The exit code is 0 if all mutants were detected and 1
    if one was not."""
    chosen = select_mutants(identifiers)
    if by == "corpus":
        require_corpus(corpus)
    with start_workers(jobs) as work, show_progress() as progress:
        if by == "corpus":
            settings = RunSpec(
                DEFAULT_ENGINES,
                trusted=find_trusted_directories(DEFAULT_ENGINES, [corpus], False),
                timeout_s=_TIMEOUT_S,
            )
            trials = _try_with_corpus(chosen, _CorpusAttempt(tuple(find_units([corpus])), settings), work, progress)
        else:
            trials = _try_with_stories(chosen, CampaignOptions(seed), examples, work, progress)
        if shrinks:
            task = progress.add_task("making cases smaller", total=len(trials))
            shrunk = work(partial(with_shrunk_size, budget=budget), trials)
            trials = list(progress.track(shrunk, task_id=task))
    _print(trials, by)
    if json_file is not None:
        write_file(json_file, dumps(_trials_to_json(trials, by), escape_html=False, indent=2) + "\n")
    context.exit(0 if all(trial.found_by for trial in trials) else 1)


# Trying


@record
class _CorpusAttempt:
    units: tuple[Unit, ...]
    settings: RunSpec

    def __call__(self, identifier: str) -> MutantTrial:
        return try_corpus(mutant_named(identifier), self.units, self.settings)


def _try_with_corpus(
    chosen: Sequence[Mutant], attempt: _CorpusAttempt, work: Work, progress: Progress
) -> list[MutantTrial]:
    task = progress.add_task("mutants", total=len(chosen))
    trials: list[MutantTrial] = []
    for trial in work(attempt, [mutant.identifier for mutant in chosen]):
        trials.append(trial)
        progress.update(task, advance=1, description=f"mutants, {len(trials) - len(_select_found(trials))} not found")
    return trials


def _try_with_stories(
    chosen: Sequence[Mutant], terms: CampaignOptions, examples: int, work: Work, progress: Progress
) -> list[MutantTrial]:
    """Try all mutants with one batch of stories, and those not detected with the next."""
    task = progress.add_task("mutants", total=len(chosen))
    trials: list[MutantTrial] = []
    for trials in try_stories(chosen, terms, examples, work, _warn_of_differences):
        examples_so_far = max(trial.examples for trial in trials)
        progress.update(task, completed=len(_select_found(trials)), description=f"found by {examples_so_far} stories")
    return trials


def _warn_of_differences(baseline: Baseline) -> None:
    """Warn if the engines differ without a mutant: a mutant with the same effect cannot be detected there."""
    if baseline.signatures:
        found = "; ".join(sorted(map(str, baseline.signatures)))
        click.echo(f"{baseline.task.name} shows something without any mutant: {found}", err=True)


# For people


def _print(trials: Sequence[MutantTrial], by: str) -> None:
    what = "cases" if by == "corpus" else "stories"
    table = Table(title=f"Mutants, and what found them by {by}", title_justify="left")
    table.add_column("id", no_wrap=True)
    table.add_column("found by")
    for heading in (what, "s", "blocks", "lines"):
        table.add_column(heading, justify="right")
    table.add_column("signature")
    for trial in trials:
        table.add_row(
            trial.mutant,
            trial.found_by or f"[bold]not found[/bold]{_describe_reach(trial, by)}",
            str(trial.examples),
            f"{trial.seconds:.1f}",
            *("" if number is None else str(number) for number in (trial.blocks, trial.lines)),
            "" if trial.signature is None else str(trial.signature).replace("[", r"\["),
        )
    console = wide_console()
    console.print(table)
    for line in _figures(trials):
        console.print(line, highlight=False)


def _describe_reach(trial: MutantTrial, by: str) -> str:
    """Say how often the mutated code was reached: either stories never use it, or they do not provoke the mistake."""
    return "" if by == "corpus" else f", its function was called in {trial.reached} stories"


def _figures(trials: Sequence[MutantTrial]) -> Iterator[str]:
    """Yield the figures. Those per class come first, because a harness may be good at one class and blind to
    another."""
    total, found = (Counter(trial.mutant[0] for trial in some) for some in (trials, _select_found(trials)))
    yield ", ".join(f"{kind} {found[kind]} of {count}" for kind, count in total.items())
    yield f"{len(_select_found(trials))} of {len(trials)} found, {len(_select_found(trials)) / max(1, len(trials)):.0%}"
    if (lines := _median_lines(trials)) is not None:
        yield f"made smaller: {lines:g} lines of configuration in the median"


def _median_lines(trials: Iterable[MutantTrial]) -> float | None:
    """Return the median number of lines of all reduced cases."""
    lines = [trial.lines for trial in trials if trial.lines is not None]
    return median(lines) if lines else None


def _select_found(trials: Iterable[MutantTrial]) -> list[MutantTrial]:
    return [trial for trial in trials if trial.found_by]


# For programs


def _describe(mutant: Mutant) -> Tree:
    return {
        "id": mutant.identifier,
        "class": str(mutant.kind),
        "breaks": mutant.breaks,
        "target": targets_of(mutant)[0],
        "engine": mutant.engine,
        "phase": mutant.phase,
        "field": mutant.field,
    }


def _trials_to_json(trials: Sequence[MutantTrial], by: str) -> Tree:
    """Return the trials as JSON. Seconds are rounded, because finer figures are never the same twice."""
    documents: list[Tree] = [
        {
            "id": trial.mutant,
            "found": bool(trial.found_by),
            "found_by": trial.found_by,
            "examples": to_number(trial.examples),
            "seconds": to_number(round(trial.seconds)),
            "signature": "" if trial.signature is None else str(trial.signature),
            "place": trial.place,
            "field": trial.field,
            "reached": to_number(trial.reached) if by == "fuzz" else None,
            "blocks": None if trial.blocks is None else to_number(trial.blocks),
            "lines": None if trial.lines is None else to_number(trial.lines),
        }
        for trial in trials
    ]
    lines = _median_lines(trials)
    return {
        "by": by,
        "mutants": to_number(len(trials)),
        "found": to_number(len(_select_found(trials))),
        "median_lines": None if lines is None else to_number(lines),
        "trials": documents,
    }
