"""The order of side effects that each engine guarantees, compared as relations.

Two engines that did the same in the same order may still differ: one of them may have had no choice, and the other was
lucky. So what is compared is not what happened but what each engine's own graph forces: which effect always comes
before which. A missing edge is found in the first run, whatever its schedule.

Engines that have planned the same must intend the same effects, so that an effect of only one of them is a difference
by itself. Where plans differ, only effects that both have are compared: the others show in the plan already, and
whatever else differs then follows from it. So it is where one of the orders was read off events, and lacks what did not
happen.

What one edge causes is one difference, and so is what edges of one shape cause: the verbs of the two effects, and which
of the two objects uses the other, where the order says so. Pairs that an engine keeps only because evaluation happens
to wait have shapes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from harness.compare.difference import Difference, DifferenceKind
from harness.compare.observations import compare_observations
from harness.observe.event_order import HAPPENED
from harness.observe.instance_keys import without_keys
from harness.observe.json_trees import as_items, as_number, as_object, as_texts
from harness.observe.uses import USES
from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = [
    "CYCLE",
    "FIELD",
    "Constraints",
    "Effect",
    "Pair",
    "add_orders",
    "compare_orders",
    "compare_with_orders",
    "constraints_of",
    "effect_text",
    "missing_shape",
    "pair_text",
    "surplus_shape",
]

FIELD: Final = "order"
CYCLE: Final = "cycle[evaluation]"
_LISTED: Final = 5
"""How many pairs are listed one by one."""

Effect = tuple[str, ...]
"""`(address, verb)`, and a deposed key where there is one."""

Pair = tuple[Effect, Effect]
"""The first always ends before the second begins."""


@record
class Constraints:
    """`before` is transitive."""

    effects: frozenset[Effect]
    before: frozenset[Pair]
    evaluated: frozenset[Pair] = frozenset()
    """Pairs in addition to these that evaluation orders, although the engine's graph does not."""

    uses: frozenset[tuple[str, str]] = frozenset()
    """Resources, each with one that it uses, as far as the engine says so."""

    cycles: tuple[tuple[str, ...], ...] = ()
    """Operations that wait for each other without end, in the engine's notation."""

    def among(self, effects: Collection[Effect]) -> Constraints:
        kept, evaluated = (
            frozenset(pair for pair in pairs if pair[0] in effects and pair[1] in effects)
            for pairs in (self.before, self.evaluated)
        )
        return replace(self, effects=self.effects & frozenset(effects), before=kept, evaluated=evaluated)

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
    before = _pairs(effects, as_items(order["before"]))
    evaluated = as_items(order.get("evaluation"))
    with_evaluation = _pairs(effects, [*as_items(order["before"]), *evaluated]) if evaluated else before
    uses = ((resource, used) for resource, several in as_object(order.get(USES)).items() for used in as_texts(several))
    cycles = tuple(tuple(as_texts(cycle)) for cycle in as_items(order.get("cycles")))
    return Constraints(frozenset(effects), before, with_evaluation - before, frozenset(uses), cycles)


def _pairs(effects: Sequence[Effect], listed: Iterable[Tree]) -> frozenset[Pair]:
    waits: dict[int, list[int]] = {number: [] for number in range(len(effects))}
    for pair in listed:
        first, second = (as_number(number) for number in as_items(pair))
        waits[second].append(first)
    below = _closure(waits)
    return frozenset((effects[first], effects[second]) for second in waits for first in below[second])


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
    """Return a difference for each shape of pairs that are missing, each shape of pairs that are surplus, and a cycle.
    Equality is checked first, and is nearly always the answer."""
    if expected.get(FIELD) == got.get(FIELD):
        return []
    wanted, actual = constraints_of(expected), constraints_of(got)
    if wanted is None or actual is None:
        return []
    cycles = _of_cycles(wanted.cycles, actual.cycles)
    is_complete = not plans_differ and not _lacks_effects(expected) and not _lacks_effects(got)
    if wanted.effects != actual.effects and is_complete:
        return [*cycles, _of_effects(wanted.effects - actual.effects, actual.effects - wanted.effects)]
    common = wanted.effects & actual.effects
    return [*cycles, *_of_pairs(wanted.among(common), actual.among(common))]


def _of_pairs(wanted: Constraints, actual: Constraints) -> Iterator[Difference]:
    """A pair that one side has the other way round is reported with the pair it reverses."""
    missing, surplus = wanted.surplus(actual), actual.surplus(wanted)
    uses = wanted.uses or actual.uses
    shapes: dict[str, list[Pair]] = {}
    for pair in missing:
        shapes.setdefault(missing_shape(pair, actual, uses), []).append(pair)
    for shape, pairs in sorted(shapes.items()):
        reversed_pairs = [(second, first) for first, second in pairs if (second, first) in surplus]
        yield Difference(FIELD, _listed(pairs), _listed(reversed_pairs), shape=shape, kind=DifferenceKind.ORDER)
    shapes = {}
    for pair in surplus:
        if (pair[1], pair[0]) not in missing:
            shapes.setdefault(surplus_shape(pair, uses), []).append(pair)
    for shape, pairs in sorted(shapes.items()):
        yield Difference(FIELD, _listed([]), _listed(pairs), shape=shape, kind=DifferenceKind.ORDER)


def _of_cycles(wanted: Sequence[Sequence[str]], actual: Sequence[Sequence[str]]) -> Iterator[Difference]:
    """Cycles themselves are not compared: numbers of operations mean nothing."""
    if bool(wanted) != bool(actual):
        yield Difference(FIELD, _cycles_text(wanted), _cycles_text(actual), shape=CYCLE, kind=DifferenceKind.ORDER)


def _cycles_text(cycles: Sequence[Sequence[str]]) -> str:
    """Show each cycle as lines, of which each waits for the next and the last for the first."""
    return "\n\n".join("\n".join(cycle) for cycle in cycles) or "no cycle"


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
    """Compare two observations of one step, and the orders in them, where both report one.

    A difference in order comes before everything an apply does, since it may be the cause of that, and after what
    differs in the plan, since that may be its own cause.
    """
    return add_orders(compare(expected, got), expected, got)


def add_orders(found: list[Difference], expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> list[Difference]:
    """Insert the differences in order, if there are any, among the other differences of two observations."""
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


def missing_shape(pair: Pair, actual: Constraints, uses: Collection[tuple[str, str]]) -> str:
    """Return the shape of a pair that is not among those of `actual`."""
    kept = ", kept by evaluation" if pair in actual.evaluated else ""
    return f"constraints[{_shape(pair, uses)}{kept}]"


def surplus_shape(pair: Pair, uses: Collection[tuple[str, str]]) -> str:
    return f"extra constraints[{_shape(pair, uses)}]"


def _shape(pair: Pair, uses: Collection[tuple[str, str]]) -> str:
    """Return the verbs of a pair, and how its objects are related, without names."""
    (address, verb, *_), (other, second, *_) = pair
    return f"{verb} before {second}{_relation(address, other, uses)}"


def _relation(address: str, other: str, uses: Collection[tuple[str, str]]) -> str:
    if address == other:
        return " of one instance"
    first, second = without_keys(address), without_keys(other)
    if (first, second) in uses:
        return " of what it uses"
    return " of its user" if (second, first) in uses else ""
