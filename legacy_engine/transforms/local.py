"""One vertex for each local value."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.local import LocalVertex
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for node in build.config.walk():
        for declaration in node.module.locals.values():
            graph.add(LocalVertex(declaration, node))
    return []
