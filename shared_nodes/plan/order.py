"""The order of side effects that an engine guarantees, whatever the schedule: which of them always comes before which.

An effect is what happens to one object: it is created, updated, read, deleted, forgotten; an object that stays and is
only looked at, because there are conditions about it, counts too, since whatever waits for it is held up if they fail.
Engines find the order in structures of their own and tell it in this form, so that it can be compared as a relation. A
missing edge shows there at once; in runs it would take an unlucky schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.plan.change import Changes

__all__ = ["NEW", "Drawable", "Effect", "EffectOrder", "applying_effect", "effect_order", "removing_effect"]

NEW: Final = "new"
"""Stands for the key of an object that this very apply puts aside. It is drawn at random, and there is one at most."""


@dataclass(frozen=True, slots=True, order=True)
class Effect:
    """`verb` is create, update, read, delete, forget or no-op. `deposed` is the key of the object, unless that is the
    current one."""

    address: str
    verb: str
    deposed: str = ""

    def __str__(self) -> str:
        """As a vertex or a leg would be called: `terraform_data.a (delete deposed 1a2b3c4d)`."""
        return f"{self.address} ({self.verb}{f' deposed {self.deposed}' if self.deposed else ''})"


class Drawable(Protocol):
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class EffectOrder:
    """`nearest` has for each effect the indices of those that come before it with nothing in between. All else follows,
    and no smaller relation says the same: equal orders are equal here."""

    effects: tuple[Effect, ...] = ()
    nearest: tuple[tuple[int, ...], ...] = ()
    graph: Drawable | None = field(default=None, compare=False)
    """What the order was read off, to be looked at."""


def applying_effect(changes: Changes, address: AbsResourceInstance) -> Effect:
    """Of what creates, updates or reads."""
    action = changes.resources[address, None].action
    return Effect(str(address), "create" if action.is_replace else str(action))


def removing_effect(changes: Changes, address: AbsResourceInstance, verb: str, deposed: str | None) -> Effect:
    """Of what deletes or forgets. An object that was not deposed when the plan was made is about to be."""
    is_new = deposed is not None and (address, deposed) not in changes.resources
    return Effect(str(address), verb, NEW if is_new else deposed or "")


T = TypeVar("T", bound=Hashable)


def effect_order(
    begins: Mapping[T, Effect],
    ends: Mapping[T, Effect],
    in_order: Iterable[T],
    dependencies: Callable[[T], Iterable[T]],
    graph: Drawable | None = None,
) -> EffectOrder:
    """From a graph without cycles: `in_order` has each vertex after all it waits for. An effect comes before another if
    the vertex it ends with is waited for, in any way, by the one the other begins with.

    Sets are whole numbers, a bit for each effect in the order they end in. So the highest bit of a set is one that no
    other of its members comes after, and the cost is that of the graph's edges and of the answer's."""
    below: dict[T, int] = {}
    numbers: dict[Effect, int] = {}
    before: dict[Effect, int] = {}
    for vertex in in_order:
        bits = 0
        for dependency in dependencies(vertex):
            bits |= below[dependency]
        if vertex in begins:
            before[begins[vertex]] = bits
        if vertex in ends:
            effect = ends[vertex]
            numbers[effect] = len(numbers)
            bits |= 1 << numbers[effect]
        below[vertex] = bits
    ended = list(numbers)
    effects = sorted(ended)
    positions = {effect: position for position, effect in enumerate(effects)}
    nearest = []
    for effect in effects:
        direct = _nearest(before[effect], ended, before)
        nearest.append(tuple(sorted(positions[other] for other in direct)))
    return EffectOrder(tuple(effects), tuple(nearest), graph)


def _nearest(bits: int, ended: Sequence[Effect], before: Mapping[Effect, int]) -> Iterator[Effect]:
    while bits:
        number = bits.bit_length() - 1
        yield ended[number]
        bits &= ~(before[ended[number]] | 1 << number)
