"""Edges from references: whoever refers to something waits for it."""

from __future__ import annotations

from collections.abc import Iterable

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Destroyer, InstanceVertex, Referenceable, Referencer, Vertex
from shared_nodes.addresses.module import ModuleInstance, ModulePath
from shared_nodes.addresses.references import ScopedSubject, Subject, fallback_subjects
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["Neighbours", "ReferenceMap", "transform"]


def transform(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    known = ReferenceMap(graph)
    for vertex in graph.vertices():
        if not isinstance(vertex, Referencer) or isinstance(vertex, Destroyer):
            continue
        for target in known.seen_from(vertex, vertex.references()):
            if target is not vertex and not isinstance(target, Destroyer):
                graph.connect(vertex, target)
    return []


class ReferenceMap:
    """Vertices by what they may be called, in each module."""

    __slots__ = ("_vertices",)

    def __init__(self, vertices: Iterable[Vertex]) -> None:
        self._vertices: dict[tuple[ModulePath, str], Neighbours] = {}
        for vertex in vertices:
            if isinstance(vertex, Referenceable):
                for name in vertex.reference_names():
                    self._vertices.setdefault(name, Neighbours()).add(vertex)

    def targets_of(self, references: Iterable[ScopedSubject]) -> Iterable[Vertex]:
        for reference in dict.fromkeys(references):
            yield from self._named(reference.module, reference.subject).vertices

    def seen_from(self, vertex: Vertex, references: Iterable[ScopedSubject]) -> Iterable[Vertex]:
        """Targets, without those that stand in another instance of the module the vertex stands in."""
        for reference in dict.fromkeys(references):
            yield from self._named(reference.module, reference.subject).seen_from(vertex)

    def _named(self, module: ModulePath, subject: Subject) -> Neighbours:
        """By the exact name; failing that, by the next more general one that somebody has. An undeclared name has no
        vertex, and evaluation will say so."""
        exact = self._vertices.get((module, str(subject)))
        if exact is not None:
            return exact
        for general in fallback_subjects(subject):
            found = self._vertices.get((module, str(general)))
            if found is not None:
                return found
        return Neighbours()


class Neighbours:
    """Some vertices, as others see them: two instances of one module do not see each other, although their resources
    have the same names. Kept by module instance, so that who looks from one of a thousand instances need not look
    through what is in all others."""

    __slots__ = ("_beyond", "_in_module", "vertices")

    def __init__(self) -> None:
        self.vertices: list[Vertex] = []
        self._in_module: dict[ModuleInstance | None, list[Vertex]] = {}
        self._beyond: dict[ModulePath, list[Vertex]] = {}

    def add(self, vertex: Vertex) -> None:
        """Only before anybody looks."""
        self.vertices.append(vertex)
        module = vertex.instance.module if isinstance(vertex, InstanceVertex) else None
        self._in_module.setdefault(module, []).append(vertex)

    def seen_from(self, vertex: Vertex) -> list[Vertex]:
        if not isinstance(vertex, InstanceVertex):
            return self.vertices
        module = vertex.instance.module
        here = self._in_module.get(module, [])
        if len(here) == len(self.vertices):
            return self.vertices
        beyond = self._seen_beyond(module.path)
        return [*beyond, *here] if beyond else here

    def _seen_beyond(self, path: ModulePath) -> list[Vertex]:
        """What is no instance, or not in this module: every instance of the module sees that."""
        found = self._beyond.get(path)
        if found is None:
            found = self._beyond[path] = [
                vertex
                for module, vertices in self._in_module.items()
                if module is None or module.path != path
                for vertex in vertices
            ]
        return found
