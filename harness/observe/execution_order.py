"""The order of effects that an execution graph of OpenTofu's new runtime guarantees, and the cycles in it.

An effect is an operation that changes an object. It comes before another if that one waits for it, through whatever
other operations. Two relations are kept apart: what the graph says, and what holds only because evaluating a
configuration waits for values (`evaluation.py`). The runtime does not mean to rely on the second, and it is the second
that can close a cycle: the graph has none, and applying it fails or hangs all the same.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from harness.observe.evaluation import BlockReferences, References
from harness.observe.execution_graph import Operation, RealExecutionGraph, UnreadableGraph, parse_execution_graph
from harness.observe.instance_keys import without_keys
from harness.observe.json_trees import JsonObject
from harness.observe.observation import observed_order
from shared_nodes.operations.graph import components
from shared_nodes.plan.order import NEW, Effect, EffectOrder, effect_order
from shared_nodes.record import record
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["EvaluationCycle", "effect_of", "evaluation_cycles", "order_of_execution_graph"]

_APPLY: Final = "ManagedApply"
_FINAL_PLAN: Final = "ManagedFinalPlan"
_PREPARE_DEPOSE: Final = "ManagedPrepareDepose"
_READ: Final = "DataRead"
_DESIRED: Final = "ResourceInstanceDesired"
_ALREADY_DEPOSED: Final = "ManagedAlreadyDeposed"
_META: Final = ("ResourceInstanceCurrentMeta", "ManagedDesposedMeta", "ManagedDeposedMeta")
"""The runtime spells the name of the second like this."""

_Waits = Callable[[int], Iterable[int]]


def order_of_execution_graph(text: str, references: References | None = None) -> JsonObject | UnreadableGraph:
    """Return the effects of a graph and the pairs it orders, in the form of `observed_order`. With references there may
    be `evaluation` as well, pairs that only evaluation orders, and `cycles`, each as lines of the graph."""
    graph = parse_execution_graph(text)
    if isinstance(graph, UnreadableGraph):
        return graph
    effects = {number: effect for number in graph.operations if (effect := effect_of(graph, number)) is not None}
    own = _order(graph, effects, lambda number: graph.operations[number].needs)
    if own is None:
        return UnreadableGraph("its operations wait for each other, whatever is evaluated")
    tree = observed_order(own)
    if references is None:
        return tree
    cycles = evaluation_cycles(graph, references)
    if cycles:
        return {**tree, "cycles": [[*cycle.lines] for cycle in cycles]}
    whole = _order(graph, effects, _Evaluation(graph, references).waits)
    assert whole is not None, "a graph without cycles has an order"
    added = _added(own, whole)
    return {**tree, "evaluation": added} if added else tree


def effect_of(graph: RealExecutionGraph, number: int) -> Effect | None:
    """Return what an operation does to an object; None if it changes nothing that a plan shows."""
    operation, address = graph.operations[number], graph.addresses.get(number)
    if address is None:
        return None
    if operation.name == _READ:
        return Effect(address, "read")
    if operation.name != _APPLY:
        return None
    deposed = ""
    plan = _taken(graph, operation, 0)
    if plan is not None and plan.name == _PREPARE_DEPOSE:
        deposed = NEW
        plan = _taken(graph, plan, 0)
    if plan is None or plan.name != _FINAL_PLAN:
        return None
    prior = _taken(graph, plan, 2)
    if prior is not None and prior.name == _ALREADY_DEPOSED:
        deposed = prior.arguments[-1].strip('"')
    if plan.is_nil(1):
        return Effect(address, "delete", deposed)
    return Effect(address, "create" if plan.is_nil(2) else "update")


def _taken(graph: RealExecutionGraph, operation: Operation, position: int) -> Operation | None:
    number = operation.taken(position)
    return None if number is None else graph.operations[number]


def _order(graph: RealExecutionGraph, effects: Mapping[int, Effect], waits: _Waits) -> EffectOrder | None:
    """Return the order, or None if there is a cycle."""
    in_order: list[int] = []
    for component in components(graph.operations, waits):
        if len(component) > 1 or component[0] in waits(component[0]):
            return None
        in_order += component
    return effect_order(effects, effects, in_order, waits)


def _added(own: EffectOrder, whole: EffectOrder) -> list[Tree]:
    """Return the nearest pairs of the whole order that do not follow from the graph."""
    before = _closure(own)
    return [
        [JsonNumber(str(first)), JsonNumber(str(second))]
        for second, nearest in enumerate(whole.nearest)
        for first in nearest
        if first not in before(second)
    ]


def _closure(order: EffectOrder) -> Callable[[int], set[int]]:
    def before(effect: int) -> set[int]:
        found: set[int] = set()
        pending = [*order.nearest[effect]]
        while pending:
            number = pending.pop()
            if number not in found:
                found.add(number)
                pending.extend(order.nearest[number])
        return found

    return before


# Evaluation


@record
class EvaluationCycle:
    """Operations that wait for each other in a ring, each for the next one, the last for the first. `values` has for an
    operation the instance whose value it waits for, where it does so because of evaluation."""

    operations: tuple[Operation, ...]
    values: Mapping[int, str]

    @property
    def lines(self) -> tuple[str, ...]:
        """The operations in the engine's own notation; after one that waits for a value, the line with that value."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[str]:
        following = (*self.operations[1:], self.operations[0])
        for operation, awaited in zip(self.operations, following, strict=True):
            yield str(operation)
            if operation.number in self.values:
                yield f"{self.values[operation.number]} = r[{awaited.number}];"


