"""The first screen: the verdict, the causes, what is new since the last run, and what to open first.

It is plain text in the file, so that it is readable before any script runs, on paper, and where scripts are disabled.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from harness.findings.burn_down import burn_down
from harness.findings.causes import Cause
from harness.findings.feature_outcomes import FeatureOutcomes, Outcome, count_features
from harness.findings.result import CaseResult
from harness.findings.run import Group, Run
from harness.findings.run_comparison import Comparison
from harness.findings.signature import Ruling
from harness.findings.speed import binary_share
from reports.run.comparison import CASE_CHANGES, list_some
from reports.run.harness_quality import UNKNOWN, Benchmark, FuzzFigures, HarnessQuality
from reports.visible import shortened, visible_line

__all__ = ["overview"]

_RUN_FACTS: Final = (
    "seed",
    "ways",
    "commit",
    "version",
    "flavour",
    "jobs",
    "runner",
    "shard",
    "left out",
    "mutant",
    "started",
    "elapsed",
)
_SPEED: Final = "cases per second of engine time"
_CANARY: Final = "canary of made-up stories"
_VALID: Final = "valid made-up configurations"
_FUZZ_SPEED: Final = "made-up stories per second"
_STRIP: Final = ("seed", "commit", "mutant", "elapsed", _SPEED)
_FUZZ_STRIP: Final = (_FUZZ_SPEED, _VALID, _CANARY)
"""Figures shown on the first screen."""

_MOST_NEW: Final = 4
_MOST_OTHERS: Final = 2
"""Limits for findings that are gone or have another class, so that everything fits on one screen."""

_MUTANT_KINDS: Final = {"B": "bug", "C": "change", "M": "missing", "O": "obsolete", "L": "defect", "S": "seed"}
"""Kinds of mutants, by the first letter of their identifiers."""

_MISSING: Final = "missing"
"""Cases that are absent from this run, and so from its list."""

_LONGEST: Final = 200
_MOST_CAUSES: Final = 500
"""Number of causes in the table: more than a person reads."""

_SHADES: Final = 4
"""Number of shades by which the table of features shows how large a part of the cases has an outcome."""


def overview(
    run: Run, comparison: Comparison | None, before: Run | None, quality: HarnessQuality = UNKNOWN
) -> dict[str, Any]:
    """Return the values of the template, which escapes all of them."""
    health = _run_facts(run)
    stories = _fuzz_facts(quality.stories)
    return {
        "title": _title(run),
        "status": {0: "equal", 1: "different", 3: "broken"}[run.exit_status],
        "engines": [visible_line(name) for name in run.engines],
        "cases": _count_text(len(run.results), "case"),
        "rulings": [
            (str(ruling), run.rulings[ruling], ruling.description) for ruling in Ruling if run.rulings.get(ruling)
        ],
        "sentence": _sentence(run),
        "causes": [_cause_row(cause, number) for number, cause in enumerate(run.causes[:_MOST_CAUSES])],
        "more_causes": max(len(run.causes) - _MOST_CAUSES, 0),
        "outcomes": [str(outcome) for outcome in Outcome],
        "features": [_feature_row(row) for row in count_features(run.results, run.candidates)],
        "missing": max(run.planned - len(run.results), 0),
        "total": max(run.planned, len(run.results)),
        "change": None if comparison is None or before is None else _describe_change(comparison, before),
        "first": _choose_first(run, comparison),
        "stale": [tuple(map(visible_line, (each.place, each.entry, each.problem))) for each in run.stale],
        "known": burn_down(run),
        "health": health,
        "strip": [
            *((name, text) for name, text in health if name in _STRIP),
            _describe_self_comparison(run),
            *_describe_found(quality.benchmark),
            *((name, text) for name, text in stories if name in _FUZZ_STRIP),
        ],
        "stories": stories,
        "mutants": None if quality.benchmark is None else _mutants(quality.benchmark),
        "normalised": _count_normalised(run),
        "again": _self_comparison(run),
    }


def _title(run: Run) -> str:
    if run.exit_status == 3:
        return "An engine broke"
    if run.exit_status == 1:
        return "The engines are not equal" if _new_causes(run) else "The run is not as it should be"
    return "The engines are equal" if len(run.engines) > 1 else f"{visible_line(run.engines[0])} does what was recorded"


def _new_causes(run: Run) -> list[Cause]:
    return [cause for cause in run.causes if not cause.known]


def _sentence(run: Run) -> str:
    """Return the verdict: how many causes there are, and in how many cases they show."""
    if not run.causes:
        return "Nothing was found."
    affected = {case for cause in run.causes for case in cause.cases}
    new = len(_new_causes(run))
    which = "all new" if new == len(run.causes) > 1 else f"{new:,} new"
    shown = (
        f"{'shows' if len(run.causes) == 1 else 'show'} in {len(affected):,} of {_count_text(len(run.results), 'case')}"
    )
    return f"{_count_text(len(run.causes), 'cause')}, {which}, {shown}."


def _cause_row(cause: Cause, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "id": visible_line(cause.identifier),
        "weight": cause.weight.description,
        "cases": len(cause.cases),
        "title": visible_line(cause.title),
        "class": visible_line(cause.category),
        "known": visible_line(cause.known),
        "features": [visible_line(name) for name in cause.features],
        "smallest": visible_line(cause.smallest),
    }


def _feature_row(row: FeatureOutcomes) -> dict[str, Any]:
    """Return a row of the table. Its queries are those of the list of cases."""
    name = visible_line(row.name)
    query = f"feature:{json.dumps(name, ensure_ascii=False)}"
    return {
        "name": name,
        "query": query,
        "cases": row.cases,
        "cells": [
            (str(outcome), count, f"{query} outcome:{outcome}", -(-_SHADES * count // row.cases))
            for outcome, count in row.counts.items()
        ],
    }


def _count_text(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


# What to open first, and what is new


def _choose_first(run: Run, comparison: Comparison | None) -> dict[str, str] | None:
    """Choose what to open first: crashes before differences, new causes before old ones, then as they are ranked."""
    fresh = {cause.identifier for cause in comparison.new_causes} if comparison is not None else set()
    causes = sorted(
        _new_causes(run),
        key=lambda cause: (not cause.example.signature.ruling.is_breakdown, cause.identifier not in fresh),
    )
    return _describe_cause(causes[0]) if causes else None


def _describe_cause(cause: Cause) -> dict[str, str]:
    return {
        "id": visible_line(cause.identifier),
        "title": visible_line(cause.title),
        "cases": _count_text(len(cause.cases), "case"),
        "name": visible_line(cause.smallest),
    }


def _describe_change(comparison: Comparison, before: Run) -> dict[str, Any]:
    causes: Sequence[tuple[str, Sequence[Cause]]] = (("new", comparison.new_causes), ("gone", comparison.gone_causes))
    names = {name: getattr(comparison, name) for name in CASE_CHANGES}
    return {
        "started": visible_line(before.header.get("started", "").replace("T", " ").removesuffix("+00:00")),
        "counts": [(_count_text(len(found), f"{name} cause").split(" ", 1)) for name, found in causes]
        + [_count_text(len(found), noun).split(" ", 1) for noun, found in _signature_changes(comparison)],
        "more": max(len(comparison.new_causes) - _MOST_NEW, 0)
        + sum(max(len(found) - _MOST_OTHERS, 0) for found in (comparison.gone_causes, comparison.changed)),
        "new": [_describe_cause(cause) for cause in comparison.new_causes[:_MOST_NEW]],
        "gone": [_describe_cause(cause) for cause in comparison.gone_causes[:_MOST_OTHERS]],
        "classes": [(_shortly(group), was, now) for group, was, now in comparison.changed[:_MOST_OTHERS]],
        "cases": [
            (name, _count_text(len(cases), "case"), visible_line(list_some(cases)) if name == _MISSING else "")
            for name, cases in names.items()
            if cases
        ],
        "is_empty": comparison.is_empty,
    }


def _signature_changes(comparison: Comparison) -> list[tuple[str, Sequence[object]]]:
    """Return what has changed about signatures: a cause may come to show in another way."""
    kinds = {"new": comparison.new, "gone": comparison.gone, "reclassified": comparison.changed}
    return [(f"{kind} signature", found) for kind, found in kinds.items()]


def _shortly(group: Group) -> str:
    return visible_line(shortened(str(group.signature), _LONGEST))


# How far the run itself can be trusted


def _run_facts(run: Run) -> list[tuple[str, str]]:
    facts = [(name, visible_line(run.header[name])) for name in _RUN_FACTS if run.header.get(name)]
    spent_s = sum(sum(result.elapsed_s.values()) for result in run.results)
    if spent_s > 0:
        facts.append((_SPEED, f"{len(run.results) / spent_s:,.1f}"))
    if share := binary_share(run):
        facts.append(("real binaries", str(share)))
    ran = sum(result.ruling is not Ruling.NOT_RUN for result in run.results)
    if run.results:
        facts.append(("cases that could be run", f"{ran:,} of {len(run.results):,}"))
    if len(run.by_flavour) > 1:
        counts = {flavour: _count_equal(results) for flavour, results in run.by_flavour.items()}
        facts += [(f"equal as {flavour or 'unreadable'}", count) for flavour, count in counts.items()]
    retried = sum(result.attempts > 1 for result in run.results)
    return [*facts, ("cases whose worker was lost on the way", f"{retried:,}")] if retried else facts


def _count_equal(results: Sequence[CaseResult]) -> str:
    return f"{sum(result.ruling is Ruling.EQUAL for result in results):,} of {len(results):,}"


def _count_normalised(run: Run) -> list[tuple[str, int]]:
    counts = Counter[str]()
    for result in run.results:
        counts.update(result.normalised)
    return [(visible_line(rule), count) for rule, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]


def _describe_self_comparison(run: Run) -> tuple[str, str]:
    counts = _self_comparison(run)
    facts = f"{counts['noisy']:,} of {_count_text(counts['cases'], 'case')} differ" if counts["cases"] else "not tried"
    return f"{visible_line(run.baseline)} against itself", facts


def _self_comparison(run: Run) -> dict[str, int]:
    """Count the cases in which the baseline was compared with itself, and those in which it differed."""
    noisy = sum(any(finding.signature.ruling is Ruling.NOISE for finding in result.findings) for result in run.results)
    return {"cases": sum(result.runs.get(run.baseline, 0) > 1 for result in run.results), "noisy": noisy}


def _fuzz_facts(stories: FuzzFigures | None) -> list[tuple[str, str]]:
    if stories is None:
        return []
    facts = {
        "seed": stories.seed,
        "commit": stories.commit,
        "profile": stories.profile,
        "stories": f"{stories.count:,}",
        _FUZZ_SPEED: f"{stories.per_second:,.1f}",
        _VALID: "" if stories.valid_share is None else f"{stories.valid_share:.0%}",
        "signatures found": f"{stories.signatures:,}",
        _CANARY: stories.canary,
    }
    return [(name, visible_line(text)) for name, text in facts.items() if text]


def _describe_found(benchmark: Benchmark | None) -> Iterator[tuple[str, str]]:
    if benchmark is not None:
        yield "mutants found", f"{benchmark.found:,} of {len(benchmark.attempts):,}"


def _mutants(benchmark: Benchmark) -> dict[str, Any]:
    """Return the mutants. Those that were not found come first, because they show what the harness misses."""
    ordered = sorted(benchmark.attempts, key=lambda attempt: bool(attempt.found_by))
    return {
        "by": visible_line(benchmark.by),
        "found": benchmark.found,
        "total": len(benchmark.attempts),
        "classes": [
            (visible_line(kind), _MUTANT_KINDS.get(kind, ""), found, count) for kind, found, count in benchmark.classes
        ],
        "rows": [
            {
                "mutant": visible_line(attempt.mutant),
                "breaks": visible_line(attempt.breaks),
                "found_by": visible_line(attempt.found_by),
                "examples": attempt.examples,
                "signature": visible_line(shortened(attempt.signature, _LONGEST)),
            }
            for attempt in ordered
        ],
    }
