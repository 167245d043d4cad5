"""Puts groups of signatures together that show nowhere at once, or so rarely that counting places proves nothing.

One mistake shows in different ways in different cases, and most ways are seen once or twice. Two kinds of evidence are
left then. A group of which half the cases, or more, show one other group, and no third one, probably belongs to it. And
a group that is alone in all its cases probably belongs to another one if all cases of both use the same rare feature.

Both need cases in which little else differs. Where a third group shows as well, any of them might be the reason, and
the group stays by itself. So in a run in which every case shows several causes, hardly anything is put together here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Generic, TypeVar

from shared_nodes.record import record

__all__ = ["Group", "join_groups"]

Member = TypeVar("Member")

_HALF: Final = 0.5
_LIFT: Final = 3.0
"""How many times as often two groups must show together as they would by chance."""

_RARE: Final = 0.12
"""The part of all cases that may have a feature. One that many cases have is shared by chance."""


@record
class Group(Generic[Member]):
    name: str
    """Different for each group, and the same in every run: it decides between equals."""

    subject: str
    cases: frozenset[str]
    texts: frozenset[str]
    """What identifies its crashes and errors."""

    members: tuple[Member, ...]
    weight: int = 0
    """That of its heaviest finding."""

    def may_join(self, other: Group[Member]) -> bool:
        """Return whether this group may become part of a larger one. A crash or an error never disappears in something
        that says less, and nothing in something lighter."""
        return self.weight <= other.weight and (not self.texts or self.texts == other.texts)

    def joined_with(self, other: Group[Member]) -> Group[Member]:
        members = (*self.members, *other.members)
        weight = max(self.weight, other.weight)
        return Group(self.name, self.subject, self.cases | other.cases, self.texts | other.texts, members, weight)


_Groups = Sequence[Group[Member]]
_FindTarget = Callable[[Group[Member], _Groups[Member]], Group[Member] | None]


def join_groups(
    groups: _Groups[Member], cases_by_feature: Mapping[str, frozenset[str]], count: int
) -> list[Group[Member]]:
    """Return fewer groups with the same members. `count` is the number of cases of the run."""
    rare = {name: cases for name, cases in cases_by_feature.items() if len(cases) <= _RARE * count}
    together = _join_repeatedly(groups, partial(_companion, count=count))
    return _join_repeatedly(together, partial(_kindred, features=rare))


def _join_repeatedly(groups: _Groups[Member], find_target: _FindTarget[Member]) -> list[Group[Member]]:
    """Let one group after the other join its target, smallest first, until none has a target any more."""
    remaining = sorted(groups, key=lambda group: (len(group.cases), group.name))
    position = 0
    while position < len(remaining):
        group = remaining[position]
        target = find_target(group, remaining)
        position += 1
        if target is not None:
            others = [each for each in remaining if each is not group and each is not target]
            remaining = sorted([*others, target.joined_with(group)], key=lambda each: (len(each.cases), each.name))
            position = 0
    return remaining


def _larger(one: Group[Member], groups: _Groups[Member]) -> list[Group[Member]]:
    """Return the groups of the same engine with at least as many cases."""
    return [
        other
        for other in groups
        if other is not one and other.subject == one.subject and len(other.cases) >= len(one.cases)
    ]


def _companion(one: Group[Member], groups: _Groups[Member], *, count: int) -> Group[Member] | None:
    """Return the only group that shows in half the cases of this one, unless it shows nearly everywhere."""
    near = [other for other in _larger(one, groups) if len(one.cases & other.cases) >= _HALF * len(one.cases)]
    if not near or any(other.cases != near[0].cases for other in near):
        return None
    together = len(one.cases & near[0].cases) * count / (len(one.cases) * len(near[0].cases))
    if together < _LIFT:
        return None
    return max((other for other in near if one.may_join(other)), key=lambda other: other.name, default=None)


def _kindred(
    one: Group[Member], groups: _Groups[Member], *, features: Mapping[str, frozenset[str]]
) -> Group[Member] | None:
    """Return the group that shares the rarest feature with this one, if this one is alone in its cases. Of several, the
    one with most cases."""
    if any(other is not one and other.cases & one.cases for other in groups):
        return None
    own = [cases for cases in features.values() if one.cases <= cases]
    scored = [
        (min(shared), -len(other.cases), other.name, other)
        for other in _larger(one, groups)
        if (shared := [len(cases) for cases in own if other.cases <= cases])
    ]
    rarest = min((score[0] for score in scored), default=0)
    able = [score for score in scored if score[0] == rarest and one.may_join(score[3])]
    return min(able, key=lambda score: score[:3])[3] if able else None
