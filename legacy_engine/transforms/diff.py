"""Planned changes become vertices: one to create or update, one to destroy, both for a replacement.

Where the new object is to exist before the old one goes, the old one is deposed under a key chosen here, so that the
vertex that deposes it and the vertex that destroys it mean the same object.
"""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.apply_instance import ApplyInstance
from legacy_engine.nodes.apply_resource import ApplyResource
from legacy_engine.nodes.destroy_instance import DestroyDeposed, DestroyInstance
from legacy_engine.nodes.forget_instance import (
    ForgetDeposed,
    ForgetInstance,
    OrderedForgetDeposed,
    OrderedForgetInstance,
)
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.change import Action, ResourceChange

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
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
    """The vertex that creates, updates or reads, if there is one."""
    action, address = change.action, change.address
    if action is Action.DELETE:
        graph.add(DestroyInstance(address, build))
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
        graph.add(DestroyInstance(address, build))
    elif action is Action.FORGET_THEN_CREATE:
        forget = ForgetInstance(address)
        graph.connect(vertex, forget)
    return vertex
