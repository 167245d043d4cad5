"""Data and ephemeral resources learn what they must not be read before: a pending change to any of these defers them.

That is what `depends_on` names, their own or that of a module call around them; and managed resources the block refers
to directly, because whoever reads about an object wants to see it as it will be. Where a name is not a resource but a
module or a value, all resources behind it count.
"""

from __future__ import annotations

from collections.abc import Iterator

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Vertex
from legacy_engine.nodes.module import ExpandModule
from legacy_engine.nodes.resource import ResourceVertex
from legacy_engine.transforms.reference import ReferenceMap
from shared_nodes.addresses.references import ResourceInstance, ScopedSubject
from shared_nodes.addresses.resource import ConfigResource, Resource, ResourceMode
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import depends_on_references

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    readers = [
        vertex
        for vertex in graph
        if isinstance(vertex, ResourceVertex) and vertex.address.resource.mode is not ResourceMode.MANAGED
    ]
    if readers:
        search = _Search(graph, build)
        for vertex in readers:
            vertex.depends_on = frozenset(search.of_resource(vertex))
    return []


class _Search:
    __slots__ = ("_build", "_graph", "_known", "_modules")

    def __init__(self, graph: VertexGraph, build: BuildContext) -> None:
        self._graph = graph
        self._build = build
        self._known = ReferenceMap(graph)
        self._modules: dict[Vertex, frozenset[ConfigResource]] = {}

    def of_resource(self, vertex: ResourceVertex) -> Iterator[ConfigResource]:
        if vertex.block is not None and vertex.node is not None:
            named = depends_on_references(vertex.node, vertex.block.depends_on)
            yield from self._behind(vertex, [*named, *_managed(vertex.references())])
        yield from self._of_modules_around(vertex)

    def _of_modules_around(self, vertex: Vertex) -> Iterator[ConfigResource]:
        for module in self._graph.dependencies(vertex):
            if isinstance(module, ExpandModule):
                if module not in self._modules:
                    self._modules[module] = frozenset(self._of_module(module))
                yield from self._modules[module]

    def _of_module(self, module: ExpandModule) -> Iterator[ConfigResource]:
        """For a module, resources behind the named ones count as well."""
        for target in self._known.targets_of(depends_on_references(module.parent, module.call.depends_on)):
            if isinstance(target, ResourceVertex):
                yield target.address
            yield from self._below(target)
        yield from self._of_modules_around(module)

    def _behind(self, vertex: Vertex, references: list[ScopedSubject]) -> Iterator[ConfigResource]:
        for target in self._known.targets_of(references):
            if target is vertex:
                continue
            if isinstance(target, ResourceVertex):
                yield target.address
            else:
                yield from self._below(target)

    def _below(self, vertex: Vertex) -> Iterator[ConfigResource]:
        return iter(self._build.resource_sets.members(self._build.resources_below.get(vertex, 0)))


def _managed(references: list[ScopedSubject]) -> list[ScopedSubject]:
    found = []
    for reference in references:
        subject = reference.subject
        resource = subject.resource if isinstance(subject, ResourceInstance) else subject
        if isinstance(resource, Resource) and resource.mode is ResourceMode.MANAGED:
            found.append(ScopedSubject(reference.module, resource))
    return found
