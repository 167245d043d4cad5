"""The order of side effects that an engine guarantees under every schedule: which of them always comes before which.

An effect is something that happens to one object: it is created, updated, read, deleted or forgotten. An unchanged
object with conditions counts as well, because a failed condition stops whatever waits for the object. Each engine
derives the order from its own structures and reports it in this form, so that orders can be compared as relations. A
missing edge shows up at once in that comparison; in a run it would take an unlucky schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, Protocol, TypeVar

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.plan.change import Changes
from shared_nodes.record import record

__all__ = ["NEW", "Drawable", "Effect", "EffectOrder", "applying_effect", "effect_order", "removing_effect"]

NEW: Final = "new"
"""A placeholder for the key of an object that this apply itself deposes. That key is random, and there is at most
one."""


@record(order=True)
class Effect:
    """An effect on one object. `verb` is create, update, read, delete, forget or no-op. `deposed` is the key of a
    deposed object, empty for the current one."""

    address: str
    verb: str
    deposed: str = ""

    def __str__(self) -> str:
        """Format like the name of a vertex or leg: `terraform_data.a (delete deposed 1a2b3c4d)`."""
        return f"{self.address} ({self.verb}{f' deposed {self.deposed}' if self.deposed else ''})"


class Drawable(Protocol):
    def text(self) -> str: ...


@record
class EffectOrder:
    """An order of effects. `nearest` has for each effect the indices of those that come immediately before it.
    Everything else follows from these, and no smaller relation has the same closure, so equal orders compare equal."""

    effects: tuple[Effect, ...] = ()
    nearest: tuple[tuple[int, ...], ...] = ()
    graph: Drawable | None = field(default=None, compare=False)
    """The graph from which the order was derived, for inspection."""


def applying_effect(changes: Changes, address: AbsResourceInstance) -> Effect:
    """Return the effect of creating, updating or reading an object."""
    action = changes.resources[address, None].action
    return Effect(str(address), "create" if action.creates else str(action))


def removing_effect(changes: Changes, address: AbsResourceInstance, verb: str, deposed: str | None) -> Effect:
    """Return the effect of deleting or forgetting an object. A deposed key that the plan does not have is one that this
    apply chooses, so it is replaced by `NEW`."""
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
    """Derive the order from an acyclic graph. `in_order` yields each vertex after everything it waits for. An effect
    comes before another if the vertex with which the other begins waits, directly or not, for the vertex with which it
    ends.

    Sets are integers with one bit per effect, numbered in the order in which effects end. So no other member of a set
    comes after the one with the highest bit, and the cost is proportional to the edges of the graph and of the result.
    """
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
        direct = _find_nearest(before[effect], ended, before)
        nearest.append(tuple(sorted(positions[other] for other in direct)))
    return EffectOrder(tuple(effects), tuple(nearest), graph)


def _find_nearest(bits: int, ended: Sequence[Effect], before: Mapping[Effect, int]) -> Iterator[Effect]:
    while bits:
        number = bits.bit_length() - 1
        yield ended[number]
        bits &= ~(before[ended[number]] | 1 << number)
