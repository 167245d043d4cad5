"""Targeting: keeps only what was asked for, and what that needs.

The selected resources are those that a target contains. Everything they depend on is kept with them, and so is each
root output that depends on resources, if all of these are kept.
"""

from __future__ import annotations

from legacy_engine.nodes.capabilities import InstanceVertex, Temporary, Vertex
from legacy_engine.nodes.node import ResourceVertex
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.targets import contains_any, is_part_of, selects

__all__ = ["apply_targets"]


def apply_targets(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Drop everything that targets or exclusions leave out. Blocks leave out single instances when they are
    expanded."""
    if build.inputs.targets:
        addresses = {vertex: address for vertex in graph if (address := _address(vertex)) is not None}
        selected: list[Vertex] = [
            vertex for vertex, address in addresses.items() if selects(build.inputs.targets, address)
        ]
    elif build.inputs.excludes:
        selected = _without_excluded(graph, build.inputs.excludes)
    else:
        return []
    kept = dict.fromkeys([*selected, *graph.all_dependencies(*selected)])
    for output in graph.vertices():
        if isinstance(output, Temporary) and not output.is_temporary:
            needed = graph.all_dependencies(output)
            resources = [vertex for vertex in needed if isinstance(vertex, ResourceVertex)]
            if resources and all(resource in kept for resource in resources):
                kept.update(dict.fromkeys([output, *needed]))
    for vertex in graph.vertices():
        if vertex not in kept:
            graph.remove(vertex)
    return []


def _address(vertex: Vertex) -> AbsResourceInstance | ConfigResource | None:
    if isinstance(vertex, InstanceVertex):
        return vertex.instance
    return vertex.address if isinstance(vertex, ResourceVertex) else None


def _without_excluded(graph: VertexGraph, excludes: tuple[Target, ...]) -> list[Vertex]:
    """Return everything but the excluded resources and what depends on them. Excluding one instance keeps its block and
    its siblings, but drops all dependents of the resource."""
    resources = {
        vertex: address
        for vertex in graph
        if isinstance(vertex, ResourceVertex) and (address := _address(vertex)) is not None
    }
    dropped: set[Vertex] = {vertex for vertex, address in resources.items() if contains_any(excludes, address)}
    for vertex, address in resources.items():
        if vertex in dropped or selects(excludes, address):
            dropped.update(
                other
                for other in graph.all_dependents(vertex)
                if isinstance(other, ResourceVertex) and not is_part_of(resources[other], address)
            )
    return [vertex for vertex in resources if vertex not in dropped]
