"""The graph: vertices, and edges that say which vertex waits for which.

An edge `X → Y` means X waits for Y, so the dependencies of a vertex are its successors. Vertices are told apart by
identity and come in the order they were added, whatever is done to the graph: two builds of the same configuration give
the same graph, and the same texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

import networkx

from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.values.text import quoted

__all__ = ["Graph", "Named"]


class Named(Protocol):
    """All a graph needs of its vertices."""

    @property
    def name(self) -> str: ...


V = TypeVar("V", bound=Named)


class Graph(Generic[V]):
    __slots__ = ("_edges",)

    def __init__(self) -> None:
        self._edges = networkx.DiGraph()

    def __len__(self) -> int:
        return len(self._edges)

    def __iter__(self) -> Iterator[V]:
        return iter(self._edges)

    def __contains__(self, vertex: V) -> bool:
        return vertex in self._edges

    def vertices(self) -> list[V]:
        """A list of its own: a transformer changes the graph it goes through."""
        return list(self._edges)

    def add(self, vertex: V) -> None:
        self._edges.add_node(vertex)

    def remove(self, vertex: V) -> None:
        self._edges.remove_node(vertex)

    def connect(self, waiting: V, dependency: V) -> None:
        self._edges.add_edge(waiting, dependency)

    def disconnect(self, waiting: V, dependency: V) -> None:
        self._edges.remove_edge(waiting, dependency)

    def is_connected(self, waiting: V, dependency: V) -> bool:
        return bool(self._edges.has_edge(waiting, dependency))

    def dependencies(self, vertex: V) -> list[V]:
        """What the vertex waits for, directly."""
        return list(self._edges.succ[vertex])

    def dependents(self, vertex: V) -> list[V]:
        """What waits for the vertex, directly."""
        return list(self._edges.pred[vertex])

    def has_dependents(self, vertex: V) -> bool:
        return bool(self._edges.pred[vertex])

    def edges(self) -> Iterator[tuple[V, V]]:
        return iter(self._edges.edges)

    def all_dependencies(self, *starts: V) -> list[V]:
        """Everything the given vertices wait for, directly or not, without themselves unless on a cycle."""
        return _reachable(starts, self._edges.succ.__getitem__)

    def all_dependents(self, *starts: V) -> list[V]:
        return _reachable(starts, self._edges.pred.__getitem__)

    def is_reachable(self, start: V, end: V) -> bool:
        """Whether the start waits for the end, directly or not. Searched from both sides at once."""
        return bool(networkx.has_path(self._edges, start, end))

    def components(self) -> Iterator[list[V]]:
        """Strongly connected components, each after all it depends on: a topological order that cycles cannot break."""
        return map(list, networkx.strongly_connected_components(self._edges))

    def roots(self) -> list[V]:
        """Vertices nobody waits for."""
        return [vertex for vertex, waiting in self._edges.pred.items() if not waiting]

    def problems(self) -> list[Diagnostic]:
        """Why the graph cannot be walked: cycles, each once, and vertices that wait for themselves."""
        found = [
            error(f"Cycle: {', '.join(sorted(vertex.name for vertex in component))}")
            for component in self.components()
            if len(component) > 1
        ]
        selves = [vertex for vertex in self._edges if self._edges.has_edge(vertex, vertex)]
        return found + [error(f"Self reference: {vertex.name}") for vertex in selves]

    def redundant_edges(self) -> list[tuple[V, V]]:
        """Edges implied by others. Dropping them changes no order, it only makes a drawing readable. The graph must
        have no cycle. What is reachable from a vertex is one whole number, a bit for each vertex."""
        bits = {vertex: 1 << number for number, vertex in enumerate(self._edges)}
        reach: dict[V, int] = {}
        redundant = []
        for (vertex,) in self.components():
            indirect = 0
            direct = 0
            for dependency in self._edges.succ[vertex]:
                direct |= bits[dependency]
                indirect |= reach[dependency]
            redundant += [(vertex, d) for d in self._edges.succ[vertex] if bits[d] & indirect]
            reach[vertex] = direct | indirect
        return redundant

    def reduced(self) -> Graph[V]:
        """A copy without edges implied by others; with all of them where there is a cycle."""
        copy: Graph[V] = Graph()
        copy._edges = self._edges.copy()
        if not self.problems():
            copy._edges.remove_edges_from(self.redundant_edges())
        return copy

    def text(self) -> str:
        """One line a vertex, sorted, its dependencies indented below it."""
        lines = []
        for vertex in sorted(self._edges, key=lambda vertex: vertex.name):
            lines.append(vertex.name)
            lines += [f"  {name}" for name in sorted(dependency.name for dependency in self._edges.succ[vertex])]
        return "".join(f"{line}\n" for line in lines)

    def dot(self) -> str:
        """For Graphviz: arrows go from what waits to what it waits for."""
        names = sorted(vertex.name for vertex in self._edges)
        pairs = sorted((waiting.name, dependency.name) for waiting, dependency in self._edges.edges)
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
