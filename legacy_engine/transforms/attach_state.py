"""Instance vertices get the current object of their instance: its recorded dependencies and flags decide the order of
destroying, and its provider is the one to destroy it with."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import StateHolder
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for vertex in graph:
        if isinstance(vertex, StateHolder):
            resource = build.state.resources.get(vertex.instance.containing)
            if resource is not None:
                vertex.stored_provider = resource.provider
                instance = resource.instances.get(vertex.instance.key)
                vertex.current = None if instance is None else instance.current
    return []
