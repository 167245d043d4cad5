"""The summary of a run, for the terminal.

Causes come last, where a person looks first: one line each, new ones before documented ones, and an example of
the worst on one screen. A case with hundreds of findings prints one. Texts of cases are made visible and never
interpreted as markup.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.findings.burn_down import burn_down
from harness.findings.case_causes import causes_by_case
from harness.findings.causes import Cause
from harness.findings.headline import headline
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.signature import Ruling
from harness.findings.speed import binary_share, speeds
from reports.run.cause_status import causes_sentence, describe_status
from reports.run.configurations import chosen_value_lines, missing_module_lines
from reports.run.engine_labels import engine_labels
from reports.run.repositories import REPOSITORY_FACT, affected_lines, repository_table
from reports.run.screen import case_screen
from reports.visible import visible, visible_line

__all__ = ["print_run"]

_MOST_CAUSES: Final = 12
_MOST_AREAS: Final = 8
_FEWEST_AREAS: Final = 4
_RECORDED: Final = "recorded"
_MOST_VARYING: Final = 10
_LETTERS: Final = 26
_AREA: Final = 12
_BORDER: Final = 3
_GAP: Final = 1
"""What is between two columns of a table, with borders and without."""

_LEFT_OUT: Final = "left out"
_ELSEWHERE: Final = ("command", "elapsed", _LEFT_OUT)
"""Facts about the run that are not in the line of the others."""

_Count = Callable[[CaseResult], int]


def print_run(run: Run, console: Console, *, is_quiet: bool = False, slowest: int | None = None) -> None:
    """Print the summary; of a quiet one, only causes and the end. `slowest` cases are listed with their time, all if it
    is 0, and none if it is None."""
    if not is_quiet:
        _print_header(run, console)
        _print_tables(run, console)
        _print_speed(run, console)
        _print_asides(run, console)
        _print_failures(run, console)
    _print_causes(run, console)
    _print_repositories(run, console)
    if not is_quiet:
        _print_burn_down(run, console)
        _print_worst(run, console)
    if slowest is not None:
        _print_durations(run, console, slowest)
    _print_stale(run, console)
    _print_end(run, console)


def _print_text(console: Console, text: str, style: str = "") -> None:
    """Print a paragraph that may contain words of a case: no markup or colour is interpreted in it."""
    console.print(Text(visible(text), style=style), soft_wrap=True)


def _count_cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count:,} cases"


def _print_header(run: Run, console: Console) -> None:
    """Print the facts about the run in one line, but for those that have lines of their own."""
    shown = [name for name in run.header if name not in _ELSEWHERE and not name.startswith(REPOSITORY_FACT)]
    facts = [f"{name} {run.header[name]}" for name in shown if run.header[name]]
    if facts:
        _print_text(console, visible_line(", ".join(facts)), "dim")


# Tables


def _print_tables(run: Run, console: Console) -> None:
    """Print a table of expressions and one of cases for each product that engines followed. All of them share the
    room that one has."""
    most = max(_FEWEST_AREAS, _MOST_AREAS // max(len(run.by_flavour), 1))
    for flavour, results in run.by_flavour.items():
        suffix = f" ({flavour})" if flavour else ""
        questions = [result for result in results if result.counts]
        if questions:
            names = list(dict.fromkeys(name for result in questions for name in result.counts))
            rows = {Path(each.path).stem: [each.counts.get(name, 0) for name in names] for each in questions}
            _print_table(console, f"Expressions, against their recorded answers{suffix}", names, rows)
        cases = [result for result in results if not result.counts]
        if cases:
            columns = _columns(run, cases)
            against = ["what was recorded"] if _RECORDED in columns else []
            against += [engine_labels(run.engines)[run.baseline]] if len(run.engines) > 1 else []
            title = f"Cases, against {', and against '.join(against)}" if against else "Cases"
            _print_table(console, title + suffix, list(columns), _rows_by_area(cases, columns, most))


def _rows_by_area(cases: Iterable[CaseResult], columns: Mapping[str, _Count], most: int) -> dict[str, list[int]]:
    areas: dict[str, list[CaseResult]] = defaultdict(list)
    for result in cases:
        areas[result.area].append(result)
    rows = {area: [sum(map(count, areas[area])) for count in columns.values()] for area in sorted(areas)}
    found = {area: sum(bool(result.findings) for result in results) for area, results in areas.items()}
    return _shorten(rows, found, most)


def _shorten(rows: Mapping[str, list[int]], found: Mapping[str, int], most: int) -> dict[str, list[int]]:
    """Return the rows of the areas with most findings, and one for all others together, so that a large corpus leaves
    room for its causes."""
    if len(rows) <= most:
        return dict(rows)
    shown = sorted(sorted(rows, key=lambda area: (-found[area], area))[: most - 1])
    others = [row for area, row in rows.items() if area not in shown]
    together = [sum(column) for column in zip(*others, strict=True)]
    return {**{area: rows[area] for area in shown}, f"{len(others)} other areas": together}


def _columns(run: Run, cases: Sequence[CaseResult]) -> dict[str, _Count]:
    """Return the columns of the table. Optional ones appear only if something was found, since a column of zeros would
    claim that it had been looked for."""
    labels = engine_labels(run.engines)
    columns: dict[str, _Count] = {"cases": lambda _result: 1}
    if any(result.is_recorded for result in cases):
        columns[_RECORDED] = lambda result: result.is_recorded
        columns |= {f"{labels[name]} agrees": partial(_agrees, name) for name in run.engines}
    for name in run.engines[1:]:
        columns[f"{labels[name]} = {labels[run.baseline]}"] = partial(_equals, name)
    optional: dict[str, _Count] = {
        "documented": lambda result: any(finding.known for finding in result.findings),
        "vary": lambda result: any(ruling.is_variation for ruling in _rulings(result)),
        "not run": lambda result: bool(result.not_run),
        "invalid": lambda result: result.ruling is Ruling.INVALID_CASE,
    }
    columns |= {name: count for name, count in optional.items() if any(map(count, cases))}
    return {**columns, "crash": lambda result: any(ruling.is_breakdown for ruling in _rulings(result))}


def _agrees(engine: str, result: CaseResult) -> bool:
    return engine in result.agrees


def _equals(engine: str, result: CaseResult) -> bool:
    return engine in result.equal


def _rulings(result: CaseResult) -> Iterator[Ruling]:
    return (finding.signature.ruling for finding in result.findings)


def _print_table(console: Console, title: str, headings: Sequence[str], rows: Mapping[str, Sequence[int]]) -> None:
    """Print a table. Where whole words do not fit above the numbers, it has no borders; where that does not suffice, it
    has letters, and a legend says what they mean."""
    if _needed_width(headings, rows, _BORDER) <= console.width:
        console.print(_table(title, headings, rows))
        return
    letters = [_letter(number) for number in range(len(headings))]
    fits = _needed_width(headings, rows, _GAP) <= console.width
    table = _table(title, headings if fits else letters, rows)
    table.columns[0].min_width = table.columns[0].min_width if fits else _AREA
    table.box, table.padding, table.pad_edge = (SIMPLE_HEAD if fits else table.box), (0, int(not fits)), not fits
    console.print(table)
    if not fits:
        legend = ", ".join(f"{letter} {heading}" for letter, heading in zip(letters, headings, strict=True))
        _print_text(console, visible_line(legend))


def _letter(number: int) -> str:
    """Return the name of a column like a spreadsheet does: a to z, then aa."""
    more = number // _LETTERS
    return f"{_letter(more - 1) if more else ''}{chr(ord('a') + number % _LETTERS)}"


def _needed_width(headings: Sequence[str], rows: Mapping[str, Sequence[int]], between: int) -> int:
    """Return the width of a table whose headings are broken between words only, given that between two columns."""
    totals = map(sum, zip(*rows.values(), strict=True))
    numbers = [
        max(len(str(total)), *map(len, heading.split())) for heading, total in zip(headings, totals, strict=True)
    ]
    areas = max(len(visible_line(area)) for area in (*rows, "total"))
    return areas + sum(numbers) + between * (len(headings) + 1) + 1


def _table(title: str, headings: Sequence[str], rows: Mapping[str, Sequence[int]]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("area", overflow="fold", min_width=max(len(visible_line(area)) for area in rows))
    for heading in headings:
        table.add_column(heading, justify="right", min_width=max(map(len, heading.split())))
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


def _print_durations(run: Run, console: Console, count: int) -> None:
    """Print the time of the slowest cases: from reading a case to its result."""
    ordered = sorted(run.results, key=lambda result: (-result.case_s, result.identifier))
    shown = ordered[: count or None]
    _print_text(console, f"\nThe slowest {len(shown):,} of {_count_cases(len(ordered))}:", "bold")
    for result in shown:
        _print_text(console, visible_line(f"  {result.case_s:9.2f} s  {result.identifier}"))


def _print_asides(run: Run, console: Console) -> None:
    runnable = [result for result in run.results if not result.missing_modules]
    reasons = Counter(f"{name} not run: {why}" for result in runnable for name, why in result.not_run.items())
    for text, count in sorted(reasons.items()):
        _print_text(console, f"{text} ({_count_cases(count)})")
    for line in (*chosen_value_lines(run), *missing_module_lines(run)):
        _print_text(console, line)
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
        _print_text(console, f"Tried more than once, because a worker was lost: {_count_cases(retried)}")


def _print_failures(run: Run, console: Console) -> None:
    """Print why configurations came to no good end. A single one is shown completely, since its owner is looking."""
    failed = [result for result in run.results if result.failure]
    if not failed:
        return
    alike = "The engines need not succeed, only agree; --expect-success makes this a failure of the run."
    _print_text(console, f"\n{_count_cases(len(failed))} came to no good end. {alike}", "bold")
    if len(run.results) == 1:
        _print_text(console, failed[0].failure)
        return
    reasons: dict[str, list[str]] = {}
    for result in failed:
        reasons.setdefault(result.failure_headline, []).append(result.identifier)
    for reason, names in sorted(reasons.items(), key=lambda each: (-len(each[1]), each[0]))[:_MOST_CAUSES]:
        _print_text(console, f"  {_count_cases(len(names)):>9}  {visible_line(f'{reason} ({names[0]})')}")
    if len(reasons) > _MOST_CAUSES:
        _print_text(console, f"  and {len(reasons) - _MOST_CAUSES:,} more reasons: see the report")


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
    _print_text(console, f"\n{causes_sentence(run)}", "bold")
    for cause in run.causes[:_MOST_CAUSES]:
        _print_text(console, f"  {_cause_line(cause)}")
    if len(run.causes) > _MOST_CAUSES:
        _print_text(console, f"  and {len(run.causes) - _MOST_CAUSES:,} more: see the report")


def _print_repositories(run: Run, console: Console) -> None:
    table = repository_table(run)
    if table is None:
        return
    console.print(table)
    lines = list(affected_lines(run))
    if lines:
        _print_text(console, "\nWho is affected, with the number of cases:", "bold")
    for line in lines[:_MOST_CAUSES]:
        _print_text(console, line)


def _cause_line(cause: Cause) -> str:
    documented = f" [{describe_status(cause)}: {cause.known}]" if cause.known else ""
    text = f"{cause.weight.description:<11} {_count_cases(len(cause.cases)):>11}  {cause.title}{documented}"
    return visible_line(f"{text} ({cause.smallest})")


def _print_burn_down(run: Run, console: Console) -> None:
    """Print how many documented causes are left, by class, including entries that occur in no case. The aim is to
    reduce them all to zero."""
    counted = burn_down(run)
    if counted.is_empty:
        return
    classes = [
        f"{each.category} {each.present:,} of {each.entries:,} present{f', {each.gone:,} gone' if each.gone else ''}"
        for each in counted.classes
    ]
    _print_text(console, f"\nknown.yaml: {'; '.join(classes)}; undocumented {counted.new:,}")


def _print_worst(run: Run, console: Console) -> None:
    """Print a case that shows the worst new cause."""
    worst = next((cause for cause in run.causes if not cause.known), None)
    if worst is None:
        return
    smallest = next(result for result in run.results if result.identifier == worst.smallest)
    count = len(worst.cases)
    which = "the only case that shows it" if count == 1 else f"one of {_count_cases(count)} that show it"
    _print_text(console, f"\n{visible_line(worst.title)}; {which}:", "bold")
    _print_text(console, case_screen(smallest, causes_by_case(run.causes)[worst.smallest], [worst.example]))


def _print_stale(run: Run, console: Console) -> None:
    for stale in run.stale:
        _print_text(console, f"{stale.place}: {stale.entry}: {stale.problem}", "red")


def _print_end(run: Run, console: Console) -> None:
    """Print the last line. Its numbers add up: every case is counted once."""
    counts = Counter(run.rulings)
    documented = sum(bool(result.findings) for result in run.results if result.ruling is Ruling.EQUAL)
    counts[Ruling.EQUAL] -= documented
    parts = [f"{counts[ruling]:,} {ruling}" for ruling in Ruling if counts[ruling]]
    if documented:
        parts.insert(bool(counts[Ruling.EQUAL]), f"{documented:,} equal but for documented divergences")
    files = sum(bool(result.counts) for result in run.results)
    counted = [_count_cases(len(run.results) - files)] if files < len(run.results) or not files else []
    counted += [f"{files} {'file' if files == 1 else 'files'} of expressions"] if files else []
    text = f"{' and '.join(counted)}: {', '.join(parts) or 'nothing was run'}"
    text += _count_equal_by_flavour(run)
    if run.stale:
        text += f"; {len(run.stale)} of known.yaml out of date"
    if not run.is_complete:
        text += f"; stopped, {_count_cases(run.planned - len(run.results))} not run"
    elapsed = run.header.get("elapsed")
    text += f". {elapsed}" if elapsed else "."
    _print_text(console, f"\n{headline(run)}.\n{text}", "green" if run.exit_status == 0 else "bold red")


def _count_equal_by_flavour(run: Run) -> str:
    """Return how many cases and files are equal under each product, if there are several. What cannot be read has
    none."""
    counts = {
        flavour: (sum(result.ruling is Ruling.EQUAL for result in results), len(results))
        for flavour, results in run.by_flavour.items()
        if flavour
    }
    if len(counts) < 2:
        return ""
    return f" ({', '.join(f'{flavour}: {equal:,} of {total:,} equal' for flavour, (equal, total) in counts.items())})"
