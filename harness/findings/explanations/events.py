"""Explains events and calls that differ: up to which one both sides agree, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from harness.findings.explanations.context import FindingContext, capital, planned_actions, sorted_text
from harness.findings.explanations.diagnostics import errors_alone, problem_text
from harness.observe.json_trees import as_items
from shared_nodes.values.json import Tree

__all__ = ["explain_events", "explain_recorded_order"]


def explain_events(context: FindingContext) -> Iterator[str]:
    name = context.finding.field.partition(".")[0]
    wanted, actual = (_describe_events(side.observation.get(name)) for side in (context.expected, context.got))
    what = "call" if name.endswith("calls") else "event"
    agreed, first = _first_missing(wanted, actual)
    _, surplus = _first_missing(actual, wanted)
    expected, got = context.expected.name, context.got.name
    yield _agreed(expected, got, wanted, agreed, what)
    parts = [f"{expected} has {first}, which {got} never has"] if first else []
    parts += [f"{got} has {surplus}, which {expected} never has"] if surplus else []
    cause = _planned_cause(context, [each for each in (first, surplus) if each])
    yield f"Then {'; and '.join(parts)}{cause}."
    yield from _failures(context)


def _agreed(expected: str, got: str, wanted: Sequence[str], agreed: int, what: str) -> str:
    if agreed == 0:
        return f"They share not even the first {what} of {expected}."
    if agreed == len(wanted):
        return f"{capital(got)} has all {len(wanted)} {what}s that {expected} has."
    return f"Both agreed up to {what} {agreed} of {expected} ({wanted[agreed - 1]})."


def _describe_events(tree: Tree) -> list[str]:
    """Return one line per event, in the order of time. A recording has one of the orders it allows."""
    items = tree.get("items") if isinstance(tree, dict) else tree
    texts = []
    for item in as_items(items):
        words = item if isinstance(item, list) else [item]
        texts.append(
            " ".join(word if isinstance(word, str) else sorted_text(word) for word in words if word is not None)
        )
    return texts


def _first_missing(these: Sequence[str], those: Sequence[str]) -> tuple[int, str | None]:
    """Return the first event that the other side lacks, and how many precede it."""
    counts = Counter(those)
    for number, each in enumerate(these):
        counts[each] -= 1
        if counts[each] < 0:
            return number, each
    return len(these), None


def _planned_cause(context: FindingContext, events: Sequence[str]) -> str:
    """Return the cause if the plans differ about an object."""
    for event in events:
        address = event.split(" ")[1] if " " in event else ""
        wanted, actual = (planned_actions(side.observation, address) for side in (context.expected, context.got))
        if wanted != actual:
            sides = context.expected.name, context.got.name
            return f", because for {address} {sides[0]} planned to {wanted}, and {sides[1]} to {actual}"
    return ""


def _failures(context: FindingContext) -> Iterator[str]:
    """Report errors of only one side, which prevent what would have followed."""
    for side, other in ((context.expected, context.got), (context.got, context.expected)):
        found = errors_alone(side.observation, other.observation)
        if found:
            yield f"{capital(side.name)} alone reports the {problem_text(found[0])}."


def explain_recorded_order(context: FindingContext) -> Iterator[str]:
    yield f"In every recorded run {context.finding.expected}; {context.got.name} did it the other way round."
