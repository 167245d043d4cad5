"""Tasks: what engines, and all that they call, do concurrently, whichever event loop they run in.

There are two. Commands run engines in a loop of their own (`shared_nodes/task_loop.py`), which starts fast and takes
little time for a step. Where a provider is another process, the loop is trio's, since only that waits for sockets.
Everything here asks which of them runs in this thread; the words and the rules are trio's.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from shared_nodes.task_loop import (
    LoopEnded,
    OwnNursery,
    OwnScope,
    OwnTask,
    TooSlowError,
    current_loop,
    suspend,
    take_turn,
)

__all__ = [
    "CallSoon",
    "CancelScope",
    "Event",
    "Lock",
    "LoopEnded",
    "Nursery",
    "ParkingLot",
    "TooSlowError",
    "call_in_thread",
    "caller_of_this_loop",
    "cancel_scope",
    "cancel_status",
    "checkpoint",
    "checkpoint_if_cancelled",
    "open_nursery",
    "shielded_checkpoint",
    "sleep",
    "sleep_forever",
    "spawn_system_task",
    "wait_until_idle",
]

_Result = TypeVar("_Result")


class Nursery(Protocol):
    """A block that ends when all tasks which were started in it have ended."""

    def start_soon(self, function: Callable[..., Awaitable[Any]], /, *arguments: Any) -> None: ...

    async def __aenter__(self) -> Nursery: ...

    async def __aexit__(self, *raised: Any) -> bool | None: ...


class CancelScope(Protocol):
    """What is cancelled together."""

    def cancel(self) -> None: ...

    def __enter__(self) -> CancelScope: ...

    def __exit__(self, *raised: Any) -> bool | None: ...


CallSoon = Callable[..., None]
"""Makes a call in an event loop, from any thread or signal handler. Raises LoopEnded if the loop has ended."""


# Tasks


def open_nursery() -> Nursery:
    loop = current_loop()
    if loop is not None:
        return OwnNursery(loop)
    import trio

    return cast("Nursery", trio.open_nursery())


def cancel_scope() -> CancelScope:
    if current_loop() is not None:
        return OwnScope()
    import trio

    return trio.CancelScope()


def cancel_status() -> object:
    """Return an object that identifies the innermost cancel scope around the current task."""
    loop = current_loop()
    if loop is not None:
        return loop.task.scope
    import trio

    # Trio has no public way to ask for this. A test fails if a version of trio no longer has the attribute.
    return getattr(trio.lowlevel.current_task(), "_cancel_status", None)


def spawn_system_task(function: Callable[[], Awaitable[Any]], context: Context | None = None) -> None:
    """Start a task that nothing waits for. It ends with the program at the latest."""
    loop = current_loop()
    if loop is not None:
        loop.start_system_task(function, context)
        return
    import trio

    trio.lowlevel.spawn_system_task(function, context=context)


def caller_of_this_loop() -> CallSoon:
    """Return what makes calls in the event loop of this thread."""
    loop = current_loop()
    if loop is not None:
        return loop.call_soon
    import trio

    return partial(_call_soon_in_trio, trio.lowlevel.current_trio_token())


def _call_soon_in_trio(token: Any, function: Callable[..., object], *arguments: Any) -> None:
    import trio

    try:
        token.run_sync_soon(function, *arguments)
    except trio.RunFinishedError as ended:
        raise LoopEnded from ended


# Turns


async def checkpoint() -> None:
    """Let other tasks run, and end here if the task is cancelled."""
    loop = current_loop()
    if loop is None:
        import trio

        await trio.lowlevel.checkpoint()
        return
    await take_turn()
    if loop.task.is_cancelled:
        await suspend(_at_once)


async def shielded_checkpoint() -> None:
    """Let other tasks run, even if the task is cancelled."""
    if current_loop() is not None:
        await take_turn()
        return
    import trio

    await trio.lowlevel.cancel_shielded_checkpoint()


async def checkpoint_if_cancelled() -> None:
    """End here if the task is cancelled, and else go on without a turn for others."""
    loop = current_loop()
    if loop is None:
        import trio

        await trio.lowlevel.checkpoint_if_cancelled()
    elif loop.task.is_cancelled:
        await checkpoint()


# Waiting


async def _wait(abort: Callable[[], bool]) -> None:
    if current_loop() is not None:
        await suspend(abort)
        return
    import trio

    def abort_in_trio(_raise_cancel: object) -> trio.lowlevel.Abort:
        return trio.lowlevel.Abort.SUCCEEDED if abort() else trio.lowlevel.Abort.FAILED

    await trio.lowlevel.wait_task_rescheduled(abort_in_trio)


def _this_task() -> Any:
    loop = current_loop()
    if loop is not None:
        return loop.task
    import trio

    return trio.lowlevel.current_task()


def _resume(task: Any) -> None:
    if isinstance(task, OwnTask):
        task.loop.resume(task)
        return
    import trio

    trio.lowlevel.reschedule(task)


def _at_once() -> bool:
    return True


class ParkingLot:
    """Where tasks wait until another one lets them go on, in the order in which they came. It is true if any waits."""

    __slots__ = ("_parked",)

    def __init__(self) -> None:
        self._parked: OrderedDict[Any, None] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._parked)

    async def park(self) -> None:
        task = _this_task()
        self._parked[task] = None

        def abort() -> bool:
            del self._parked[task]
            return True

        await _wait(abort)

    def unpark(self) -> None:
        """Let the task go on that has waited longest, if any."""
        if self._parked:
            _resume(self._parked.popitem(last=False)[0])

    def unpark_all(self) -> None:
        while self._parked:
            self.unpark()


class Event:
    """Something that happens once."""

    __slots__ = ("_is_set", "_waiting")

    def __init__(self) -> None:
        self._is_set = False
        self._waiting = ParkingLot()

    def set(self) -> None:
        self._is_set = True
        self._waiting.unpark_all()

    async def wait(self) -> None:
        if self._is_set:
            await checkpoint()
        else:
            await self._waiting.park()


class Lock:
    """Held by one task at a time, in the order in which they ask."""

    __slots__ = ("_is_held", "_waiting")

    def __init__(self) -> None:
        self._is_held = False
        self._waiting = ParkingLot()

    async def __aenter__(self) -> None:
        await checkpoint_if_cancelled()
        if self._is_held:
            await self._waiting.park()
        else:
            self._is_held = True
            await shielded_checkpoint()

    async def __aexit__(self, *_raised: object) -> None:
        if self._waiting:
            self._waiting.unpark()
        else:
            self._is_held = False


async def sleep(seconds: float) -> None:
    """Wait in real time."""
    if current_loop() is None:
        import trio

        await trio.sleep(seconds)
    elif seconds > 0:
        with OwnScope.of_duration(seconds):
            await sleep_forever()
    else:
        await checkpoint()


async def sleep_forever() -> None:
    """Wait until cancelled."""
    await _wait(_at_once)


async def wait_until_idle(quiet_s: float = 0) -> None:
    """Wait until no task can run, and nothing has happened for so long."""
    loop = current_loop()
    if loop is None:
        from trio.testing import wait_all_tasks_blocked  # imports pytest where there is one

        await wait_all_tasks_blocked(quiet_s)
        return
    task = loop.task
    loop.resume_when_idle(task, quiet_s)

    def abort() -> bool:
        loop.never_idle(task)
        return True

    await suspend(abort)


# Threads


async def call_in_thread(function: Callable[[], _Result]) -> _Result:
    """Make a call in a thread, and wait for its result. If the task is cancelled, the thread is left alone."""
    if current_loop() is None:
        import trio

        return await trio.to_thread.run_sync(function, abandon_on_cancel=True)
    outcomes: list[_Result | BaseException] = []
    done = Event()
    call_soon, context = caller_of_this_loop(), copy_context()

    def call() -> None:
        outcome: _Result | BaseException
        try:
            outcome = context.run(function)
        except BaseException as raised:  # whatever it is, it is raised again where it is waited for
            outcome = raised

        def finish() -> None:
            outcomes.append(outcome)
            done.set()

        with suppress(LoopEnded):
            call_soon(finish)

    threading.Thread(target=call, daemon=True).start()
    await done.wait()
    outcome = outcomes.pop()
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
