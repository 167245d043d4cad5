"""The list of all cases, and what it can be filtered by.

Numbers are taken from `Run`. Only one thing is counted here: how often each outcome of one engine met each outcome of
another. Each case is in exactly one cell, so the cells add up to the number of cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from harness.findings.finding import leading
from harness.findings.result import CaseResult
from harness.findings.run import Group, Run
from harness.findings.run_comparison import Comparison
from reports.run.screen import reproduction_line
from reports.visible import shortened, visible_line

__all__ = ["OUTCOMES", "case_index", "outcome"]

OUTCOMES: Final = {
    "equal": "as it should be",
    "documented": "differs as known.yaml says",
    "wording": "only the prose of a diagnostic differs",
    "noise": "the baseline differs from itself",
    "flaky": "differs from itself",
    "differs": "did something else",
    "only-baseline-fails": "the baseline failed, this engine did not",
    "only-candidate-fails": "failed where the baseline did not",
    "over-budget": "took too much memory",
    "hang": "did not come to an end",
    "crash": "raised an exception",
    "not-run": "cannot run the case",
    "not-asked": "was not asked",
}
"""Outcomes of one engine in one case, from the best to the worst, then those without a result."""

_LONGEST: Final = 200
_PLACEHOLDER: Final = "\0"
"""A character that occurs in no rendered text."""


def outcome(result: CaseResult, engine: str) -> str:
    if engine not in result.engines:
        return "not-asked"
    if engine in result.not_run:
        return "not-run"
    own = [finding for finding in result.findings if finding.signature.subject == engine]
    first = leading(finding for finding in own if not finding.known)
    if first:
        return "wording" if first[0].is_detail else str(first[0].signature.ruling)
    return "documented" if own else "equal"


def case_index(run: Run, comparison: Comparison | None, blocks: Mapping[str, int]) -> dict[str, Any]:
    """Return the data of the list. `blocks` maps the identifier of a case to the block with its details."""
    engines = list(dict.fromkeys([*run.engines, *(name for result in run.results for name in result.engines)]))
    rows = _Rows(run, engines, blocks, comparison)
    cases = [rows.row(result) for result in run.results]
    return {
        "engines": [visible_line(name) for name in engines],
        "outcomes": OUTCOMES,
        "rows": cases,
        "patterns": list(rows.patterns),
        "combinations": list(rows.combinations),
        "groups": [_group(run, group, rows, comparison) for group in run.groups],
        "matrices": list(_matrices(run, engines)),
    }


class _Rows:
    """Builds rows, and stores values that many rows share only once."""

    def __init__(
        self, run: Run, engines: Sequence[str], blocks: Mapping[str, int], comparison: Comparison | None
    ) -> None:
        self.patterns: Final[dict[str, int]] = {}
        self.combinations: Final[dict[tuple[str, ...], int]] = {}
        self.numbers: Final = {result.identifier: number for number, result in enumerate(run.results)}
        self._engines: Final = engines
        self._blocks: Final = blocks
        self._groups: Final[dict[str, list[int]]] = {}
        for number, group in enumerate(run.groups):
            for case in group.cases:
                self._groups.setdefault(case.identifier, []).append(number)
        sides = comparison
        changed = {} if sides is None else {"worse": sides.worse, "better": sides.better, "added": sides.added}
        self._changes = {name: change for change, names in changed.items() for name in names}

    def row(self, result: CaseResult) -> list[Any]:
        name = visible_line(result.identifier)
        outcomes = tuple(outcome(result, engine) for engine in self._engines)
        return [
            name,
            visible_line(shortened(result.description, _LONGEST)),
            visible_line(result.area),
            str(result.ruling),
            self.combinations.setdefault(outcomes, len(self.combinations)),
            self._pattern(visible_line(result.path), name),
            self._pattern(reproduction_line(result), name),
            self._groups.get(result.identifier, []),
            round(1000 * sum(result.elapsed_s.values())),
            [visible_line(tag) for tag in result.tags],
            self._blocks.get(result.identifier, -1),
            self._changes.get(result.identifier, ""),
            [[visible_line(engine), visible_line(why)] for engine, why in result.not_run.items()],
            [[visible_line(engine), runs] for engine, runs in result.runs.items()] if result.findings else [],
        ]

    def _pattern(self, text: str, name: str) -> int:
        """Replace the name of the case in a text, because a thousand paths then become one pattern."""
        short = text.replace(name, _PLACEHOLDER) if name and text.count(name) == 1 else text
        return self.patterns.setdefault(short, len(self.patterns))


def _group(run: Run, group: Group, rows: _Rows, comparison: Comparison | None) -> dict[str, Any]:
    signature, example = group.signature, group.example
    is_new = comparison is not None and any(each.signature == signature for each in comparison.new)
    return {
        "digest": signature.digest,
        "signature": visible_line(shortened(str(signature), 2 * _LONGEST)),
        "subject": visible_line(signature.subject),
        "operation": visible_line(signature.operation),
        "ruling": str(signature.ruling),
        "shape": visible_line(shortened(signature.shape, 2 * _LONGEST)),
        "kind": visible_line(signature.kind),
        "known": visible_line(group.known),
        "class": run.classes.get(group.known, "") if group.known else "new",
        "count": len(group.cases),
        "smallest": rows.numbers[group.smallest.identifier],
        "place": visible_line(example.place),
        "expected": visible_line(shortened(example.expected, _LONGEST)),
        "got": visible_line(shortened(example.got.strip().rpartition("\n")[2], _LONGEST)),
        "why": visible_line(shortened(example.explanation[-1], 2 * _LONGEST)) if example.explanation else "",
        "seen": "" if comparison is None else "in this run" if is_new else "before",
    }


def _matrices(run: Run, engines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield a matrix of the baseline against each candidate, and a list for each engine that has no counterpart."""
    for engine in run.engines[1:]:
        asked = [result for result in run.results if {run.baseline, engine} & set(result.engines)]
        yield _matrix(run.baseline, engine, asked)
    alone = [name for name in engines if name not in run.engines or len(run.engines) == 1]
    for name in alone:
        yield _matrix("", name, [result for result in run.results if name in result.engines])


def _matrix(baseline: str, engine: str, results: Iterable[CaseResult]) -> dict[str, Any]:
    cells = Counter((outcome(result, baseline) if baseline else "", outcome(result, engine)) for result in results)
    order = ["", *OUTCOMES]
    ordered = sorted(cells.items(), key=lambda cell: tuple(map(order.index, cell[0])))
    return {
        "baseline": visible_line(baseline),
        "engine": visible_line(engine),
        "cells": [[*pair, count] for pair, count in ordered],
        "total": sum(cells.values()),
    }
