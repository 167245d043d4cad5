"""What varies between runs of one engine: which observation, and in how many runs.

That includes the order of lists that is otherwise disregarded. An engine that writes a list in another order each time
does nothing wrong, but the text of its state varies: this is information, and no difference. The order of events is
another each time wherever things are done at the same time, and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from harness.compare.observations import compare_places, compare_with_binary
from harness.play.case_runner import Observations
from shared_nodes.values.json import Tree, dumps

__all__ = ["describe_variations"]

_DOCUMENTS: Final = ("diagnostics", "plan", "state")


def describe_variations(runs: Sequence[Observations]) -> tuple[str, ...]:
    """Return a text for each thing that is different from the first run in some others: where it is, and in how many of
    the runs. Empty if all runs are alike."""
    if not runs:
        return ()
    first, *others = runs
    different, reordered = Counter[str](), Counter[str]()
    for other in others:
        found = compare_places(first, other, compare_with_binary)
        different.update({f"{place}: {difference.field} varies" for place, difference in found})
        reordered.update(dict.fromkeys(_find_reordered(first, other), 1))
    return tuple(f"{what}: {count} of {len(runs)} runs" for what, count in [*different.items(), *reordered.items()])


def _find_reordered(first: Observations, other: Observations) -> Iterator[str]:
    for place, step in first.items():
        for name in _DOCUMENTS:
            for path in _reordered_lists(step.get(name), other.get(place, {}).get(name), name):
                yield f"{place}: order varies in {path}"


def _reordered_lists(first: Tree, other: Tree, path: str) -> Iterator[str]:
    """Return the paths of lists that have the same items in another order. Indices are left out of paths."""
    if first == other:
        return
    if isinstance(first, Mapping) and isinstance(other, Mapping):
        for key in first:
            if key in other:
                yield from _reordered_lists(first[key], other[key], f"{path}.{key}")
    elif isinstance(first, list) and isinstance(other, list):
        if Counter(map(dumps, first)) == Counter(map(dumps, other)):
            yield path
            return
        for left, right in zip(first, other, strict=False):
            yield from _reordered_lists(left, right, f"{path}[]")
