"""The order of side effects that an engine guarantees: for each two legs of a plan, whether one always ends before the
other begins.

A leg is one effect on one object: a create, update or read, a destroy, or dropping it from the state. Both engines use
the same names for legs, so their orders can be compared as sets of pairs. Unlike runs, this is exact: an order that a
hundred schedules have never shown may still be possible.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from legacy_engine.api import plan as legacy_plan
from legacy_engine.apply import build_apply_graph
from legacy_engine.nodes.instance import ApplyInstance, DestroyDeposed, DestroyInstance, ForgetDeposed, ForgetInstance
from new_engine.api import plan as new_plan
from new_engine.discovery.compile import compile_configuration
from new_engine.discovery.dependencies import Dependencies
from new_engine.execgraph.check import operation_names
from new_engine.execgraph.codec import load
from new_engine.execgraph.graph import ExecutionGraph, Ref, RefKind
from new_engine.execgraph.opcodes import Opcode
from new_engine.nodes.leg import ResultNode
from new_engine.nodes.node import Node
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.operations.engine import EngineRequest, PlanResult
from shared_nodes.operations.plan_apply import apply_input
from shared_nodes.operations.session import Session, open_session
from shared_nodes.plan.plan import Plan

__all__ = ["Order", "legacy_order", "new_order"]

_LEGS: Final = ApplyInstance | DestroyInstance | DestroyDeposed | ForgetInstance | ForgetDeposed


@dataclass(frozen=True, slots=True)
class Order:
    """The guaranteed order of one plan.

    `before` contains (a, b) if b never begins before a has ended, directly or transitively. `problems` are the errors
    because of which there is no order. `plan` is kept for applying it.
    """

    legs: frozenset[str] = frozenset()
    before: frozenset[tuple[str, str]] = frozenset()
    problems: tuple[str, ...] = ()
    plan: Plan | None = None

    def __eq__(self, other: object) -> bool:
        """Compare without the plan, in which the engines generate different keys."""
        if not isinstance(other, Order):
            return NotImplemented
        return (self.legs, self.before, self.problems) == (other.legs, other.before, other.problems)

    def __hash__(self) -> int:
        return hash((self.legs, self.before, self.problems))

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of legs without their objects, to check what the rows of a table cover."""
        return frozenset(leg.partition(" ")[2] for leg in self.legs)


async def legacy_order(request: EngineRequest) -> Order:
    """Return the order by reachability in the graph that an apply would walk."""
    return await _order(request, legacy_plan, _reachable_vertices)


async def new_order(request: EngineRequest) -> Order:
    """Return the order by the edges of the execution graph, and check that expressions add no other waits."""
    return await _order(request, new_plan, _preceding_operations)


async def _order(
    request: EngineRequest,
    make_plan: Callable[[EngineRequest], Awaitable[PlanResult]],
    read: Callable[[Session, Plan], tuple[Iterable[str], Iterable[tuple[str, str]]]],
) -> Order:
    result = await make_plan(request)
    unkeyed = _make_key_mask(request)
    errors = sorted(unkeyed(problem.summary) for problem in result.diagnostics if has_errors([problem]))
    if result.plan is None or errors:
        return Order(problems=tuple(map(_sorted_members, errors)), plan=result.plan)
    session, problems = open_session(request, request.state, request.world.now())
    assert session is not None, problems
    legs, before = read(session, result.plan)
    names = {leg: unkeyed(leg) for leg in legs}
    return Order(frozenset(names.values()), frozenset((names[a], names[b]) for a, b in before), plan=result.plan)


def _make_key_mask(request: EngineRequest) -> Callable[[str], str]:
    """Return a function that masks generated deposed keys, which differ in every run, but not those of the state."""
    known = {key for _, instance in request.state.instances() for key in instance.deposed}
    pattern = re.compile(r"(?<=deposed )[0-9a-f]{8}")
    return lambda text: pattern.sub(lambda key: key[0] if key[0] in known else "NEW", text)


def _sorted_members(summary: str) -> str:
    """Sort the members of a cycle again, because they were sorted with the keys that are masked now."""
    kind, separator, members = summary.partition(": ")
    return f"{kind}{separator}{', '.join(sorted(members.split(', ')))}"


