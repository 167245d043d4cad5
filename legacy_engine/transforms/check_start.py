"""While applying, data nested in a check is read only after all managed resources are done: it is there to see the
result. What is destroyed is not waited for."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Vertex
from legacy_engine.nodes.apply_instance import ApplyInstance
from legacy_engine.nodes.check import StartChecks
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    instances = [vertex for vertex in graph if isinstance(vertex, ApplyInstance)]
    nested = [vertex for vertex in instances if vertex.block is not None and vertex.block.check is not None]
    if not nested:
        return []
    start = StartChecks()
    graph.add(start)
    for vertex in nested:
        graph.connect(vertex, start)
    for vertex in instances:
        if _is_managed(vertex) and not any(_is_managed(user) for user in graph.dependents(vertex)):
            graph.connect(start, vertex)
    return []


def _is_managed(vertex: Vertex) -> bool:
    return isinstance(vertex, ApplyInstance) and vertex.address.resource.mode is ResourceMode.MANAGED
