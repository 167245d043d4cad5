"""Input variables: those of the root get what the user gave, those of a module what its call says."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.variable import ModuleVariable, RootVariable
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform_module", "transform_root"]


def transform_root(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for variable in build.config.module.variables.values():
        graph.add(RootVariable(variable, build.variables.get(variable.name)))
    return []


def transform_module(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Arguments were compared with the variables when the configuration was loaded."""
    for node in build.config.walk():
        if node.call is not None:
            parent = build.config.at(node.path.parent)
            assert parent is not None
            for variable in node.module.variables.values():
                graph.add(ModuleVariable(variable, node, parent))
    return []
