"""Following a graph: every operation once, after everything it takes and everything it waits for.

All legs start together, and their order emerges from what they wait for. A leg is a run of operations up to one that
ends something, a result or a deletion; one worker performs it from end to end, because nothing within a leg can run
concurrently. What several legs wait for together is one promise for all of them: with N instances that depend on N
others there would be N² waits. An operation that succeeds passes its result to those that take it. One whose operands
did not all succeed does nothing and reports nothing: users see causes, not consequences. A failure stops nothing that
does not depend on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Final

from new_engine.concurrency.promises import Once, PromiseFailure, PromiseSession, SelfDependency
from new_engine.execgraph.check import operation_names
from new_engine.execgraph.graph import ExecutionGraph, OperationNode, Ref, RefKind
from new_engine.execgraph.opcodes import Opcode
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.graph import cycle_error

__all__ = ["DependencyFailed", "Execution", "Perform"]

Perform = Callable[[OperationNode, Sequence[Any]], Awaitable[tuple[Any, Sequence[Diagnostic]]]]
"""Performs an operation with its operands: returns its result, and what went wrong. If there is an error, there is no
result."""


_UNNAMED: Final = ""
"""The name of promises that only join legs: they appear in no message."""


class DependencyFailed(PromiseFailure):
    """Something that was waited for has failed, and has reported why."""


class Execution:
    """One graph that is being followed. Diagnostics are in the order operations ended, which has no meaning."""

    __slots__ = ("_graph", "_leg_of", "_legs", "_perform", "_results", "_session", "_shared", "diagnostics")

    def __init__(self, session: PromiseSession, graph: ExecutionGraph, perform: Perform) -> None:
        self._session = session
        self._graph = graph
        self._perform = perform
        self._results: list[Any] = [None] * len(graph.operations)
        self._legs: list[Once[bool]] = []
        self._leg_of: list[int] = []
        self.diagnostics: list[Diagnostic] = []
        names = operation_names(graph)
        for leg in _legs(graph):
            self._leg_of += [len(self._legs)] * len(leg)
            self._legs.append(session.once(names[leg.start], partial(self._follow, leg)))
        self._shared: dict[int, tuple[frozenset[int], Once[bool]]] = {}
        for index in _shared_waiters(graph):
            members = self._members(index)
            together = session.once(_UNNAMED, partial(self._wait_for, [self._legs[leg] for leg in members]))
            self._shared[index] = (frozenset(members), together)

    async def follow(self) -> bool:
        """Perform all operations, and return whether all of them succeeded."""
        return await self._wait_for(self._legs)

    async def succeeded(self, *refs: Ref) -> bool:
        """Wait for operations, and return whether all of them succeeded."""
        return await self._wait_for([self._legs[leg] for leg in dict.fromkeys(self._leg_of[ref.index] for ref in refs)])

    def precedes_deletion(self, result: Ref) -> bool:
        """Return whether a deletion waits for the operation itself, and not only for what comes after it."""
        leg = self._leg_of[result.index]
        deleting = {self._leg_of[ref.index] for ref in self._graph.deletions.values()} - {leg}
        return any(
            leg in self._awaited_legs(operation)
            for index, operation in enumerate(self._graph.operations)
            if self._leg_of[index] in deleting
        )

    def followers(self, results: Iterable[Ref], without: Iterable[Ref] = ()) -> set[Ref]:
        """Return operations that come after any of these, but not those of the legs of `without`. The result of an
        instance that is only deleted is its prior object, and reading that does not make the deletion come after
        anything."""
        operations, left_out = self._graph.operations, {self._leg_of[ref.index] for ref in without}
        found = self._graph.followers(ref for ref in results if operations[ref.index].opcode is not Opcode.PRIOR)
        return {ref for ref in found if self._leg_of[ref.index] not in left_out}

    async def served_by(self, providers: Collection[AbsProviderConfig]) -> bool:
        """Wait for all legs that work through any of these providers, and return whether they succeeded."""
        legs = {
            self._leg_of[index]: None
            for index, operation in enumerate(self._graph.operations)
            for ref in operation.operands
            if ref is not None and ref.kind is RefKind.PROVIDER and self._graph.providers[ref.index].config in providers
        }
        return await self._wait_for([self._legs[leg] for leg in legs])

    async def _wait_for(self, awaited: Sequence[Once[bool]]) -> bool:
        """Wait until all have ended, and return whether all of them succeeded."""
        return await self._session.all_true(self._session.begin(awaited), self._report)

    def _report(self, cycle: SelfDependency) -> None:
        """Report a cycle. No graph that was planned has one, but a file may hold anything."""
        problem = cycle_error(member.name for member in cycle.members if member.name != _UNNAMED)
        if problem not in self.diagnostics:
            self.diagnostics.append(problem)

    async def _follow(self, leg: range) -> bool:
        for index in leg:
            operation = self._graph.operations[index]
            awaited = self._find_awaited(operation, self._leg_of[index])
            if awaited and not await self._wait_for(awaited):
                raise DependencyFailed
            result, problems = await self._perform(operation, [self._operand(ref) for ref in operation.operands])
            self.diagnostics.extend(problems)
            if has_errors(problems):
                raise DependencyFailed
            self._results[index] = result
        return True

    def _find_awaited(self, operation: OperationNode, own: int) -> list[Once[bool]]:
        legs: dict[int, None] = {}
        together: list[Once[bool]] = []
        for ref in operation.operands:
            if ref is None:
                continue
            if ref.kind is RefKind.OPERATION:
                legs[self._leg_of[ref.index]] = None
            elif ref.kind is RefKind.WAITER:
                shared = self._shared.get(ref.index)
                if shared is None or own in shared[0]:
                    legs |= self._members(ref.index)
                else:
                    together.append(shared[1])
        legs.pop(own, None)
        return [*together, *(self._legs[leg] for leg in legs)]

    def _awaited_legs(self, operation: OperationNode) -> set[int]:
        legs: set[int] = set()
        for ref in operation.operands:
            if ref is not None and ref.kind is RefKind.OPERATION:
                legs.add(self._leg_of[ref.index])
            elif ref is not None and ref.kind is RefKind.WAITER:
                legs.update(self._members(ref.index))
        return legs

    def _members(self, waiter: int) -> dict[int, None]:
        return dict.fromkeys(self._leg_of[ref.index] for ref in self._graph.waiters[waiter])

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


def _shared_waiters(graph: ExecutionGraph) -> list[int]:
    """Return the waiters that join several legs for several operations."""
    refs = (ref for operation in graph.operations for ref in operation.operands if ref is not None)
    uses = Counter(ref.index for ref in refs if ref.kind is RefKind.WAITER)
    return [index for index, count in uses.items() if count > 1 and len(graph.waiters[index]) > 1]


def _legs(graph: ExecutionGraph) -> Iterable[range]:
    ends = {ref.index for ref in (*graph.results.values(), *graph.deletions.values())}
    ends.add(len(graph.operations) - 1)
    start = 0
    for end in sorted(ends):
        if end >= start:
            yield range(start, end + 1)
            start = end + 1
