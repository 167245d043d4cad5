"""The first screen: the headline, what has changed since the last run, the causes, and how much was compared.

It is plain text in the file, so that it is readable before any script runs, on paper, and where scripts are disabled.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.findings.burn_down import burn_down
from harness.findings.causes import Cause
from harness.findings.feature_outcomes import FeatureOutcomes, Outcome, count_features
from harness.findings.headline import headline
from harness.findings.result import CaseResult
from harness.findings.run import Group, Run
from harness.findings.run_comparison import Comparison
from harness.findings.signature import Ruling
from harness.findings.speed import binary_share
from harness.findings.spoken_signature import describe_signature
from reports.html.index import DOCUMENTED, OUTCOMES, badge_of, seen_since
from reports.run.cause_status import causes_sentence, describe_status, task_of
from reports.run.comparison import CASE_CHANGES, list_some
from reports.run.engine_labels import engine_labels
from reports.run.harness_quality import UNKNOWN, Benchmark, FuzzFigures, HarnessQuality
from reports.run.impacts import IMPACTS, count_impacts, impact_of
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
_NAMES: Final = {
    "ways": "schedules",
    "flavour": "product that is followed",
    "jobs": "cases at once",
}
"""Words for what a header calls by shorter names."""

_SPEED: Final = "cases per second of engine time"
_CANARY: Final = "canary of made-up stories"
_VALID: Final = "valid made-up configurations"
_FUZZ_SPEED: Final = "made-up stories per second"
_FUZZ_STRIP: Final = (_FUZZ_SPEED, _VALID, _CANARY)
"""Figures of a campaign that are shown with the facts about the run."""

_SAME: Final = "same"
_OF_SOURCE: Final = ("runs ", "parts at ")
"""How predictors begin that are lines of the source of an engine."""

_DIRECTORIES: Final = re.compile(r"[^\s(]*/")
_SINGULAR: Final = {"steps": "step", "cases with a recording": "case with a recording"}
_MOST_CHANGES: Final = 20
_MOST_REASONS: Final = 5
_MOST_PREDICTORS: Final = 3

_MUTANT_KINDS: Final = {"B": "bug", "C": "change", "M": "missing", "O": "obsolete", "L": "defect", "S": "seed"}
"""Kinds of mutants, by the first letter of their identifiers."""

_MISSING: Final = "missing"
"""Cases that are absent from this run, and so from its list."""

_LONGEST: Final = 200
_MOST_CAUSES: Final = 500
"""Number of causes in the table: more than a person reads."""

_BAR: Final = (Outcome.CRASH, Outcome.ERROR, Outcome.IGNORED, Outcome.WRONG, Outcome.SAME)
"""The order of outcomes in a bar, which is that of the headline."""

_SHADES: Final = 4
"""Number of shades by which the table of features shows how large a part of the cases has an outcome."""


def overview(
    run: Run, comparison: Comparison | None, before: Run | None, quality: HarnessQuality = UNKNOWN
) -> dict[str, Any]:
    """Return the values of the template, which escapes all of them."""
    stories = _fuzz_facts(quality.stories)
    labels = engine_labels(run.engines)
    return {
        "title": visible_line(headline(run)),
        "status": {0: "equal", 1: "different", 2: "incomplete", 3: "broken"}[run.exit_status],
        "engines": [(_letter(number), labels[name], visible_line(name)) for number, name in enumerate(run.engines)],
        "sentence": causes_sentence(run),
        "facts": [*_facts(run), *(["No earlier run was compared."] if comparison is None else [])],
        "impacts": _count_impacts(run),
        "missing": max(run.planned - len(run.results), 0),
        "total": max(run.planned, len(run.results)),
        "not_run": _count_not_run(run),
        "change": None if comparison is None or before is None else _describe_change(run, comparison, before),
        "causes": [_cause_row(cause, number, comparison) for number, cause in enumerate(run.causes[:_MOST_CAUSES])],
        "more_causes": max(len(run.causes) - _MOST_CAUSES, 0),
        "compared": _count_compared(run),
        "areas": _count_areas(run),
        "rulings": _count_badges(run),
        "outcomes": [str(outcome) for outcome in Outcome],
        "features": [_feature_row(row) for row in count_features(run.results, run.candidates)],
        "stale": [tuple(map(visible_line, (each.place, each.entry, each.problem))) for each in run.stale],
        "known": burn_down(run),
        "health": [
            *_run_facts(run),
            _describe_self_comparison(run),
            *_describe_found(quality.benchmark),
            *((name, text) for name, text in stories if name in _FUZZ_STRIP),
        ],
        "stories": stories,
        "mutants": None if quality.benchmark is None else _mutants(quality.benchmark),
        "normalised": _count_normalised(run),
        "again": _self_comparison(run),
    }


def _letter(number: int) -> str:
    """Return the letter that stands for an engine beside its texts."""
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def _count_badges(run: Run) -> list[tuple[str, int, str]]:
    """Return each badge that a case has, with the number of cases and its meaning. Every case has one."""
    counts = Counter(map(badge_of, run.results))
    meanings = {str(ruling): ruling.description for ruling in Ruling}
    first, *others = meanings
    names = [first, DOCUMENTED, *others]
    meanings |= {str(Ruling.EQUAL): "nothing was found", DOCUMENTED: OUTCOMES[DOCUMENTED]}
    return [(name, counts[name], meanings[name]) for name in names if counts[name]]


# The headline


def _facts(run: Run) -> list[str]:
    """Return how much was compared, and whether anything could not be run, in short sentences."""
    steps = sum(len(result.compared) for result in run.results)
    ran = _count_text(len(run.results), "case")
    left_out = sum(bool(result.not_run) for result in run.results)
    told = f"{ran} with {_count_text(steps, 'step')} {'was' if len(run.results) == 1 else 'were'} compared."
    if left_out:
        return [told, f"{_count_text(left_out, 'case')} could not be run by every engine: see below."]
    return [told]


def _count_impacts(run: Run) -> list[dict[str, Any]]:
    """Return what came of the cases, the worst first: each case once, and so all of them."""
    return [
        {
            "name": name,
            "words": IMPACTS[name],
            "count": count,
            "query": f"impact:{name}",
            "width": round(1000 * count / len(run.results)),
        }
        for name, count in count_impacts(run).items()
    ]


def _count_not_run(run: Run) -> list[tuple[str, int, str]]:
    """Return why cases were not run, the commonest reason first: the engine, the number of cases, the reason."""
    labels = engine_labels(run.engines)
    reasons = Counter((name, why) for result in run.results for name, why in result.not_run.items())
    ranked = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))[:_MOST_REASONS]
    return [
        (labels.get(name, visible_line(name)), count, visible_line(shortened(why, _LONGEST)))
        for (name, why), count in ranked
    ]


def _cause_row(cause: Cause, number: int, comparison: Comparison | None) -> dict[str, Any]:
    return {
        "number": number,
        "id": visible_line(cause.identifier),
        "weight": cause.weight.description,
        "cases": len(cause.cases),
        "title": visible_line(cause.title),
        "class": visible_line(cause.category),
        "known": visible_line(cause.known),
        "status": describe_status(cause),
        "task": str(task_of(cause)),
        "seen": seen_since(cause, comparison),
        "subject": visible_line(cause.example.signature.subject),
        "features": [_short_predictor(name) for name in cause.features[:_MOST_PREDICTORS]],
        "smallest": visible_line(cause.smallest),
    }


def _short_predictor(name: str) -> str:
    """Return a feature; of a line of source without the directories, which the page of the cause has."""
    shown = visible_line(name)
    return _DIRECTORIES.sub("", shown) if shown.startswith(_OF_SOURCE) else shown


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
        "bar": _bar({str(outcome): row.counts.get(outcome, 0) for outcome in _BAR}),
        "share": round(1 - row.counts[Outcome.SAME] / row.cases, 4),
    }


def _bar(counts: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """Return the parts of a bar, in thousandths: the name, where it begins, and its width."""
    total = sum(counts.values()) or 1
    ends = [0]
    for count in counts.values():
        ends.append(ends[-1] + count)
    places = [round(1000 * end / total) for end in ends]
    return [
        (name, left, right - left)
        for name, left, right in zip(counts, places, places[1:], strict=False)
        if right > left
    ]


def _count_text(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


# What was compared


def _count_compared(run: Run) -> list[tuple[str, str]]:
    """Return how much was compared, in numbers."""
    totals = Counter[str]()
    steps = 0
    for result in run.results:
        steps += len(result.compared)
        for counts in result.compared.values():
            totals.update(counts)
    recorded = sum(result.is_recorded for result in run.results)
    facts = [("steps", steps), ("cases with a recording", recorded), *sorted(totals.items(), key=lambda each: -each[1])]
    return [
        (visible_line(_SINGULAR.get(name, name) if count == 1 else name), f"{count:,}")
        for name, count in facts
        if count
    ]


def _count_areas(run: Run) -> list[dict[str, Any]]:
    """Return the areas of the corpus, those with the most cases that are not the same first."""
    areas: dict[str, Counter[str]] = defaultdict(Counter)
    for result in run.results:
        areas[result.area][impact_of(result, run.candidates)] += 1
    ranked = sorted(areas.items(), key=lambda each: (each[1][_SAME] - each[1].total(), each[0]))
    return [
        {
            "name": visible_line(name),
            "query": f"area:{json.dumps(visible_line(name), ensure_ascii=False)}",
            "cases": counts.total(),
            "same": counts[_SAME],
        }
        for name, counts in ranked
    ]


# What has changed


def _describe_cause(cause: Cause) -> dict[str, str]:
    return {
        "id": visible_line(cause.identifier),
        "title": visible_line(cause.title),
        "cases": _count_text(len(cause.cases), "case"),
        "name": visible_line(cause.smallest),
    }


def _describe_change(run: Run, comparison: Comparison, before: Run) -> dict[str, Any]:
    names = {name: getattr(comparison, name) for name in CASE_CHANGES}
    return {
        "started": visible_line(before.header.get("started", "").replace("T", " ").removesuffix("+00:00")),
        "appeared": len(comparison.new_causes),
        "there": len(run.causes) - len(comparison.new_causes),
        "gone": [_describe_cause(cause) for cause in comparison.gone_causes],
        "classes": [(_shortly(group), was, now) for group, was, now in comparison.changed[:_MOST_CHANGES]],
        "more_classes": max(len(comparison.changed) - _MOST_CHANGES, 0),
        "cases": [
            (name, _count_text(len(cases), "case"), visible_line(list_some(cases)) if name == _MISSING else "")
            for name, cases in names.items()
            if cases
        ],
        "is_empty": comparison.is_empty,
    }


def _shortly(group: Group) -> str:
    return visible_line(shortened(describe_signature(group.signature), _LONGEST))


# How far the run itself can be trusted


def _run_facts(run: Run) -> list[tuple[str, str]]:
    header = {**run.header, "started": _readable_time(run.header.get("started", ""))}
    facts = [(_NAMES.get(name, name), visible_line(header[name])) for name in _RUN_FACTS if header.get(name)]
    spent_s = sum(sum(result.elapsed_s.values()) for result in run.results)
    if spent_s > 0:
        facts.append((_SPEED, f"{len(run.results) / spent_s:,.1f}"))
    if share := binary_share(run):
        facts.append(("real binaries", str(share)))
    ran = sum(result.ruling is not Ruling.NOT_RUN for result in run.results)
    if run.results:
        facts.append(("cases that could be run", f"{ran:,} of {len(run.results):,}"))
    counts = {flavour: _count_equal(results) for flavour, results in run.by_flavour.items() if flavour}
    if len(counts) > 1:
        facts += [(f"equal as {flavour}", count) for flavour, count in counts.items()]
    retried = sum(result.attempts > 1 for result in run.results)
    return [*facts, ("cases whose worker was lost on the way", f"{retried:,}")] if retried else facts


def _readable_time(started: str) -> str:
    return started.replace("T", " ").replace("+00:00", " UTC")


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
    return f"{engine_labels(run.engines)[run.baseline]} against itself", facts


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
        _FUZZ_SPEED: "" if stories.per_second is None else f"{stories.per_second:,.1f}",
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
