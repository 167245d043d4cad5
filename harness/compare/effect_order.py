"""The order of side effects that each engine guarantees, compared as relations.

Two engines that did the same in the same order may still differ: one of them may have had no choice, and the other was
lucky. So what is compared is not what happened but what each engine's own graph forces: which effect always comes
before which. A missing edge is found in the first run, whatever its schedule.

Engines that have planned the same must intend the same effects, so that an effect of only one of them is a difference
by itself. Where plans differ, only effects that both have are compared: the others show in the plan already, and
whatever else differs then follows from it. So it is where one of the orders was read off events, and lacks what did not
happen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from harness.compare.difference import Difference, DifferenceKind
from harness.compare.observations import compare_observations
from harness.observe.event_order import HAPPENED
from harness.observe.json_trees import as_items, as_number, as_object, as_texts
from shared_nodes.values.json import Tree

__all__ = [
    "FIELD",
    "Constraints",
    "Effect",
    "Pair",
    "add_orders",
    "compare_orders",
    "compare_with_orders",
    "constraints_of",
    "effect_text",
    "pair_text",
]

FIELD: Final = "order"
_LISTED: Final = 5
"""How many pairs are listed one by one."""

Effect = tuple[str, ...]
"""`(address, verb)`, and a deposed key where there is one."""

Pair = tuple[Effect, Effect]
"""The first always ends before the second begins."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """`before` is transitive."""

    effects: frozenset[Effect]
    before: frozenset[Pair]

    def among(self, effects: Collection[Effect]) -> Constraints:
        kept = frozenset(pair for pair in self.before if pair[0] in effects and pair[1] in effects)
        return Constraints(self.effects & frozenset(effects), kept)

    @property
    def nearest(self) -> list[Pair]:
        """The pairs with no effect in between, sorted: all others follow from these."""
        after: dict[Effect, set[Effect]] = {}
        for first, second in self.before:
            after.setdefault(first, set()).add(second)
        return sorted(
            (first, second)
            for first, second in self.before
            if not any(second in after.get(between, ()) for between in after[first])
        )

    def surplus(self, other: Constraints) -> list[Pair]:
        """Return the pairs that the other relation lacks, without those that follow from other pairs of this one: a
        missing edge does not cause a hundred differences."""
        return [pair for pair in self.nearest if pair not in other.before]


def constraints_of(observation: Mapping[str, Tree]) -> Constraints | None:
    """Return None if the engine does not report an order, or nothing was applied."""
    order = observation.get(FIELD)
    if not isinstance(order, dict):
        return None
    effects: list[Effect] = [tuple(as_texts(effect)) for effect in as_items(order["effects"])]
    waits: dict[int, list[int]] = {number: [] for number in range(len(effects))}
    for pair in as_items(order["before"]):
        first, second = (as_number(number) for number in as_items(pair))
        waits[second].append(first)
    below = _closure(waits)
    pairs = ((effects[first], effects[second]) for second in waits for first in below[second])
    return Constraints(frozenset(effects), frozenset(pairs))


def _closure(waits: Mapping[int, Iterable[int]]) -> dict[int, frozenset[int]]:
    """Return everything that each effect waits for. Not recursive, since a chain may be long."""
    below: dict[int, frozenset[int]] = {}
    pending = list(waits)
    while pending:
        number = pending[-1]
        missing = [other for other in waits[number] if other not in below]
        if missing and number not in below:
            pending.extend(missing)
            continue
        pending.pop()
        below[number] = frozenset(waits[number]).union(*(below[other] for other in waits[number]))
    return below


def compare_orders(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], *, plans_differ: bool = False
) -> list[Difference]:
    """Return one difference at most. Equality is checked first, and is nearly always the answer."""
    if expected.get(FIELD) == got.get(FIELD):
        return []
    wanted, actual = constraints_of(expected), constraints_of(got)
    if wanted is None or actual is None:
        return []
    is_complete = not plans_differ and not _lacks_effects(expected) and not _lacks_effects(got)
    if wanted.effects != actual.effects and is_complete:
        return [_of_effects(wanted.effects - actual.effects, actual.effects - wanted.effects)]
    common = wanted.effects & actual.effects
    wanted, actual = wanted.among(common), actual.among(common)
    missing, surplus = wanted.surplus(actual), actual.surplus(wanted)
    if not missing and not surplus:
        return []
    shape = f"constraints[{min(map(_shape, missing or surplus))}]"
    return [Difference(FIELD, _listed(missing), _listed(surplus), shape=shape, kind=DifferenceKind.ORDER)]


def _lacks_effects(observation: Mapping[str, Tree]) -> bool:
    return as_object(observation.get(FIELD)).get(HAPPENED) is True


def _of_effects(missing: Collection[Effect], surplus: Collection[Effect]) -> Difference:
    verbs = ", ".join(sorted({effect[1] for effect in missing or surplus}))
    return Difference(FIELD, _effects(missing), _effects(surplus), shape=f"effects[{verbs}]", kind=DifferenceKind.ORDER)


def _effects(effects: Collection[Effect]) -> str:
    return "; ".join(sorted(map(effect_text, effects))) or "nothing more"


def compare_with_orders(
    expected: Mapping[str, Tree],
    got: Mapping[str, Tree],
    compare: Callable[[Mapping[str, Tree], Mapping[str, Tree]], list[Difference]] = compare_observations,
) -> list[Difference]:
    """Compare two observations of one step, and the orders in them.

    A difference in order comes before everything an apply does, since it may be the cause of that, and after what
    differs in the plan, since that may be its own cause.
    """
    return add_orders(compare(expected, got), expected, got)


def add_orders(found: list[Difference], expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> list[Difference]:
    """Insert the difference in order, if there is one, among the other differences of two observations."""
    planning = [each for each in found if each.field.startswith("plan")]
    rest = [each for each in found if each not in planning]
    orders = compare_orders(expected, got, plans_differ=bool(planning))
    return [*planning, *orders, *rest] if orders else found


def pair_text(pair: Pair) -> str:
    return f"{effect_text(pair[0])} before {effect_text(pair[1])}"


def effect_text(effect: Effect) -> str:
    address, verb, *deposed = effect
    return f"{address} ({verb}{f' deposed {deposed[0]}' if deposed else ''})"


def _listed(pairs: list[Pair]) -> str:
    rest = len(pairs) - _LISTED
    more = f"; and {rest} more" if rest > 0 else ""
    return "; ".join(map(pair_text, pairs[:_LISTED])) + more or "no order between them"


def _shape(pair: Pair) -> str:
    """Return the verbs of a pair, and whether it is about one instance, without names."""
    (address, verb, *_), (other, second, *_) = pair
    return f"{verb} before {second}{' of one instance' if address == other else ''}"
