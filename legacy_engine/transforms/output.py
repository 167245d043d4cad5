"""One vertex for each output value."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.output import OutputVertex
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for node in build.config.walk():
        for block in node.module.outputs.values():
            graph.add(OutputVertex(block, node, build))
    return []
