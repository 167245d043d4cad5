"""Only what was asked for, and what that needs.

Selected are resources a target contains; with them stays everything they depend on, and each root output all of whose
resources are selected, if it has any. Only those selected themselves learn of the targets and leave out instances.
"""

from __future__ import annotations

from collections.abc import Collection

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import InstanceVertex, Targetable, Temporary, Vertex
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.targets import contains_any, generalised

__all__ = ["is_selected", "transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    if build.targets:
        selected = [vertex for vertex in graph if is_selected(vertex, build.targets)]
        for vertex in selected:
            if isinstance(vertex, Targetable):
                vertex.targets = build.targets
    elif build.excludes:
        selected = _not_excluded(graph, build.excludes)
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


def is_selected(vertex: Vertex, targets: Collection[Target]) -> bool:
    """A vertex that stands for a whole block is selected if any of its instances could be."""
    address = _address(vertex)
    if isinstance(address, AbsResourceInstance):
        return contains_any(targets, address)
    if isinstance(address, ConfigResource):
        return contains_any([generalised(target) for target in targets], address)
    return False


def _address(vertex: Vertex) -> AbsResourceInstance | ConfigResource | None:
    if isinstance(vertex, InstanceVertex):
        return vertex.instance
    return vertex.address if isinstance(vertex, ResourceVertex) else None


def _not_excluded(graph: VertexGraph, excludes: tuple[Target, ...]) -> list[Vertex]:
    """Everything but the excluded and what depends on it. Excluding one instance leaves its block and its siblings, but
    takes away all dependents of the resource."""
    resources = [vertex for vertex in graph if isinstance(vertex, ResourceVertex)]
    dropped = {vertex for vertex in resources if contains_any(excludes, _address_of(vertex))}
    for vertex in resources:
        if vertex in dropped or is_selected(vertex, excludes):
            dropped.update(
                other
                for other in graph.all_dependents(vertex)
                if isinstance(other, ResourceVertex) and not _is_part(_address_of(other), _address_of(vertex))
            )
    for each in graph:
        if isinstance(each, Targetable):
            each.excludes = excludes
    return [vertex for vertex in resources if vertex not in dropped]


def _address_of(vertex: ResourceVertex) -> AbsResourceInstance | ConfigResource:
    return vertex.instance if isinstance(vertex, InstanceVertex) else vertex.address


def _is_part(address: AbsResourceInstance | ConfigResource, whole: AbsResourceInstance | ConfigResource) -> bool:
    if isinstance(whole, ConfigResource):
        return whole == (address.config if isinstance(address, AbsResourceInstance) else address)
    return address == whole
