"""Whether a graph can be run: operands of the right types, references to something that exists, no cycles.

A builder can only produce the last kind of mistake, and a file not even that; the others occur in graphs made by hand,
in tests.

Operations have the names of the graph engine's vertices, such as `terraform_data.a (destroy)`, so that both engines
report a cycle in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from new_engine.execgraph.graph import ExecutionGraph, OperationNode, Ref, RefKind, type_of
from new_engine.execgraph.opcodes import Opcode, operand_problem

__all__ = ["cycles", "operation_names", "problems"]


def problems(graph: ExecutionGraph) -> list[str]:
    """Return everything that is wrong with a graph. Cycles are looked for only if all references and operands are
    right."""
    found = [*_reference_problems(graph)]
    if found:
        return found
    for index, node in enumerate(graph.operations):
        problem = operand_problem(node.opcode, tuple([type_of(operand, graph.operations) for operand in node.operands]))
        if problem is not None:
            found.append(f"{Ref(RefKind.OPERATION, index)}: {problem}")
    if found:
        return found
    looping = cycles(graph)
    names = operation_names(graph) if looping else []
    return [f"Cycle: {', '.join(sorted({names[ref.index] for ref in cycle}))}" for cycle in looping]


def _reference_problems(graph: ExecutionGraph) -> Iterable[str]:
    sizes = {
        RefKind.INSTANCE: len(graph.instances),
        RefKind.PROVIDER: len(graph.providers),
        RefKind.DEPOSED_KEY: len(graph.deposed_keys),
        RefKind.OPERATION: len(graph.operations),
        RefKind.WAITER: len(graph.waiters),
    }
    for index, node in enumerate(graph.operations):
        for operand in node.operands:
            if operand is not None and not 0 <= operand.index < sizes[operand.kind]:
                yield f"{Ref(RefKind.OPERATION, index)} refers to {operand}, which does not exist"
            elif operand is not None and operand.kind is RefKind.OPERATION and operand.index >= index:
                yield f"{Ref(RefKind.OPERATION, index)} takes {operand}, which does not come before it"
    holders: list[tuple[str, Sequence[Ref]]] = [
        *((str(Ref(RefKind.WAITER, index)), members) for index, members in enumerate(graph.waiters)),
        *((f"the result of {instance}", (ref,)) for instance, ref in graph.results.items()),
        *((f"the deletion of {instance}", (ref,)) for (instance, _), ref in graph.deletions.items()),
    ]
    for holder, refs in holders:
        for ref in refs:
            if ref.kind is not RefKind.OPERATION or not 0 <= ref.index < len(graph.operations):
                yield f"{holder} refers to {ref}, which is no operation of the graph"


def cycles(graph: ExecutionGraph) -> list[list[Ref]]:
    """Return the operations of each cycle, in the order they were added. Cycles that share an operation are reported as
    one: which of their edges is wrong is for people to decide."""
    found = []
    for component in graph.waiting_components():
        if len(component) > 1 or component[0] in graph.predecessors(component[0]):
            found.append(sorted(ref for ref in component if ref.kind is RefKind.OPERATION))
    return sorted(found)


def operation_names(graph: ExecutionGraph) -> list[str]:
    """Return a short name for each operation: that of the leg it belongs to. A leg is a delete if its final plan has
    nothing desired, so all operations are examined before any is named."""
    starts: list[int] = []
    verbs: dict[int, str] = {}
    for index, node in enumerate(graph.operations):
        first = node.operands[0]
        assert first is not None, f"the first operand of {node} is never nil"
        starts.append(starts[first.index] if first.kind is RefKind.OPERATION else index)
        if node.opcode is Opcode.FORGET:
            verbs[starts[index]] = "forget"
        elif node.opcode is Opcode.FINAL_PLAN and node.operands[1] is None:
            verbs[starts[index]] = "destroy"
    return [_name(graph, graph.operations[start], verbs.get(start, "")) for start in starts]


def _name(graph: ExecutionGraph, start: OperationNode, verb: str) -> str:
    match start:
        case OperationNode(Opcode.DEPOSED_META, (Ref(index=instance), _, Ref(index=key), _)):
            return f"{graph.instances[instance]} ({verb or 'destroy'} deposed {graph.deposed_keys[key]})"
        case OperationNode(_, (Ref(index=instance), *_)):
            return f"{graph.instances[instance]} ({verb})" if verb else str(graph.instances[instance])
    raise AssertionError(start)
