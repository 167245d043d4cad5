"""Laws of promises that hold for every wait graph and every seed, whatever the code that uses them does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import networkx as nx
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from new_engine.concurrency.promises import Promise, PromiseFailure, PromiseSession, SelfDependency, run_session
from shared_nodes.operations.engine import EngineCrash
from tests.unit.new_engine.concurrency.settling import settle

SEEDS: Final = st.integers(0, 2**32)
SIZE: Final = 8


@dataclass(frozen=True)
class Fan:
    """What one worker waits for: `asked`, and `parts`, each a separate worker that waits for others."""

    asked: tuple[int, ...] = ()
    parts: tuple[tuple[int, ...], ...] = ()
    delay_s: int = 0


def fans(targets: st.SearchStrategy[int]) -> st.SearchStrategy[Fan]:
    several = st.lists(targets, max_size=3).map(tuple)
    return st.builds(Fan, several, st.lists(several, max_size=2).map(tuple), delay_s=st.integers(0, 3))


@st.composite
def graphs(draw: st.DrawFn, *, acyclic: bool = False) -> list[Fan]:
    size = draw(st.integers(1, SIZE))
    return [
        draw(fans(st.integers(0, number - 1)) if number else st.just(Fan()))
        if acyclic
        else draw(fans(st.integers(0, size - 1)))
        for number in range(size)
    ]


def static_graph(graph: Sequence[Fan]) -> nx.DiGraph[str]:
    """Return what waits for what, computed from the description alone."""
    edges: nx.DiGraph[str] = nx.DiGraph()
    for number, fan in enumerate(graph):
        worker = str(number)
        edges.add_edges_from((worker, str(other)) for other in fan.asked)
        for index, part in enumerate(fan.parts):
            edges.add_edge(worker, f"{number}/{index}")
            edges.add_edges_from((f"{number}/{index}", str(other)) for other in part)
        edges.add_node(str(number))
    return edges


def static_circles(graph: Sequence[Fan]) -> set[frozenset[str]]:
    """Return the strongly connected components of the description."""
    edges = static_graph(graph)
    return {
        frozenset(component)
        for component in nx.strongly_connected_components(edges)
        if len(component) > 1 or edges.has_edge(*[next(iter(component))] * 2)
    }


class Net:
    """Executes a wait graph. Every worker waits for all of its dependencies at once and adds up their results. No
    worker starts to wait before all promises exist."""

    def __init__(self, session: PromiseSession, graph: Sequence[Fan]) -> None:
        self._session = session
        self._graph = graph
        self._gate = trio.Event()
        self.promises: dict[int, Promise[int]] = {}
        self.parts: list[Promise[int]] = []

    async def run(self) -> list[Promise[int]]:
        """Return all promises once they are settled."""
        onces = [self._session.once(str(number), partial(self._sum, number)) for number in range(len(self._graph))]
        self.promises.update(enumerate(self._session.begin(onces)))
        self._gate.set()
        await self._session.settled(self.promises.values())
        return [*self.promises.values(), *self.parts]

    async def _sum(self, number: int) -> int:
        fan = self._graph[number]
        await self._gate.wait()
        await trio.sleep(fan.delay_s)
        parts = [
            self._session.once(f"{number}/{index}", partial(self._part, part)) for index, part in enumerate(fan.parts)
        ]
        begun = self._session.begin(parts)
        self.parts += begun
        return 1 + await self._total([*(self.promises[other] for other in fan.asked), *begun])

    async def _part(self, others: Sequence[int]) -> int:
        return await self._total([self.promises[other] for other in others])

    async def _total(self, promises: Sequence[Promise[int]]) -> int:
        await self._session.settled(promises)
        return sum(promise.result for promise in promises)


def failure_of(promise: Promise[Any]) -> PromiseFailure | None:
    assert promise.is_settled
    try:
        _ = promise.result
    except PromiseFailure as failure:
        return failure
    return None


def names(circle: SelfDependency) -> frozenset[str]:
    return frozenset(member.name for member in circle.members)


@given(graphs(), SEEDS)
def test_circles_are_the_strongly_connected_components(graph: list[Fan], seed: int) -> None:
    """Each circle is found as a whole and fails all of its members. What waits for a circle fails with one it waits
    for, and nothing else fails."""
    edges = static_graph(graph)
    expected = static_circles(graph)
    found: set[frozenset[str]] = set()
    for promise in settle(lambda session: Net(session, graph).run(), seed):
        below = nx.descendants(edges, promise.name) | {promise.name}
        reachable = {circle for circle in expected if circle & below}
        own = {circle for circle in expected if promise.name in circle}
        failure = failure_of(promise)
        if failure is None:
            assert not reachable
            continue
        assert isinstance(failure, SelfDependency)
        assert names(failure) in (own or reachable)
        found.add(names(failure))
    assert found == expected


@given(graphs(acyclic=True), SEEDS)
def test_without_a_circle_every_promise_has_its_value(graph: list[Fan], seed: int) -> None:
    """Every promise has the value that a plain loop computes, whatever the seed."""
    values: list[int] = []
    for fan in graph:
        values.append(1 + sum(values[other] for others in (fan.asked, *fan.parts) for other in others))
    net: list[Net] = []

    async def main(session: PromiseSession) -> None:
        net.append(Net(session, graph))
        await net[0].run()

    settle(main, seed)
    assert [net[0].promises[number].result for number in range(len(graph))] == values


# Arbitrary programs

Step = tuple[str, Any]
Program = list[Step]

TARGETS: Final = st.integers(0, SIZE - 1)
PLAIN: Final = st.one_of(
    st.tuples(st.just("sleep"), st.integers(0, 5)),
    st.tuples(st.just("get"), TARGETS),
    st.tuples(st.just("settled"), st.lists(TARGETS, max_size=3)),
)
BROKEN: Final = st.just(("crash", None))


def programs(steps: st.SearchStrategy[Step]) -> st.SearchStrategy[list[Program]]:
    nested = st.recursive(
        st.lists(steps, max_size=4),
        lambda inner: st.lists(st.one_of(steps, st.tuples(st.just("gather"), st.lists(inner, max_size=3))), max_size=4),
        max_leaves=6,
    )
    return st.lists(nested, min_size=SIZE, max_size=SIZE)


class Interpreter:
    """Runs programs that wait for each other. The steps of a program run one after the other. A stubborn program
    continues after failures."""

    def __init__(self, session: PromiseSession, written: Sequence[Program], *, is_stubborn: bool) -> None:
        self._session = session
        self._is_stubborn = is_stubborn
        self._onces = [session.once(str(number), partial(self._run, program)) for number, program in enumerate(written)]

    async def run(self) -> list[Promise[None]]:
        promises = self._session.begin(self._onces)
        await self._session.settled(promises)
        return promises

    async def _run(self, program: Program) -> None:
        for name, argument in program:
            try:
                await self._step(name, argument)
            except PromiseFailure:
                if not self._is_stubborn:
                    raise

    async def _step(self, name: str, argument: Any) -> None:
        match name:
            case "sleep":
                await trio.sleep(argument)
            case "get":
                await self._onces[argument].get()
            case "settled":
                await self._session.settled([self._onces[target].promise for target in argument])
            case "gather":
                work = [(f"part {index}", partial(self._run, inner)) for index, inner in enumerate(argument)]
                await self._session.gather(work)
            case "crash":
                raise ValueError("crash")


@given(programs(PLAIN), st.booleans(), SEEDS)
def test_every_program_ends_with_every_promise_settled(written: list[Program], is_stubborn: bool, seed: int) -> None:
    """Only circles fail, and each reported circle is real: its members are in one component of the graph of possible
    waits."""
    promises = settle(lambda session: Interpreter(session, written, is_stubborn=is_stubborn).run(), seed)
    edges = static_requests(written)
    components = list(nx.strongly_connected_components(edges))
    for promise in promises:
        failure = failure_of(promise)
        if failure is not None:
            assert isinstance(failure, SelfDependency)
            numbers = {name for name in names(failure) if name.isdigit()}
            assert any(numbers <= component for component in components)


def static_requests(written: Sequence[Program]) -> nx.DiGraph[str]:
    edges: nx.DiGraph[str] = nx.DiGraph()
    for number, program in enumerate(written):
        edges.add_node(str(number))
        pending = list(program)
        while pending:
            name, argument = pending.pop()
            if name == "gather":
                pending += [step for inner in argument for step in inner]
            elif name in ("get", "settled"):
                targets = argument if name == "settled" else [argument]
                edges.add_edges_from((str(number), str(target)) for target in targets)
    return edges


@given(programs(st.one_of(PLAIN, BROKEN)), st.booleans(), SEEDS)
def test_broken_programs_end_as_well(written: list[Program], is_stubborn: bool, seed: int) -> None:
    """A crash is reported as such, and all promises are settled nevertheless."""

    async def main(session: PromiseSession) -> None:
        promises = await Interpreter(session, written, is_stubborn=is_stubborn).run()
        assert all(promise.is_settled for promise in promises)

    with suppress(EngineCrash):
        settle(main, seed)


@given(programs(PLAIN), st.booleans(), st.floats(0, 20), SEEDS)
def test_cancelled_anywhere_nothing_is_left(written: list[Program], is_stubborn: bool, at_s: float, seed: int) -> None:
    async def cancelled() -> None:
        before = trio.lowlevel.current_statistics().tasks_living
        with trio.move_on_after(at_s):
            await run_session(seed, lambda session: Interpreter(session, written, is_stubborn=is_stubborn).run())
        assert trio.lowlevel.current_statistics().tasks_living == before

    trio.run(cancelled, clock=MockClock(autojump_threshold=0))
