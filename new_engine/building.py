"""The second pass of planning: from what was decided for each object to the graph that carries it out.

It is sequential and in order of address, so that equal plans give equal graphs, byte for byte.

    legs        which halves the changes have                        legs.py
    connect     in which order they run, beyond what is referred to  connecting.py
    drop        what the apply will have no use for, and what targets leave out then
    contract    which legs each leg waits for, through all that lies between
    emit        operations for each leg, a waiter at the first of them
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from new_engine.analysis import Reach
from new_engine.compiled import Compiled, compile_configuration
from new_engine.connecting import Edges, connect
from new_engine.cycles import self_references
from new_engine.execgraph.builder import GraphBuilder
from new_engine.execgraph.graph import ExecutionGraph, Ref, WaiterRef
from new_engine.legs import legs_of
from new_engine.marks import Marking
from new_engine.nodes.leg import LegKind, LegNode
from new_engine.nodes.node import Node
from new_engine.nodes.output import OutputNode
from new_engine.nodes.resource import ApplyResource
from new_engine.scale_in import dependents_first
from new_engine.targets import selected_nodes
from new_engine.unused import drop_unused
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.analysis import ConfigAnalysis
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.nodes.resource.deposed import new_deposed_key
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.plan.options import Mode, parse_targets
from shared_nodes.plan.plan import Plan

__all__ = ["apply_start", "build_execution_graph"]


def apply_start(plan: Plan) -> PlanInput:
    """Where applying starts: from what planning found."""
    operation = Operation.DESTROY if plan.mode is Mode.DESTROY else Operation.APPLY
    targets, excludes = parse_targets(plan.targets)[0], parse_targets(plan.excludes)[0]
    return PlanInput(operation, plan.prior_state, PlanOptions(), targets, excludes)


def build_execution_graph(
    session: Session, plan: Plan, marking: Marking | None = None
) -> tuple[ExecutionGraph | None, list[Diagnostic]]:
    """None where the plan cannot be carried out: the problems say why. With `marking` instances wait for those their
    values were made from, and no others."""
    request = session.request
    legs = legs_of(plan.changes, request.config, partial(new_deposed_key, request.world, plan.prior_state))
    compiled, problems = compile_configuration(session, apply_start(plan), legs)
    if problems:
        return None, problems
    nodes = [node for node in compiled.nodes if isinstance(node, LegNode)]
    creating_first = _creating_first(compiled, nodes)
    for leg, after in _order(compiled, nodes, marking).items():
        compiled.place(leg, after)
    analysis = compiled.analysis
    drop_unused(compiled)
    selected = set(selected_nodes(compiled))
    cycles = _cycles(compiled, selected)
    if cycles:
        return None, cycles
    kept = [node for node in nodes if node in selected]
    graph = _Emission(compiled, analysis, kept, creating_first, marking).emit()
    if plan.targets or plan.excludes:
        found = (node for node in selected if isinstance(node, OutputNode) and node.is_root)
        graph = replace(graph, outputs=frozenset(node.block.name for node in found))
    return graph, []


def _creating_first(compiled: Compiled, legs: Sequence[LegNode]) -> set[LegNode]:
    """Legs whose objects are recorded as replaced by creating first: their blocks say so, or those of something that
    waits for them. Which edges count is fixed before the order of destroying adds its own."""
    flavour = compiled.flavour
    asking: list[Node] = [leg for leg in legs if _is_destroyed_last(compiled, leg)]
    asking += [leg for leg in legs if leg.leg.kind is LegKind.APPLY and _block_creates_first(leg)]
    if flavour.replacement_keeps_create_before_destroy:
        asking += [leg for leg in legs if leg.leg.kind is LegKind.APPLY and leg.leg.deposes is not None]
    if flavour.unchanged_dependents_create_first:
        resources = (node for node in compiled.nodes if isinstance(node, ApplyResource))
        asking += [node for node in resources if node.block.lifecycle.create_before_destroy]
    if not asking:
        return set()
    below = compiled.reach.all_below(asking)
    return {leg for leg in legs if leg.leg.kind is LegKind.APPLY and leg in below}


def _block_creates_first(leg: LegNode) -> bool:
    return leg.block is not None and bool(leg.block.lifecycle.create_before_destroy)


def _is_destroyed_last(compiled: Compiled, leg: LegNode) -> bool:
    """A deposed object always is: that is why it is deposed. Otherwise it is as recorded with the object: with its
    block gone nothing else could tell; and where it was forced by a dependent, the record says so."""
    if leg.leg.kind is not LegKind.DESTROY:
        return False
    if leg.leg.deposed is not None:
        return True
    current = compiled.state.current(leg.instance)
    return _block_creates_first(leg) if current is None else current.create_before_destroy


def _order(compiled: Compiled, legs: Sequence[LegNode], marking: Marking | None) -> Edges:
    recorded = _recorded(compiled, legs, marking)
    edges = connect(
        legs,
        recorded,
        lambda leg: _is_destroyed_last(compiled, leg),
        lambda one, other, so_far: not compiled.is_destroying and _reaches(compiled, so_far, one, other),
    )
    if compiled.profile.dependents_updated_first:
        edges = dependents_first(edges, recorded, lambda one, other, so_far: _reaches(compiled, so_far, one, other))
    applies = [leg for leg in legs if leg.leg.kind is LegKind.APPLY]
    managed = [leg for leg in applies if leg.leg.is_managed]
    for leg in applies:
        if leg.belongs_to_check:
            edges[leg].update(dict.fromkeys(managed))
    return edges


def _recorded(
    compiled: Compiled, legs: Sequence[LegNode], marking: Marking | None
) -> Mapping[LegNode, tuple[ConfigResource, ...]]:
    """What was recorded with an object holds as long as it does. A new object has what the configuration says."""
    if not any(leg.is_removal for leg in legs):
        return {}
    found = {}
    for leg in legs:
        current = compiled.state.current(leg.instance)
        if current is not None:
            found[leg] = current.dependencies
        elif leg.leg.kind is LegKind.APPLY and leg.declared is not None:
            facts = compiled.analysis.of(leg.address)
            found[leg] = facts.dependencies if marking is None else marking.dependencies(leg.instance)
        else:
            found[leg] = ()
    return found


def _reaches(compiled: Compiled, so_far: Edges, one: LegNode, other: LegNode) -> bool:
    pending: list[Node] = [one]
    seen: set[Node] = {one}
    while pending:
        node = pending.pop()
        if node is other:
            return True
        nexts = [*compiled.dependencies(node), *(so_far.get(node, ()) if isinstance(node, LegNode) else ())]
        pending += [found for found in nexts if found not in seen]
        seen.update(nexts)
    return False


def _cycles(compiled: Compiled, selected: Collection[Node]) -> list[Diagnostic]:
    """A plan that succeeded must be possible to apply: what would go round in circles is found before anybody agrees
    to it. Who is selected brings along all it waits for, so that a cycle is selected as a whole or not at all."""
    found = [
        error(f"Cycle: {', '.join(sorted(_member_names(component)))}")
        for component in compiled.reach.components
        if len(component) > 1 and any(node in selected for node in component)
    ]
    return found + self_references(
        node for node in selected if isinstance(node, LegNode) and node in compiled.before(node)
    )


def _member_names(component: Iterable[Node]) -> list[str]:
    """Data of a check waits for all managed legs, in the original by way of a vertex of its own, which is then a member
    of every cycle that takes this way."""
    names = [node.name for node in component]
    applies = [node for node in component if isinstance(node, LegNode) and node.leg.kind is LegKind.APPLY]
    if any(leg.belongs_to_check for leg in applies) and any(leg.leg.is_managed for leg in applies):
        names.append("(execute checks)")
    return names


class _Emission:
    """Each leg's operations. A leg that destroys what another replaces comes after it or before it by its waiter
    alone, so the order of emission is that of addresses."""

    __slots__ = ("_analysis", "_builder", "_compiled", "_creating_first", "_ends", "_legs", "_marking", "_waiters")

    def __init__(
        self,
        compiled: Compiled,
        analysis: ConfigAnalysis,
        legs: Sequence[LegNode],
        creating_first: set[LegNode],
        marking: Marking | None,
    ) -> None:
        """`analysis` is of all there is. What was dropped since takes part in no order, but objects depend on it."""
        self._compiled = compiled
        self._analysis = analysis
        self._legs = legs
        self._creating_first = creating_first
        self._marking = marking
        self._builder = GraphBuilder()
        self._waiters: dict[int, WaiterRef] = {}
        self._ends: list[Ref] = []

    def emit(self) -> ExecutionGraph:
        waits = _contracted(self._compiled.reach, self._legs)
        if self._marking is not None:
            waits = {**waits, **_exact(self._compiled, self._legs, self._marking)}
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
            dependencies=None if self._marking is None else self._marking.dependencies(leg.instance),
        )

    def _waiter(self, bits: int) -> WaiterRef:
        """Legs that wait for the same share one waiter: with many instances the lists would outgrow everything."""
        if bits not in self._waiters:
            self._waiters[bits] = self._builder.waiter()
        return self._waiters[bits]

    def _emit(self, leg: LegNode, waiter: WaiterRef) -> Ref:
        builder, instance, provider = self._builder, leg.instance, self._provider(leg)
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

    def _emit_apply(self, leg: LegNode, provider: AbsProviderConfig, waiter: WaiterRef) -> Ref:
        builder, instance = self._builder, leg.instance
        has_object = self._compiled.state.current(instance) is not None
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

    def _provider(self, leg: LegNode) -> AbsProviderConfig:
        if leg.provider is not None:
            return leg.provider.config
        return self._compiled.state.resources[leg.instance.containing].provider

    def _record_resources(self) -> None:
        """Of everything a changing resource depends on, so that all of it can be worked out again."""
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


def _contracted(reach: Reach, legs: Sequence[LegNode]) -> Mapping[LegNode, int]:
    """For each leg the legs it waits for, directly or through what is no leg: a bit for each. Those that another one
    of them waits for anyway are left out: in a chain they would be all legs before it."""
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


def _exact(compiled: Compiled, legs: Sequence[LegNode], marking: Marking) -> dict[LegNode, int]:
    """For each leg that applies something the legs it waits for: those of the instances it was made from, through
    instances that do not change; and what its place in the order demands."""
    own = {leg: 1 << index for index, leg in enumerate(legs)}
    applying = {leg.instance: own[leg] for leg in legs if leg.leg.kind is LegKind.APPLY}
    nearest: dict[AbsResourceInstance, int] = {}
    for instance in marking.in_order():
        found = 0
        for other in marking.direct(instance):
            found |= applying.get(other, 0) or nearest.get(other, 0)
        nearest[instance] = found
    waits = {}
    for leg in legs:
        if leg.instance in nearest and leg.leg.kind is LegKind.APPLY:
            waits[leg] = nearest[leg.instance]
            for before in compiled.before(leg):
                waits[leg] |= own.get(before, 0)
    return waits


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
