"""Following a graph: every operation once, after all it takes and all it waits for.

All legs start together, and their order emerges from whom they wait for. A leg is a stretch of operations up to one
that ends something, a result or a deletion; one worker performs it from end to end, because within a leg there is
nothing to do side by side. An operation that succeeds gives its result to those that take it. One whose operands did
not all succeed does nothing and says nothing: users see causes, not consequences. Nothing is cut short by a failure:
what does not depend on it runs on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from new_engine.execgraph.check import operation_names
from new_engine.execgraph.graph import ExecutionGraph, OperationNode, Ref, RefKind
from new_engine.promises import Once, PromiseFailure, SelfDependency, Session
from shared_nodes.diagnostics import Diagnostic, error, has_errors

__all__ = ["Execution", "Hindered", "Perform"]

Perform = Callable[[OperationNode, Sequence[Any]], Awaitable[tuple[Any, Sequence[Diagnostic]]]]
"""What an operation does with its operands: its result, and what went wrong. An error means that there is no result."""


class Hindered(PromiseFailure):
    """What was waited for did not come, and who is to blame has said why."""


class Execution:
    """One graph being followed. Diagnostics come in the order operations ended, which means nothing."""

    __slots__ = ("_graph", "_leg_of", "_legs", "_perform", "_results", "_session", "diagnostics")

    def __init__(self, session: Session, graph: ExecutionGraph, perform: Perform) -> None:
        self._session = session
        self._graph = graph
        self._perform = perform
        self._results: list[Any] = [None] * len(graph.operations)
        self._legs: list[Once[None]] = []
        self._leg_of: list[int] = []
        self.diagnostics: list[Diagnostic] = []
        names = operation_names(graph)
        for leg in _legs(graph):
            self._leg_of += [len(self._legs)] * len(leg)
            self._legs.append(session.once(names[leg.start], partial(self._follow, leg)))

    async def follow(self) -> bool:
        """Whether all operations succeeded."""
        return await self._ended(self._legs)

    async def succeeded(self, ref: Ref) -> bool:
        return await self._ended([self._legs[self._leg_of[ref.index]]])

    async def _ended(self, legs: Sequence[Once[None]]) -> bool:
        promises = self._session.begin(legs)
        await self._session.settled(promises)
        succeeded = True
        for promise in promises:
            try:
                _ = promise.result
            except SelfDependency as circle:
                self._report(circle)
                succeeded = False
            except PromiseFailure:
                succeeded = False
        return succeeded

    def _report(self, circle: SelfDependency) -> None:
        """No graph that was planned has one, but a file may hold anything."""
        problem = error(f"Cycle: {', '.join(member.name for member in circle.members)}")
        if problem not in self.diagnostics:
            self.diagnostics.append(problem)

    async def _follow(self, leg: range) -> None:
        for index in leg:
            operation = self._graph.operations[index]
            others = dict.fromkeys(self._leg_of[ref.index] for ref in self._waits(operation))
            others.pop(self._leg_of[index], None)
            if others and not await self._ended([self._legs[other] for other in others]):
                raise Hindered
            result, problems = await self._perform(operation, [self._operand(ref) for ref in operation.operands])
            self.diagnostics.extend(problems)
            if has_errors(problems):
                raise Hindered
            self._results[index] = result

    def _waits(self, operation: OperationNode) -> Iterator[Ref]:
        for ref in operation.operands:
            if ref is None:
                continue
            if ref.kind is RefKind.OPERATION:
                yield ref
            elif ref.kind is RefKind.WAITER:
                yield from self._graph.waiters[ref.index]

    def _operand(self, ref: Ref | None) -> Any:
        match ref:
            case Ref(RefKind.OPERATION, index):
                return self._results[index]
            case Ref(RefKind.INSTANCE, index):
                return self._graph.instances[index]
            case Ref(RefKind.PROVIDER, index):
                return self._graph.providers[index]
            case Ref(RefKind.DEPOSED_KEY, index):
                return self._graph.deposed_keys[index]
        return None


def _legs(graph: ExecutionGraph) -> Iterable[range]:
    ends = {ref.index for ref in (*graph.results.values(), *graph.deletions.values())}
    ends.add(len(graph.operations) - 1)
    start = 0
    for end in sorted(ends):
        if end >= start:
            yield range(start, end + 1)
            start = end + 1
