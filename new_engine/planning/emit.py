"""The second pass of planning: from what was decided for each object to the graph that carries it out.

It is sequential and in order of address, so that equal plans give equal graphs, byte for byte.

    legs        the halves of the changes                             legs.py
    order       the order of legs, besides what is referred to        leg_order.py
    drop        what the apply will not need, and what targets leave out
    contract    which legs each leg waits for, through everything in between
    emit        operations for each leg, with a waiter at the first of them
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from new_engine.compat.exact_dependencies.origins import ValueOrigins
from new_engine.discovery.compile import compile_configuration
from new_engine.discovery.dependencies import Dependencies, Reach
from new_engine.discovery.node_table import NodeTable
from new_engine.execgraph.builder import GraphBuilder
from new_engine.execgraph.graph import ExecutionGraph, Ref, WaiterRef
from new_engine.nodes.leg import LegKind, LegNode
from new_engine.nodes.node import Node
from new_engine.nodes.resource import ApplyResource
from new_engine.nodes.values import OutputNode, VariableRules
from new_engine.planning.cycles import report_self_references
from new_engine.planning.leg_order import Edges, order_legs
from new_engine.planning.legs import legs_of, provider_of_leg
from new_engine.planning.prune import is_lasting, prune_unused
from new_engine.planning.scale_in import update_dependents_first
from new_engine.planning.targets import selected_nodes
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.analysis import ConfigAnalysis
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.deposed import new_deposed_key
from shared_nodes.operations.graph import cycle_error
from shared_nodes.operations.plan_apply import apply_input
from shared_nodes.operations.session import Session
from shared_nodes.plan.change import Changes
from shared_nodes.plan.plan import Plan

__all__ = ["build_execution_graph"]


def build_execution_graph(
    session: Session, plan: Plan, origins: ValueOrigins | None = None
) -> tuple[ExecutionGraph | None, list[Diagnostic]]:
    """Return the graph that carries out a plan, or the reasons why that is impossible. If `origins` is given, instances
    wait for those their values were computed from, and for no others."""
    request = session.request
    new_key = partial(new_deposed_key, request.world, plan.prior_state)
    table, problems = compile_configuration(
        session, apply_input(session, plan), legs_of(plan.changes, request.config, new_key)
    )
    if problems:
        return None, problems
    legs = [node for node in table.nodes if isinstance(node, LegNode)]
    unordered = Dependencies(table)
    creating_first = _find_creating_first(unordered, legs)
    ordered = unordered.with_order(_order(unordered, legs, origins))
    dependencies = prune_unused(ordered)
    selected = set(selected_nodes(dependencies))
    cycles = _find_cycles(dependencies, selected)
    if cycles:
        return None, cycles
    kept = [node for node in legs if node in selected]
    graph = _Emission(
        dependencies, ordered.analysis, plan.changes, kept, creating_first=creating_first, origins=origins
    ).emit()
    if plan.targets or plan.excludes:
        lasting = [node for node in selected if is_lasting(node)]
        outputs = frozenset(node.block.name for node in lasting if isinstance(node, OutputNode))
        rules = frozenset(node.name for node in lasting if isinstance(node, VariableRules))
        graph = replace(graph, outputs=outputs, rules=rules)
    return graph, []


def _find_creating_first(dependencies: Dependencies, legs: Sequence[LegNode]) -> set[LegNode]:
    """Return legs whose objects are recorded as replaced by creating first: their own blocks say so, or those of
    something that waits for them. Which edges count is fixed before the order of destroying adds its own."""
    table = dependencies.table
    flavour = table.flavour
    initial: list[Node] = [leg for leg in legs if _is_destroyed_last(table, leg)]
    initial += [leg for leg in legs if leg.leg.kind is LegKind.APPLY and _block_creates_first(leg)]
    if flavour.replacement_keeps_create_before_destroy:
        initial += [leg for leg in legs if leg.leg.kind is LegKind.APPLY and leg.leg.deposes is not None]
    if flavour.unchanged_dependents_create_first:
        resources = (node for node in table.nodes if isinstance(node, ApplyResource))
        initial += [node for node in resources if node.block.lifecycle.create_before_destroy]
    if not initial:
        return set()
    below = dependencies.reach.all_below(initial)
    return {leg for leg in legs if leg.leg.kind is LegKind.APPLY and leg in below}


def _block_creates_first(leg: LegNode) -> bool:
    return leg.block is not None and bool(leg.block.lifecycle.create_before_destroy)


def _is_destroyed_last(table: NodeTable, leg: LegNode) -> bool:
    """Whether destroying comes last. It does for a deposed object: that is why it is deposed. For any other, the record
    of the object decides: its block may be gone, and where the order was forced by a dependent, only the record shows
    it."""
    if leg.leg.kind is not LegKind.DESTROY:
        return False
    if leg.leg.deposed is not None:
        return True
    current = table.state.current(leg.instance)
    return _block_creates_first(leg) if current is None else current.create_before_destroy


def _order(dependencies: Dependencies, legs: Sequence[LegNode], origins: ValueOrigins | None) -> Edges:
    table = dependencies.table
    recorded = _recorded_dependencies(dependencies, legs, origins)
    edges = order_legs(
        legs,
        recorded,
        lambda leg: _is_destroyed_last(table, leg),
        lambda one, other, so_far: not table.is_destroying and _is_reachable(dependencies, so_far, one, other),
    )
    if table.profile.dependents_updated_first:
        edges = update_dependents_first(
            edges, recorded, lambda one, other, so_far: _is_reachable(dependencies, so_far, one, other)
        )
    applies = [leg for leg in legs if leg.leg.kind is LegKind.APPLY]
    managed = [leg for leg in applies if leg.leg.is_managed]
    for leg in applies:
        if leg.belongs_to_check:
            edges[leg].update(dict.fromkeys(managed))
    return edges


def _recorded_dependencies(
    dependencies: Dependencies, legs: Sequence[LegNode], origins: ValueOrigins | None
) -> Mapping[LegNode, tuple[ConfigResource, ...]]:
    """Return the dependencies of each leg's object. Those recorded with an object hold as long as it exists. A new
    object has those of the configuration."""
    if not any(leg.is_removal for leg in legs):
        return {}
    found = {}
    for leg in legs:
        current = dependencies.table.state.current(leg.instance)
        if current is not None:
            found[leg] = current.dependencies
        elif leg.leg.kind is LegKind.APPLY and leg.declared is not None:
            facts = dependencies.analysis.of(leg.address)
            found[leg] = facts.dependencies if origins is None else origins.dependencies(leg.instance)
        else:
            found[leg] = ()
    return found


def _is_reachable(dependencies: Dependencies, so_far: Edges, one: LegNode, other: LegNode) -> bool:
    pending: list[Node] = [one]
    seen: set[Node] = {one}
    while pending:
        node = pending.pop()
        if node is other:
            return True
        nexts = [*dependencies.of(node), *(so_far.get(node, ()) if isinstance(node, LegNode) else ())]
        pending += [found for found in nexts if found not in seen]
        seen.update(nexts)
    return False


def _find_cycles(dependencies: Dependencies, selected: Collection[Node]) -> list[Diagnostic]:
    """Report cycles, before the plan is approved: a plan that succeeded must be possible to apply. A selected node
    brings along everything it waits for, so that a cycle is selected as a whole or not at all."""
    found = [
        cycle_error(sorted(_member_names(component)))
        for component in dependencies.reach.components
        if len(component) > 1 and any(node in selected for node in component)
    ]
    return found + report_self_references(
        node for node in selected if isinstance(node, LegNode) and node in dependencies.before(node)
    )


def _member_names(component: Iterable[Node]) -> list[str]:
    """Return the names of a cycle. Data of a check waits for all managed legs; in the original it does so through a
    vertex of its own, which is then a member of every such cycle."""
    names = [node.name for node in component]
    applies = [node for node in component if isinstance(node, LegNode) and node.leg.kind is LegKind.APPLY]
    if any(leg.belongs_to_check for leg in applies) and any(leg.leg.is_managed for leg in applies):
        names.append("(execute checks)")
    return names


class _Emission:
    """The operations of each leg. A leg that destroys what another leg replaces comes before or after it because of its
    waiter alone, so the order of emission is that of addresses."""

    __slots__ = (
        "_analysis",
        "_builder",
        "_changes",
        "_creating_first",
        "_dependencies",
        "_ends",
        "_legs",
        "_origins",
        "_waiters",
    )

    def __init__(
        self,
        dependencies: Dependencies,
        analysis: ConfigAnalysis,
        changes: Changes,
        legs: Sequence[LegNode],
        *,
        creating_first: set[LegNode],
        origins: ValueOrigins | None,
    ) -> None:
        """Prepare to emit. `analysis` is that of all nodes: what was dropped since takes part in no order, but objects
        depend on it."""
        self._dependencies = dependencies
        self._analysis = analysis
        self._changes = changes
        self._legs = legs
        self._creating_first = creating_first
        self._origins = origins
        self._builder = GraphBuilder()
        self._waiters: dict[int, WaiterRef] = {}
        self._ends: list[Ref] = []

    def emit(self) -> ExecutionGraph:
        waits = _contract(self._dependencies.reach, self._legs)
        if self._origins is not None:
            waits = {**waits, **_contract_exactly(self._dependencies, self._legs, self._origins)}
        for leg in self._legs:
            end = self._emit(leg, self._waiter(waits[leg]))
            self._ends.append(end)
            if leg.leg.kind is LegKind.APPLY:
                self._builder.set_result(leg.instance, end)
                self._record_instance(leg)
            else:
                self._builder.set_deletion(leg.instance, leg.leg.deposed, end)
        for bits, waiter in self._waiters.items():
            for index in _members(bits):
                self._builder.add(waiter, self._ends[index])
        self._record_resources()
        return self._builder.finish()

    def _record_instance(self, leg: LegNode) -> None:
        self._builder.record_instance(
            leg.instance,
            create_before_destroy=leg in self._creating_first,
            dependencies=None if self._origins is None else self._origins.dependencies(leg.instance),
        )

    def _waiter(self, bits: int) -> WaiterRef:
        """Return a waiter for a set of legs. Legs that wait for the same set share one: with many instances the lists
        would outgrow everything else."""
        if bits not in self._waiters:
            self._waiters[bits] = self._builder.waiter()
        return self._waiters[bits]

    def _emit(self, leg: LegNode, waiter: WaiterRef) -> Ref:
        builder, instance = self._builder, leg.instance
        provider = provider_of_leg(leg.leg, self._changes, self._dependencies.table.state)
        if leg.leg.kind is LegKind.APPLY:
            return self._emit_apply(leg, provider, waiter)
        if leg.leg.deposed is not None:
            meta = builder.deposed_meta(instance, provider, leg.leg.deposed, waiter)
            if leg.leg.kind is LegKind.FORGET:
                return builder.forget(meta)
            return builder.apply(builder.final_plan(meta, None, builder.already_deposed(meta)))
        prior = builder.prior(instance)
        meta = builder.current_meta(instance, provider, prior, waiter)
        if leg.leg.kind is LegKind.FORGET:
            return builder.forget(meta)
        return builder.apply(builder.final_plan(meta, None, prior))

    def _emit_apply(self, leg: LegNode, provider: ProviderInstance, waiter: WaiterRef) -> Ref:
        builder, instance = self._builder, leg.instance
        has_object = self._dependencies.table.state.current(instance) is not None
        prior = builder.prior(instance) if has_object else None
        meta = builder.current_meta(instance, provider, prior, waiter)
        desired = builder.desired(meta)
        if instance.resource.mode is ResourceMode.DATA:
            return builder.data_read(meta, desired)
        if leg.leg.deposes is None:
            return builder.apply(builder.final_plan(meta, desired, prior))
        deposed = builder.perform_depose(meta, desired, leg.leg.deposes)
        meta = builder.current_meta(instance, provider, deposed, self._waiter(0))
        return builder.apply(builder.final_plan(meta, desired, None), deposed)

    def _record_resources(self) -> None:
        """Record the references of everything a changing resource depends on, so that all dependencies can be computed
        again."""
        analysis = self._analysis
        pending = list(dict.fromkeys(leg.address for leg in self._legs if leg.leg.kind is LegKind.APPLY))
        found: dict[ConfigResource, tuple[ConfigResource, ...]] = {}
        while pending:
            address = pending.pop()
            if address not in found and address in analysis.resources:
                found[address] = analysis.of(address).direct
                pending.extend(found[address])
        for address in sorted(found, key=str):
            self._builder.record_resource(address, found[address])


def _contract(reach: Reach, legs: Sequence[LegNode]) -> Mapping[LegNode, int]:
    """For each leg, return the legs it waits for, directly or through nodes that are not legs, as one bit each. A leg
    that another one of them waits for anyway is left out: in a chain, that applies to all but the last leg before
    it."""
    own: dict[Node, int] = {leg: 1 << index for index, leg in enumerate(legs)}
    nearest: dict[Node, int] = {}
    implied: dict[Node, int] = {}
    for (node,) in reach.components:
        found = further = 0
        for dependency in reach.dependencies[node]:
            bit = own.get(dependency, 0)
            found |= bit or nearest[dependency]
            further |= implied[dependency] | (nearest[dependency] if bit else 0)
        nearest[node] = found & ~further
        implied[node] = further
    return {leg: nearest[leg] for leg in legs}


def _contract_exactly(dependencies: Dependencies, legs: Sequence[LegNode], origins: ValueOrigins) -> dict[LegNode, int]:
    """For each leg that applies something, return the legs it waits for: those of the instances its values were
    computed from, through instances that do not change; and those its place in the order demands."""
    own = {leg: 1 << index for index, leg in enumerate(legs)}
    applying = {leg.instance: own[leg] for leg in legs if leg.leg.kind is LegKind.APPLY}
    nearest: dict[AbsResourceInstance, int] = {}
    for instance in origins.in_order():
        found = 0
        for other in origins.direct(instance):
            found |= applying.get(other, 0) or nearest.get(other, 0)
        nearest[instance] = found
    waits = {}
    for leg in legs:
        if leg.instance in nearest and leg.leg.kind is LegKind.APPLY:
            waits[leg] = nearest[leg.instance]
            for before in dependencies.before(leg):
                waits[leg] |= own.get(before, 0)
    return waits


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
