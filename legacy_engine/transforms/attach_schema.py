"""Resource and provider vertices get their schemas: without one, references in a body cannot be told from names."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.provider import ConfigureProvider
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for vertex in graph:
        if isinstance(vertex, ResourceVertex) and vertex.block is not None and vertex.node is not None:
            schema = build.schema_of(vertex.node, vertex.address.resource)
            vertex.schema = None if schema is None else schema.block
        elif isinstance(vertex, ConfigureProvider):
            provider = build.schemas.get(vertex.config.source)
            vertex.schema = None if provider is None else provider.provider
    return []
