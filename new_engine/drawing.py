"""Graphs for inspection. Planning needs none, and applying follows another one: these are only drawn."""

from __future__ import annotations

from new_engine.discovery.dependencies import Dependencies
from new_engine.execgraph.check import operation_names
from new_engine.execgraph.graph import ExecutionGraph, RefKind
from new_engine.nodes.node import Node
from shared_nodes.operations.graph import Graph

__all__ = ["ExecutionDrawing", "draw_nodes"]


def draw_nodes(dependencies: Dependencies) -> Graph[Node]:
    """Return everything planning evaluates, and what each node waits for."""
    drawing: Graph[Node] = Graph()
    for node in (node for component in dependencies.reach.components for node in component):
        drawing.add(node)
        for dependency in dependencies.of(node):
            drawing.connect(node, dependency)
    return drawing


class _Leg:
    """All operations with one name."""

    def __init__(self, name: str) -> None:
        self.name = name


class ExecutionDrawing(Graph[_Leg]):
    """An execution graph that is drawn leg by leg and printed operation by operation."""

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
        """Return the drawing itself: waiters name only what no other of their members waits for, so nothing is
        redundant."""
        return self

    def text(self) -> str:
        return self._graph.text()
