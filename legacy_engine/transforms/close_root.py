"""One last vertex that waits for everything."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.module import CloseModule
from shared_nodes.addresses.module import ROOT_PATH
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    ends = graph.roots()
    root = CloseModule(ROOT_PATH)
    graph.add(root)
    for vertex in ends:
        graph.connect(root, vertex)
    return []
