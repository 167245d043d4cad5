"""The order of effects, read off a graph about to be walked: a vertex waits for all that is reachable from it."""

from __future__ import annotations

from legacy_engine.build import VertexGraph
from legacy_engine.capabilities import Vertex
from legacy_engine.nodes.apply_instance import ApplyInstance
from legacy_engine.nodes.destroy_instance import DestroyDeposed, DestroyInstance
from legacy_engine.nodes.forget_instance import ForgetDeposed, ForgetInstance
from shared_nodes.plan.change import Changes
from shared_nodes.plan.order import Effect, EffectOrder, applying_effect, effect_order, removing_effect

__all__ = ["order_of"]


def order_of(graph: VertexGraph, changes: Changes) -> EffectOrder:
    """The graph must have no cycle."""
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
