"""A directed graph of vertices that wait for each other.

An edge `X → Y` means that X waits for Y, so the successors of a vertex are its dependencies. Vertices are compared by
identity and keep the order in which they were added, whatever is done to the graph: two builds of the same
configuration give the same graph and the same texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.values.text import quoted

__all__ = ["Graph", "Named", "components"]


class Named(Protocol):
    """All that a graph requires of its vertices."""

    @property
    def name(self) -> str: ...


V = TypeVar("V", bound=Named)


class Graph(Generic[V]):
    """A directed graph, stored as two dictionaries and nothing else: the graph of an apply may have millions of edges,
    and the per-edge overhead of a general-purpose library would cost more time and memory than everything else."""

    __slots__ = ("_dependencies", "_dependents")

    def __init__(self) -> None:
        self._dependencies: dict[V, dict[V, None]] = {}
        """What each vertex waits for. The inner dictionaries serve as ordered sets."""

        self._dependents: dict[V, dict[V, None]] = {}
        """What waits for each vertex: the same edges, reversed."""

    def __len__(self) -> int:
        return len(self._dependencies)

    def __iter__(self) -> Iterator[V]:
        return iter(self._dependencies)

    def __contains__(self, vertex: V) -> bool:
        return vertex in self._dependencies

    def vertices(self) -> list[V]:
        """Return a new list, because transforms change the graph while they iterate."""
        return list(self._dependencies)

    def add(self, vertex: V) -> None:
        if vertex not in self._dependencies:
            self._dependencies[vertex] = {}
            self._dependents[vertex] = {}

    def remove(self, vertex: V) -> None:
        for dependency in self._dependencies.pop(vertex):
            self._dependents[dependency].pop(vertex, None)
        for waiting in self._dependents.pop(vertex):
            self._dependencies.get(waiting, {}).pop(vertex, None)

    def connect(self, waiting: V, dependency: V) -> None:
        self.add(waiting)
        self.add(dependency)
        self._dependencies[waiting][dependency] = None
        self._dependents[dependency][waiting] = None

    def disconnect(self, waiting: V, dependency: V) -> None:
        del self._dependencies[waiting][dependency]
        del self._dependents[dependency][waiting]

    def dependencies(self, vertex: V) -> list[V]:
        """Return what the vertex waits for directly."""
        return list(self._dependencies[vertex])

    def dependents(self, vertex: V) -> list[V]:
        """Return what waits for the vertex directly."""
        return list(self._dependents[vertex])

    def edges(self) -> Iterator[tuple[V, V]]:
        return ((waiting, each) for waiting, dependencies in self._dependencies.items() for each in dependencies)

    def all_dependencies(self, *starts: V) -> list[V]:
        """Return everything the given vertices wait for, directly or not, excluding themselves unless they are on a
        cycle."""
        return _find_reachable(starts, self._dependencies.__getitem__)

    def all_dependents(self, *starts: V) -> list[V]:
        return _find_reachable(starts, self._dependents.__getitem__)

    def is_reachable(self, start: V, end: V) -> bool:
        """Return whether `start` waits for `end`, directly or not."""
        pending = [start]
        seen = {start}
        while pending:
            dependencies = self._dependencies[pending.pop()]
            if end in dependencies:
                return True
            pending += [vertex for vertex in dependencies if vertex not in seen]
            seen.update(dependencies)
        return False

    def components(self) -> Iterator[list[V]]:
        """Yield the strongly connected components, each after everything it depends on: a topological order that also
        exists when there are cycles."""
        return components(self._dependencies, self._dependencies.__getitem__)

    def roots(self) -> list[V]:
        """Return the vertices that nothing waits for."""
        return [vertex for vertex, waiting in self._dependents.items() if not waiting]

    def problems(self) -> list[Diagnostic]:
        """Explain why the graph cannot be walked: its cycles, each reported once, and vertices that wait for
        themselves."""
        found = [
            cycle_error(sorted(vertex.name for vertex in component))
            for component in self.components()
            if len(component) > 1
        ]
        selves = [vertex for vertex, dependencies in self._dependencies.items() if vertex in dependencies]
        return found + [self_reference_error(vertex.name) for vertex in selves]

    def redundant_edges(self) -> list[tuple[V, V]]:
        """Return the edges that others imply. Dropping them changes no order but makes a drawing readable. The graph
        must be acyclic. The set of vertices reachable from a vertex is one integer, with one bit per vertex."""
        bits = {vertex: 1 << number for number, vertex in enumerate(self._dependencies)}
        reach: dict[V, int] = {}
        redundant = []
        for (vertex,) in self.components():
            indirect = 0
            direct = 0
            for dependency in self._dependencies[vertex]:
                direct |= bits[dependency]
                indirect |= reach[dependency]
            redundant += [(vertex, d) for d in self._dependencies[vertex] if bits[d] & indirect]
            reach[vertex] = direct | indirect
        return redundant

    def reduced(self) -> Graph[V]:
        """Return a copy without the edges that others imply. If there is a cycle, the copy keeps all edges."""
        copy: Graph[V] = Graph()
        copy._dependencies = {vertex: dict(dependencies) for vertex, dependencies in self._dependencies.items()}
        copy._dependents = {vertex: dict(dependents) for vertex, dependents in self._dependents.items()}
        if not self.problems():
            for waiting, dependency in self.redundant_edges():
                copy.disconnect(waiting, dependency)
        return copy

    def text(self) -> str:
        """Format as one line per vertex, sorted, with its dependencies indented below it."""
        lines = []
        for vertex in sorted(self._dependencies, key=lambda vertex: vertex.name):
            lines.append(vertex.name)
            lines += [f"  {name}" for name in sorted(dependency.name for dependency in self._dependencies[vertex])]
        return "".join(f"{line}\n" for line in lines)

    def dot(self) -> str:
        """Format for Graphviz. Arrows point from a vertex to what it waits for."""
        names = sorted(vertex.name for vertex in self._dependencies)
        pairs = sorted((waiting.name, dependency.name) for waiting, dependency in self.edges())
        vertices = [f"  {quoted(name)};" for name in names]
        arrows = [f"  {quoted(waiting)} -> {quoted(dependency)};" for waiting, dependency in pairs]
        return "\n".join(["digraph {", '  rankdir = "RL";', *vertices, *arrows, "}", ""])


def _find_reachable(starts: Iterable[V], neighbours: Callable[[V], Iterable[V]]) -> list[V]:
    pending = list(starts)
    seen: dict[V, None] = {}
    while pending:
        for vertex in neighbours(pending.pop()):
            if vertex not in seen:
                seen[vertex] = None
                pending.append(vertex)
    return list(seen)


def cycle_error(names: Iterable[str]) -> Diagnostic:
    """Report members of one cycle, in the order given."""
    return error(f"Cycle: {', '.join(names)}")


def self_reference_error(name: str) -> Diagnostic:
    return error(f"Self reference: {name}")


T = TypeVar("T")


def components(vertices: Iterable[T], dependencies: Callable[[T], Iterable[T]]) -> Iterator[list[T]]:
    """Yield the strongly connected components, each after everything it depends on. If each consists of one vertex,
    that is a topological order.

    This is one depth-first search that keeps its path in a list, because a chain may be longer than the interpreter can
    recurse. `bounds` are the vertices of the path that may begin a component; an edge back to an earlier vertex shows
    that all bounds after it do not (Gabow's alternative to Tarjan's numbers).
    """
    order: dict[T, int] = {}
    placed: set[T] = set()
    unplaced: list[T] = []
    bounds: list[T] = []
    path: list[tuple[T, Iterator[T]]] = []

    def enter(vertex: T) -> None:
        order[vertex] = len(order)
        unplaced.append(vertex)
        bounds.append(vertex)
        path.append((vertex, iter(dependencies(vertex))))

    for start in vertices:
        if start not in order:
            enter(start)
        while path:
            vertex, rest = path[-1]
            for dependency in rest:
                if dependency not in order:
                    enter(dependency)
                    break
                if dependency not in placed:
                    while order[bounds[-1]] > order[dependency]:
                        bounds.pop()
            else:
                path.pop()
                if bounds[-1] == vertex:
                    bounds.pop()
                    component = [unplaced.pop()]
                    while component[-1] != vertex:
                        component.append(unplaced.pop())
                    placed.update(component)
                    yield component
