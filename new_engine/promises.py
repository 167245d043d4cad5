"""Promises: asynchronous results that can never wait for each other forever.

The guarantee: whatever the code that uses a `Session` does, every promise is settled. With a value; or, if promises
wait for each other in a circle, with `SelfDependency` for each of them, which names the whole circle; or, if the code
breaks, with `Crashed` or `Forgotten`. A hang is not among the outcomes, and a circle is found wherever it runs, through
fan-out as well: whoever waits, waits for promises, because there is nothing else to wait for.

Two nouns. A `Promise` is a result to come. A `Worker` is a task that works towards results: it answers for the promises
it owes, and while it waits it waits for one set of promises until the last of them is settled.

    promise --owed by--> worker --waits for--> promises

    once      a promise with a function: the first to ask starts it, in a worker of its own; all others just wait
    settled   waits for several promises at once
    gather    several functions side by side, each in a worker of its own, and their results
    owe       a promise that the current worker settles by hand

How circles are found. Nothing can be wrong as long as one worker runs, so nobody looks until the last running worker
begins to wait. From then on whoever waits in a circle waits for good, and the circles are the strongly connected
components of the edges above: each is found as a whole, with all its members, in one pass over what waits. Looking at
each wait instead would find a circle earlier but would walk the chain of waiters each time, which on a chain of N
promises takes N² steps; and it would see one loop of a circle, not all of it. A call to the outside (a provider, a
process) is part of running: it delays the verdict and never falsifies it.

Workers are coroutines, and a few tasks carry them: a worker that waits for promises costs no task, only its frame; one
that waits for the outside keeps the task that carries it, and another task goes on with the rest. So there are as many
tasks as there are calls to the outside at a time, chains may be of any length, and depth never costs the stack. The
price is a rule: a worker must not wait for a promise inside a cancel scope or a nursery of its own, because these
belong to the task. Whoever breaks it is told at once.

Names are given when a promise is made, because by the time they are needed nobody remembers what a promise was for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Sequence
from functools import partial
from random import Random
from types import coroutine
from typing import Any, Final, Generic, TypeVar, cast

import trio

from shared_nodes.lang.source import Range
from shared_nodes.operations.engine import EngineCrash, EngineDeadlock, EngineFailure

__all__ = [
    "Crashed",
    "Forgotten",
    "Once",
    "Promise",
    "PromiseFailure",
    "SelfDependency",
    "Session",
    "Worker",
    "run_session",
]

T = TypeVar("T")


class PromiseFailure(Exception):
    """What a promise without a value raises."""


class SelfDependency(PromiseFailure):
    """The promise waits for itself. `members` is everybody in the circle, by name."""

    def __init__(self, members: Iterable[Promise[Any]]) -> None:
        self.members = tuple(sorted(members, key=lambda promise: promise.name))
        super().__init__(", ".join(map(str, self.members)))


class Crashed(PromiseFailure):
    """The function that was to give the value raised something."""


class Forgotten(PromiseFailure):
    """The worker that owed the value ended without giving it."""


class Worker:
    """`waits_for` is empty while it runs."""

    __slots__ = ("coroutine", "name", "owes", "surroundings", "unsettled", "waits_for")

    def __init__(self, name: str) -> None:
        self.name = name
        self.owes: list[Promise[Any]] = []
        self.waits_for: Sequence[Promise[Any]] = ()
        self.unsettled = 0
        self.surroundings: object = None
        self.coroutine: Coroutine[Any, Any, None] | None = None


class Promise(Generic[T]):
    """A result to come. `origin` is the place in the configuration that makes it necessary, where there is one."""

    __slots__ = ("_failure", "_session", "_value", "_waiting", "is_settled", "name", "origin", "owed_by")

    def __init__(self, session: Session, name: str, owed_by: Worker, origin: Range | None = None) -> None:
        self.name = name
        self.origin = origin
        self.owed_by = owed_by
        self.is_settled = False
        self._session = session
        self._value: T | None = None
        self._failure: PromiseFailure | None = None
        self._waiting: list[Worker] = []

    def __str__(self) -> str:
        if self.origin is None:
            return self.name
        return f"{self.name} ({self.origin.source.filename}:{self.origin.first.line})"

    async def get(self) -> T:
        if not self.is_settled:
            await self._session.settled([self])
        return self.result

    @property
    def result(self) -> T:
        """Of a settled promise."""
        assert self.is_settled, f"{self} is asked for too early"
        if self._failure is not None:
            raise self._failure
        return cast("T", self._value)

    def resolve(self, value: T) -> None:
        """A promise that failed because it is part of a circle stays failed: its function only unwinds."""
        if not self.is_settled:
            self._value = value
            self._settle()

    def fail(self, failure: PromiseFailure) -> None:
        if not self.is_settled:
            self._failure = failure
            self._settle()

    def _settle(self) -> None:
        self.is_settled = True
        waiting, self._waiting = self._waiting, []
        for worker in waiting:
            worker.unsettled -= 1
            if not worker.unsettled:
                self._session.resume(worker)

    def add_waiting(self, worker: Worker) -> None:
        self._waiting.append(worker)


class Once(Generic[T]):
    """A function that is called when its result is first asked for, and never again: it is forgotten then, lest what it
    belongs to and its promise hold each other."""

    __slots__ = ("_function", "_name", "_origin", "_promise", "_session")

    def __init__(
        self, session: Session, name: str, function: Callable[[], Awaitable[T]], origin: Range | None = None
    ) -> None:
        self._session = session
        self._name = name
        self._origin = origin
        self._function: Callable[[], Awaitable[T]] | None = function
        self._promise: Promise[T] | None = None

    @property
    def promise(self) -> Promise[T]:
        """The result, its function started. It outlives whoever asked first, so it runs in the session's nursery."""
        if self._promise is None:
            worker = Worker(self._name)
            self._promise = Promise(self._session, self._name, worker, self._origin)
            self._session.start(worker, self._run(self._promise))
        return self._promise

    @property
    def is_started(self) -> bool:
        return self._promise is not None

    async def get(self) -> T:
        return await self.promise.get()

    async def _run(self, promise: Promise[T]) -> None:
        function, self._function = self._function, None
        assert function is not None, "it is started once"
        try:
            promise.resolve(await function())
        except PromiseFailure as failure:
            promise.fail(failure)
        except Exception as crash:  # whatever it is, it is a bug of the engine, and whoever waits must learn of it
            self._session.note(EngineCrash(f"the engine broke in {promise}: {crash!r}"), crash)
            promise.fail(Crashed(self._name))


