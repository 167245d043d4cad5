"""Everything that was kept of one case, ready to be rendered on its page.

The script computes only what depends on where the reader looks.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, Final

from harness.findings.case_causes import assign_causes
from harness.findings.causes import Cause
from harness.findings.finding import Finding, Standing, leading
from harness.findings.guaranteed_order import Constraints, Effect, effect_text
from harness.findings.result import CaseResult
from harness.findings.spoken_signature import describe_signature
from harness.findings.worst import worst_first
from reports.graph.clusters import Clustered, clustered
from reports.graph.layout import lay_out
from reports.html.clipboard import corpus_case, issue, known_entry
from reports.html.highlight import highlighted
from reports.html.reduction_history import reduction_steps
from reports.html.values import read_order, render_observation
from reports.run.cause_status import describe_class
from reports.run.crash import Crash, crash_of
from reports.run.engine_labels import engine_labels, with_labels
from reports.run.printed import printed_texts
from reports.run.source_lines import CaseEvidence, find_source_lines, read_evidence
from reports.run.value_text import value_text
from reports.visible import shortened, visible, visible_line

__all__ = ["Reproduce", "case_detail", "equal_detail"]

Reproduce = Callable[[CaseResult], str]
"""Returns the text that reproduces a case without diffharness: its files, and the commands of the engines alone."""

_LONGEST_VALUE: Final = 4_000
_LONGEST_TRACE: Final = 20_000
_MOST_SENTENCES: Final = 20
_MOST_FINDINGS: Final = 60
_LONGEST_OTHER: Final = 400
_LONGEST_CONSEQUENCE: Final = 160
"""Limits for values of findings that are not the worst: the outcomes of the step have them in full."""

_MOST_REASONS: Final = 3
Pair = tuple[Effect, Effect]
"""Two effects, of which the first comes before the second."""

_MOST_EDGES: Final = 12
"""Limit for the arrows of each engine in the drawing of what differs: more cannot be distinguished."""


def case_detail(
    result: CaseResult,
    classes: Mapping[str, str],
    causes: Sequence[Cause] = (),
    numbers: Mapping[str, int] | None = None,
    reproduce: Reproduce | None = None,
) -> dict[str, Any]:
    """Return the details of a case with findings. `causes` are those of the case, and `numbers` their numbers on the
    page."""
    evidence = read_evidence(result)
    firsts = leading(result.open_findings or result.findings)
    lines = find_source_lines(firsts, evidence)
    shown = _chosen(result, firsts)
    assigned = assign_causes(result, causes)
    owners = [-1 if cause is None else (numbers or {}).get(cause.identifier, -1) for cause in assigned]
    words = {found.signature.digest: _words(found) for found in result.findings}
    labels = engine_labels([*result.engines, *evidence.observations])
    worst = worst_first(result.findings)[0]
    return {
        **_facts(result),
        "description": visible_line(shortened(result.description, _LONGEST_VALUE)),
        "worst": visible_line(worst.place),
        "printed": printed_texts(result, evidence),
        "labels": {visible_line(name): label for name, label in labels.items()},
        "findings": [
            {**_finding(found, found in firsts, classes, labels), "cause": owner, "follows": _reasons(found, words)}
            for number, (found, owner) in enumerate(zip(result.findings, owners, strict=True))
            if number in shown
        ],
        "left_out": len(result.findings) - len(shown),
        "files": {visible_line(name): highlighted(name, text) for name, text in evidence.files.items()},
        "guilty": [[visible_line(name), line] for name, line in lines],
        "places": [visible_line(place) for place in evidence.places],
        "courses": {
            visible_line(name): {visible_line(place): render_observation(seen) for place, seen in places.items()}
            for name, places in evidence.observations.items()
        },
        "orders": _orders(result, evidence),
        "missing": _missing_edges(result, evidence),
        "film": reduction_steps(result.reduction_history),
        "faked": [visible_line(command) for command in result.faked],
        "trace": visible(shortened(result.trace, _LONGEST_TRACE)),
        "issue": issue(result, firsts[0], evidence.files),
        "corpus": corpus_case(result, evidence.files),
        "known": "" if firsts[0].known else known_entry(result, firsts[0]),
        "reproduce": "" if reproduce is None else visible(reproduce(result)),
    }


def equal_detail(result: CaseResult) -> dict[str, Any]:
    """Return the details of a case without findings: what its equality rests on."""
    return _facts(result)


def _facts(result: CaseResult) -> dict[str, Any]:
    return {
        "compared": {visible_line(place): dict(counts) for place, counts in result.compared.items()},
        "times": {
            visible_line(name): {visible_line(place): round(1000 * time_s) for place, time_s in of.items()}
            for name, of in result.step_s.items()
        },
        "normalised": {visible_line(rule): count for rule, count in sorted(result.normalised.items())},
        "recorded": result.is_recorded,
        "agrees": [visible_line(name) for name in result.agrees],
        "runs": {visible_line(name): count for name, count in result.runs.items()},
        "flavour": visible_line(result.flavour),
    }


def _chosen(result: CaseResult, firsts: Sequence[Finding]) -> frozenset[int]:
    """Return the numbers of the findings to show if there are too many: the worst, then heavy ones, then those that
    follow from others."""
    ranked = sorted(
        enumerate(result.findings),
        key=lambda each: (each[1] not in firsts, each[1].standing is Standing.FOLLOWS, -each[1].weight, each[0]),
    )
    return frozenset(number for number, _ in ranked[:_MOST_FINDINGS])


def _words(finding: Finding) -> str:
    return visible_line(describe_signature(finding.signature))


def _reasons(finding: Finding, words: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(words[digest] for digest in finding.follows if digest in words))[:_MOST_REASONS]


def _finding(finding: Finding, is_first: bool, classes: Mapping[str, str], labels: dict[str, str]) -> dict[str, Any]:
    signature = finding.signature
    crash = crash_of(finding)
    longest = _LONGEST_OTHER if finding.standing is not Standing.FOLLOWS else _LONGEST_CONSEQUENCE
    longest = _LONGEST_VALUE if is_first else longest
    return {
        "first": is_first,
        "digest": signature.digest,
        "signature": visible_line(str(signature)) if is_first else "",
        "words": _words(finding),
        "subject": visible_line(signature.subject),
        "ruling": str(signature.ruling),
        "weight": finding.weight.description,
        "heaviness": int(finding.weight),
        "standing": str(finding.standing),
        "count": finding.count,
        "against": [visible_line(name) for name in finding.against],
        "place": visible_line(finding.place),
        "field": visible_line(shortened(finding.field, longest)),
        "expected": visible(shortened(value_text(finding.expected), longest)),
        "got": "" if crash else visible(shortened(value_text(finding.got), longest)),
        "crash": None if crash is None else _crash(crash),
        "detail": finding.is_detail,
        "why": [
            visible_line(shortened(with_labels(sentence, labels), _LONGEST_VALUE))
            for sentence in finding.explanation[:_MOST_SENTENCES]
        ],
        "known": visible_line(finding.known),
        "status": describe_class(classes.get(finding.known, "")) if finding.known else "",
    }


def _crash(crash: Crash) -> list[str]:
    trace = visible(shortened(crash.trace, _LONGEST_VALUE))
    return [visible_line(crash.text), visible_line(crash.function), trace]


# Orders


def _orders(result: CaseResult, evidence: CaseEvidence) -> dict[str, Any]:
    """Return the order of effects by place and engine, for places with a finding where at least two sides have an
    order."""
    places = dict.fromkeys(finding.place for finding in result.findings)
    return {visible_line(place): order for place in places if (order := dict(_orders_at(evidence, place)))}


def _missing_edges(result: CaseResult, evidence: CaseEvidence) -> dict[str, Any]:
    """Return, for each place and engine with another order than the baseline, a drawing of what differs alone."""
    places = dict.fromkeys(finding.place for finding in result.findings)
    found = {visible_line(place): dict(_missing_edges_at(evidence, place)) for place in places}
    return {place: drawings for place, drawings in found.items() if drawings}


def _missing_edges_at(evidence: CaseEvidence, place: str) -> Iterator[tuple[str, Any]]:
    relations = _relations(evidence, place)
    names = list(relations)
    for name in names[1:]:
        drawn = _draw_difference(relations[names[0]], relations[name])
        if drawn is not None:
            yield visible_line(name), {"against": visible_line(names[0]), **drawn}


def _draw_difference(one: Constraints, other: Constraints) -> dict[str, Any] | None:
    """Draw the effects whose order only one of two engines guarantees, with all that is guaranteed among them. An
    arrow says who guarantees it: both, or only the first or the second. Effects that only one of them has are left
    out: that is no matter of order."""
    common = one.effects & other.effects
    first, second = one.among(common), other.among(common)
    return _draw_edges(first.surplus(second)[:_MOST_EDGES], second.surplus(first)[:_MOST_EDGES], one, other)


def _draw_edges(
    first: Sequence[Pair], second: Sequence[Pair], one: Constraints, other: Constraints
) -> dict[str, Any] | None:
    if not first and not second:
        return None
    effects = sorted({effect for pair in (*first, *second) for effect in pair})
    both = one.before & other.before
    kept = {(a, b) for a in effects for b in effects if (a, b) in both}
    shared = {(a, b) for a, b in kept if not any((a, c) in kept and (c, b) in kept for c in effects)}
    owners = {**dict.fromkeys(shared, "both"), **dict.fromkeys(first, "first"), **dict.fromkeys(second, "second")}
    names = {effect: effect_text(effect) for effect in effects}
    waits: dict[str, list[str]] = {names[effect]: [] for effect in effects}
    for before, after in owners:
        waits[names[after]].append(names[before])
    by_name = {(names[after], names[before]): owner for (before, after), owner in owners.items()}
    return {
        "edges": [[_label(after), _label(before), owner] for (before, after), owner in sorted(owners.items())],
        "drawing": _draw_layout(waits, {}, by_name),
    }


def _relations(evidence: CaseEvidence, place: str) -> dict[str, Constraints]:
    return {
        name: found for name in evidence.observations if (found := read_order(evidence.at(name, place))) is not None
    }


def _orders_at(evidence: CaseEvidence, place: str) -> Iterator[tuple[str, Any]]:
    relations = _relations(evidence, place)
    if len(relations) < 2:
        return
    baseline = next(iter(relations))
    for name, relation in relations.items():
        others = [other for other in relations if other != name] if name == baseline else [baseline]
        yield visible_line(name), _draw_order(relation, [relations[other] for other in others])


def _draw_order(relation: Constraints, others: Sequence[Constraints]) -> dict[str, Any]:
    nearest = relation.nearest
    effects = sorted(relation.effects)
    waits: dict[Effect, list[Effect]] = {effect: [] for effect in effects}
    for first, second in nearest:
        waits[second].append(first)
    is_own = {pair for pair in nearest if any(pair not in other.before for other in others)}
    names = {effect: effect_text(effect) for effect in effects}
    graph = clustered(
        {names[effect]: [names[other] for other in others] for effect, others in waits.items()},
        address={name: effect[0] for effect, name in names.items()}.__getitem__,
    )
    own = {(graph.owners[names[second]], graph.owners[names[first]]) for first, second in is_own}
    groups: dict[str, list[Any]] = {}
    for effect in effects:
        owner = graph.owners[names[effect]]
        cluster = visible_line(owner) if owner in graph.members else ""
        groups.setdefault(cluster, []).append(_line(effect, waits[effect], is_own))
    return {"text": list(groups.items()), "own": len(is_own), "drawing": _drawing(graph, own)}


def _line(effect: Effect, befores: Sequence[Effect], is_own: set[tuple[Effect, Effect]]) -> list[Any]:
    return [_label(effect), [[_label(first), (first, effect) in is_own] for first in befores]]


def _drawing(graph: Clustered, own: set[tuple[str, str]]) -> dict[str, Any]:
    return _draw_layout(graph.dependencies, graph.members, dict.fromkeys(own, True))


def _draw_layout(
    dependencies: Mapping[str, Sequence[str]], members: Container[str], owners: Mapping[tuple[str, str], str | bool]
) -> dict[str, Any]:
    """Return boxes and arrows with their coordinates. `owners` says who has an arrow, if not everybody has it: such
    arrows come last, and so are drawn on top."""
    layout = lay_out(dependencies)
    arrows = [
        (
            arrow.path,
            owners.get((arrow.waiting, arrow.awaited), False),
            visible_line(f"{arrow.waiting} after {arrow.awaited}"),
        )
        for arrow in layout.arrows
    ]
    return {
        "width": round(layout.width),
        "height": round(layout.height),
        "boxes": [
            [
                box.label,
                round(box.left),
                round(box.top),
                round(box.width),
                visible_line(box.name),
                box.name in members,
            ]
            for box in layout.boxes
        ],
        "arrows": sorted(arrows, key=lambda arrow: arrow[1] not in (False, "both")),
    }


def _label(effect: Effect) -> str:
    return visible_line(effect_text(effect))
