"""The list of all cases and of all causes, and what cases can be filtered by.

Numbers are taken from `Run`. Only one thing is counted here: how often each outcome of one engine met each outcome of
another. Each case is in exactly one cell, so the cells add up to the number of cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from harness.findings.case_causes import causes_by_case
from harness.findings.cause_title import describe_signature
from harness.findings.causes import Cause
from harness.findings.feature_outcomes import outcome_of
from harness.findings.finding import leading
from harness.findings.result import CaseResult
from harness.findings.run import Group, Run
from harness.findings.run_comparison import Comparison
from harness.findings.signature import Signature
from reports.run.crash import crash_of
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
_MOST_SIGNATURES: Final = 40
_MOST_SENTENCES: Final = 8
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
        "features": list(rows.features),
        "groups": [_group(group) for group in run.groups],
        "causes": [_cause(cause, rows, comparison) for cause in run.causes],
        "matrices": list(_matrices(run, engines)),
    }


class _Rows:
    """Builds rows, and stores values that many rows share only once."""

    def __init__(
        self, run: Run, engines: Sequence[str], blocks: Mapping[str, int], comparison: Comparison | None
    ) -> None:
        self.patterns: Final[dict[str, int]] = {}
        self.combinations: Final[dict[tuple[str, ...], int]] = {}
        self.features: Final[dict[str, int]] = {}
        self.numbers: Final = {result.identifier: number for number, result in enumerate(run.results)}
        self._engines: Final = engines
        self._blocks: Final = blocks
        self._candidates: Final = run.candidates
        self._numbers: Final = {cause.identifier: number for number, cause in enumerate(run.causes)}
        self._causes: Final = causes_by_case(run.causes)
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
            [self._numbers[cause.identifier] for cause in self._causes.get(result.identifier, ())],
            [self.features.setdefault(visible_line(name), len(self.features)) for name in result.features],
            str(outcome_of(result, self._candidates) or ""),
        ]

    def _pattern(self, text: str, name: str) -> int:
        """Replace the name of the case in a text, because a thousand paths then become one pattern."""
        short = text.replace(name, _PLACEHOLDER) if name and text.count(name) == 1 else text
        return self.patterns.setdefault(short, len(self.patterns))


def _group(group: Group) -> dict[str, str]:
    return {"digest": group.signature.digest, "words": _words(group.signature)}


def _words(signature: Signature) -> str:
    return visible_line(f"{signature.operation}: {shortened(describe_signature(signature), _LONGEST)}")


def _cause(cause: Cause, rows: _Rows, comparison: Comparison | None) -> dict[str, Any]:
    """Return what the page of a cause shows."""
    example, crash = cause.example, crash_of(cause.example)
    is_new = comparison is not None and cause in comparison.new_causes
    return {
        "id": visible_line(cause.identifier),
        "title": visible_line(cause.title),
        "weight": cause.weight.description,
        "known": visible_line(cause.known),
        "class": visible_line(cause.category),
        "features": [visible_line(name) for name in cause.features],
        "cases": [rows.numbers[name] for name in cause.cases],
        "smallest": rows.numbers[cause.smallest],
        "signatures": _listed(cause.signatures),
        "consequences": _listed(cause.consequences),
        "counts": [len(cause.signatures), len(cause.consequences)],
        "subject": visible_line(example.signature.subject),
        "against": [visible_line(name) for name in example.against],
        "place": visible_line(example.place),
        "field": visible_line(shortened(example.field, _LONGEST)),
        "expected": visible_line(shortened(example.expected, 2 * _LONGEST)),
        "got": visible_line(shortened(example.got, 2 * _LONGEST)),
        "crash": None if crash is None else [visible_line(crash.text), visible_line(crash.function)],
        "why": [visible_line(shortened(sentence, 2 * _LONGEST)) for sentence in example.explanation[:_MOST_SENTENCES]],
        "seen": "" if comparison is None else "in this run" if is_new else "before",
    }


def _listed(signatures: Sequence[Signature]) -> list[list[str]]:
    return [[signature.digest, _words(signature)] for signature in signatures[:_MOST_SIGNATURES]]


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
