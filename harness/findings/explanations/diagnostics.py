"""Diagnostics that differ, in pairs where two of them are about the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from harness.findings.explanations.context import SHOWN, FindingContext, Observation, short, sorted_text
from harness.observe.json_trees import as_objects
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["errors_alone", "explain_diagnostics", "problem_text"]


_ASPECTS: Final = {"range": "place", "phase": "phase", "address": "address", "severity": "severity"}


def explain_diagnostics(parting: FindingContext) -> Iterator[str]:
    wanted, actual = (_problems(side.observation) for side in (parting.expected, parting.got))
    missing, surplus = _only(wanted, actual), _only(actual, wanted)
    sentences = list(_told_diagnostics(missing, surplus, parting.expected.name, parting.got.name))
    yield from sentences[:SHOWN]
    if len(sentences) > SHOWN:
        yield f"{len(sentences) - SHOWN} more diagnostics differ."


def _problems(observation: Observation) -> list[dict[str, Tree]]:
    return as_objects(observation.get("diagnostics"))


def _only(these: Sequence[dict[str, Tree]], those: Sequence[dict[str, Tree]]) -> list[dict[str, Tree]]:
    """Those the other side lacks, or has fewer of."""
    counts = Counter(sorted_text(each) for each in those)
    found = []
    for each in these:
        counts[sorted_text(each)] -= 1
        if counts[sorted_text(each)] < 0:
            found.append(each)
    return found


def _told_diagnostics(
    missing: list[dict[str, Tree]], surplus: list[dict[str, Tree]], expected: str, got: str
) -> Iterator[str]:
    """Those with the same summary belong together, then those about the same place. What is left stands alone."""
    left = list(surplus)
    alone: list[dict[str, Tree]] = []
    for one in missing:
        other = next((each for each in left if each.get("summary") == one.get("summary")), None)
        if other is None:
            alone.append(one)
            continue
        left.remove(other)
        yield _same_summary(one, other, expected, got)
    for one in alone:
        place = one.get("range")
        other = next((each for each in left if place is not None and each.get("range") == place), None)
        if other is None:
            yield f"Only {expected} reports the {problem_text(one)}."
            continue
        left.remove(other)
        yield f"At {_place(one)} {expected} reports the {_named(one)}, {got} the {_named(other)}."
    for other in left:
        yield f"Only {got} reports the {problem_text(other)}."


def _same_summary(one: dict[str, Tree], other: dict[str, Tree], expected: str, got: str) -> str:
    aspects = [name for name in _ASPECTS if one.get(name) != other.get(name)]
    if not aspects:
        return f"Both report the {_named(one)}, in other words: {_parting_words(one, other, expected, got)}."
    parts = [f"{_ASPECTS[name]}: {expected} {_aspect(one, name)}, {got} {_aspect(other, name)}" for name in aspects]
    return f"Both report the {_named(one)}, but differ in its {'; and in its '.join(parts)}."


def _aspect(diagnostic: dict[str, Tree], name: str) -> str:
    if name == "range":
        return _place(diagnostic) or "says none"
    return str(diagnostic.get(name, "says none"))


def _parting_words(one: dict[str, Tree], other: dict[str, Tree], expected: str, got: str) -> str:
    """From the first character on that is not the same."""
    ours, theirs = str(one.get("detail")), str(other.get("detail"))
    at = next((number for number, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), None)
    start = ours.rfind(" ", 0, min(len(ours), len(theirs)) if at is None else at) + 1
    left, right = (" ".join(side[start : start + 80].split()) or "nothing more" for side in (ours, theirs))
    return f'{expected} says "{left}" where {got} says "{right}"'


def _named(diagnostic: dict[str, Tree]) -> str:
    return f'{diagnostic.get("severity")} "{short(str(diagnostic.get("summary")))}"'


def problem_text(diagnostic: dict[str, Tree]) -> str:
    place = _place(diagnostic)
    address = diagnostic.get("address")
    where = f" at {place}" if place else f" about {address}" if address else ""
    return f"{_named(diagnostic)}{where} ({diagnostic.get('phase')})"


def _place(diagnostic: dict[str, Tree]) -> str:
    found = diagnostic.get("range")
    if not isinstance(found, dict) or not isinstance(start := found.get("start"), dict):
        return ""
    return f"{found.get('filename')}:{_number(start.get('line'))},{_number(start.get('column'))}"


def _number(tree: Tree) -> str:
    return tree.text if isinstance(tree, JsonNumber) else str(tree)


def errors_alone(one: Observation, other: Observation) -> list[dict[str, Tree]]:
    """Errors the other side does not report."""
    return [each for each in _only(_problems(one), _problems(other)) if each.get("severity") == "error"]
