"""Chooses the places of causes among all the places where engines part (`partings.py`).

After a first difference, much of what follows differs as well. So a place is that of a cause if engines part there
before they part anywhere else, in some case at least: nothing can have led to it. The same is true of a function that
contradicts its arguments. In other cases such a place is one of the causes if it shows at all, whatever came before.

Engines also part without any finding. What is about as common in cases without findings says nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from harness.findings.partings import CasePartings, Parting, PartingKind, Place

__all__ = ["choose_places"]

_ANSWERING: Final = (PartingKind.ANSWERS, PartingKind.CONTRADICTS)
_CHANCE: Final = 0.001
"""How probable it may be that so many cases with findings part at a place by chance, if other cases do as well."""

_FAR_MORE_OFTEN: Final = 3.0
"""How many times as often cases with findings must part in some way as others do. In a large run, a small difference
is no chance either, but explains nothing."""

_FIRST: Final = 0.25
"""The share of cases that part at a place in which it must be the first one."""

_ACTING: Final = 2
"""The number of cases in which a place that always answers alike must be the first one: what a function calls may also
depend on what was remembered elsewhere."""

_ENOUGH: Final = 20
"""Number of cases without findings that show which strays there always are."""


def choose_places(partings: CasePartings, showing: Collection[str]) -> dict[Place, frozenset[str]]:
    """Return the places of causes, each with the cases that part there. `showing` are the cases with findings."""
    strays = _find_usual_strays(partings, showing)
    telling = _find_telling(partings, showing)
    parting, first = Counter[Place](), Counter[Place]()
    for case in showing:
        places, is_first = _places(partings.get(case, ()), telling, strays)
        parting.update(places)
        if is_first:
            first[places[0]] += 1
    certain = {each.place for each in telling if each.kind in _ANSWERING}
    chosen = {
        place
        for place, count in first.items()
        if count >= _FIRST * parting[place] and (place in certain or count >= _ACTING)
    }
    chosen |= {each.place for each in telling if each.kind is PartingKind.CONTRADICTS}
    found: dict[Place, set[str]] = {place: set() for place in sorted(chosen)}
    for case, own in partings.items():
        for place in chosen.intersection(_places(own, telling, strays)[0]):
            found[place].add(case)
    return {place: frozenset(cases) for place, cases in found.items()}


def _find_usual_strays(partings: CasePartings, showing: Collection[str]) -> frozenset[Parting] | None:
    """Return the strays that there are in cases without findings, or None if too few such cases are known."""
    others = [own for case, own in partings.items() if case not in showing]
    if len(others) < _ENOUGH:
        return None
    return frozenset(each for own in others for each in own if each.kind.is_stray)


def _find_telling(partings: CasePartings, showing: Collection[str]) -> frozenset[Parting]:
    """Return the partings, strays aside, that cases with findings have far more often than others."""
    remembering = {each.place for own in partings.values() for each in own if each.kind is PartingKind.REMEMBERS}
    candidates = {
        each
        for own in partings.values()
        for each in own
        if each.kind in _ANSWERING or (each.kind is PartingKind.ACTS and each.place not in remembering)
    }
    with_findings, without = Counter[Parting](), Counter[Parting]()
    for case, own in partings.items():
        (with_findings if case in showing else without).update(candidates.intersection(own))
    shown = sum(case in showing for case in partings)
    others = len(partings) - shown

    def is_usual(parting: Parting) -> bool:
        share, count = without[parting] / others if others else 0.0, with_findings[parting]
        return share > 0 and (count < _FAR_MORE_OFTEN * share * shown or _chance(count, shown, share) > _CHANCE)

    return frozenset(each for each in candidates if not is_usual(each))


def _chance(count: int, size: int, share: float) -> float:
    """Return how probable it is that at least so many of `size` cases part somewhere where a share of cases does."""
    if share == 1.0:
        return 1.0
    terms = (
        math.lgamma(size + 1)
        - math.lgamma(number + 1)
        - math.lgamma(size - number + 1)
        + number * math.log(share)
        + (size - number) * math.log1p(-share)
        for number in range(count, size + 1)
    )
    return min(1.0, math.fsum(map(math.exp, terms)))


def _places(
    own: Iterable[Parting], telling: Collection[Parting], usual: Collection[Parting] | None
) -> tuple[list[Place], bool]:
    """Return the places of a case in the order of time, and whether nothing comes before the first one. A function that
    calls something else may answer differently only later: it has parted before what its calls lead to."""
    places: dict[Place, None] = {}
    before_strays: set[Place] = set()
    has_strays = False
    for each in own:
        if each.kind.is_stray:
            has_strays = has_strays or (usual is not None and each not in usual)
        elif each.kind is not PartingKind.REMEMBERS and not has_strays:
            before_strays.add(each.place)
        if each in telling:
            places[each.place] = None
    return list(places), bool(places) and next(iter(places)) in before_strays
