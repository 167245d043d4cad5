"""Events and calls that differ: up to which one both agree, and what comes then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from harness.findings.explanations.context import FindingContext, capital, planned_actions, sorted_text
from harness.findings.explanations.diagnostics import errors_alone, problem_text
from harness.observe.json_trees import as_items
from shared_nodes.values.json import Tree

__all__ = ["explain_events", "explain_recorded_order"]


def explain_events(parting: FindingContext) -> Iterator[str]:
    name = parting.finding.field.partition(".")[0]
    wanted, actual = (_happenings(side.observation.get(name)) for side in (parting.expected, parting.got))
    what = "call" if name.endswith("calls") else "event"
    agreed, first = _first_missing(wanted, actual)
    _, surplus = _first_missing(actual, wanted)
    expected, got = parting.expected.name, parting.got.name
    yield _agreed(expected, got, wanted, agreed, what)
    parts = [f"{expected} has {first}, which {got} never has"] if first else []
    parts += [f"{got} has {surplus}, which {expected} never has"] if surplus else []
    cause = _planned_cause(parting, [each for each in (first, surplus) if each])
    yield f"Then {'; and '.join(parts)}{cause}."
    yield from _failures(parting)


def _agreed(expected: str, got: str, wanted: Sequence[str], agreed: int, what: str) -> str:
    if agreed == 0:
        return f"They share not even the first {what} of {expected}."
    if agreed == len(wanted):
        return f"{capital(got)} has all {len(wanted)} {what}s that {expected} has."
    return f"Both agreed up to {what} {agreed} of {expected} ({wanted[agreed - 1]})."


def _happenings(tree: Tree) -> list[str]:
    """One line each, in the order of time. A recording has them in one of the orders it allows."""
    items = tree.get("items") if isinstance(tree, dict) else tree
    texts = []
    for item in as_items(items):
        words = item if isinstance(item, list) else [item]
        texts.append(
            " ".join(word if isinstance(word, str) else sorted_text(word) for word in words if word is not None)
        )
    return texts


def _first_missing(these: Sequence[str], those: Sequence[str]) -> tuple[int, str | None]:
    """How many come before the first that the other side lacks, and which that is."""
    counts = Counter(those)
    for number, each in enumerate(these):
        counts[each] -= 1
        if counts[each] < 0:
            return number, each
    return len(these), None


def _planned_cause(parting: FindingContext, events: Sequence[str]) -> str:
    """That an object was planned for otherwise is in the plans."""
    for event in events:
        address = event.split(" ")[1] if " " in event else ""
        wanted, actual = (planned_actions(side.observation, address) for side in (parting.expected, parting.got))
        if wanted != actual:
            sides = parting.expected.name, parting.got.name
            return f", because {sides[0]} planned to {wanted} {address}, and {sides[1]} to {actual}"
    return ""


def _failures(parting: FindingContext) -> Iterator[str]:
    """Errors of only one side, which end what would have come after them."""
    for side, other in ((parting.expected, parting.got), (parting.got, parting.expected)):
        found = errors_alone(side.observation, other.observation)
        if found:
            yield f"{capital(side.name)} alone reports the {problem_text(found[0])}."


def explain_recorded_order(parting: FindingContext) -> Iterator[str]:
    yield f"In every recorded run {parting.finding.expected}; {parting.got.name} did it the other way round."
