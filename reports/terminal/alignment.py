"""Decides which element of a list or set became which, as pairs of positions in the order they are rendered.

A position past the end means that there is no element on that side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from reports.terminal.change import ValueChange

__all__ = ["align", "align_sets"]

_Item = TypeVar("_Item")
_Pair = tuple[int, int]


def align(
    before: Sequence[_Item], after: Sequence[_Item], is_object: Callable[[_Item], bool] = lambda _: False
) -> Iterator[_Pair]:
    """Match the elements of two lists.

    They are matched by position if the list keeps its length and loses an element. Otherwise they are matched along the
    longest common subsequence; between its members, an object may become another, and all else is removed or added.
    """
    if len(before) == len(after) and any(item not in after for item in before):
        yield from ((index, index) for index in range(len(before)))
        return
    common = _longest_common(before, after)
    old = new = 0

    def may_become() -> bool:
        if new >= len(after) or (common and after[new] == common[0]):
            return False
        return is_object(before[old]) and is_object(after[new])

    while old < len(before) or new < len(after):
        while old < len(before) and not (common and before[old] == common[0]):
            becomes = may_become()
            yield old, new if becomes else len(after)
            old, new = old + 1, new + becomes
        while new < len(after) and not (common and after[new] == common[0]):
            yield len(before), new
            new += 1
        if common:
            yield old, new
            old, new, common = old + 1, new + 1, common[1:]


def _longest_common(before: Sequence[_Item], after: Sequence[_Item]) -> Sequence[_Item]:
    """Return the longest common subsequence. Which one is chosen among equally long ones is visible in a plan.

    A common beginning and end belong to each of them, so that only the part between takes quadratic time.
    """
    shorter = min(len(before), len(after))
    start = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    rest = shorter - start
    end = next((index for index in range(rest) if before[-1 - index] != after[-1 - index]), rest)
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    return [*before[:start], *_common_subsequence(old, new), *before[len(before) - end :]]


def _common_subsequence(before: Sequence[_Item], after: Sequence[_Item]) -> Iterator[_Item]:
    lengths = [[0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for old, item in enumerate(before):
        for new, other in enumerate(after):
            if item == other:
                lengths[old + 1][new + 1] = lengths[old][new] + 1
            else:
                lengths[old + 1][new + 1] = max(lengths[old][new + 1], lengths[old + 1][new])
    found: list[_Item] = []
    old, new = len(before), len(after)
    while old and new:
        if before[old - 1] == after[new - 1]:
            found.append(before[old - 1])
            old, new = old - 1, new - 1
        elif lengths[old - 1][new] > lengths[old][new - 1]:
            old -= 1
        else:
            new -= 1
    return reversed(found)


def align_sets(change: ValueChange) -> Iterator[_Pair]:
    """Match the elements of two sets: first those of the old set, in order, each with its equal or as removed; then the
    added ones."""
    before, after = change.items_before, change.items_after
    partners: dict[int, int] = {}
    for old in range(len(before)):
        for new in range(len(after)):
            if new not in partners.values() and _is_unchanged(change.item(old, new)):
                partners[old] = new
                break
    yield from ((old, partners.get(old, len(after))) for old in range(len(before)))
    yield from ((len(before), new) for new in range(len(after)) if new not in partners.values())


def _is_unchanged(change: ValueChange) -> bool:
    return change.before == change.after and change.was_secret == change.is_secret and not change.is_unknown
