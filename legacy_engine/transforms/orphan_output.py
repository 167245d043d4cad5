"""Root outputs the state has and the configuration has not (any more)."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.output import RemovedOutput
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for name in build.state.outputs:
        if name not in build.config.module.outputs:
            graph.add(RemovedOutput(name))
    return []
