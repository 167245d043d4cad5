"""The part of a value's work that is done once in each instance of its module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from legacy_engine.capabilities import Executable, Vertex
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.operations.graph import Graph

__all__ = ["PerModule", "for_each_module"]


class PerModule(Executable):
    __slots__ = ("_name", "_work")

    def __init__(self, name: str, work: Callable[[], Sequence[Diagnostic]]) -> None:
        self._name = name
        self._work = work

    @property
    def name(self) -> str:
        return self._name

    async def execute(self, _context: NodeContext) -> Sequence[Diagnostic]:
        return self._work()


def for_each_module(
    name: str, modules: Iterable[ModuleInstance], work: Callable[[ModuleInstance], Sequence[Diagnostic]]
) -> Graph[Vertex]:
    """A subgraph of vertices that do not wait for each other; `name` is that of the thing inside its module."""
    graph: Graph[Vertex] = Graph()
    for module in modules:
        graph.add(PerModule(module.prefix(name), partial(work, module)))
    return graph
