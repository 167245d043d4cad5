"""`diffharness run`: cases through the engines, and a verdict."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from harness.expressions.compare import Agreement
from harness.expressions.corpus import AreaResult, find_corpora, judge_file
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11, Flavour
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["run"]


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--flavour", "flavour_name", type=click.Choice(sorted(FLAVOURS)), default=TERRAFORM_1_11.name)
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the result here.")
@click.pass_context
def run(context: click.Context, paths: tuple[Path, ...], flavour_name: str, json_file: Path | None) -> None:
    """Run the corpus below each PATH.

    Today that is the expression corpus: every recorded answer of the real Terraform is held against ours.
    """
    files = [file for corpus in find_corpora(paths) for file in sorted(corpus.glob("*.jsonl"))]
    if not files:
        raise click.ClickException(f"nothing to run below {', '.join(map(str, paths))}: no *.jsonl beside a context.tf")
    results = _judge(files, FLAVOURS[flavour_name])
    _print(results)
    if json_file is not None:
        _write_atomically(json_file, dumps(_as_tree(results), escape_html=False, indent=2) + "\n")
    context.exit(1 if any(_disagreeing(result) for result in results) else 0)


def _judge(files: Sequence[Path], flavour: Flavour) -> list[AreaResult]:
    """Every line of every file, with a progress bar where a person watches."""
    columns = (TextColumn("{task.description:18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    counts = {file: file.read_bytes().count(b"\n") for file in files}
    results = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("expressions", total=sum(counts.values()))
        for file in files:
            progress.update(task, description=file.stem)
            result = AreaResult(file.stem)
            for judged in judge_file(file, flavour):
                result.judged.append(judged)
                progress.advance(task)
            results.append(result)
    return results


def _disagreeing(result: AreaResult) -> int:
    return result.count(Agreement.DIFFERENT)


def _print(results: Sequence[AreaResult]) -> None:
    console = Console(width=None if Console().is_terminal else 100)
    table = Table(title="Expressions, against the recorded answers of Terraform 1.11.4", title_justify="left")
    table.add_column("area")
    for heading in ("lines", "exact", "same outcome", "different", "waiting"):
        table.add_column(heading, justify="right")
    for result in results:
        table.add_row(result.area, *map(str, _row(result)))
    table.add_section()
    totals = [sum(column) for column in zip(*(_row(result) for result in results), strict=True)]
    table.add_row("total", *map(str, totals))
    console.print(table)
    for result in results:
        for judged in result.counted:
            if judged.agreement is Agreement.DIFFERENT:
                console.print(f"different: {result.area} {judged.identifier}", highlight=False)


def _row(result: AreaResult) -> tuple[int, ...]:
    exact, same = result.count(Agreement.EXACT), result.count(Agreement.SAME_OUTCOME)
    waiting = len(result.judged) - len(result.counted)
    return len(result.judged), exact, same, _disagreeing(result), waiting


def _as_tree(results: Sequence[AreaResult]) -> Tree:
    names = ("lines", "exact", "same_outcome", "different", "waiting")
    areas: dict[str, Tree] = {}
    for result in results:
        counts: dict[str, Tree] = {
            name: JsonNumber(str(count)) for name, count in zip(names, _row(result), strict=True)
        }
        differing: list[Tree] = [
            {"id": judged.identifier, "expected": judged.expected, "got": judged.got}
            for judged in result.counted
            if judged.agreement is Agreement.DIFFERENT
        ]
        areas[result.area] = {**counts, "differing": differing}
    return {"areas": areas}


def _write_atomically(file: Path, text: str) -> None:
    """The whole file or none of it: written beside its place, then moved there."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(file)
    except OSError as problem:
        temporary.unlink(missing_ok=True)
        raise click.ClickException(f"cannot write {file}: {problem.strerror}") from problem
