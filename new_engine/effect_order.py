"""The order of effects, read off an execution graph: a leg begins when its waiter is done, and its last operation is
its effect.

What evaluation waits for adds nothing to it: a leg's waiter has all that its block's surroundings need.
"""

from __future__ import annotations

from new_engine.execgraph.graph import ExecutionGraph, Ref, RefKind
from new_engine.execgraph.opcodes import Opcode
from shared_nodes.plan.change import Changes
from shared_nodes.plan.order import EffectOrder, applying_effect, effect_order, removing_effect

__all__ = ["effect_order_of"]


def effect_order_of(graph: ExecutionGraph, changes: Changes) -> EffectOrder:
    """The graph must have no cycle."""
    ends = {ref: applying_effect(changes, instance) for instance, ref in graph.results.items()}
    for (instance, key), ref in graph.deletions.items():
        is_forgotten = graph.operations[ref.index].opcode is Opcode.FORGET
        ends[ref] = removing_effect(changes, instance, "forget" if is_forgotten else "delete", key)
    begins = {_beginning(graph, ref): effect for ref, effect in ends.items()}
    return effect_order(begins, ends, graph.order(), graph.predecessors, graph)


def _beginning(graph: ExecutionGraph, end: Ref) -> Ref:
    """Back from what each operation takes first to the one that has the waiter. A leg that deposes begins a second
    time, with what it has put aside. Looking up an object waits for nothing and changes nothing, so it is no beginning.
    """
    ref = end
    while True:
        operation = graph.operations[ref.index]
        taken = operation.operands[2 if operation.opcode is Opcode.CURRENT_META else 0]
        if taken is None or taken.kind is not RefKind.OPERATION or _is_prior(graph, taken):
            return ref
        ref = taken


def _is_prior(graph: ExecutionGraph, ref: Ref) -> bool:
    return graph.operations[ref.index].opcode is Opcode.PRIOR
