"""The order of destroying, creating and updating.

An object is destroyed before its replacement is created; before what it depends on is destroyed or changed; and what
was made to depend on it, as recorded in the state, is only changed after it is gone. Create-before-destroy turns some
of these around, in the next transformer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Creator, DependencyHolder, Destroyer, ProviderConsumer, StateHolder, Vertex
from legacy_engine.transforms.reference import Neighbours
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    destroyers = [vertex for vertex in graph if isinstance(vertex, Destroyer)]
    if not destroyers:
        return []
    creators = [vertex for vertex in graph if isinstance(vertex, Creator)]
    of_instance: dict[AbsResourceInstance, list[Vertex]] = defaultdict(list)
    destroying: dict[ConfigResource, Neighbours] = defaultdict(Neighbours)
    creating: dict[ConfigResource, Neighbours] = defaultdict(Neighbours)
    for destroyer in destroyers:
        of_instance[destroyer.instance].append(destroyer)
        destroying[destroyer.instance.config].add(destroyer)
    for creator in creators:
        if not creator.is_no_op:
            creating[creator.instance.config].add(creator)
    for creator in creators:
        for vertex in of_instance.get(creator.instance, ()):
            graph.connect(creator, vertex)
    for creator in creators:
        if not creator.is_no_op:
            for vertex in _behind(creator, destroying):
                graph.connect(creator, vertex)
    for destroyer in destroyers:
        for vertex in _behind(destroyer, destroying, creating):
            _connect_between_providers(graph, vertex, destroyer, build)
    return []


def _behind(vertex: Vertex, *groups: Mapping[ConfigResource, Neighbours]) -> Iterator[Vertex]:
    """Those of the groups that the vertex depends on, and sees."""
    for dependency in _dependencies(vertex):
        for group in groups:
            found = group.get(dependency)
            if found is not None:
                yield from found.seen_from(vertex)


def _dependencies(vertex: Vertex) -> tuple[ConfigResource, ...]:
    """Those recorded with the object, if there is one: they hold as long as it does. A new object has the
    configuration's."""
    if isinstance(vertex, StateHolder) and vertex.current is not None:
        return vertex.current.dependencies
    return vertex.dependencies if isinstance(vertex, DependencyHolder) else ()


def _connect_between_providers(graph: VertexGraph, waiting: Vertex, destroyer: Vertex, build: BuildContext) -> None:
    """A provider may be configured with what another provider manages, and then a strict order can be impossible. So
    an edge between objects of different providers that would close a cycle is left out, unless all is destroyed."""
    if (
        not build.is_destroying
        and _provider(waiting) != _provider(destroyer)
        and graph.is_reachable(destroyer, waiting)
    ):
        return
    graph.connect(waiting, destroyer)


def _provider(vertex: Vertex) -> object:
    return vertex.provider if isinstance(vertex, ProviderConsumer) else None
