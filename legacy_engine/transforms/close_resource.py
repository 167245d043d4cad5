"""Ephemeral resources are closed when nobody needs them any more."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Referencer
from legacy_engine.nodes.ephemeral import CloseEphemeral
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """The close vertex is a user of the provider too, so the provider outlives it."""
    if build.operation is Operation.VALIDATE:
        return []
    for vertex in graph.vertices():
        if isinstance(vertex, ResourceVertex) and vertex.address.resource.mode is ResourceMode.EPHEMERAL:
            closer = CloseEphemeral(vertex)
            graph.connect(closer, vertex)
            for user in graph.all_dependents(vertex):
                if isinstance(user, Referencer):
                    graph.connect(closer, user)
    return []
