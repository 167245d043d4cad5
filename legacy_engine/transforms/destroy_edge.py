"""The order of destroying, creating and updating.

An object is destroyed before its replacement is created; before what it depends on is destroyed or changed; and what
was made to depend on it, as recorded in the state, is only changed after it is gone. Create-before-destroy turns some
of these around, in the next transformer.
"""

from __future__ import annotations

from collections import defaultdict

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Creator, DependencyHolder, Destroyer, ProviderConsumer, StateHolder, Vertex
from legacy_engine.transforms.reference import in_different_instances_of_same_module
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    all_creators = [vertex for vertex in graph if isinstance(vertex, Creator)]
    creators: dict[ConfigResource, list[Vertex]] = defaultdict(list)
    for creator in all_creators:
        if not creator.is_no_op:
            creators[creator.instance.config].append(creator)
    all_destroyers = [vertex for vertex in graph if isinstance(vertex, Destroyer)]
    if not all_destroyers:
        return []
    of_instance: dict[AbsResourceInstance, list[Vertex]] = defaultdict(list)
    destroyers: dict[ConfigResource, list[Vertex]] = defaultdict(list)
    for destroyer in all_destroyers:
        of_instance[destroyer.instance].append(destroyer)
        destroyers[destroyer.instance.config].append(destroyer)
    for creator in all_creators:
        for vertex in of_instance.get(creator.instance, ()):
            graph.connect(creator, vertex)
    for creator in all_creators:
        if not creator.is_no_op:
            for dependency in _dependencies(creator):
                for vertex in destroyers.get(dependency, ()):
                    if not in_different_instances_of_same_module(creator, vertex):
                        graph.connect(creator, vertex)
    for destroyer in all_destroyers:
        for dependency in _dependencies(destroyer):
            for vertex in [*destroyers.get(dependency, ()), *creators.get(dependency, ())]:
                if not in_different_instances_of_same_module(vertex, destroyer):
                    _connect_between_providers(graph, vertex, destroyer, build)
    return []


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
