"""Graphs for people to look at. Planning needs none, and applying follows another: these are only drawn."""

from __future__ import annotations

from new_engine.discovery.dependencies import Dependencies
from new_engine.execgraph.check import operation_names
from new_engine.execgraph.graph import ExecutionGraph, RefKind
from new_engine.nodes.node import Node
from shared_nodes.operations.graph import Graph

__all__ = ["ExecutionDrawing", "draw_nodes"]


def draw_nodes(dependencies: Dependencies) -> Graph[Node]:
    """Everything planning looks at, and what each waits for."""
    drawing: Graph[Node] = Graph()
    for node in (node for component in dependencies.reach.components for node in component):
        drawing.add(node)
        for dependency in dependencies.of(node):
            drawing.connect(node, dependency)
    return drawing


class _Leg:
    """All operations of one name."""

    def __init__(self, name: str) -> None:
        self.name = name


class ExecutionDrawing(Graph[_Leg]):
    """An execution graph: drawn leg by leg, and written operation by operation."""

    __slots__ = ("_graph",)

    def __init__(self, graph: ExecutionGraph) -> None:
        super().__init__()
        self._graph = graph
        names = operation_names(graph)
        legs = {name: _Leg(name) for name in names}
        for index, operation in enumerate(graph.operations):
            leg = legs[names[index]]
            self.add(leg)
            for ref in operation.operands:
                if ref is not None and ref.kind is RefKind.WAITER:
                    for member in graph.waiters[ref.index]:
                        self.connect(leg, legs[names[member.index]])

    def reduced(self) -> ExecutionDrawing:
        """Waiters name only what no other waits for: there is nothing to leave out."""
        return self

    def text(self) -> str:
        return self._graph.text()
