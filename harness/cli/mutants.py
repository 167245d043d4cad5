"""`diffharness mutants`: engines broken on purpose, and whether that is noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from harness.cli.output import write_file
from harness.cli.trust import trusted_for
from harness.engines.registry import JUDGED
from harness.fuzz.campaign import Terms
from harness.judging.unit import Settings, Unit, find_units
from harness.mutants.catalogue import MUTANTS, mutant_named
from harness.mutants.mutant import Mutant, UnknownMutantError
from harness.mutants.table import markdown_table
from harness.mutants.trial import Trial, try_corpus, try_stories
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["mutants"]

_CORPUS: Final = Path("corpus")
_TIMEOUT_S: Final = 20.0


@click.group()
def mutants() -> None:
    """Engines broken on purpose, one small function at a time, and whether the harness notices."""


@mutants.command("list")
@click.option("--json", "as_json", is_flag=True, help="For a program.")
@click.option("--markdown", is_flag=True, help="The table of docs/mutants.md.")
def list_mutants(as_json: bool, markdown: bool) -> None:
    """All there are: what each breaks, where, and where that is expected to show."""
    if markdown:
        click.echo(markdown_table(), nl=False)
        return
    if as_json:
        click.echo(dumps([_described(mutant) for mutant in MUTANTS.values()], escape_html=False, indent=2))
        return
    table = Table(title=f"{len(MUTANTS)} mutants", title_justify="left")
    for heading in ("id", "engine", "what it breaks", "function", "shows in"):
        table.add_column(heading, no_wrap=heading == "id")
    for mutant in MUTANTS.values():
        function = mutant.target.partition(":")[2]
        table.add_row(mutant.identifier, mutant.engine, mutant.breaks, function, f"{mutant.phase}: {mutant.field}")
    _console().print(table)


@mutants.command("run")
@click.argument("identifiers", metavar="[ID]...", nargs=-1)
@click.option("--by", type=click.Choice(["corpus", "fuzz"]), default="corpus", show_default=True)
@click.option(
    "--corpus",
    "corpus",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=_CORPUS,
    show_default=True,
    help="Where the cases are.",
)
@click.option("--examples", type=click.IntRange(min=1), default=500, show_default=True, help="Stories for each mutant.")
@click.option("--seed", type=int, default=0, help="Of the stories.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the result here.")
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
    json_file: Path | None,
) -> None:
    """Put each mutant into its engine, all of them unless some are named, and try to find it: with the cases of the
    corpus, or with stories nobody has written. What is found counts only if it is not there without the mutant.

    The exit code is 1 where a mutant was not found."""
    chosen = _chosen(identifiers)
    attempt: _Attempt
    if by == "corpus":
        settings = Settings(JUDGED, trusted=trusted_for(JUDGED, [corpus], False), timeout_s=_TIMEOUT_S)
        attempt = _ByCorpus(tuple(find_units([corpus])), settings)
    else:
        attempt = _ByStories(Terms(seed), examples)
    trials = _watched(chosen, attempt, jobs)
    _print(trials, by)
    if json_file is not None:
        write_file(json_file, dumps(_tree(trials, by), escape_html=False, indent=2) + "\n")
    context.exit(0 if all(trial.found_by for trial in trials) else 1)


def _chosen(identifiers: Sequence[str]) -> list[Mutant]:
    try:
        return [mutant_named(identifier) for identifier in dict.fromkeys(identifiers)] or list(MUTANTS.values())
    except UnknownMutantError as problem:
        raise click.UsageError(str(problem)) from problem


# Trying


@dataclass(frozen=True, slots=True)
class _ByCorpus:
    units: tuple[Unit, ...]
    settings: Settings

    def __call__(self, identifier: str) -> Trial:
        return try_corpus(mutant_named(identifier), self.units, self.settings)


@dataclass(frozen=True, slots=True)
class _ByStories:
    terms: Terms
    examples: int

    def __call__(self, identifier: str) -> Trial:
        return try_stories(mutant_named(identifier), self.terms, self.examples)


_Attempt = _ByCorpus | _ByStories


def _watched(chosen: Sequence[Mutant], attempt: _Attempt, jobs: int) -> list[Trial]:
    columns = (TextColumn("{task.description:24}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    trials: list[Trial] = []
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        _workers(jobs) as work,
    ):
        task = progress.add_task("mutants", total=len(chosen))
        for trial in work(attempt, [mutant.identifier for mutant in chosen]):
            trials.append(trial)
            missed = sum(not each.found_by for each in trials)
            progress.update(task, advance=1, description=f"mutants, {missed} not found")
    return trials


@contextmanager
def _workers(jobs: int) -> Iterator[Callable[[_Attempt, Sequence[str]], Iterable[Trial]]]:
    """Processes, or this one: a mutant is in force in a whole process, so that each tries one at a time."""
    if jobs == 1:
        yield map
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("forkserver"))
    try:
        yield partial(pool.map)
    finally:
        pool.shutdown(cancel_futures=True)


# For people


def _console() -> Console:
    return Console(width=None if Console().is_terminal else 160)


def _print(trials: Sequence[Trial], by: str) -> None:
    what = "cases" if by == "corpus" else "stories"
    table = Table(title=f"Mutants, and what found them by {by}", title_justify="left")
    table.add_column("id", no_wrap=True)
    table.add_column("found by")
    table.add_column(what, justify="right")
    table.add_column("s", justify="right")
    table.add_column("signature")
    for trial in trials:
        found = trial.found_by or "[bold]not found[/bold]"
        table.add_row(
            trial.mutant, found, str(trial.examples), f"{trial.seconds:.1f}", trial.signature.replace("[", r"\[")
        )
    console = _console()
    console.print(table)
    for line in _figures(trials):
        console.print(line, highlight=False)


def _figures(trials: Sequence[Trial]) -> Iterator[str]:
    """By class, because a harness may be good at one and blind to another."""
    total, found = (Counter(trial.mutant[0] for trial in some) for some in (trials, _found(trials)))
    yield ", ".join(f"{kind} {found[kind]} of {count}" for kind, count in total.items())
    yield f"{len(_found(trials))} of {len(trials)} found, {len(_found(trials)) / max(1, len(trials)):.0%}"


def _found(trials: Iterable[Trial]) -> list[Trial]:
    return [trial for trial in trials if trial.found_by]


# For programs


def _described(mutant: Mutant) -> Tree:
    return {
        "id": mutant.identifier,
        "class": str(mutant.kind),
        "breaks": mutant.breaks,
        "target": mutant.target,
        "engine": mutant.engine,
        "phase": mutant.phase,
        "field": mutant.field,
    }


def _tree(trials: Sequence[Trial], by: str) -> Tree:
    """How long it took is told in whole seconds: nothing finer would be the same twice."""
    told: list[Tree] = [
        {
            "id": trial.mutant,
            "found": bool(trial.found_by),
            "found_by": trial.found_by,
            "examples": _number(trial.examples),
            "seconds": _number(round(trial.seconds)),
            "signature": trial.signature,
            "place": trial.place,
            "field": trial.field,
        }
        for trial in trials
    ]
    return {"by": by, "mutants": _number(len(trials)), "found": _number(len(_found(trials))), "trials": told}


def _number(count: int) -> JsonNumber:
    return JsonNumber(str(count))
