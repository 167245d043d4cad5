"""The order of effects that a graph guarantees: a vertex waits for everything reachable from it."""

from __future__ import annotations

from legacy_engine.nodes.capabilities import Vertex
from legacy_engine.nodes.instance import ApplyInstance, DestroyDeposed, DestroyInstance, ForgetDeposed, ForgetInstance
from legacy_engine.transforms.build_context import VertexGraph
from shared_nodes.plan.change import Changes
from shared_nodes.plan.order import Effect, EffectOrder, applying_effect, effect_order, removing_effect

__all__ = ["effect_order_of"]


def effect_order_of(graph: VertexGraph, changes: Changes) -> EffectOrder:
    """Return the order of effects of a graph without cycles."""
    effects = {vertex: effect for vertex in graph if (effect := _effect(vertex, changes)) is not None}
    return effect_order(effects, effects, (vertex for (vertex,) in graph.components()), graph.dependencies, graph)


def _effect(vertex: Vertex, changes: Changes) -> Effect | None:
    match vertex:
        case ApplyInstance():
            return applying_effect(changes, vertex.instance)
        case DestroyInstance():
            return removing_effect(changes, vertex.instance, "delete", None)
        case DestroyDeposed():
            return removing_effect(changes, vertex.instance, "delete", vertex.deposed)
        case ForgetInstance():
            return removing_effect(changes, vertex.instance, "forget", None)
        case ForgetDeposed():
            return removing_effect(changes, vertex.instance, "forget", vertex.deposed)
    return None
