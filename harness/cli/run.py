"""`diffharness run`: cases through the engines, and a verdict."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from harness.cli.output import write_file
from harness.engines.external import is_external, require_engine
from harness.engines.registry import JUDGED, EngineNotFoundError
from harness.expressions.compare import Agreement as ExpressionAgreement
from harness.expressions.corpus import AreaResult, find_corpora, judge_file
from harness.scenarios.case import find_cases
from harness.scenarios.judge import Agreement, CaseVerdict, Verdict, judge_cases
from harness.scenarios.ledger import AGREEING_FILE, record_agreeing
from harness.scenarios.way import PARALLELISMS, Handover, Way, every_way
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11, Flavour
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["run"]

_Item = TypeVar("_Item")


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--engines",
    callback=lambda _context, _option, value: _engines(value),
    default=",".join(JUDGED),
    show_default=True,
    help="Who runs the scenarios; the first is the baseline, the others are held against it. Besides legacy and new: "
    "terraform, tofu, tofu-experimental, or the path of such a binary.",
)
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Processes for the scenarios.")
@click.option("--seed", type=int, default=0, help="One seed, one order of everything dependencies leave open.")
@click.option("--parallelism", type=click.IntRange(min=1), help="How much is done at a time.  [default: 10]")
@click.option(
    "--schedules",
    "seeds",
    type=click.IntRange(min=1),
    help="Run scenarios under that many seeds, at parallelism 10, 2 and 1 unless one is given, with equal outcomes.",
)
@click.option(
    "--handover",
    "handovers",
    type=click.Choice([handover.value for handover in Handover]),
    multiple=True,
    default=[Handover.FILE.value],
    show_default=True,
    help="How plans get to apply: saved and read again, at once, by another process. Several: with equal outcomes.",
)
@click.option("--flavour", "flavour_name", type=click.Choice(sorted(FLAVOURS)), default=TERRAFORM_1_11.name)
@click.option("--update-agreeing", is_flag=True, help=f"Add scenarios that agree now to their {AGREEING_FILE}.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the result here.")
@click.pass_context
def run(
    context: click.Context,
    /,
    paths: tuple[Path, ...],
    *,
    engines: tuple[str, ...],
    jobs: int,
    flavour_name: str,
    update_agreeing: bool,
    json_file: Path | None,
    **way: Any,
) -> None:
    """Run the corpus below each PATH: expressions and scenarios, held against what the real Terraform did; and, where
    several engines run them, these against each other."""
    files = [file for corpus in find_corpora(paths) for file in sorted(corpus.glob("*.jsonl"))]
    cases = find_cases(paths)
    if not files and not cases:
        raise click.ClickException(
            f"nothing to run below {', '.join(map(str, paths))}: no *.jsonl beside a context.tf, and no case.yaml"
        )
    expressions = _judge_expressions(files, FLAVOURS[flavour_name])
    ways = _ways(**way)
    started = time.monotonic()
    scenarios = _judge_scenarios(cases, engines, ways, jobs)
    if expressions:
        _print_expressions(expressions)
    if scenarios:
        _print_scenarios(scenarios, engines, ways)
        _print_ways(scenarios, engines, ways, time.monotonic() - started)
        _print_speed(scenarios, engines)
    if update_agreeing:
        record_agreeing(paths, scenarios)
    if json_file is not None:
        document: Tree = {
            "areas": _expressions_tree(expressions),
            "scenarios": _scenarios_tree(scenarios, engines, ways),
        }
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


def _ways(seed: int, parallelism: int | None, seeds: int | None, handovers: Sequence[str]) -> list[Way]:
    limits = PARALLELISMS if parallelism is None and seeds is not None else (parallelism or PARALLELISMS[0],)
    return every_way(range(seed, seed + (seeds or 1)), limits, map(Handover, handovers))


def _engines(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise click.BadParameter("name at least one engine")
    for name in names:
        try:
            require_engine(name)
        except EngineNotFoundError as problem:
            raise click.BadParameter(str(problem)) from problem
    return names


def _judge_scenarios(
    cases: Sequence[Path], engines: Sequence[str], ways: Sequence[Way], jobs: int
) -> list[CaseVerdict]:
    return _watched("scenarios", len(cases), lambda: judge_cases(cases, engines, ways, jobs=jobs))


def _is_wrong(case: CaseVerdict) -> bool:
    return any(verdict.agreement in _WRONG for _, verdict in case.all)


_WRONG: Final = (Agreement.DIFFERS, Agreement.VARIES, Agreement.CRASHED)
_UNREMARKABLE: Final = (Agreement.AGREES, Agreement.NOT_RUN)

_Count = Callable[[CaseVerdict], bool]


def _columns(engines: Sequence[str], ways: Sequence[Way]) -> dict[str, _Count]:
    """What is counted of the cases of an area. One way alone cannot vary, and a column of noughts would claim that
    others were tried."""
    columns: dict[str, _Count] = {"recorded": lambda case: case.is_recorded}
    for name in engines:
        columns[f"{name} agrees"] = partial(_agrees, engine=name)
    for name in engines[1:]:
        columns[f"{name} = {engines[0]}"] = partial(_equals, engine=name, baseline=engines[0])
    if len(ways) > 1:
        columns["vary"] = partial(_some, kind=Agreement.VARIES)
    columns["crash"] = partial(_some, kind=Agreement.CRASHED)
    if any(map(is_external, engines)):
        columns["not run"] = partial(_some, kind=Agreement.NOT_RUN)
    return columns


def _agrees(case: CaseVerdict, engine: str) -> bool:
    return case.is_recorded and case.of[engine].agreement is Agreement.AGREES


def _equals(case: CaseVerdict, engine: str, baseline: str) -> bool:
    if case.baseline != baseline or engine not in case.between:
        return False
    return case.between[engine].agreement is Agreement.AGREES


def _some(case: CaseVerdict, kind: Agreement) -> bool:
    return any(verdict.agreement is kind for verdict in case.of.values())


def _print_scenarios(cases: Sequence[CaseVerdict], engines: Sequence[str], ways: Sequence[Way]) -> None:
    console = _console()
    columns = _columns(engines, ways)
    title = "Scenarios, against what Terraform 1.11.4 was recorded to do"
    if len(engines) > 1:
        title += f", and against {engines[0]}"
    rows = {area: _scenario_row(cases, area, columns) for area in _areas(cases)}
    console.print(_table(title, ("cases", *columns), rows))
    for case in cases:
        for name, verdict in case.all:
            if verdict.agreement not in _UNREMARKABLE:
                text = f"{name} {verdict.agreement}: {case.identifier}: {verdict.first}"
                console.print(text, highlight=False, markup=False, soft_wrap=True)
    _print_not_run(cases)


def _print_not_run(cases: Sequence[CaseVerdict]) -> None:
    """By reason: whole corpora can be out of reach of a binary."""
    reasons = Counter(
        f"{name} {verdict.agreement}: {verdict.reason}"
        for case in cases
        for name, verdict in case.of.items()
        if verdict.agreement is Agreement.NOT_RUN
    )
    for text, count in sorted(reasons.items()):
        click.echo(f"{text} ({count} {'case' if count == 1 else 'cases'})")


def _areas(cases: Sequence[CaseVerdict]) -> list[str]:
    return sorted({case.area for case in cases})


def _print_ways(cases: Sequence[CaseVerdict], engines: Sequence[str], ways: Sequence[Way], elapsed_s: float) -> None:
    if len(ways) == 1:
        return
    varying = sum(_some(case, Agreement.VARIES) for case in cases)
    runs = sum(verdict.runs for case in cases for verdict in case.of.values())
    seeds = len({way.seed for way in ways})
    limits = ", ".join(map(str, dict.fromkeys(way.parallelism for way in ways)))
    handovers = ", ".join(dict.fromkeys(way.handover for way in ways))
    click.echo(
        f"{len(cases)} scenarios x {', '.join(engines)} x {seeds} seeds x parallelism {limits} x plans by {handovers}: "
        f"{runs:,} runs in {elapsed_s:.0f} s, {varying} scenarios vary"
    )


def _print_speed(cases: Sequence[CaseVerdict], engines: Sequence[str]) -> None:
    """Where a binary took part: the time of each engine, and that of the engines in process beside the fastest
    binary's. Only cases that all of them ran to their end count."""
    binaries = [name for name in engines if is_external(name)]
    ran = [case for case in cases if all(verdict.runs for verdict in case.of.values())]
    if not binaries or not ran:
        return
    spent = {name: sum(case.of[name].elapsed_s / case.of[name].runs for case in ran) for name in engines}
    real = min(binaries, key=spent.__getitem__)
    for name in engines:
        ratio = "" if name in binaries else f", {spent[real] / spent[name]:.1f} times as fast as {real}"
        click.echo(f"{name}: {1000 * spent[name] / len(ran):.0f} ms a case{ratio}")


