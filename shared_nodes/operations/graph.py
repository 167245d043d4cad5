"""The graph: vertices, and edges that say which vertex waits for which.

An edge `X → Y` means X waits for Y, so the dependencies of a vertex are its successors. Vertices are told apart by
identity and come in the order they were added, whatever is done to the graph: two builds of the same configuration give
the same graph, and the same texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.values.text import quoted

__all__ = ["Graph", "Named", "components"]


class Named(Protocol):
    """All a graph needs of its vertices."""

    @property
    def name(self) -> str: ...


V = TypeVar("V", bound=Named)


class Graph(Generic[V]):
    """Two dictionaries and nothing else: the graph of an apply may have millions of edges, and what a general library
    keeps for each of them would take more time and memory than all the rest."""

    __slots__ = ("_before", "_behind")

    def __init__(self) -> None:
        self._behind: dict[V, dict[V, None]] = {}
        """What each vertex waits for. Dictionaries stand for sets with an order."""

        self._before: dict[V, dict[V, None]] = {}
        """What waits for each vertex: the same edges the other way round."""

    def __len__(self) -> int:
        return len(self._behind)

    def __iter__(self) -> Iterator[V]:
        return iter(self._behind)

    def __contains__(self, vertex: V) -> bool:
        return vertex in self._behind

    def vertices(self) -> list[V]:
        """A list of its own: a transformer changes the graph it goes through."""
        return list(self._behind)

    def add(self, vertex: V) -> None:
        if vertex not in self._behind:
            self._behind[vertex] = {}
            self._before[vertex] = {}

    def remove(self, vertex: V) -> None:
        for dependency in self._behind.pop(vertex):
            self._before[dependency].pop(vertex, None)
        for waiting in self._before.pop(vertex):
            self._behind.get(waiting, {}).pop(vertex, None)

    def connect(self, waiting: V, dependency: V) -> None:
        self.add(waiting)
        self.add(dependency)
        self._behind[waiting][dependency] = None
        self._before[dependency][waiting] = None

    def disconnect(self, waiting: V, dependency: V) -> None:
        del self._behind[waiting][dependency]
        del self._before[dependency][waiting]

    def is_connected(self, waiting: V, dependency: V) -> bool:
        return waiting in self._behind and dependency in self._behind[waiting]

    def dependencies(self, vertex: V) -> list[V]:
        """What the vertex waits for, directly."""
        return list(self._behind[vertex])

    def dependents(self, vertex: V) -> list[V]:
        """What waits for the vertex, directly."""
        return list(self._before[vertex])

    def has_dependents(self, vertex: V) -> bool:
        return bool(self._before[vertex])

    def edges(self) -> Iterator[tuple[V, V]]:
        return ((waiting, dependency) for waiting, behind in self._behind.items() for dependency in behind)

    def all_dependencies(self, *starts: V) -> list[V]:
        """Everything the given vertices wait for, directly or not, without themselves unless on a cycle."""
        return _reachable(starts, self._behind.__getitem__)

    def all_dependents(self, *starts: V) -> list[V]:
        return _reachable(starts, self._before.__getitem__)

    def is_reachable(self, start: V, end: V) -> bool:
        """Whether the start waits for the end, directly or not."""
        pending = [start]
        seen = {start}
        while pending:
            behind = self._behind[pending.pop()]
            if end in behind:
                return True
            pending += [vertex for vertex in behind if vertex not in seen]
            seen.update(behind)
        return False

    def components(self) -> Iterator[list[V]]:
        """Strongly connected components, each after all it depends on: a topological order that cycles cannot break."""
        return components(self._behind, self._behind.__getitem__)

    def roots(self) -> list[V]:
        """Vertices nobody waits for."""
        return [vertex for vertex, waiting in self._before.items() if not waiting]

    def problems(self) -> list[Diagnostic]:
        """Why the graph cannot be walked: cycles, each once, and vertices that wait for themselves."""
        found = [
            cycle_error(sorted(vertex.name for vertex in component))
            for component in self.components()
            if len(component) > 1
        ]
        selves = [vertex for vertex, behind in self._behind.items() if vertex in behind]
        return found + [self_reference_error(vertex.name) for vertex in selves]

    def redundant_edges(self) -> list[tuple[V, V]]:
        """Edges implied by others. Dropping them changes no order, it only makes a drawing readable. The graph must
        have no cycle. What is reachable from a vertex is one whole number, a bit for each vertex."""
        bits = {vertex: 1 << number for number, vertex in enumerate(self._behind)}
        reach: dict[V, int] = {}
        redundant = []
        for (vertex,) in self.components():
            indirect = 0
            direct = 0
            for dependency in self._behind[vertex]:
                direct |= bits[dependency]
                indirect |= reach[dependency]
            redundant += [(vertex, d) for d in self._behind[vertex] if bits[d] & indirect]
            reach[vertex] = direct | indirect
        return redundant

    def reduced(self) -> Graph[V]:
        """A copy without edges implied by others; with all of them where there is a cycle."""
        copy: Graph[V] = Graph()
        copy._behind = {vertex: dict(behind) for vertex, behind in self._behind.items()}
        copy._before = {vertex: dict(before) for vertex, before in self._before.items()}
        if not self.problems():
            for waiting, dependency in self.redundant_edges():
                copy.disconnect(waiting, dependency)
        return copy

    def text(self) -> str:
        """One line a vertex, sorted, its dependencies indented below it."""
        lines = []
        for vertex in sorted(self._behind, key=lambda vertex: vertex.name):
            lines.append(vertex.name)
            lines += [f"  {name}" for name in sorted(dependency.name for dependency in self._behind[vertex])]
        return "".join(f"{line}\n" for line in lines)

    def dot(self) -> str:
        """For Graphviz: arrows go from what waits to what it waits for."""
        names = sorted(vertex.name for vertex in self._behind)
        pairs = sorted((waiting.name, dependency.name) for waiting, dependency in self.edges())
        vertices = [f"  {quoted(name)};" for name in names]
        arrows = [f"  {quoted(waiting)} -> {quoted(dependency)};" for waiting, dependency in pairs]
        return "\n".join(["digraph {", '  rankdir = "RL";', *vertices, *arrows, "}", ""])


def _reachable(starts: Iterable[V], neighbours: Callable[[V], Iterable[V]]) -> list[V]:
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
    """Strongly connected components, each after all it depends on: where each is of one vertex, that is a topological
    order.

    One depth-first search that keeps its path in a list, because a chain may be longer than the interpreter can
    recurse. `bounds` are the vertices of the path that may begin a component; an edge back to an earlier vertex shows
    that all bounds after it do not (Gabow's way to say what Tarjan's numbers say)."""
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