def _reachable_vertices(session: Session, plan: Plan) -> tuple[Iterable[str], Iterable[tuple[str, str]]]:
    graph, problems = build_apply_graph(session, plan)
    assert not has_errors(problems), problems
    legs = [vertex for vertex in graph if isinstance(vertex, _LEGS)]
    below = _below(legs, (vertex for (vertex,) in graph.components()), graph.dependencies)
    return [leg.name for leg in legs], [(other.name, leg.name) for leg in legs for other in _members(legs, below[leg])]


def _preceding_operations(session: Session, plan: Plan) -> tuple[Iterable[str], Iterable[tuple[str, str]]]:
    graph = ExecutionGraph() if plan.execution is None else load(plan.execution_tree)
    assert isinstance(graph, ExecutionGraph), graph
    names = operation_names(graph)
    own = _operations_of_legs(graph, names)
    ends = {members[-1]: leg for leg, members in own.items()}
    legs = list(ends)
    below = _below(legs, graph.order(), graph.predecessors)
    before = set()
    for leg, members in own.items():
        waited = [below[ref] for ref in members]
        assert set(waited) == {waited[-1]}, f"{leg} waits for others when it has begun already"
        before |= {(ends[end], leg) for end in _members(legs, waited[-1])}
    surplus = _evaluation_waits(session, plan, graph, names) - before
    assert not surplus, f"expressions wait for what operations do not: {sorted(surplus)}"
    return own, before


def _operations_of_legs(graph: ExecutionGraph, names: Sequence[str]) -> dict[str, list[Ref]]:
    """Return the operations per leg, in order, without the lookup of the prior object, which has no effect."""
    found: dict[str, list[Ref]] = defaultdict(list)
    for index, name in enumerate(names):
        if graph.operations[index].opcode is not Opcode.PRIOR:
            found[name].append(Ref(RefKind.OPERATION, index))
    return found


T = TypeVar("T", bound=Hashable)


def _below(legs: Sequence[T], order: Iterable[T], dependencies: Callable[[T], Iterable[T]]) -> dict[T, int]:
    """Return, for each node in the order, the legs it waits for, directly or transitively, as one bit per leg."""
    own = {leg: 1 << number for number, leg in enumerate(legs)}
    found: dict[T, int] = {}
    for each in order:
        bits = 0
        for dependency in dependencies(each):
            bits |= found[dependency] | own.get(dependency, 0)
        found[each] = bits
    return found


def _members(legs: Sequence[T], bits: int) -> list[T]:
    return [legs[number] for number, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]


def _evaluation_waits(session: Session, plan: Plan, graph: ExecutionGraph, names: list[str]) -> set[tuple[str, str]]:
    """Return pairs of legs of which the second waits for the first through its block, its module or its provider."""
    table, problems = compile_configuration(session, apply_input(session, plan), results=graph.results.items())
    assert not has_errors(problems), problems
    legs = {instance: names[ref.index] for instance, ref in graph.results.items()}
    found = set()
    for index, operation in enumerate(graph.operations):
        if operation.opcode is Opcode.CURRENT_META or operation.opcode is Opcode.DEPOSED_META:
            nodes = _needed(Dependencies(table), graph, operation.operands, is_desired=names[index] in legs.values())
            found |= {(legs[node.instance], names[index]) for node in nodes}
    return {(one, other) for one, other in found if one != other}


def _needed(
    dependencies: Dependencies, graph: ExecutionGraph, operands: tuple[Ref | None, ...], *, is_desired: bool
) -> set[ResultNode]:
    assert operands[0] is not None
    assert operands[1] is not None
    instance, provider = graph.instances[operands[0].index], graph.providers[operands[1].index]
    table = dependencies.table
    pending: list[Node] = [*table.provider_of(provider.config)]
    declared = table.declared(instance)
    if is_desired:
        assert declared is not None
        pending += [*table.calls_around(declared.module), *table.apply_waits(instance, declared)]
    seen = set(pending)
    while pending:
        for node in dependencies.of(pending.pop()):
            if node not in seen:
                seen.add(node)
                pending.append(node)
    return {node for node in seen if isinstance(node, ResultNode)}
