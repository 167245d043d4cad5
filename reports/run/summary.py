"""The summary of a run, for the terminal.

Causes come last, where a person looks first: one line each, new ones before documented ones, and the smallest case of
the worst on one screen. A case with hundreds of findings prints one. Texts of cases are made visible and never
interpreted as markup.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.findings.burn_down import burn_down
from harness.findings.case_causes import causes_by_case
from harness.findings.causes import Cause
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.signature import Ruling
from harness.findings.speed import binary_share, speeds
from reports.run.screen import case_screen
from reports.visible import visible, visible_line

__all__ = ["print_run"]

_MOST_CAUSES: Final = 20
_MOST_VARYING: Final = 10
_LEFT_OUT: Final = "left out"
_ELSEWHERE: Final = ("command", "elapsed", _LEFT_OUT)
"""Facts about the run that are not in the line of the others."""

_Count = Callable[[CaseResult], int]


def print_run(run: Run, console: Console) -> None:
    _print_header(run, console)
    _print_tables(run, console)
    _print_speed(run, console)
    _print_asides(run, console)
    _print_causes(run, console)
    _print_burn_down(run, console)
    _print_worst(run, console)
    _print_stale(run, console)
    _print_end(run, console)


def _print_text(console: Console, text: str, style: str = "") -> None:
    """Print a paragraph that may contain words of a case: no markup or colour is interpreted in it."""
    console.print(Text(visible(text), style=style), soft_wrap=True)


def _count_cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count:,} cases"


def _print_header(run: Run, console: Console) -> None:
    """Print the facts about the run in one line, but for those that have lines of their own."""
    facts = [f"{name} {text}" for name, text in run.header.items() if text and name not in _ELSEWHERE]
    if facts:
        _print_text(console, visible_line(", ".join(facts)), "dim")


# Tables


def _print_tables(run: Run, console: Console) -> None:
    """Print a table of expressions and one of cases for each product that engines followed."""
    for flavour, results in run.by_flavour.items():
        suffix = f" ({flavour})" if flavour else ""
        questions = [result for result in results if result.counts]
        if questions:
            names = list(dict.fromkeys(name for result in questions for name in result.counts))
            rows = {Path(each.path).stem: [each.counts.get(name, 0) for name in names] for each in questions}
            console.print(_table(f"Expressions, against their recorded answers{suffix}", names, rows))
        cases = [result for result in results if not result.counts]
        if cases:
            columns = _columns(run, cases)
            title = "Cases, against what was recorded"
            if len(run.engines) > 1:
                title += f", and against {run.baseline}"
            console.print(_table(title + suffix, list(columns), _rows_by_area(cases, columns)))


def _rows_by_area(cases: Iterable[CaseResult], columns: Mapping[str, _Count]) -> dict[str, list[int]]:
    areas: dict[str, list[CaseResult]] = defaultdict(list)
    for result in cases:
        areas[result.area].append(result)
    return {area: [sum(map(count, areas[area])) for count in columns.values()] for area in sorted(areas)}


def _columns(run: Run, cases: Sequence[CaseResult]) -> dict[str, _Count]:
    """Return the columns of the table. Optional ones appear only if something was found, since a column of zeros would
    claim that it had been looked for."""
    columns: dict[str, _Count] = {"cases": lambda _result: 1, "recorded": lambda result: result.is_recorded}
    for name in run.engines:
        columns[f"{name} agrees"] = partial(_agrees, name)
    for name in run.engines[1:]:
        columns[f"{name} = {run.baseline}"] = partial(_equals, name)
    optional: dict[str, _Count] = {
        "documented": lambda result: any(finding.known for finding in result.findings),
        "vary": lambda result: any(ruling.is_variation for ruling in _rulings(result)),
        "not run": lambda result: bool(result.not_run),
    }
    columns |= {name: count for name, count in optional.items() if any(map(count, cases))}
    return {**columns, "crash": lambda result: any(ruling.is_breakdown for ruling in _rulings(result))}


def _agrees(engine: str, result: CaseResult) -> bool:
    return engine in result.agrees


def _equals(engine: str, result: CaseResult) -> bool:
    return engine in result.equal


def _rulings(result: CaseResult) -> Iterator[Ruling]:
    return (finding.signature.ruling for finding in result.findings)


def _table(title: str, headings: Sequence[str], rows: Mapping[str, Sequence[int]]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("area", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right")
    for area, row in rows.items():
        table.add_row(Text(visible_line(area)), *map(str, row))
    table.add_section()
    table.add_row("total", *(str(sum(column)) for column in zip(*rows.values(), strict=True)))
    return table


# Further facts


def _print_speed(run: Run, console: Console) -> None:
    for speed in speeds(run):
        faster = "" if speed.factor is None else f", {speed.factor:.1f} times as fast as {speed.binary}"
        _print_text(console, f"{speed.engine}: {1000 * speed.mean_s:.0f} ms a case{faster}")
    if share := binary_share(run):
        _print_text(console, str(share))


def _print_asides(run: Run, console: Console) -> None:
    reasons = Counter(f"{name} not run: {why}" for result in run.results for name, why in result.not_run.items())
    for text, count in sorted(reasons.items()):
        _print_text(console, f"{text} ({_count_cases(count)})")
    if left_out := run.header.get(_LEFT_OUT):
        _print_text(console, f"{_LEFT_OUT}: {left_out}")
    faked = [result for result in run.results if result.faked]
    if faked:
        commands = sum(len(result.faked) for result in faked)
        _print_text(
            console,
            f"{_count_cases(len(faked))} may not run commands, and wanted to: {commands} were taken to have succeeded, "
            "and recordings were not looked at there. Trust such cases with --allow-exec, or in [tool.diffharness].",
            "yellow",
        )
    rules = Counter[str]()
    for result in run.results:
        rules.update(result.normalised)
    if rules:
        counts = ", ".join(f"{name} {count:,}" for name, count in sorted(rules.items()))
        _print_text(console, f"Normalised before comparing: {counts}")
    _print_variations(run, console)
    retried = sum(result.attempts > 1 for result in run.results)
    if retried:
        _print_text(console, f"{_count_cases(retried)} were tried more than once, because a worker was lost")


def _print_variations(run: Run, console: Console) -> None:
    """Print what varied between the runs of a binary. An order that is not compared is no failure, but is named."""
    varying = [(result, name, texts) for result in run.results for name, texts in result.varies.items()]
    if varying:
        _print_text(console, f"Varies between runs of one engine, in {_count_cases(len(varying))}:")
    for result, name, texts in varying[:_MOST_VARYING]:
        more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
        _print_text(console, f"  {visible_line(f'{result.identifier}, {name}: {texts[0]}')}{more}")
    if len(varying) > _MOST_VARYING:
        _print_text(console, f"  and {len(varying) - _MOST_VARYING} more")


# Causes


def _print_causes(run: Run, console: Console) -> None:
    if not run.causes:
        return
    new = sum(not cause.known for cause in run.causes)
    count = "1 cause" if len(run.causes) == 1 else f"{len(run.causes):,} causes"
    _print_text(console, f"\n{count}, {new:,} new:", "bold")
    for cause in run.causes[:_MOST_CAUSES]:
        _print_text(console, f"  {_cause_line(cause)}")
    if len(run.causes) > _MOST_CAUSES:
        _print_text(console, f"  and {len(run.causes) - _MOST_CAUSES:,} more: see the report")


def _cause_line(cause: Cause) -> str:
    documented = f" [{cause.category} {cause.known}]" if cause.known else ""
    text = f"{cause.weight.description:<11} {_count_cases(len(cause.cases)):>11}  {cause.title}{documented}"
    return visible_line(f"{text} ({cause.smallest})")


def _print_burn_down(run: Run, console: Console) -> None:
    """Print how many documented causes are left, by class, including entries that occur in no case. The aim is to
    reduce them all to zero."""
    counted = burn_down(run)
    if counted.is_empty:
        return
    table = Table(title="Documented causes, by class", title_justify="left")
    for heading in ("class", "entries", "present", "gone", "cases"):
        table.add_column(heading, justify="left" if heading == "class" else "right")
    for each in counted.classes:
        table.add_row(each.category, str(each.entries), str(each.present), str(each.gone), str(each.cases))
    table.add_section()
    table.add_row("new", "", str(counted.new), "", str(counted.new_cases))
    console.print(table)


def _print_worst(run: Run, console: Console) -> None:
    """Print the smallest case of the worst new cause."""
    worst = next((cause for cause in run.causes if not cause.known), None)
    if worst is None:
        return
    smallest = next(result for result in run.results if result.identifier == worst.smallest)
    _print_text(console, f"\n{visible_line(worst.title)}; the smallest of {_count_cases(len(worst.cases))}:", "bold")
    _print_text(console, case_screen(smallest, causes_by_case(run.causes)[worst.smallest], [worst.example]))


def _print_stale(run: Run, console: Console) -> None:
    for stale in run.stale:
        _print_text(console, f"{stale.place}: {stale.entry}: {stale.problem}", "red")


def _print_end(run: Run, console: Console) -> None:
    """Print the last line. Its numbers add up: every case is counted once."""
    parts = {ruling: f"{run.rulings[ruling]:,} {ruling}" for ruling in Ruling if run.rulings.get(ruling)}
    equal = [result for result in run.results if result.ruling is Ruling.EQUAL]
    documented = sum(bool(result.findings) and not result.open_findings for result in equal)
    if documented:
        parts[Ruling.EQUAL] += f" ({documented:,} of them but for documented divergences)"
    files = sum(bool(result.counts) for result in run.results)
    counted = [_count_cases(len(run.results) - files)] if files < len(run.results) or not files else []
    counted += [f"{files} {'file' if files == 1 else 'files'} of expressions"] if files else []
    text = f"{' and '.join(counted)}: {', '.join(parts.values()) or 'nothing was run'}"
    if len(run.by_flavour) > 1:
        text += f" ({_count_equal_by_flavour(run)})"
    if run.stale:
        text += f"; {len(run.stale)} of known.yaml out of date"
    if not run.is_complete:
        text += f"; stopped, {_count_cases(run.planned - len(run.results))} not run"
    elapsed = run.header.get("elapsed")
    text += f". {elapsed}" if elapsed else "."
    _print_text(console, f"\n{text}", "green" if run.exit_status == 0 else "bold red")


def _count_equal_by_flavour(run: Run) -> str:
    """Return how many cases and files are equal under each product."""
    counts = {
        flavour or "unreadable": (sum(result.ruling is Ruling.EQUAL for result in results), len(results))
        for flavour, results in run.by_flavour.items()
    }
    return ", ".join(f"{flavour}: {equal:,} of {total:,} equal" for flavour, (equal, total) in counts.items())