def _scenario_row(cases: Iterable[CaseVerdict], area: str, columns: Mapping[str, _Count]) -> tuple[int, ...]:
    found = [case for case in cases if case.area == area]
    return len(found), *(sum(map(count, found)) for count in columns.values())


def _scenarios_tree(cases: Sequence[CaseVerdict], engines: Sequence[str], ways: Sequence[Way]) -> Tree:
    columns = _columns(engines, ways)
    names = ("cases", *(heading.replace(" = ", "_equals_").replace(" ", "_") for heading in columns))
    areas: dict[str, Tree] = {}
    for area in _areas(cases):
        found = [(name, verdict) for case in cases if case.area == area for name, verdict in case.all]
        differing: list[Tree] = [
            {"engine": name, **_verdict_tree(verdict)}
            for name, verdict in found
            if verdict.agreement not in _UNREMARKABLE
        ]
        numbers = _numbered(names, _scenario_row(cases, area, columns))
        not_run: list[Tree] = [
            {"engine": name, "id": verdict.identifier, "reason": verdict.reason}
            for name, verdict in found
            if verdict.agreement is Agreement.NOT_RUN
        ]
        areas[area] = {**numbers, "differing": differing, **({"not_run_here": not_run} if not_run else {})}
    return areas


def _verdict_tree(verdict: Verdict) -> dict[str, Tree]:
    differences: list[Tree] = [
        {"step": step, "field": found.field, "expected": found.expected, "got": found.got}
        for step, found in verdict.differences
    ]
    tree: dict[str, Tree] = {"id": verdict.identifier, "verdict": str(verdict.agreement), "differences": differences}
    if verdict.way is not None:
        tree["way"] = str(verdict.way)
    return {**tree, "crash": verdict.crash} if verdict.crash else tree


# Both


def _console() -> Console:
    return Console(width=None if Console().is_terminal else 120)


def _table(title: str, headings: Sequence[str], rows: dict[str, tuple[int, ...]]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("area", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right")
    for area, row in rows.items():
        table.add_row(area, *map(str, row))
    table.add_section()
    table.add_row("total", *(str(sum(column)) for column in zip(*rows.values(), strict=True)))
    return table


def _numbered(names: Sequence[str], row: Sequence[int]) -> dict[str, Tree]:
    return {name: JsonNumber(str(count)) for name, count in zip(names, row, strict=True)}
