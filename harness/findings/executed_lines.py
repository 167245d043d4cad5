"""Which lines of source engines execute in which cases.

A mistake shows only in cases that execute it. So the lines that all cases of a cause execute, and few others, are where
to look for it, and two findings that have no such line in common hardly have the same cause (`cause_lines.py`).

Most lines are executed by exactly the same cases as some others, so lines are kept in groups: twenty thousand lines of
a thousand cases are about three thousand groups. A set of cases is an integer with one bit for each case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any, NamedTuple

from harness.findings.partings import CasePartings, partings_from_json, partings_to_json
from shared_nodes.record import record

__all__ = [
    "CaseLines",
    "ExecutedLines",
    "Line",
    "LineGroup",
    "bits_of",
    "lines_from_json",
    "lines_to_json",
    "merge_lines",
]


CaseLines = Mapping[str, int]
"""The lines that one case executes, by file: the numbers of lines as bits."""


class Line(NamedTuple):
    file: str
    """The path below the directory of the package, with slashes."""

    number: int

    def __str__(self) -> str:
        return f"{self.file}:{self.number}"


class LineGroup(NamedTuple):
    """Lines that the same cases execute."""

    cases: int
    lines: tuple[Line, ...]
    """Sorted."""


@record
class ExecutedLines:
    cases: tuple[str, ...]
    """The cases whose lines are known, sorted. The first is the lowest bit."""

    groups: tuple[LineGroup, ...]
    """Those with fewest cases first."""

    engines: tuple[str, ...]
    """The engines that executed them."""

    partings: CasePartings = field(default_factory=dict)
    """Where engines part, by case, if that was recorded."""

    @staticmethod
    def of(
        lines_by_case: Mapping[str, CaseLines], engines: Iterable[str], partings: CasePartings | None = None
    ) -> ExecutedLines:
        """Return the lines of these cases. Most cases execute the same lines of most files, so each file is taken apart
        once for all cases that do."""
        cases = tuple(sorted(lines_by_case))
        executing: dict[tuple[str, int], int] = defaultdict(int)
        for position, case in enumerate(cases):
            for file, numbers in lines_by_case[case].items():
                executing[file, numbers] |= 1 << position
        by_line: dict[Line, int] = defaultdict(int)
        for (file, numbers), those in executing.items():
            for number in bits_of(numbers):
                by_line[Line(file, number)] |= those
        groups: dict[int, list[Line]] = defaultdict(list)
        for line in sorted(by_line):
            groups[by_line[line]].append(line)
        found = (LineGroup(those, tuple(lines)) for those, lines in groups.items())
        ordered = sorted(found, key=lambda group: (group.cases.bit_count(), group.lines))
        return ExecutedLines(cases, tuple(ordered), tuple(engines), dict(partings or {}))


def bits_of(mask: int) -> Iterator[int]:
    """Yield the positions of the bits that are set."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def merge_lines(parts: Iterable[ExecutedLines]) -> ExecutedLines:
    """Return the lines of all parts of a run that was divided. No case is in two of them."""
    parts = tuple(parts)
    merged: dict[str, dict[str, int]] = {}
    engines: dict[str, None] = {}
    for part in parts:
        engines |= dict.fromkeys(part.engines)
        merged |= {case: defaultdict(int) for case in part.cases}
        for group in part.groups:
            numbers = _numbers_by_file(group.lines)
            for position in bits_of(group.cases):
                of_case = merged[part.cases[position]]
                for file, some in numbers.items():
                    of_case[file] |= sum(1 << number for number in some)
    return ExecutedLines.of(merged, engines, {case: own for part in parts for case, own in part.partings.items()})


def _numbers_by_file(lines: Iterable[Line]) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = defaultdict(list)
    for line in lines:
        numbers[line.file].append(line.number)
    return numbers


# On disk


def lines_to_json(lines: ExecutedLines) -> dict[str, Any]:
    groups = [_group_to_json(group) for group in lines.groups]
    partings = partings_to_json(lines.partings)
    return {"engines": lines.engines, "cases": lines.cases, "groups": groups, "partings": partings}


def _group_to_json(group: LineGroup) -> dict[str, Any]:
    return {"cases": f"{group.cases:x}", "lines": _numbers_by_file(group.lines)}


def lines_from_json(tree: Any) -> ExecutedLines:
    """Decode lines. Anything else raises TypeError, ValueError, LookupError or AttributeError."""
    cases = tuple(map(str, tree["cases"]))
    groups = tuple(
        LineGroup(
            int(group["cases"], 16),
            tuple(Line(file, int(number)) for file, numbers in group["lines"].items() for number in numbers),
        )
        for group in tree["groups"]
    )
    if any(group.cases >> len(cases) for group in groups):
        raise ValueError("lines of a case that is not named")
    partings = partings_from_json(tree["partings"]) if "partings" in tree else {}
    return ExecutedLines(cases, groups, tuple(map(str, tree["engines"])), partings)
