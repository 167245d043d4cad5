"""Modules the state has and the configuration has not: each gets a vertex that stands for its end."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.module import CloseModule
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    paths = dict.fromkeys(address.module.path for address in build.state.resources)
    for path in paths:
        if build.config.at(path) is None:
            graph.add(CloseModule(path))
    return []
