"""Vertices for objects: those the state has, while planning, and those a plan changes, while applying.

A planned change becomes a vertex that creates or updates, one that destroys, or, for a replacement, both. If the new
object is created before the old one is destroyed, the old one is deposed under a key chosen here, so that the vertex
that deposes it and the vertex that destroys it refer to the same object.
"""

from __future__ import annotations

from legacy_engine.nodes.instance import (
    ApplyInstance,
    DestroyDeposed,
    DestroyInstance,
    ForgetDeposed,
    ForgetInstance,
    OrderedForgetDeposed,
    OrderedForgetInstance,
    OrderedPlanDeposed,
    PlanDeposed,
    PlanDestroy,
    PlanOrphan,
)
from legacy_engine.nodes.resource import ApplyResource
from legacy_engine.nodes.values import RemovedOutput
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.change import Action, ResourceChange

__all__ = ["add_changes", "add_orphans", "add_removed_outputs", "add_state_objects"]


def add_orphans(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add objects whose resource block is gone, each to be destroyed or forgotten. An instance that has only deposed
    objects is not an orphan: those are planned one by one."""
    if build.operation is Operation.PLAN_DESTROY:
        return []
    for address, instance in build.state.instances():
        if instance.current is not None and build.config.resource(address.config) is None:
            graph.add(PlanOrphan(address, build.inputs))
    return []


def add_state_objects(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add objects that are planned because the state has them, whatever the configuration declares: deposed objects
    always, and in destroy mode all current ones too."""
    plan_of_deposed = OrderedPlanDeposed if build.flavour.planning_orders_deposed_objects else PlanDeposed
    for address, instance in build.state.instances():
        if instance.current is not None and build.operation is Operation.PLAN_DESTROY:
            graph.add(PlanDestroy(address, build.inputs))
        for key in sorted(instance.deposed):
            graph.add(plan_of_deposed(address, key, build.inputs))
    return []


def add_changes(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add vertices for all planned changes. A vertex that creates, updates or reads waits for its block."""
    expanders = {vertex.address: vertex for vertex in graph if isinstance(vertex, ApplyResource)}
    for change in build.changes.in_order():
        if change.deposed is not None:
            _add_deposed(graph, change, change.deposed, build)
            continue
        vertex = _add_current(graph, change, build)
        expander = expanders.get(change.address.config)
        if vertex is not None and expander is not None and _waits_for_block(change, build):
            graph.connect(vertex, expander)
    return []


def _waits_for_block(change: ResourceChange, build: BuildContext) -> bool:
    has_keys = any(step.key is not None for step in change.address.module.steps)
    return not has_keys or build.flavour.applies_after_expansion_in_keyed_modules


def _add_deposed(graph: VertexGraph, change: ResourceChange, key: str, build: BuildContext) -> None:
    if change.action is Action.DELETE:
        graph.add(DestroyDeposed(change.address, key))
    elif change.action is Action.FORGET:
        vertex_class = OrderedForgetDeposed if build.flavour.forgets_in_order_of_destroying else ForgetDeposed
        graph.add(vertex_class(change.address, key))


def _add_current(graph: VertexGraph, change: ResourceChange, build: BuildContext) -> ApplyInstance | None:
    """Return the vertex that creates, updates or reads, if there is one."""
    action, address = change.action, change.address
    if action is Action.DELETE:
        graph.add(DestroyInstance(address, build.inputs.removed))
        return None
    if action is Action.FORGET:
        vertex_class = OrderedForgetInstance if build.flavour.forgets_in_order_of_destroying else ForgetInstance
        graph.add(vertex_class(address))
        return None
    if action is Action.NO_OP:
        block = build.config.resource(address.config)
        if block is None or not block.lifecycle.has_conditions:
            return None
    key = build.deposed_key(address) if action is Action.CREATE_THEN_DELETE else None
    vertex = ApplyInstance(address, action, key)
    graph.add(vertex)
    if key is not None:
        graph.add(DestroyDeposed(address, key))
        if build.flavour.replacement_keeps_create_before_destroy:
            vertex.force_create_before_destroy()
    elif action is Action.DELETE_THEN_CREATE:
        graph.add(DestroyInstance(address, build.inputs.removed))
    elif action is Action.FORGET_THEN_CREATE:
        forget = ForgetInstance(address)
        graph.connect(vertex, forget)
    return vertex


def add_removed_outputs(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add root outputs that are in the state but no longer in the configuration."""
    for name in build.state.outputs:
        if name not in build.config.module.outputs:
            graph.add(RemovedOutput(name))
    return []
