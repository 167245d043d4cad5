"""Edges from references, and what each resource depends on because of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from legacy_engine.nodes.capabilities import DependencyHolder, Vertex
from legacy_engine.nodes.module import ExpandModule
from legacy_engine.nodes.node import ResourceVertex
from legacy_engine.nodes.references import ReferenceMap
from legacy_engine.nodes.references import connect_references as connect_by_name
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.addresses.references import ScopedSubject, resource_of
from shared_nodes.addresses.resource import ConfigResource, Resource, ResourceMode
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import depends_on_references
from shared_nodes.record import record

__all__ = ["attach_dependencies", "attach_dependencies_and_read_order", "connect_references"]


def connect_references(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    """Make every vertex wait for what it refers to."""
    connect_by_name(graph)
    return []


def attach_dependencies(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    """Give each resource all resources it depends on, directly or not. They are recorded with its objects, so that
    these can be destroyed in the right order when the configuration is gone."""
    _attach_dependencies(graph)
    return []


def attach_dependencies_and_read_order(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    """Attach dependencies, and give data and ephemeral resources what must not be pending when they are read.

    That is what `depends_on` names, their own or that of a module call around them; and managed resources the block
    refers to directly, because data about an object should describe it as it will be. Where a name is not a resource
    but a module or a value, all resources behind it count.
    """
    below = _attach_dependencies(graph)
    readers = [
        vertex
        for vertex in graph
        if isinstance(vertex, ResourceVertex) and vertex.address.resource.mode is not ResourceMode.MANAGED
    ]
    if readers:
        search = _Search(graph, below)
        for vertex in readers:
            vertex.depends_on = frozenset(search.find_for_resource(vertex))
    return []


@record
class _Below:
    """The resources that each vertex depends on, directly or not, as one of `sets`."""

    sets: ResourceSets
    by_vertex: Mapping[Vertex, int]

    def of(self, vertex: Vertex) -> tuple[ConfigResource, ...]:
        return self.sets.members(self.by_vertex.get(vertex, 0))


def _attach_dependencies(graph: VertexGraph) -> _Below:
    """Attach the dependencies of each vertex. Sets are passed up the graph once, from dependencies to their dependents.
    A cycle is treated as one vertex: it is reported when the graph is complete."""
    resources = [vertex for vertex in graph if isinstance(vertex, ResourceVertex)]
    sets = ResourceSets(vertex.address for vertex in resources)
    own: dict[Vertex, int] = {vertex: sets.of(vertex.address) for vertex in resources}
    below: dict[Vertex, int] = {}
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
    return _Below(sets, below)


class _Search:
    """Finds the resources that data and ephemeral resources are read after."""

    __slots__ = ("_below", "_graph", "_known", "_modules")

    def __init__(self, graph: VertexGraph, below: _Below) -> None:
        self._graph = graph
        self._below = below
        self._known = ReferenceMap(graph)
        self._modules: dict[Vertex, frozenset[ConfigResource]] = {}

    def find_for_resource(self, vertex: ResourceVertex) -> Iterator[ConfigResource]:
        if vertex.block is not None and vertex.tree is not None:
            named = depends_on_references(vertex.tree, vertex.block.depends_on)
            yield from self._resources_behind(vertex, [*named, *_managed_references(vertex.references())])
        yield from self._find_for_calls_around(vertex)

    def _find_for_calls_around(self, vertex: Vertex) -> Iterator[ConfigResource]:
        for module in self._graph.dependencies(vertex):
            if isinstance(module, ExpandModule):
                if module not in self._modules:
                    self._modules[module] = frozenset(self._find_for_call(module))
                yield from self._modules[module]

    def _find_for_call(self, module: ExpandModule) -> Iterator[ConfigResource]:
        """Yield what `depends_on` of a module call names, and the resources behind it."""
        for target in self._known.targets_of(depends_on_references(module.parent, module.call.depends_on)):
            if isinstance(target, ResourceVertex):
                yield target.address
            yield from self._below.of(target)
        yield from self._find_for_calls_around(module)

    def _resources_behind(self, vertex: Vertex, references: list[ScopedSubject]) -> Iterator[ConfigResource]:
        for target in self._known.targets_of(references):
            if target is vertex:
                continue
            if isinstance(target, ResourceVertex):
                yield target.address
            else:
                yield from self._below.of(target)


def _managed_references(references: list[ScopedSubject]) -> list[ScopedSubject]:
    found = []
    for reference in references:
        resource = resource_of(reference.subject)
        if isinstance(resource, Resource) and resource.mode is ResourceMode.MANAGED:
            found.append(ScopedSubject(reference.module, resource))
    return found
