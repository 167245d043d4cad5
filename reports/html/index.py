"""The list of all cases and of all causes, and what cases can be filtered by.

Numbers are taken from `Run`. Only one thing is counted here: how often each outcome of one engine met each outcome of
another. Each case is in exactly one cell, so the cells add up to the number of cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from harness.findings.case_causes import causes_by_case
from harness.findings.causes import Cause
from harness.findings.finding import leading
from harness.findings.headline import headline
from harness.findings.result import CaseResult
from harness.findings.run import Group, Run
from harness.findings.run_comparison import Comparison
from harness.findings.signature import Ruling, Signature
from harness.findings.spoken_place import spoken_place
from harness.findings.spoken_signature import describe_signature
from reports.html.clipboard import cause_entry
from reports.run.cause_status import describe_status, task_of
from reports.run.crash import crash_of
from reports.run.engine_labels import engine_labels, with_labels
from reports.run.impacts import IMPACTS, impact_of
from reports.run.screen import reproduction_line
from reports.run.value_text import value_text
from reports.visible import shortened, visible, visible_line

__all__ = ["DOCUMENTED", "OUTCOMES", "badge_of", "case_index", "outcome", "seen_since"]

DOCUMENTED: Final = "documented"

OUTCOMES: Final = {
    "equal": "as it should be",
    DOCUMENTED: "differs as known.yaml says",
    "wording": "only the prose of a diagnostic differs",
    "noise": "the baseline differs from itself",
    "flaky": "differs from itself",
    "differs": "did something else",
    "only-baseline-fails": "the baseline failed, this engine did not",
    "only-candidate-fails": "failed where the baseline did not",
    "over-budget": "took too much memory",
    "hang": "had not ended within the time limit",
    "crash": "raised an exception",
    "not-run": "cannot run the case",
    "not-asked": "was not asked",
    "invalid-case": "was not asked, since the case cannot be read",
}
"""Outcomes of one engine in one case, from the best to the worst, then those without a result."""

_LONGEST_FAILURE: Final = 4_000
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
    if result.ruling is Ruling.INVALID_CASE:
        return str(Ruling.INVALID_CASE)
    own = [finding for finding in result.findings if finding.signature.subject == engine]
    first = leading(finding for finding in own if not finding.known)
    if first:
        return "wording" if first[0].is_detail else str(first[0].signature.ruling)
    return DOCUMENTED if own else "equal"


def badge_of(result: CaseResult) -> str:
    """Return the ruling of a case, or that it is equal only because what it shows is documented: a documented crash
    must not look as if nothing had happened."""
    return DOCUMENTED if result.ruling is Ruling.EQUAL and result.findings else str(result.ruling)


def _known(result: CaseResult) -> str:
    """Return whether all findings of a case are documented; empty if there are none."""
    if any(not finding.known for finding in result.findings):
        return "undocumented"
    return "not accepted" if result.open_findings else DOCUMENTED if result.findings else ""


def case_index(run: Run, comparison: Comparison | None, blocks: Mapping[str, int]) -> dict[str, Any]:
    """Return the data of the list. `blocks` maps the identifier of a case to the block with its details."""
    engines = list(dict.fromkeys([*run.engines, *(name for result in run.results for name in result.engines)]))
    rows = _Rows(run, engines, blocks, comparison)
    cases = [rows.row(result) for result in run.results]
    return {
        "engines": [visible_line(name) for name in engines],
        "labels": {visible_line(name): label for name, label in engine_labels(engines).items()},
        "title": visible_line(headline(run)),
        "outcomes": OUTCOMES,
        "impacts": IMPACTS,
        "rows": cases,
        "patterns": list(rows.patterns),
        "combinations": list(rows.combinations),
        "features": list(rows.features),
        "groups": [_group(group) for group in run.groups],
        "causes": [_cause(cause, rows, comparison, engine_labels(engines)) for cause in run.causes],
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
        self.results: Final = {result.identifier: result for result in run.results}
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
            badge_of(result),
            self.combinations.setdefault(outcomes, len(self.combinations)),
            self._pattern(visible_line(result.path), name),
            self._pattern(reproduction_line(result), name),
            self._groups.get(result.identifier, []),
            round(1000 * sum(result.elapsed_s.values())),
            [visible_line(tag) for tag in result.tags],
            self._blocks.get(result.identifier, -1),
            self._changes.get(result.identifier, ""),
            [[visible_line(engine), visible_line(why)] for engine, why in result.not_run.items()],
            [self._numbers[cause.identifier] for cause in self._causes.get(result.identifier, ())],
            [self.features.setdefault(visible_line(name), len(self.features)) for name in result.features],
            impact_of(result, self._candidates),
            visible(shortened(result.failure, _LONGEST_FAILURE)),
            _known(result),
        ]

    def _pattern(self, text: str, name: str) -> int:
        """Replace the name of the case in a text, because a thousand paths then become one pattern."""
        short = text.replace(name, _PLACEHOLDER) if name and text.count(name) == 1 else text
        return self.patterns.setdefault(short, len(self.patterns))


def _group(group: Group) -> dict[str, str]:
    return {"digest": group.signature.digest, "words": _words(group.signature)}


def _words(signature: Signature) -> str:
    return visible_line(f"{signature.operation}: {shortened(describe_signature(signature), _LONGEST)}")


def seen_since(cause: Cause, comparison: Comparison | None) -> str:
    """Return whether a cause has appeared since the earlier run, or was there before; empty if there is none."""
    if comparison is None:
        return ""
    return "appeared" if cause in comparison.new_causes else "there before"


def _cause(cause: Cause, rows: _Rows, comparison: Comparison | None, labels: dict[str, str]) -> dict[str, Any]:
    """Return what the page of a cause shows."""
    example, crash = cause.example, crash_of(cause.example)
    return {
        "id": visible_line(cause.identifier),
        "title": visible_line(cause.title),
        "weight": cause.weight.description,
        "known": visible_line(cause.known),
        "class": visible_line(cause.category),
        "status": describe_status(cause),
        "task": str(task_of(cause)),
        "features": [visible_line(name) for name in cause.features],
        "cases": [rows.numbers[name] for name in cause.cases],
        "smallest": rows.numbers[cause.smallest],
        "signatures": _listed(cause.signatures),
        "consequences": _listed(cause.consequences),
        "counts": [len(cause.signatures), len(cause.consequences)],
        "subject": visible_line(example.signature.subject),
        "against": [visible_line(name) for name in example.against],
        "at": visible_line(example.place),
        "place": visible_line(spoken_place(example.place)),
        "field": visible_line(shortened(example.field, _LONGEST)),
        "expected": visible(shortened(value_text(example.expected), 2 * _LONGEST)),
        "got": visible(shortened(value_text(example.got), 2 * _LONGEST)),
        "crash": None if crash is None else [visible_line(crash.text), visible_line(crash.function)],
        "why": [
            visible_line(shortened(with_labels(sentence, labels), 2 * _LONGEST))
            for sentence in example.explanation[:_MOST_SENTENCES]
        ],
        "seen": seen_since(cause, comparison),
        "entry": "" if cause.known else cause_entry(rows.results[cause.smallest], cause),
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
