"""A provider is closed after its last user."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import ProviderConsumer, ProviderVertex
from legacy_engine.nodes.provider import CloseProvider
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    closers = {}
    for vertex in graph.vertices():
        if isinstance(vertex, ProviderVertex):
            closer = closers[vertex.config] = CloseProvider(vertex.config)
            graph.connect(closer, vertex)
    for vertex in graph.vertices():
        if isinstance(vertex, ProviderConsumer) and vertex.provider in closers:
            graph.connect(closers[vertex.provider], vertex)
    return []
