"""`diffharness mutants mix`: put several known mistakes into the engines at once, and measure whether the causes that
are found are these mistakes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import click
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

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
from harness.findings.causes import find_causes
from harness.play.run_spec import RunSpec
from harness.trials.case_baseline import find_cases_of_terraform
from harness.trials.mix_cache import knowledge_directory
from harness.trials.mix_score import MixScore, MixSummary, summarise
from harness.trials.mixes import Knowledge, draw_mixes, learn, read_knowledge, try_mix
from harness.trials.mutant_truth import Truth
from harness.trials.trial import Work
from shared_nodes.values.json import Tree, dumps

__all__ = ["mix"]

_TIMEOUT_S: Final = 3.0
"""A case takes a tenth of a second. A mutant that hangs does so in hundreds of them."""

_MIXES: Final = 100
_WORST: Final = 10
"""Number of mixes that are printed with all that is wrong."""


@click.command("mix", short_help="Try to tell several mutants apart.")
@click.argument("identifiers", metavar="[ID]...", nargs=-1)
@click.option("--mixes", "count", type=click.IntRange(min=1), default=_MIXES, show_default=True, help="Mixes to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the mixes.")
@corpus_option
@jobs_option
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep what mutants and mixes do here: the next call with the same engines and cases takes it from there.",
)
@json_file_option
def mix(
    *,
    identifiers: tuple[str, ...],
    count: int,
    seed: int,
    corpus: Path,
    jobs: int,
    cache: Path | None,
    json_file: Path | None,
) -> None:
    """Put 2 to 5 mutants into the engines at once, drawn from all mutants or from the named ones, and measure whether
    the causes that are found are these mutants.

    What each mutant does alone is found out first, which takes most of the time. The exit code is 0, whatever the
    figures are."""
    names = [mutant.identifier for mutant in select_mutants(identifiers)]
    require_corpus(corpus)
    spec = RunSpec(
        DEFAULT_ENGINES, trusted=find_trusted_directories(DEFAULT_ENGINES, [corpus], False), timeout_s=_TIMEOUT_S
    )
    with _directory(cache, corpus, names) as directory, start_workers(jobs) as work, show_progress() as progress:
        known = read_knowledge(directory) or _learn(corpus, names, spec, directory, work=work, progress=progress)
        truth = known.truth
        drawn = draw_mixes(truth, count, seed)
        if not drawn:
            raise click.UsageError("fewer than two of these mutants show in the cases; choose others, or more cases")
        attempt = partial(try_mix, directory=directory, spec=spec, find_causes=find_causes)
        scores: list[MixScore] = list(
            progress.track(work(attempt, drawn), total=len(drawn), description="mixes of mutants")
        )
    _print(scores, truth)
    if json_file is not None:
        write_file(json_file, dumps(_to_json(scores, truth, seed), escape_html=False, indent=2) + "\n")


@contextmanager
def _directory(cache: Path | None, corpus: Path, names: Sequence[str]) -> Iterator[Path]:
    if cache is None:
        with tempfile.TemporaryDirectory(prefix="diffharness-mixes-") as place:
            yield Path(place)
        return
    directory = knowledge_directory(cache, corpus, names)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise click.UsageError(f"--cache: {directory} cannot be made: {problem.strerror}") from problem
    yield directory


def _learn(
    corpus: Path, names: Sequence[str], spec: RunSpec, directory: Path, *, work: Work, progress: Progress
) -> Knowledge:
    units = find_cases_of_terraform(corpus)
    task = progress.add_task("mutants alone", total=2 * len(units))
    return learn(units, names, spec, directory, work=work, on_case=partial(progress.advance, task))


# For people


def _print(scores: Sequence[MixScore], truth: Truth) -> None:
    console = wide_console()
    table = Table(title="Mixes of mutants, and the causes that were found", title_justify="left")
    table.add_column("mutants (in brackets: does not show)")
    for heading in ("causes", "purity"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for score in scores:
        mutants = ", ".join(name if name in score.showing else f"({name})" for name in score.mutants)
        table.add_row(mutants, str(len(score.causes)), f"{score.purity:.2f}", _rate(score))
    console.print(table)
    for score in sorted((score for score in scores if not score.is_perfect), key=_badness, reverse=True)[:_WORST]:
        console.print(f"{', '.join(score.mutants)}: {len(score.causes)} causes", highlight=False)
        for problem in score.problems:
            console.print(f"  {escape(problem)}", highlight=False)
    unseen = [name for name, cases in truth.items() if not cases]
    if unseen:
        console.print(f"not drawn, because no case shows them: {', '.join(unseen)}", highlight=False)
    for line in _figures(summarise(scores)):
        console.print(line, highlight=False)


def _rate(score: MixScore) -> str:
    return "exact" if score.is_exact else "perfect" if score.is_perfect else ""


def _badness(score: MixScore) -> tuple[int, int]:
    return abs(len(score.causes) - len(score.showing)), len(score.problems)


def _figures(summary: MixSummary) -> Iterator[str]:
    share = summary.perfect / summary.mixes
    yield f"{summary.perfect} of {summary.mixes} mixes perfect, {share:.0%}; {summary.exact} of them exact"
    yield f"purity {summary.purity:.3f}; {summary.causes_per_mutant:.2f} causes per mutant"


# For programs


def _to_json(scores: Sequence[MixScore], truth: Truth, seed: int) -> Tree:
    summary = summarise(scores)
    return {
        "seed": to_number(seed),
        "mixes": to_number(summary.mixes),
        "perfect": to_number(summary.perfect),
        "exact": to_number(summary.exact),
        "purity": to_number(summary.purity),
        "causes_per_mutant": to_number(summary.causes_per_mutant),
        "results": [_score_to_json(score) for score in scores],
        "truth": {name: list[Tree](cases) for name, cases in truth.items()},
    }


def _score_to_json(score: MixScore) -> Tree:
    causes: list[Tree] = [
        {"title": cause.title, "mutant": name, "cases": list[Tree](sorted(cause.cases))} for name, cause in score.causes
    ]
    return {
        "mutants": list[Tree](score.mutants),
        "showing": list[Tree](score.showing),
        "perfect": score.is_perfect,
        "exact": score.is_exact,
        "purity": to_number(score.purity),
        "causes": causes,
        "problems": list[Tree](score.problems),
    }
