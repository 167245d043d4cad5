"""The order of effects that an execution graph guarantees: a leg begins when its waiter is done, and its last operation
is its effect.

What evaluation waits for adds nothing to that: the waiter of a leg has everything that the surroundings of its block
need.
"""

from __future__ import annotations

from new_engine.execgraph.graph import ExecutionGraph, Ref, RefKind
from new_engine.execgraph.opcodes import Opcode
from shared_nodes.plan.change import Changes
from shared_nodes.plan.order import EffectOrder, applying_effect, effect_order, removing_effect

__all__ = ["effect_order_of"]


def effect_order_of(graph: ExecutionGraph, changes: Changes) -> EffectOrder:
    """Return the order of effects of a graph without cycles."""
    ends = {ref: applying_effect(changes, instance) for instance, ref in graph.results.items()}
    for (instance, key), ref in graph.deletions.items():
        is_forgotten = graph.operations[ref.index].opcode is Opcode.FORGET
        ends[ref] = removing_effect(changes, instance, "forget" if is_forgotten else "delete", key)
    begins = {_beginning(graph, ref): effect for ref, effect in ends.items()}
    return effect_order(begins, ends, graph.order(), graph.predecessors, graph)


def _beginning(graph: ExecutionGraph, end: Ref) -> Ref:
    """Follow the first operands back to the operation that has the waiter. A leg that deposes begins a second time,
    with the object it has deposed. Looking up an object waits for nothing and changes nothing, so it is not a
    beginning."""
    ref = end
    while True:
        operation = graph.operations[ref.index]
        taken = operation.operands[2 if operation.opcode is Opcode.CURRENT_META else 0]
        if taken is None or taken.kind is not RefKind.OPERATION or _is_prior(graph, taken):
            return ref
        ref = taken


def _is_prior(graph: ExecutionGraph, ref: Ref) -> bool:
    return graph.operations[ref.index].opcode is Opcode.PRIOR
