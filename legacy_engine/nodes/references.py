"""Which vertices a reference leads to, and the edges that follow from references."""

from __future__ import annotations

from collections.abc import Iterable

from legacy_engine.nodes.capabilities import Destroyer, InstanceVertex, Referenceable, Referencer, Vertex
from shared_nodes.addresses.module import ModuleInstance, ModulePath
from shared_nodes.addresses.namesakes import Namesakes
from shared_nodes.addresses.references import ScopedSubject, Subject, fallback_subjects
from shared_nodes.operations.graph import Graph

__all__ = ["ReferenceMap", "connect_references", "module_of", "seen_by"]


def connect_references(graph: Graph[Vertex]) -> None:
    """Make every vertex wait for the vertices it refers to. No vertex waits for a destroy because of a reference: the
    order of destroying is another."""
    known = ReferenceMap(graph)
    for vertex in graph.vertices():
        if not isinstance(vertex, Referencer):
            continue
        for target in known.seen_from(vertex, vertex.references()):
            if target is not vertex and not isinstance(target, Destroyer):
                graph.connect(vertex, target)


class ReferenceMap:
    """Vertices by the names they can be referred to by, in each module."""

    __slots__ = ("_vertices",)

    def __init__(self, vertices: Iterable[Vertex]) -> None:
        self._vertices: dict[tuple[ModulePath, str], Namesakes[Vertex]] = {}
        for vertex in vertices:
            if isinstance(vertex, Referenceable):
                for name in vertex.reference_names():
                    self._vertices.setdefault(name, Namesakes()).add(vertex, module_of(vertex))

    def targets_of(self, references: Iterable[ScopedSubject]) -> Iterable[Vertex]:
        """Return what the references lead to, wherever it is."""
        for reference in dict.fromkeys(references):
            yield from self._find(reference.module, reference.subject).everything

    def seen_from(self, vertex: Vertex, references: Iterable[ScopedSubject]) -> Iterable[Vertex]:
        """Return what the references of a vertex lead to, without what belongs to another instance of the vertex's own
        module."""
        for reference in dict.fromkeys(references):
            yield from seen_by(vertex, self._find(reference.module, reference.subject))

    def _find(self, module: ModulePath, subject: Subject) -> Namesakes[Vertex]:
        """Look for the exact name and then for more general ones. An undeclared name has no vertex; evaluation reports
        it."""
        exact = self._vertices.get((module, str(subject)))
        if exact is not None:
            return exact
        for general in fallback_subjects(subject):
            found = self._vertices.get((module, str(general)))
            if found is not None:
                return found
        return Namesakes()


def module_of(vertex: Vertex) -> ModuleInstance | None:
    """Return the module instance of a vertex that is about one resource instance."""
    return vertex.instance.module if isinstance(vertex, InstanceVertex) else None


def seen_by(vertex: Vertex, namesakes: Namesakes[Vertex]) -> list[Vertex]:
    """Return the namesakes that a vertex sees: all of them, unless it is about one resource instance."""
    module = module_of(vertex)
    return namesakes.everything if module is None else namesakes.seen_from(module)
