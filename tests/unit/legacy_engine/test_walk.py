"""The walker: order, failures, subgraphs, limits and seeds, on hand-written graphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from legacy_engine.nodes.capabilities import Executable, Expandable, Vertex
from legacy_engine.walk import walk
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.operations.graph import Graph

_NO_CONTEXT = cast("NodeContext", SimpleNamespace(forget_scopes=lambda: None))


class Work(Executable):
    """Records when it ran, and returns the given diagnostics."""

    def __init__(self, name: str, log: list[str], answer: Sequence[Diagnostic] = (), takes_s: float = 0) -> None:
        self._name = name
        self._log = log
        self._answer = answer
        self._takes_s = takes_s

    @property
    def name(self) -> str:
        return self._name

    async def execute(self, _context: NodeContext) -> Sequence[Diagnostic]:
        if self._takes_s:
            self._log.append(f"+{self._name}")
            await trio.sleep(self._takes_s)
        self._log.append(self._name)
        return self._answer


class Several(Expandable):
    def __init__(self, name: str, subgraph: Graph[Vertex]) -> None:
        self._name = name
        self._subgraph = subgraph

    @property
    def name(self) -> str:
        return self._name

    async def expand(self, _context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        return self._subgraph, ()


def chain(*vertices: Vertex) -> Graph[Vertex]:
    """Return vertices each of which waits for the one before it."""
    graph: Graph[Vertex] = Graph()
    for vertex in vertices:
        graph.add(vertex)
    for first, second in pairwise(vertices):
        graph.connect(second, first)
    return graph


def run(graph: Graph[Vertex], parallelism: int = 10, seed: int = 0) -> list[Diagnostic]:
    async def main() -> list[Diagnostic]:
        return await walk(graph, _NO_CONTEXT, parallelism, seed)

    return trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


def test_dependencies_come_first() -> None:
    log: list[str] = []
    run(chain(Work("a", log), Work("b", log), Work("c", log)))
    assert log == ["a", "b", "c"]


def test_what_waits_for_a_failure_is_skipped_without_a_word_and_the_rest_runs() -> None:
    log: list[str] = []
    graph = chain(Work("a", log, [error("broken")]), Work("b", log), Work("c", log))
    graph.add(Work("elsewhere", log))
    assert [problem.summary for problem in run(graph)] == ["broken"]
    assert sorted(log) == ["a", "elsewhere"]


def test_warnings_hinder_nobody() -> None:
    log: list[str] = []
    assert len(run(chain(Work("a", log, [warning("careful")]), Work("b", log)))) == 1
    assert log == ["a", "b"]


def test_a_vertex_ends_when_its_subgraph_does() -> None:
    log: list[str] = []
    inner = chain(Work("i1", log), Work("i2", log))
    run(chain(Work("before", log), Several("s", inner), Work("after", log)))
    assert log == ["before", "i1", "i2", "after"]


def test_one_failed_instance_fails_the_whole_but_not_its_siblings() -> None:
    log: list[str] = []
    inner: Graph[Vertex] = Graph()
    inner.add(Work("good", log))
    inner.add(Work("bad", log, [error("broken")]))
    assert len(run(chain(Several("s", inner), Work("after", log)))) == 1
    assert sorted(log) == ["bad", "good"]


def test_an_empty_subgraph_is_done_at_once() -> None:
    log: list[str] = []
    run(chain(Several("s", Graph()), Work("after", log)))
    assert log == ["after"]


def test_a_cycle_in_a_subgraph_is_a_failure_of_its_vertex() -> None:
    log: list[str] = []
    one, other = Work("a[0]", log), Work("a[1]", log)
    inner = chain(one, other)
    inner.connect(one, other)
    assert [problem.summary for problem in run(chain(Several("a", inner), Work("b", log)))] == ["Cycle: a[0], a[1]"]
    assert log == []


@pytest.mark.parametrize("limit", [1, 3, 10])
def test_never_more_at_once_than_allowed(limit: int) -> None:
    log: list[str] = []
    graph: Graph[Vertex] = Graph()
    for number in range(20):
        graph.add(Work(str(number), log, takes_s=1 + number % 3))
    run(graph, parallelism=limit)
    running = highest = 0
    for entry in log:
        running += 1 if entry.startswith("+") else -1
        highest = max(highest, running)
    assert highest == limit


def test_instances_of_different_subgraphs_share_one_limit() -> None:
    log: list[str] = []
    graph: Graph[Vertex] = Graph()
    for letter in "ab":
        inner: Graph[Vertex] = Graph()
        for number in range(4):
            inner.add(Work(f"{letter}{number}", log, takes_s=1))
        graph.add(Several(letter, inner))
    run(graph, parallelism=2)
    assert [entry[0] == "+" for entry in log[:3]] == [True, True, False]


def _order(seed: int) -> list[str]:
    log: list[str] = []
    graph: Graph[Vertex] = Graph()
    for number in range(30):
        graph.add(Work(str(number), log))
    run(graph, seed=seed)
    return log


def test_one_seed_is_one_order_and_another_is_another() -> None:
    assert _order(7) == _order(7)
    assert _order(7) != _order(8)


def test_a_chain_of_ten_thousand_fails_without_recursion() -> None:
    log: list[str] = []
    vertices: list[Vertex] = [Work("first", log, [error("broken")])]
    vertices += [Work(str(number), log) for number in range(10_000)]
    assert len(run(chain(*vertices))) == 1
    assert log == ["first"]
