"""A vertex for the rules of each variable that has some. They may refer to anything, so they cannot be part of the
variable itself; and whoever refers to the variable waits for them."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.variable import ModuleVariable, RootVariable, VariableValidation
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for vertex in graph.vertices():
        if isinstance(vertex, RootVariable | ModuleVariable) and vertex.variable.validations:
            node = vertex.node if isinstance(vertex, ModuleVariable) else build.config
            graph.connect(VariableValidation(vertex.variable, node), vertex)
    return []
