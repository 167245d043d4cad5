"""Edges from references: whoever refers to something waits for it."""

from __future__ import annotations

from collections.abc import Iterable

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Destroyer, InstanceVertex, Referenceable, Referencer, ScopedSubject, Vertex
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.references import ModuleCall, ModuleOutput, ResourceInstance, Subject
from shared_nodes.diagnostics import Diagnostic

__all__ = ["ReferenceMap", "in_different_instances_of_same_module", "transform"]


def transform(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    known = ReferenceMap(graph)
    for vertex in graph.vertices():
        if not isinstance(vertex, Referencer) or isinstance(vertex, Destroyer):
            continue
        for target in known.targets_of(vertex.references()):
            if target is vertex or isinstance(target, Destroyer):
                continue
            if not in_different_instances_of_same_module(vertex, target):
                graph.connect(vertex, target)
    return []


class ReferenceMap:
    """Vertices by what they may be called, in each module."""

    __slots__ = ("_vertices",)

    def __init__(self, vertices: Iterable[Vertex]) -> None:
        self._vertices: dict[tuple[ModulePath, str], list[Vertex]] = {}
        for vertex in vertices:
            if isinstance(vertex, Referenceable):
                for name in vertex.reference_names():
                    self._vertices.setdefault(name, []).append(vertex)

    def targets_of(self, references: Iterable[ScopedSubject]) -> Iterable[Vertex]:
        for reference in dict.fromkeys(references):
            yield from self.named(reference.module, reference.subject)

    def named(self, module: ModulePath, subject: Subject) -> list[Vertex]:
        """By the exact name; failing that, by the next more general one that somebody has. An undeclared name has no
        vertex, and evaluation will say so."""
        exact = self._vertices.get((module, str(subject)))
        if exact is not None:
            return exact
        for general in _generalised(subject):
            found = self._vertices.get((module, str(general)))
            if found is not None:
                return found
        return []


def _generalised(subject: Subject) -> tuple[Subject, ...]:
    """The resource of an instance; the module of a module instance. An output that a module does not have stands for
    the whole module."""
    match subject:
        case ResourceInstance(resource, key) if key is not None:
            return (resource,)
        case ModuleOutput(ModuleCall(name), output):
            return (ModuleOutput(ModuleCall(name), output), ModuleCall(name))
        case ModuleCall(name, key) if key is not None:
            return (ModuleCall(name),)
    return ()


def in_different_instances_of_same_module(one: Vertex, other: Vertex) -> bool:
    """Two instances of one module do not see each other, although their resources have the same names."""
    if not isinstance(one, InstanceVertex) or not isinstance(other, InstanceVertex):
        return False
    ours, theirs = one.instance.module, other.instance.module
    return ours != theirs and ours.path == theirs.path
