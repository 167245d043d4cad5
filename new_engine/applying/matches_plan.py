"""Whether an execution graph belongs to the plan it came with.

A graph only defines an order; what is done is in the changes of the plan. A file may hold any well-formed graph next to
any changes, and a plan of another engine has none. So before anything is touched, each leg of the graph is compared
with the leg of the change it is about: the same object, the same provider, the operations that such a leg has. The
order itself is trusted: that is what a graph is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from new_engine.execgraph.codec import unusable_graph_problem
from new_engine.execgraph.graph import ExecutionGraph, Ref, RefKind
from new_engine.execgraph.opcodes import Opcode
from new_engine.nodes.leg import Leg, LegKind
from new_engine.planning.legs import legs_of, provider_of_leg
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.change import Action
from shared_nodes.plan.plan import Plan
from shared_nodes.record import record

__all__ = ["graph_mismatch"]

_LegKey = tuple[bool, AbsResourceInstance, str | None]
"""Whether the leg gives the instance its value; and the object it is about."""


@record
class _FoundLeg:
    """A leg as the graph has it: everything its last operation takes, directly or not."""

    operations: range
    is_whole: bool
    """The operations are consecutive, with no others among them."""

    opcodes: frozenset[Opcode]
    instances: frozenset[AbsResourceInstance]
    providers: frozenset[ProviderInstance]
    keys: frozenset[str]


def graph_mismatch(graph: ExecutionGraph | None, plan: Plan, config: ConfigTree) -> Diagnostic | None:
    """Return why a graph cannot be used for a plan, or None. A plan without a graph (`graph` is None) is fine as long
    as there is nothing to do."""
    if graph is None:
        return (
            unusable_graph_problem("there is none, as in plans of another engine")
            if _planned_legs(plan, config, {})
            else None
        )
    for problem in _find_problems(graph, plan, config):
        return unusable_graph_problem(problem)
    return None


def _find_problems(graph: ExecutionGraph, plan: Plan, config: ConfigTree) -> Iterator[str]:
    found = {key: _find_leg(graph, end) for key, end in _leg_ends(graph)}
    planned = _planned_legs(plan, config, found)
    for key, leg in found.items():
        if key not in planned:
            yield f"it has operations for {key[1]} that do not belong to its change"
        elif not _is_as_planned(leg, key, planned[key], plan):
            yield f"its operations for {planned[key]} are not those of the change that is planned"
        elif key[0] and key[1] not in graph.instance_records:
            yield f"it does not say what to record with {key[1]}"
    if sum(len(leg.operations) for leg in found.values()) != len(graph.operations):
        yield "it has operations that belong to no change, or to several"
    if not plan.targets and not plan.excludes:
        for key in planned.keys() - found.keys():
            yield f"it leaves out {planned[key]}"


def _leg_ends(graph: ExecutionGraph) -> Iterator[tuple[_LegKey, Ref]]:
    for instance, end in graph.results.items():
        yield (True, instance, None), end
    for (instance, deposed), end in graph.deletions.items():
        yield (False, instance, deposed), end


def _find_leg(graph: ExecutionGraph, end: Ref) -> _FoundLeg:
    operations = {end.index}
    pending = [end.index]
    operands: list[Ref] = []
    while pending:
        taken = [ref for ref in graph.operations[pending.pop()].operands if ref is not None]
        operands += taken
        for ref in taken:
            if ref.kind is RefKind.OPERATION and ref.index not in operations:
                operations.add(ref.index)
                pending.append(ref.index)
    stretch = range(min(operations), max(operations) + 1)
    return _FoundLeg(
        stretch,
        len(stretch) == len(operations) and end.index == stretch[-1],
        frozenset(graph.operations[index].opcode for index in operations),
        frozenset(graph.instances[ref.index] for ref in operands if ref.kind is RefKind.INSTANCE),
        frozenset(graph.providers[ref.index] for ref in operands if ref.kind is RefKind.PROVIDER),
        frozenset(graph.deposed_keys[ref.index] for ref in operands if ref.kind is RefKind.DEPOSED_KEY),
    )


def _planned_legs(plan: Plan, config: ConfigTree, found: Mapping[_LegKey, _FoundLeg]) -> dict[_LegKey, Leg]:
    """Return the legs of all planned changes. The key under which an object is deposed is the graph's own choice; the
    leg that destroys the object must use the same one."""
    planned: dict[_LegKey, Leg] = {}
    for leg in legs_of(plan.changes, config, str):
        deposed = leg.deposed
        if leg.kind is LegKind.DESTROY and leg.action is Action.CREATE_THEN_DELETE:
            applied = found.get((True, leg.instance, None))
            deposed = next(iter(applied.keys), None) if applied is not None else None
        planned[leg.kind is LegKind.APPLY, leg.instance, deposed] = leg
    return planned


def _is_as_planned(found: _FoundLeg, key: _LegKey, leg: Leg, plan: Plan) -> bool:
    is_own_key = found.keys == {key[2]} if key[2] is not None else len(found.keys) == (leg.deposes is not None)
    return (
        found.is_whole
        and is_own_key
        and found.opcodes - {Opcode.PRIOR} == _expected_opcodes(leg)
        and found.instances == {leg.instance}
        and found.providers == {provider_of_leg(leg, plan.changes, plan.prior_state)}
    )


def _expected_opcodes(leg: Leg) -> set[Opcode]:
    """Return the operations of such a leg. Whether it also looks up an existing object does not matter here."""
    if leg.kind is LegKind.APPLY:
        if not leg.is_managed:
            return {Opcode.CURRENT_META, Opcode.DESIRED, Opcode.DATA_READ}
        usual = {Opcode.CURRENT_META, Opcode.DESIRED, Opcode.FINAL_PLAN, Opcode.APPLY}
        return usual if leg.deposes is None else usual | {Opcode.PERFORM_DEPOSE}
    meta = Opcode.CURRENT_META if leg.deposed is None else Opcode.DEPOSED_META
    if leg.kind is LegKind.FORGET:
        return {meta, Opcode.FORGET}
    removal = {meta, Opcode.FINAL_PLAN, Opcode.APPLY}
    return removal if leg.deposed is None else removal | {Opcode.ALREADY_DEPOSED}
