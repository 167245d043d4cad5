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
    before: Sequence[_Item],
    after: Sequence[_Item],
    may_become: Callable[[_Item, _Item], bool] = lambda _old, _new: False,
    *,
    keeps_positions: bool,
) -> Iterator[_Pair]:
    """Match the elements of two lists along the longest common subsequence. Between its members an element may become
    another; all else is removed or added.

    With `keeps_positions`, a list that keeps its length and loses an element is matched by position instead. Without,
    an element may even become another if it belongs to the common subsequence: a quirk that is kept on purpose.
    """
    if keeps_positions and len(before) == len(after) and any(item not in after for item in before):
        yield from ((index, index) for index in range(len(before)))
        return
    common = _longest_common(before, after)
    old = new = 0
    while old < len(before) or new < len(after) or common:
        while old < len(before) and not (common and before[old] == common[0]):
            is_free = new < len(after) and not (common and after[new] == common[0])
            becomes = is_free and may_become(before[old], after[new])
            yield old, new if becomes else len(after)
            old, new = old + 1, new + becomes
        while new < len(after) and not (common and after[new] == common[0]):
            becomes = not keeps_positions and old < len(before) and may_become(before[old], after[new])
            yield old if becomes else len(before), new
            old, new = old + becomes, new + 1
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
