"""`diffharness run`: cases through the engines, and a verdict."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from harness.cli.output import write_file
from harness.engines.registry import ENGINES, EngineNotFoundError, engine_named
from harness.expressions.compare import Agreement as ExpressionAgreement
from harness.expressions.corpus import AreaResult, find_corpora, judge_file
from harness.scenarios.case import find_cases
from harness.scenarios.judge import Agreement, Verdict, judge_cases
from harness.scenarios.ledger import AGREEING_FILE, record_agreeing
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11, Flavour
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["run"]

_Item = TypeVar("_Item")


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--engine", "engine_name", type=click.Choice(ENGINES), default="legacy", help="Who runs the scenarios.")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes for the scenarios.")
@click.option("--seed", type=int, default=0, help="One seed, one order of everything dependencies leave open.")
@click.option("--flavour", "flavour_name", type=click.Choice(sorted(FLAVOURS)), default=TERRAFORM_1_11.name)
@click.option("--update-agreeing", is_flag=True, help=f"Add scenarios that agree now to their {AGREEING_FILE}.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the result here.")
@click.pass_context
def run(
    context: click.Context,
    paths: tuple[Path, ...],
    *,
    engine_name: str,
    jobs: int,
    seed: int,
    flavour_name: str,
    update_agreeing: bool,
    json_file: Path | None,
) -> None:
    """Run the corpus below each PATH: expressions and scenarios, held against what the real Terraform did."""
    files = [file for corpus in find_corpora(paths) for file in sorted(corpus.glob("*.jsonl"))]
    cases = find_cases(paths)
    if not files and not cases:
        raise click.ClickException(
            f"nothing to run below {', '.join(map(str, paths))}: no *.jsonl beside a context.tf, and no case.yaml"
        )
    expressions = _judge_expressions(files, FLAVOURS[flavour_name])
    scenarios = _judge_scenarios(cases, engine_name, jobs, seed)
    if expressions:
        _print_expressions(expressions)
    if scenarios:
        _print_scenarios(scenarios)
    if update_agreeing:
        record_agreeing(paths, scenarios)
    if json_file is not None:
        document: Tree = {"areas": _expressions_tree(expressions), "scenarios": _scenarios_tree(scenarios)}
        write_file(json_file, dumps(document, escape_html=False, indent=2) + "\n")
    failed = any(map(_different, expressions)) or any(map(_is_wrong, scenarios))
    context.exit(1 if failed else 0)


def _watched(title: str, total: int, work: Callable[[], Iterable[_Item]]) -> list[_Item]:
    """Everything the work gives, with a progress bar where a person watches."""
    columns = (TextColumn("{task.description:18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    results: list[_Item] = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=total)
        for item in work():
            results.append(item)
            progress.advance(task)
    return results


# Expressions


def _judge_expressions(files: Sequence[Path], flavour: Flavour) -> list[AreaResult]:
    return _watched(
        "expressions", len(files), lambda: (AreaResult(file.stem, list(judge_file(file, flavour))) for file in files)
    )


def _different(result: AreaResult) -> int:
    return result.count(ExpressionAgreement.DIFFERENT)


def _print_expressions(results: Sequence[AreaResult]) -> None:
    headings = ("lines", "exact", "same outcome", "different", "waiting")
    rows = {result.area: _expression_row(result) for result in results}
    console = _console()
    console.print(_table("Expressions, against the recorded answers of Terraform 1.11.4", headings, rows))
    for result in results:
        for judged in result.counted:
            if judged.agreement is ExpressionAgreement.DIFFERENT:
                console.print(f"different: {result.area} {judged.identifier}", highlight=False)


def _expression_row(result: AreaResult) -> tuple[int, ...]:
    exact, same = result.count(ExpressionAgreement.EXACT), result.count(ExpressionAgreement.SAME_OUTCOME)
    waiting = len(result.judged) - len(result.counted)
    return len(result.judged), exact, same, _different(result), waiting


def _expressions_tree(results: Sequence[AreaResult]) -> Tree:
    names = ("lines", "exact", "same_outcome", "different", "waiting")
    areas: dict[str, Tree] = {}
    for result in results:
        differing: list[Tree] = [
            {"id": judged.identifier, "expected": judged.expected, "got": judged.got}
            for judged in result.counted
            if judged.agreement is ExpressionAgreement.DIFFERENT
        ]
        areas[result.area] = {**_numbered(names, _expression_row(result)), "differing": differing}
    return areas


# Scenarios


def _judge_scenarios(cases: Sequence[Path], engine_name: str, jobs: int, seed: int) -> list[Verdict]:
    if not cases:
        return []
    try:
        engine_named(engine_name)
    except EngineNotFoundError as problem:
        raise click.ClickException(str(problem)) from problem
    return _watched("scenarios", len(cases), lambda: judge_cases(cases, engine_name, jobs=jobs, seed=seed))


def _is_wrong(verdict: Verdict) -> bool:
    return verdict.agreement in (Agreement.DIFFERS, Agreement.CRASHED)


def _print_scenarios(verdicts: Sequence[Verdict]) -> None:
    console = _console()
    console.print(
        _table(
            "Scenarios, against what Terraform 1.11.4 was recorded to do",
            ("cases", "agree", "details differ", "differ", "crash"),
            {area: _scenario_row(verdicts, area) for area in sorted({verdict.area for verdict in verdicts})},
        )
    )
    for verdict in verdicts:
        if verdict.agreement is not Agreement.AGREES:
            text = f"{verdict.agreement}: {verdict.identifier}: {verdict.first}"
            console.print(text, highlight=False, markup=False, soft_wrap=True)


def _scenario_row(verdicts: Iterable[Verdict], area: str) -> tuple[int, ...]:
    found = [verdict.agreement for verdict in verdicts if verdict.area == area]
    return len(found), *(found.count(agreement) for agreement in Agreement)


def _scenarios_tree(verdicts: Sequence[Verdict]) -> Tree:
    names = ("cases", "agree", "details_differ", "differ", "crash")
    areas: dict[str, Tree] = {}
    for area in sorted({verdict.area for verdict in verdicts}):
        differing: list[Tree] = [
            _verdict_tree(verdict)
            for verdict in verdicts
            if verdict.area == area and verdict.agreement is not Agreement.AGREES
        ]
        areas[area] = {**_numbered(names, _scenario_row(verdicts, area)), "differing": differing}
    return areas


def _verdict_tree(verdict: Verdict) -> Tree:
    differences: list[Tree] = [
        {"step": step, "field": found.field, "expected": found.expected, "got": found.got}
        for step, found in verdict.differences
    ]
    tree: dict[str, Tree] = {"id": verdict.identifier, "verdict": str(verdict.agreement), "differences": differences}
    return {**tree, "crash": verdict.crash} if verdict.crash else tree


# Both


def _console() -> Console:
    return Console(width=None if Console().is_terminal else 100)


def _table(title: str, headings: Sequence[str], rows: dict[str, tuple[int, ...]]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("area")
    for heading in headings:
        table.add_column(heading, justify="right")
    for area, row in rows.items():
        table.add_row(area, *map(str, row))
    table.add_section()
    table.add_row("total", *(str(sum(column)) for column in zip(*rows.values(), strict=True)))
    return table


def _numbered(names: Sequence[str], row: Sequence[int]) -> dict[str, Tree]:
    return {name: JsonNumber(str(count)) for name, count in zip(names, row, strict=True)}
