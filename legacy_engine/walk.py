"""Walking a graph: every vertex is visited once, after all vertices it waits for, as many at a time as allowed.

A vertex executes and then may expand into a subgraph, which is walked the same way; the vertex ends when its subgraph
does. If anything a vertex waits for has failed, the vertex is skipped and counts as failed too, without a diagnostic:
users see causes, not consequences. Warnings fail nothing, and unrelated branches always run to their end.

Workers take any vertex that is ready, so their number limits the concurrency. There is one worker at first; when it has
to wait for something while other vertices are ready, another worker continues with those. A vertex that never has to
wait costs no task of its own, and most never do. Which of several ready vertices comes first is drawn from the seed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Coroutine, Generator, Sequence
from dataclasses import field
from random import Random
from types import coroutine
from typing import Any

from legacy_engine.nodes.capabilities import Executable, Expandable, Vertex
from shared_nodes import tasks
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.graph import Graph
from shared_nodes.plan.options import DEFAULT_PARALLELISM
from shared_nodes.record import record

__all__ = ["walk"]


async def walk(graph: Graph[Vertex], context: NodeContext, parallelism: int, seed: int) -> list[Diagnostic]:
    """Visit every vertex and return the diagnostics, in the order vertices ended, which has no meaning."""
    async with tasks.open_nursery() as nursery:
        walker = _Walker(context, seed, nursery, parallelism or DEFAULT_PARALLELISM)
        outermost = walker.enter(graph, None)
        await walker.work()
    context.forget_scopes()
    return outermost.diagnostics


@record(frozen=False, eq=False)
class _Visit:
    """A graph while it is walked: how many dependencies each vertex still waits for, and which vertices have a
    dependency that failed."""

    graph: Graph[Vertex]
    parent: tuple[_Visit, Vertex] | None
    waiting: dict[Vertex, int]
    hindered: set[Vertex] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)


class _Walker:
    __slots__ = ("_context", "_idle", "_nursery", "_places", "_random", "_ready", "_started", "_unfinished")

    def __init__(self, context: NodeContext, seed: int, nursery: tasks.Nursery, parallelism: int) -> None:
        self._context = context
        self._nursery = nursery
        self._places = parallelism - 1
        self._random = Random(seed)
        self._ready: list[tuple[float, int, _Visit, Vertex]] = []
        self._started = 0
        self._unfinished = 0
        self._idle = tasks.ParkingLot()

    def enter(self, graph: Graph[Vertex], parent: tuple[_Visit, Vertex] | None) -> _Visit:
        visit = _Visit(graph, parent, {vertex: len(graph.dependencies(vertex)) for vertex in graph})
        self._unfinished += len(visit.waiting)
        for vertex, count in visit.waiting.items():
            if count == 0:
                self._make_ready(visit, vertex)
        return visit

    def _make_ready(self, visit: _Visit, vertex: Vertex) -> None:
        self._started += 1
        heapq.heappush(self._ready, (self._random.random(), self._started, visit, vertex))

    async def work(self) -> None:
        while self._unfinished:
            if not self._ready:
                await self._idle.park()
                continue
            await tasks.checkpoint_if_cancelled()
            _, _, visit, vertex = heapq.heappop(self._ready)
            await _run_and_notify(self._run(visit, vertex), self._let_others_work)
        self._idle.unpark_all()

    def _let_others_work(self) -> None:
        if not self._ready:
            return
        if self._idle:
            self._idle.unpark()
        elif self._places:
            self._places -= 1
            self._nursery.start_soon(self.work)

    async def _run(self, visit: _Visit, vertex: Vertex) -> None:
        problems: Sequence[Diagnostic] = ()
        if isinstance(vertex, Executable):
            problems = await vertex.execute(self._context)
            visit.diagnostics.extend(problems)
        failed = has_errors(problems)
        if isinstance(vertex, Expandable) and not failed:
            subgraph, problems = await vertex.expand(self._context)
            visit.diagnostics.extend(problems)
            failed = has_errors(problems)
            if len(subgraph) and not failed:
                problems = subgraph.problems()
                visit.diagnostics.extend(problems)
                failed = bool(problems)
                if not failed:
                    self.enter(subgraph, (visit, vertex))
                    return
        self._finish(visit, vertex, failed)

    def _finish(self, visit: _Visit, vertex: Vertex, failed: bool) -> None:
        """Mark a vertex as ended. Dependents that wait for nothing else become ready, or, if anything they waited for
        has failed, end as failed in turn."""
        ended = [(visit, vertex, failed)]
        while ended:
            visit, vertex, failed = ended.pop()
            self._unfinished -= 1
            del visit.waiting[vertex]
            for dependent in visit.graph.dependents(vertex):
                visit.waiting[dependent] -= 1
                if failed:
                    visit.hindered.add(dependent)
                if visit.waiting[dependent]:
                    continue
                if dependent in visit.hindered:
                    ended.append((visit, dependent, True))
                else:
                    self._make_ready(visit, dependent)
            if not visit.waiting and visit.parent is not None:
                parent, expanded = visit.parent
                parent.diagnostics.extend(visit.diagnostics)
                ended.append((parent, expanded, has_errors(visit.diagnostics)))


@coroutine
def _run_and_notify(work: Coroutine[Any, Any, None], about_to_wait: Callable[[], None]) -> Generator[Any, Any, None]:
    """Run the work, and call `about_to_wait` whenever it is about to wait for something."""
    step: Callable[[Any], Any] = work.send
    argument: Any = None
    while True:
        try:
            trap = step(argument)
        except StopIteration:
            return
        about_to_wait()
        try:
            argument = yield trap
            step = work.send
        except BaseException as outside:
            argument = outside
            step = work.throw
