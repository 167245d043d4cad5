"""One case as its page shows it: everything about it that was kept, ready to be shown.

Nothing is left for the script to find out but what depends on where the reader looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.judging.constraints import FIELD as ORDER
from harness.judging.constraints import Constraints, Effect, constraints_of, effect_text
from harness.judging.finding import Finding, leading
from harness.judging.result import CaseResult
from reports.graph_svg import laid_out
from reports.html.copies import corpus_case, issue, known_entry
from reports.html.highlight import highlighted
from reports.html.values import shown_observation
from reports.run.lines import Evidence, evidence_in, guilty_lines
from reports.visible import shortened, visible, visible_line
from shared_nodes.values.json import Tree

__all__ = ["case_detail"]

_LONGEST_VALUE: Final = 4_000
_LONGEST_TRACE: Final = 20_000
_MOST_SENTENCES: Final = 20
_MOST_FINDINGS: Final = 50
_MOST_VERTICES: Final = 200
"""Of a graph that is drawn; a larger one is told in text."""


def case_detail(result: CaseResult, classes: Mapping[str, str]) -> dict[str, Any]:
    """Of a case with findings."""
    evidence = evidence_in(result)
    lines = guilty_lines(result, evidence)
    firsts = leading(result.open_findings or result.findings)
    return {
        "findings": [_finding(found, found in firsts, classes) for found in result.findings[:_MOST_FINDINGS]],
        "left_out": max(len(result.findings) - _MOST_FINDINGS, 0),
        "files": {visible_line(name): highlighted(name, text) for name, text in evidence.files.items()},
        "guilty": [[visible_line(name), line] for name, line in lines],
        "places": [visible_line(place) for place in evidence.places],
        "courses": {
            visible_line(name): {visible_line(place): shown_observation(seen) for place, seen in course.items()}
            for name, course in evidence.courses.items()
        },
        "orders": _orders(result, evidence),
        "normalised": {visible_line(rule): count for rule, count in sorted(result.normalised.items())},
        "faked": [visible_line(command) for command in result.faked],
        "trace": visible(shortened(result.trace, _LONGEST_TRACE)),
        "issue": issue(result, firsts[0], evidence.files),
        "corpus": corpus_case(result, evidence.files),
        "known": known_entry(result, firsts[0]),
    }


def _finding(finding: Finding, is_first: bool, classes: Mapping[str, str]) -> dict[str, Any]:
    signature = finding.signature
    return {
        "first": is_first,
        "digest": signature.digest,
        "signature": visible_line(str(signature)),
        "subject": visible_line(signature.subject),
        "ruling": str(signature.ruling),
        "against": [visible_line(name) for name in finding.against],
        "place": visible_line(finding.place),
        "field": visible_line(finding.field),
        "expected": visible(shortened(finding.expected, _LONGEST_VALUE)),
        "got": visible(shortened(finding.got, _LONGEST_VALUE)),
        "detail": finding.is_detail,
        "why": [
            visible_line(shortened(sentence, _LONGEST_VALUE)) for sentence in finding.explanation[:_MOST_SENTENCES]
        ],
        "known": visible_line(finding.known),
        "class": classes.get(finding.known, ""),
    }


# Orders


def _orders(result: CaseResult, evidence: Evidence) -> dict[str, Any]:
    """By place and engine: at places with a finding, where at least two sides tell theirs."""
    places = dict.fromkeys(finding.place for finding in result.findings)
    return {visible_line(place): order for place in places if (order := dict(_order(evidence, place)))}


def _order(evidence: Evidence, place: str) -> Iterator[tuple[str, Any]]:
    relations = {name: found for name in evidence.courses if (found := _relation(evidence.at(name, place))) is not None}
    if len(relations) < 2:
        return
    baseline = next(iter(relations))
    for name, relation in relations.items():
        others = [other for other in relations if other != name] if name == baseline else [baseline]
        yield visible_line(name), _drawn(relation, [relations[other] for other in others])


def _relation(observation: Mapping[str, Tree]) -> Constraints | None:
    """None as well where a file of a stranger says what is no order."""
    try:
        return constraints_of(observation) if observation.get(ORDER) else None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _drawn(relation: Constraints, others: Sequence[Constraints]) -> dict[str, Any]:
    nearest = relation.nearest
    effects = sorted(relation.effects)
    waits: dict[Effect, list[Effect]] = {effect: [] for effect in effects}
    for first, second in nearest:
        waits[second].append(first)
    is_own = {pair for pair in nearest if any(pair not in other.before for other in others)}
    text = [_line(effect, waits[effect], is_own) for effect in effects]
    drawing = _drawing(waits, is_own) if len(effects) <= _MOST_VERTICES else None
    return {"text": text, "own": len(is_own), "drawing": drawing}


def _line(effect: Effect, befores: Sequence[Effect], is_own: set[tuple[Effect, Effect]]) -> list[Any]:
    return [_label(effect), [[_label(first), (first, effect) in is_own] for first in befores]]


def _drawing(waits: Mapping[Effect, Sequence[Effect]], is_own: set[tuple[Effect, Effect]]) -> dict[str, Any]:
    labels = {effect: _label(effect) for effect in waits}
    layout = laid_out({labels[effect]: [labels[other] for other in others] for effect, others in waits.items()})
    names = list(layout.places)
    return {
        "width": round(layout.width),
        "height": round(layout.height),
        "boxes": [[name, *(round(number) for number in layout.places[name])] for name in names],
        "arrows": [
            [names.index(labels[effect]), names.index(labels[other]), (other, effect) in is_own]
            for effect, others in waits.items()
            for other in others
        ],
    }


def _label(effect: Effect) -> str:
    return visible_line(effect_text(effect))
