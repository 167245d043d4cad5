"""Each resource learns all resources it depends on, directly or through anything: what will be recorded with its
objects, so that they can be destroyed in the right order when the configuration is gone.

Sets are passed up the graph once, from dependencies to their dependents. Cycles are treated as one vertex: they will be
reported when the graph is complete.
"""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import DependencyHolder, Vertex
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    resources = [vertex for vertex in graph if isinstance(vertex, ResourceVertex)]
    sets = build.resource_sets = ResourceSets(vertex.address for vertex in resources)
    own: dict[Vertex, int] = {vertex: sets.of(vertex.address) for vertex in resources}
    below = build.resources_below
    for component in graph.components():
        found = 0
        for vertex in component:
            for dependency in graph.dependencies(vertex):
                found |= below.get(dependency, 0) | own.get(dependency, 0)
        for vertex in component:
            below[vertex] = found
    for vertex in resources:
        if isinstance(vertex, DependencyHolder):
            vertex.hold_dependencies(sets, below[vertex] & ~own[vertex])
    return []