def evaluation_cycles(graph: RealExecutionGraph, references: References) -> tuple[EvaluationCycle, ...]:
    """Return a shortest cycle of each group of operations that can never begin, because evaluation makes them wait for
    each other."""
    evaluation = _Evaluation(graph, references)
    cycles = (
        _cycle(evaluation, _shortest_ring(sorted(component), evaluation.waits))
        for component in components(graph.operations, evaluation.waits)
        if len(component) > 1 or component[0] in evaluation.waits(component[0])
    )
    return tuple(cycle for cycle in cycles if cycle.values)


def _cycle(evaluation: _Evaluation, ring: list[int]) -> EvaluationCycle:
    operations = evaluation.graph.operations
    values: dict[int, str] = {}
    for number, awaited in zip(ring, (*ring[1:], ring[0]), strict=True):
        if awaited not in operations[number].needs:
            values[number] = evaluation.needed_values(number)[awaited]
    return EvaluationCycle(tuple(operations[number] for number in ring), values)


def _shortest_ring(component: list[int], waits: _Waits) -> list[int]:
    rings = [ring for start in component if (ring := _ring_through(start, frozenset(component), waits)) is not None]
    return min(rings, key=len)


def _ring_through(start: int, component: frozenset[int], waits: _Waits) -> list[int] | None:
    paths: deque[list[int]] = deque([[start]])
    seen: set[int] = set()
    while paths:
        path = paths.popleft()
        for number in waits(path[-1]):
            if number == start:
                return path
            if number in component and number not in seen:
                seen.add(number)
                paths.append([*path, number])
    return None


_MODULE: Final = re.compile(r'module\.[\w-]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?\.')


@record
class _Evaluation:
    """What operations wait for if evaluation is taken into account."""

    graph: RealExecutionGraph
    references: References
    _found: dict[int, Mapping[int, str]] = field(default_factory=dict)

    def waits(self, number: int) -> tuple[int, ...]:
        return (*self.graph.operations[number].needs, *self.needed_values(number))

    def needed_values(self, number: int) -> Mapping[int, str]:
        """Return the operations whose values an operation needs for evaluation, each with the instance it is about."""
        if number not in self._found:
            self._found[number] = dict(self._find(number))
        return self._found[number]

    def _find(self, number: int) -> Iterator[tuple[int, str]]:
        operation, address = self.graph.operations[number], self.graph.addresses.get(number, "")
        block = self.references.get(without_keys(address))
        for resource in sorted(_asked(operation, block)) if block is not None else ():
            for other, result in self.graph.results.items():
                if without_keys(other) == resource and _may_meet(address, other):
                    yield result, other


def _asked(operation: Operation, block: BlockReferences) -> frozenset[str]:
    """Return what an operation asks the evaluation for."""
    if operation.name in _META:
        return block.instances
    if operation.name == _DESIRED:
        return block.values
    return block.provider if operation.name in (_FINAL_PLAN, _READ) else frozenset()


def _may_meet(address: str, other: str) -> bool:
    """Return whether one of the two may see the other: in modules that both are in, they are in the same instance."""
    for mine, theirs in zip(_MODULE.findall(address), _MODULE.findall(other), strict=False):
        if mine != theirs:
            return without_keys(mine) != without_keys(theirs)
    return True
