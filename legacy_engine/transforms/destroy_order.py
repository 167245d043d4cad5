"""The order of destroying, creating and updating.

An object is destroyed before its replacement is created; before what it depends on is destroyed or changed; and what
the state records as depending on it is changed only after it is gone. Create-before-destroy reverses some of these
edges.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from legacy_engine.nodes.capabilities import (
    CreateBeforeDestroyAware,
    Creator,
    DependencyHolder,
    Destroyer,
    ProviderConsumer,
    StateHolder,
    Vertex,
)
from legacy_engine.nodes.references import seen_by
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.addresses.namesakes import Namesakes
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["force_create_before_destroy", "order_destroys", "reverse_create_before_destroy"]


def order_destroys(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add the edges that follow from what is destroyed."""
    destroyers = [vertex for vertex in graph if isinstance(vertex, Destroyer)]
    if not destroyers:
        return []
    creators = [vertex for vertex in graph if isinstance(vertex, Creator)]
    of_instance: dict[AbsResourceInstance, list[Vertex]] = defaultdict(list)
    destroying: dict[ConfigResource, Namesakes[Vertex]] = defaultdict(Namesakes)
    creating: dict[ConfigResource, Namesakes[Vertex]] = defaultdict(Namesakes)
    for destroyer in destroyers:
        of_instance[destroyer.instance].append(destroyer)
        destroying[destroyer.instance.config].add(destroyer, destroyer.instance.module)
    for creator in creators:
        if not creator.is_no_op:
            creating[creator.instance.config].add(creator, creator.instance.module)
    for creator in creators:
        for vertex in of_instance.get(creator.instance, ()):
            graph.connect(creator, vertex)
    for creator in creators:
        if not creator.is_no_op:
            for vertex in _visible_dependencies(creator, destroying):
                graph.connect(creator, vertex)
    for destroyer in destroyers:
        for vertex in _visible_dependencies(destroyer, destroying, creating):
            _connect_between_providers(graph, vertex, destroyer, build)
    return []


def _visible_dependencies(vertex: Vertex, *groups: Mapping[ConfigResource, Namesakes[Vertex]]) -> Iterator[Vertex]:
    """Return those of the groups that the vertex depends on and can see."""
    for dependency in _dependencies(vertex):
        for group in groups:
            found = group.get(dependency)
            if found is not None:
                yield from seen_by(vertex, found)


def _dependencies(vertex: Vertex) -> tuple[ConfigResource, ...]:
    """Return the dependencies recorded with the object, if there is one: they hold as long as the object exists. A new
    object has those of the configuration."""
    if isinstance(vertex, StateHolder) and vertex.current is not None:
        return vertex.current.dependencies
    return vertex.dependencies if isinstance(vertex, DependencyHolder) else ()


def _connect_between_providers(graph: VertexGraph, waiting: Vertex, destroyer: Vertex, build: BuildContext) -> None:
    """Make a vertex wait for a destroyer. A provider may be configured with what another provider manages, and then a
    strict order can be impossible. So an edge between objects of different providers that would close a cycle is left
    out, unless everything is destroyed."""
    if (
        not build.operation.is_destroying
        and _provider_of(waiting) != _provider_of(destroyer)
        and graph.is_reachable(destroyer, waiting)
    ):
        return
    graph.connect(waiting, destroyer)


def _provider_of(vertex: Vertex) -> object:
    if not isinstance(vertex, ProviderConsumer) or vertex.provider is None:
        return None
    return vertex.provider.configuration


def reverse_create_before_destroy(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    """Reverse edges for create-before-destroy. If an object is created before the old one is destroyed, destroying the
    old one waits for the vertices that would otherwise wait for it: the replacement, and all dependents that are
    updated to use it."""
    for vertex in graph.vertices():
        if not isinstance(vertex, Destroyer) or not isinstance(vertex, CreateBeforeDestroyAware):
            continue
        if not vertex.create_before_destroy:
            continue
        for waiting in graph.dependents(vertex):
            if isinstance(waiting, Creator):
                graph.disconnect(waiting, vertex)
                graph.connect(vertex, waiting)
    return []


def force_create_before_destroy(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    """Force create-before-destroy on whatever is used by something that is replaced that way: otherwise the old object
    would be destroyed while its dependents still use it. An explicit `false` has no effect."""
    first = [v for v in graph if isinstance(v, CreateBeforeDestroyAware) and v.create_before_destroy]
    for vertex in graph.all_dependencies(*first):
        if isinstance(vertex, CreateBeforeDestroyAware) and not vertex.create_before_destroy:
            vertex.force_create_before_destroy()
    return []
