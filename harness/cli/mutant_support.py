"""What the commands of `diffharness mutants` share: the choice of mutants, worker processes, progress and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from harness.mutants.catalogue import MUTANTS, UnknownMutantError, mutant_named
from harness.mutants.catalogue.mutant import Mutant
from harness.trials.trial import Work
from harness.worker_pool import start_pool
from shared_nodes.values.json import JsonNumber

__all__ = [
    "corpus_option",
    "jobs_option",
    "require_corpus",
    "select_mutants",
    "show_progress",
    "start_workers",
    "to_number",
    "wide_console",
]

corpus_option: Final = click.option(
    "--corpus",
    "corpus",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("corpus"),
    show_default=True,
    help="Directory of the cases.",
)
jobs_option: Final = click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Worker processes."
)


def require_corpus(corpus: Path) -> None:
    if not corpus.is_dir():
        raise click.UsageError(f"--corpus: there is no directory {corpus}; cases are found in that of a clone")


def select_mutants(identifiers: Sequence[str]) -> list[Mutant]:
    try:
        return [mutant_named(identifier) for identifier in dict.fromkeys(identifiers)] or list(MUTANTS.values())
    except UnknownMutantError as problem:
        raise click.UsageError(str(problem)) from problem


@contextmanager
def show_progress() -> Iterator[Progress]:
    columns = (TextColumn("{task.description:24}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield progress


@contextmanager
def start_workers(jobs: int) -> Iterator[Work]:
    """Yield a `map` over worker processes, or over this one. A mutant affects its whole process, so each process tries
    one at a time."""
    if jobs == 1:
        yield map
        return
    pool = start_pool(jobs)
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


def wide_console() -> Console:
    return Console(width=None if Console().is_terminal else 160)


def to_number(count: float) -> JsonNumber:
    return JsonNumber(f"{count:g}")