class Session:
    """All workers of one operation. `seed` decides who of those that could go on does so first."""

    __slots__ = ("_failures", "_idle", "_nursery", "_random", "_ready", "_running", "_worker", "_workers")

    def __init__(self, nursery: trio.Nursery, seed: int) -> None:
        self._nursery = nursery
        self._random = Random(seed)
        self._running = 0
        self._workers: dict[Worker, None] = {}
        self._ready: deque[Worker] = deque()
        self._idle = trio.lowlevel.ParkingLot()
        self._worker = Worker("nobody")
        self._failures: list[EngineFailure] = []

    def once(self, name: str, function: Callable[[], Awaitable[T]], origin: Range | None = None) -> Once[T]:
        return Once(self, name, function, origin)

    def owe(self, name: str, origin: Range | None = None) -> Promise[Any]:
        promise: Promise[Any] = Promise(self, name, self._worker, origin)
        self._worker.owes.append(promise)
        return promise

    async def gather(self, work: Iterable[tuple[str, Callable[[], Awaitable[T]]]]) -> list[T]:
        """The results of named functions, in the order given. All of them end before this does, whatever happens; a
        failure of one is then a failure of the whole."""
        onces = [Once(self, name, function) for name, function in work]
        promises = self.begin(onces)
        await self.settled(promises)
        return [promise.result for promise in promises]

    def begin(self, onces: Sequence[Once[T]]) -> list[Promise[T]]:
        """Start all that have not started, in an order of the seed's."""
        order = [once for once in onces if not once.is_started]
        if len(order) > 1:
            self._random.shuffle(order)
        for once in order:
            _ = once.promise
        return [once.promise for once in onces]

    async def settled(self, promises: Iterable[Promise[Any]]) -> None:
        """Returns once all of them are settled, one way or the other. At no cost if they are already."""
        waits_for = [promise for promise in promises if not promise.is_settled]
        if not waits_for:
            return
        worker = self._worker
        if _surroundings() != worker.surroundings:
            raise RuntimeError(f"{worker.name} waits for a promise inside a cancel scope or nursery of its own")
        worker.waits_for, worker.unsettled = waits_for, len(waits_for)
        for promise in waits_for:
            promise.add_waiting(worker)
        self._running -= 1
        self._look_if_nobody_runs()
        await _parked()

    def resume(self, worker: Worker) -> None:
        """It counts as running from now on, not from when it gets its turn: else it could seem in between that nobody
        runs."""
        worker.waits_for = ()
        self._running += 1
        self._ready.append(worker)

    # Who runs

    def start(self, worker: Worker, work: Coroutine[Any, Any, None]) -> None:
        worker.coroutine = work
        self._workers[worker] = None
        self._running += 1
        self._ready.append(worker)

    async def carry(self) -> None:
        """Go on with whoever can, until all have ended. Now and then everything else of the program gets its turn."""
        turns = 0
        while self._workers:
            if not self._ready:
                await self._idle.park()
                continue
            turns += 1
            if turns % _TURNS == 0:
                await trio.lowlevel.checkpoint()
                continue
            worker = self._ready.pop() if self._random.random() < _LAST_FIRST else self._ready.popleft()
            await self._go_on(worker)
        self._idle.unpark_all()

    async def _go_on(self, worker: Worker) -> None:
        """Until it waits for promises or ends. Where it waits for anything else, so does this task."""
        assert worker.coroutine is not None
        worker.surroundings = _surroundings()
        step: Callable[[Any], Any] = worker.coroutine.send
        argument: Any = None
        while True:
            self._worker = worker
            try:
                trap = step(argument)
            except StopIteration:
                self._end(worker)
                return
            except BaseException:
                self._end(worker)
                raise
            if trap is _PARKED:
                return
            self._let_others_carry()
            try:
                argument = await _forwarded(trap)
                step = worker.coroutine.send
            except BaseException as outside:
                argument = outside
                step = worker.coroutine.throw

    def _let_others_carry(self) -> None:
        if not self._ready:
            return
        if self._idle:
            self._idle.unpark()
        else:
            self._nursery.start_soon(self.carry)

    def _end(self, worker: Worker) -> None:
        del self._workers[worker]
        for promise in worker.owes:
            if not promise.is_settled:
                self.note(EngineDeadlock(f"nobody settles {promise}"))
                promise.fail(Forgotten(promise.name))
        self._running -= 1
        self._look_if_nobody_runs()

    def _look_if_nobody_runs(self) -> None:
        """Only now can there be a circle that nothing will ever open. Whoever waits, in no circle himself, waits for a
        member of one: a worker answers for each promise until it ends, and only then for no more."""
        if self._running or not self._workers:
            return
        for circle in self._circles():
            failure = SelfDependency(circle)
            for promise in circle:
                promise.fail(failure)

    def _circles(self) -> list[list[Promise[Any]]]:
        import networkx as nx

        edges: nx.DiGraph[Any] = nx.DiGraph()
        for worker in self._workers:
            for promise in worker.waits_for:
                edges.add_edge(worker, promise)
                edges.add_edge(promise, promise.owed_by)
        components = nx.strongly_connected_components(edges)
        return [
            [member for member in component if isinstance(member, Promise)]
            for component in components
            if len(component) > 1
        ]

    def note(self, failure: EngineFailure, cause: Exception | None = None) -> None:
        failure.__cause__ = cause
        self._failures.append(failure)

    def raise_failure(self) -> None:
        """What broke in the engine itself, if anything did: the first of it, since the rest often follows from it."""
        if self._failures:
            raise self._failures[0]

    def close(self) -> None:
        """Whoever still waits after everything was cancelled waits no longer. Not before all tasks have ended: until
        then they carry workers to their ends themselves."""
        for worker in self._workers:
            if worker.coroutine is not None:
                worker.coroutine.close()


_TURNS: Final = 100
"""How many workers go on between two turns for the rest of the program."""

_LAST_FIRST: Final = 0.25
"""How often the one that could go on last does so first."""


def _surroundings() -> object:
    """The scope everything happens in that the current task does. Trio has no public name for it."""
    return getattr(trio.lowlevel.current_task(), "_cancel_status", None)


_PARKED: Final = object()


@coroutine
def _parked() -> Generator[object, None, None]:
    yield _PARKED


@coroutine
def _forwarded(trap: object) -> Generator[object, Any, Any]:
    """What a worker awaits from outside, awaited by the task that carries it."""
    return (yield trap)


async def run_session(seed: int, main: Callable[[Session], Awaitable[T]]) -> T:
    """What `main` returns, once everything it started has ended. It is a worker too, the first. If the engine itself
    broke on the way, that comes out of here, whatever the result was."""
    try:
        async with trio.open_nursery() as nursery:
            session = Session(nursery, seed)
            outcome = session.once("operation", partial(main, session)).promise
            await session.carry()
    finally:
        session.close()
    session.raise_failure()
    return outcome.result
