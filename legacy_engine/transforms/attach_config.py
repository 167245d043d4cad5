"""Resource vertices get the block they are declared by, where there (still) is one."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for vertex in graph:
        if isinstance(vertex, ResourceVertex) and vertex.block is None:
            node = build.config.at(vertex.address.module)
            vertex.node = node
            vertex.block = None if node is None else node.module.resources.get(vertex.address.resource)
    return []
