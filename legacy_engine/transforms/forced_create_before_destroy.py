"""Who is depended upon by something that is created before it is destroyed must be created first as well: otherwise the
old object would have to go while its dependents still use it. An explicit `false` does not help."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import CreateBeforeDestroyAware
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    first = [v for v in graph if isinstance(v, CreateBeforeDestroyAware) and v.create_before_destroy]
    for vertex in graph.all_dependencies(*first):
        if isinstance(vertex, CreateBeforeDestroyAware) and not vertex.create_before_destroy:
            vertex.force_create_before_destroy()
    return []
