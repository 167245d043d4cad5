"""For objects that are created before the old one is destroyed: the destroy waits for whoever would have waited for it,
which is the replacement, and all dependents that are updated to use it."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import CreateBeforeDestroyAware, Creator, Destroyer
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    for vertex in graph.vertices():
        if not isinstance(vertex, Destroyer) or not isinstance(vertex, CreateBeforeDestroyAware):
            continue
        if not vertex.create_before_destroy:
            continue
        for waiting in graph.dependents(vertex):
            if isinstance(waiting, Creator):
                graph.disconnect(waiting, vertex)
                graph.connect(vertex, waiting)
    return []
