"""Finds the few members of a large set that have an effect, by testing many of them at once.

A group without an effect is taken to have no member with one, and is not tested further; members that hide each other
are overlooked. A group with an effect is divided. Members that rarely have an effect share large groups; those that
often have one are tested alone. Groups are the same for every test series, so that whatever a test of a group prepares
can be kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from shared_nodes.record import record

__all__ = ["Group", "divide_into_groups", "find_effective"]

_LARGEST_CHANCE: Final = 0.5
"""The test of a group that is likely to have an effect would probably be wasted."""


@record
class Group:
    members: tuple[str, ...]
    parts: tuple[Group, ...] = ()
    """The two groups that it is divided into; none for a single member."""


def divide_into_groups(
    chances: Mapping[str, float], may_combine: Callable[[Sequence[str]], bool] = lambda _members: True
) -> tuple[Group, ...]:
    """Combine members into groups, the least likely to have an effect first, as in a Huffman code. `chances` says how
    likely each member has an effect. Members for which `may_combine` is false are never in one group."""
    heap = [(chance, name, Group((name,))) for name, chance in chances.items()]
    heapq.heapify(heap)
    finished: list[Group] = []
    while heap:
        chance, name, group = heapq.heappop(heap)
        for position, (other_chance, other_name, other) in enumerate(sorted(heap)):
            together = 1 - (1 - chance) * (1 - other_chance)
            if together > _LARGEST_CHANCE:
                finished.append(group)
                break
            if may_combine((*group.members, *other.members)):
                remaining = sorted(heap)
                del remaining[position]
                combined = Group((*group.members, *other.members), (group, other))
                heap = [*remaining, (together, min(name, other_name), combined)]
                heapq.heapify(heap)
                break
        else:
            finished.append(group)
    return tuple(finished)


def find_effective(
    groups: Sequence[Group], candidates: Collection[str], has_effect: Callable[[tuple[str, ...]], bool]
) -> Iterator[str]:
    """Yield the candidates that have an effect. Members of the groups that are no candidates are known to have none,
    and so they may take part in a test without being in the way."""
    for group in groups:
        concerned = [name for name in group.members if name in candidates]
        if len(concerned) == 1:
            yield from (name for name in concerned if has_effect((name,)))
        elif concerned and has_effect(group.members):
            yield from find_effective(group.parts, candidates, has_effect)
