"""Promises: asynchronous results that can never wait for each other forever.

The guarantee: whatever the code that uses a `PromiseSession` does, every promise is settled: with a value; or, if
promises wait for each other in a cycle, with a `SelfDependency` for each of them, which names the whole cycle; or, if
the code raises, with `Crashed`. A hang is not among the outcomes, and a cycle is found wherever it runs, through
fan-out as well: a worker can only wait for promises, because there is nothing else to wait for.

Two nouns. A `Promise` is a result to come. A `Worker` is the activity that produces the result of one promise; while it
waits, it waits for one set of promises until the last of them is settled.

    promise --produced by--> worker --waits for--> promises

How to use it. `run_session(seed, main)` runs `main` in a new session and returns its result. Everything else is a
method of the session, and may be called only by code that the session runs:

    once      make a promise with a function: the first access of `.promise` starts the function in a worker of its own,
              later ones return the same promise
    begin     start several of these, in an order drawn from the seed
    settled   wait until several promises are settled, successfully or not; then read their `.result`
    all_true  wait until several promises of truth values are settled, and return whether all of them are true
    gather    run several functions concurrently, each in a worker of its own, and return their results

`.result` of a settled promise returns the value or raises the `PromiseFailure` it was settled with. A failure that is
not caught becomes the failure of the worker's own promise.

How cycles are found. Nothing can be wrong as long as one worker runs, so nothing is examined until the last running
worker begins to wait. From then on every worker that waits in a cycle waits forever, and the cycles are the strongly
connected components of the edges above: each is found as a whole, with all its members, in one pass over what waits.
Examining each wait instead would find a cycle earlier, but would follow the chain of waiting workers each time, which
takes N² steps on a chain of N promises; and it would find one loop of a cycle, not all of it. A call to the outside (a
provider, a process) counts as running: it delays the verdict and never falsifies it.

Workers are coroutines, and a few tasks carry them. A worker that waits for promises costs no task, only its frame; one
that waits for the outside keeps the task that carries it, and another task continues with the other workers. So there
are as many tasks as there are concurrent calls to the outside, chains may be of any length, and depth never costs
stack. The price is a rule: a worker must not wait for a promise inside a cancel scope or a nursery of its own, because
these belong to the task. Breaking the rule raises a RuntimeError at once.

A name is given when a promise is made, because when it is needed, in the report of a cycle, nothing else is left to
identify the promise by.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Sequence
from functools import partial
from random import Random
from types import coroutine
from typing import Any, Final, Generic, TypeVar, cast

from shared_nodes import tasks
from shared_nodes.lang.source import Range
from shared_nodes.operations.engine import EngineCrash, EngineFailure

__all__ = [
    "Crashed",
    "Once",
    "Promise",
    "PromiseFailure",
    "PromiseSession",
    "SelfDependency",
    "Worker",
    "run_session",
]

T = TypeVar("T")


class PromiseFailure(Exception):
    """Raised by the result of a promise that has no value."""


class SelfDependency(PromiseFailure):
    """The promise waits for itself. `members` are all promises of the cycle, by name."""

    def __init__(self, members: Iterable[Promise[Any]]) -> None:
        self.members = tuple(sorted(members, key=lambda promise: promise.name))
        super().__init__(", ".join(map(str, self.members)))


class Crashed(PromiseFailure):
    """The function that was to return the value raised something other than a `PromiseFailure`."""


class Worker:
    """What produces the result of one promise. `waits_for` is empty while it runs."""

    __slots__ = ("cancel_status", "coroutine", "name", "unsettled", "waits_for")

    def __init__(self, name: str) -> None:
        self.name = name
        self.waits_for: Sequence[Promise[Any]] = ()
        self.unsettled = 0
        self.cancel_status: object = None
        self.coroutine: Coroutine[Any, Any, None] | None = None


class Promise(Generic[T]):
    """A result to come. Made by `PromiseSession.once`. `origin` is the place in the configuration that makes it
    necessary, if there is one."""

    __slots__ = ("_failure", "_session", "_value", "_waiting", "is_settled", "name", "origin", "worker")

    def __init__(self, session: PromiseSession, name: str, worker: Worker, origin: Range | None = None) -> None:
        self.name = name
        self.origin = origin
        self.worker = worker
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
        """Wait for the result and return it, or raise the failure."""
        if not self.is_settled:
            await self._session.settled([self])
        return self.result

    @property
    def result(self) -> T:
        """The result of a settled promise: returns the value, or raises the failure. Asking earlier is a bug."""
        assert self.is_settled, f"{self} is asked for too early"
        if self._failure is not None:
            raise self._failure
        return cast("T", self._value)

    def resolve(self, value: T) -> None:
        """Settle with a value. A promise that already failed because it is part of a cycle stays failed: its function
        only unwinds."""
        if not self.is_settled:
            self._value = value
            self._settle()

    def fail(self, failure: PromiseFailure) -> None:
        """Settle with a failure, unless it is settled already."""
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
    """A function that is called when its result is first requested, and never again. Then the function is dropped, so
    that its owner and its promise do not keep each other alive."""

    __slots__ = ("_function", "_name", "_origin", "_promise", "_session")

    def __init__(
        self, session: PromiseSession, name: str, function: Callable[[], Awaitable[T]], origin: Range | None = None
    ) -> None:
        self._session = session
        self._name = name
        self._origin = origin
        self._function: Callable[[], Awaitable[T]] | None = function
        self._promise: Promise[T] | None = None

    @property
    def promise(self) -> Promise[T]:
        """The promise of the result. The first access starts the function, in a worker that outlives the caller."""
        if self._promise is None:
            worker = Worker(self._name)
            self._promise = Promise(self._session, self._name, worker, self._origin)
            self._session.start(worker, self._run(self._promise))
        return self._promise

    @property
    def is_started(self) -> bool:
        return self._promise is not None

    async def get(self) -> T:
        """Start the function if necessary, wait for the result and return it."""
        return await self.promise.get()

    async def _run(self, promise: Promise[T]) -> None:
        function, self._function = self._function, None
        assert function is not None, "it is started once"
        try:
            promise.resolve(await function())
        except PromiseFailure as failure:
            promise.fail(failure)
        except Exception as crash:  # any exception is a bug of the engine, and must fail the promise
            self._session.note(EngineCrash(f"the engine broke in {promise}: {crash!r}"), crash)
            promise.fail(Crashed(self._name))


class PromiseSession:
    """All workers of one operation. `seed` decides which of several workers that could continue does so first."""

    __slots__ = ("_failures", "_idle", "_nursery", "_random", "_ready", "_running", "_worker", "_workers")

    def __init__(self, nursery: tasks.Nursery, seed: int) -> None:
        self._nursery = nursery
        self._random = Random(seed)
        self._running = 0
        self._workers: dict[Worker, None] = {}
        self._ready: deque[Worker] = deque()
        self._idle = tasks.ParkingLot()
        self._worker = Worker("no worker")
        self._failures: list[EngineFailure] = []

    def once(self, name: str, function: Callable[[], Awaitable[T]], origin: Range | None = None) -> Once[T]:
        """Return a function that runs at most once, in a worker of its own. `name` identifies it in the report of a
        cycle."""
        return Once(self, name, function, origin)

    async def gather(self, work: Iterable[tuple[str, Callable[[], Awaitable[T]]]]) -> list[T]:
        """Run named functions concurrently and return their results in the order given. All of them end before this
        returns, whatever happens; then a failure of one is raised."""
        onces = [Once(self, name, function) for name, function in work]
        promises = self.begin(onces)
        await self.settled(promises)
        return [promise.result for promise in promises]

    def begin(self, onces: Sequence[Once[T]]) -> list[Promise[T]]:
        """Start all that have not started, in an order drawn from the seed, and return their promises in the order
        given."""
        order = [once for once in onces if not once.is_started]
        if len(order) > 1:
            self._random.shuffle(order)
        for once in order:
            _ = once.promise
        return [once.promise for once in onces]

    async def settled(self, promises: Iterable[Promise[Any]]) -> None:
        """Wait until all promises are settled, successfully or not. This costs nothing if they are already."""
        waits_for = [promise for promise in promises if not promise.is_settled]
        if not waits_for:
            return
        worker = self._worker
        if tasks.cancel_status() != worker.cancel_status:
            raise RuntimeError(f"{worker.name} waits for a promise inside a cancel scope or nursery of its own")
        worker.waits_for, worker.unsettled = waits_for, len(waits_for)
        for promise in waits_for:
            promise.add_waiting(worker)
        self._running -= 1
        self._break_cycles_if_idle()
        await _park()

    async def all_true(self, promises: Sequence[Promise[bool]], on_cycle: Callable[[SelfDependency], None]) -> bool:
        """Wait for promises of truth values, and return whether all of them are true. A promise that failed counts as
        false; failures because of a cycle are passed to `on_cycle`."""
        await self.settled(promises)
        succeeded = True
        for promise in promises:
            try:
                succeeded = promise.result and succeeded
            except SelfDependency as cycle:
                on_cycle(cycle)
                succeeded = False
            except PromiseFailure:
                succeeded = False
        return succeeded

    def resume(self, worker: Worker) -> None:
        """Make a worker ready. It counts as running from now on, not from when it continues: otherwise it could seem in
        between that no worker runs."""
        worker.waits_for = ()
        self._running += 1
        self._ready.append(worker)

    # Running workers

    def start(self, worker: Worker, work: Coroutine[Any, Any, None]) -> None:
        worker.coroutine = work
        self._workers[worker] = None
        self._running += 1
        self._ready.append(worker)

    async def carry(self) -> None:
        """Continue workers that are ready, until all have ended. Every now and then the rest of the program gets its
        turn."""
        turns = 0
        while self._workers:
            if not self._ready:
                await self._idle.park()
                continue
            turns += 1
            if turns % _TURNS == 0:
                await tasks.checkpoint()
                continue
            worker = self._ready.pop() if self._random.random() < _LAST_FIRST else self._ready.popleft()
            await self._continue(worker)
        self._idle.unpark_all()

    async def _continue(self, worker: Worker) -> None:
        """Run a worker until it waits for promises or ends. While it waits for anything else, so does this task."""
        assert worker.coroutine is not None
        worker.cancel_status = tasks.cancel_status()
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
                argument = await _forward(trap)
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
        self._running -= 1
        self._break_cycles_if_idle()

    def _break_cycles_if_idle(self) -> None:
        """Fail the promises of every cycle, if no worker is running: only then is a cycle permanent. A worker outside
        every cycle can only be waiting, directly or not, for a member of one, because every promise has a worker that
        produces it."""
        if self._running or not self._workers:
            return
        for cycle in self._find_cycles():
            failure = SelfDependency(cycle)
            for promise in cycle:
                promise.fail(failure)

    def _find_cycles(self) -> list[list[Promise[Any]]]:
        import networkx as nx

        edges: nx.DiGraph[Any] = nx.DiGraph()
        for worker in self._workers:
            for promise in worker.waits_for:
                edges.add_edge(worker, promise)
                edges.add_edge(promise, promise.worker)
        components = nx.strongly_connected_components(edges)
        return [
            [member for member in component if isinstance(member, Promise)]
            for component in components
            if len(component) > 1
        ]

    def note(self, failure: EngineFailure, cause: Exception | None = None) -> None:
        """Record a failure of the engine itself."""
        failure.__cause__ = cause
        self._failures.append(failure)

    def raise_failure(self) -> None:
        """Raise what broke in the engine itself, if anything did: the first failure, since the others often follow from
        it."""
        if self._failures:
            raise self._failures[0]

    def close(self) -> None:
        """End the workers that still wait after everything was cancelled. Call it when all tasks have ended: until then
        they run workers to their ends themselves."""
        for worker in self._workers:
            if worker.coroutine is not None:
                worker.coroutine.close()


_TURNS: Final = 100
"""How many workers continue between two turns for the rest of the program."""

_LAST_FIRST: Final = 0.25
"""The probability that the worker that became ready last continues first."""


_PARKED: Final = object()


@coroutine
def _park() -> Generator[object, None, None]:
    yield _PARKED


@coroutine
def _forward(trap: object) -> Generator[object, Any, Any]:
    """Await in the carrying task what a worker awaits from outside."""
    return (yield trap)


async def run_session(seed: int, main: Callable[[PromiseSession], Awaitable[T]]) -> T:
    """Run `main` as the first worker of a new session, and return its result once everything it started has ended. If
    the engine itself broke, that failure is raised instead, whatever the result."""
    try:
        async with tasks.open_nursery() as nursery:
            session = PromiseSession(nursery, seed)
            outcome = session.once("operation", partial(main, session)).promise
            await session.carry()
    finally:
        session.close()
    session.raise_failure()
    return outcome.result
