"""An event loop that is one function of its seed: tasks, nurseries, cancelling, and nothing that touches the system.

It has the structure and the rules of trio, so that code which uses `shared_nodes.tasks` runs in either. Trio's loop
can wait for sockets and processes; this one can wait for other tasks, for the clock and for calls from other threads,
which is all that engines need. It starts in a tenth of the time, since nothing has to be imported or opened for it, and
takes less than half the time for each step of a task.

In every turn, all tasks that could run at its beginning make one step, in an order drawn from the generator; what
becomes ready meanwhile has to wait for the next turn. The draws are those of trio's own loop with the same generator,
so that one seed is the same schedule in both: `tests/laws/test_task_loop_laws.py` compares them.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import Context, copy_context
from queue import Empty, SimpleQueue
from random import Random
from time import perf_counter
from types import TracebackType, coroutine
from typing import Any, Final, TypeVar

__all__ = [
    "Cancelled",
    "LoopEnded",
    "OwnNursery",
    "OwnScope",
    "OwnTask",
    "TaskLoop",
    "TooSlowError",
    "current_loop",
    "suspend",
    "take_turn",
]

_Result = TypeVar("_Result")


class Cancelled(BaseException):
    """Raised where a task waits inside a cancelled scope, which catches it again."""


class TooSlowError(Exception):
    """The time limit of a program is over."""


class LoopEnded(Exception):
    """The loop that was to make the call has ended."""


class _Here(threading.local):
    """The loop that runs in a thread."""

    loop: TaskLoop | None = None


_HERE: Final = _Here()


def current_loop() -> TaskLoop | None:
    """Return the loop of this module that runs in this thread, if one does."""
    return _HERE.loop


_TURN: Final = object()
_PAUSE: Final = object()


@coroutine
def take_turn() -> Generator[object, None, None]:
    """Let other tasks run. The task cannot be cancelled here."""
    yield _TURN


@coroutine
def _pause() -> Generator[object, BaseException | None, None]:
    thrown = yield _PAUSE
    if thrown is not None:
        raise thrown


async def suspend(abort: Callable[[], bool]) -> None:
    """Wait until the current task is resumed. If it is cancelled meanwhile, `abort` says whether it can go on at once;
    then nothing may resume it any more."""
    loop = _HERE.loop
    assert loop is not None
    loop.task.abort = abort
    await _pause()


class OwnTask:
    """A coroutine on its way. `thrown` is raised where it continues, or was raised by it; `abort` is set while it
    waits."""

    __slots__ = ("abort", "context", "coroutine", "loop", "number", "owner", "scope", "thrown")

    def __init__(self, loop: TaskLoop, work: Coroutine[Any, Any, Any], context: Context, owner: _Owner) -> None:
        self.loop = loop
        self.coroutine = work
        self.context = context
        self.number = loop.count_task()
        self.scope: OwnScope | None = owner.cancel_scope
        self.owner = owner
        self.thrown: BaseException | None = None
        self.abort: Callable[[], bool] | None = None

    @property
    def is_cancelled(self) -> bool:
        return is_cancelled(self.scope)

    def take_thrown(self) -> BaseException | None:
        thrown, self.thrown = self.thrown, None
        return thrown


class OwnScope:
    """What is cancelled together: the tasks that are inside, and those of nurseries inside."""

    __slots__ = ("_deadline", "cancelled_caught", "is_cancelled", "parent")

    def __init__(self, deadline: float = math.inf) -> None:
        self.parent: OwnScope | None = None
        self.is_cancelled = False
        self.cancelled_caught = False
        self._deadline = deadline

    @classmethod
    def of_duration(cls, seconds: float) -> OwnScope:
        """Return a scope that is cancelled so many seconds from now."""
        return cls(perf_counter() + seconds)

    def __enter__(self) -> OwnScope:
        loop = _HERE.loop
        assert loop is not None
        self.parent, loop.task.scope = loop.task.scope, self
        if self._deadline < math.inf:
            loop.deadlines[self] = self._deadline
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, raised: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        left = self.leave(raised)
        if left is not None and left is not raised:
            raise left
        return left is None

    def leave(self, raised: BaseException | None) -> BaseException | None:
        """Leave the scope, and return what is left of an exception without what cancelling this scope has raised."""
        loop = _HERE.loop
        assert loop is not None
        loop.task.scope = self.parent
        loop.deadlines.pop(self, None)
        if raised is None or not self.is_cancelled or is_cancelled(self.parent):
            return raised
        if isinstance(raised, Cancelled):
            self.cancelled_caught = True
            return None
        if isinstance(raised, BaseExceptionGroup):
            caught, rest = raised.split(Cancelled)
            self.cancelled_caught = self.cancelled_caught or caught is not None
            return rest
        return raised

    def cancel(self) -> None:
        """Cancel what is inside, at the latest where it next waits."""
        if not self.is_cancelled:
            self.is_cancelled = True
            if (loop := _HERE.loop) is not None:
                loop.abort_cancelled()


def is_cancelled(scope: OwnScope | None) -> bool:
    """Return whether a scope, or one around it, is cancelled."""
    while scope is not None:
        if scope.is_cancelled:
            return True
        scope = scope.parent
    return False


class _Owner:
    """What tasks belong to, and are cancelled with."""

    __slots__ = ("cancel_scope", "children")

    def __init__(self) -> None:
        self.cancel_scope = OwnScope()
        self.children = 0

    def ended(self, task: OwnTask) -> None:
        raise NotImplementedError


class OwnNursery(_Owner):
    """A block that ends when all tasks which were started in it have ended. If one of them fails, or the block itself,
    the others are cancelled, and the block raises a group of what they have raised."""

    __slots__ = ("_failures", "_loop", "_parent", "_waits")

    def __init__(self, loop: TaskLoop) -> None:
        super().__init__()
        self._loop = loop
        self._parent: OwnTask | None = None
        self._failures: list[BaseException] = []
        self._waits = False

    async def __aenter__(self) -> OwnNursery:
        self._parent = self._loop.task
        self.cancel_scope.__enter__()
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, raised: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if isinstance(raised, GeneratorExit):
            return False  # the loop was left by an exception, and nothing will run any more
        if raised is not None:
            self._fail(raised)
        if self.children:
            self._waits = True
            await suspend(lambda: False)
        else:
            await take_turn()
        failures, self._failures = self._failures, []
        group = BaseExceptionGroup("what tasks of a nursery have raised", failures) if failures else None
        left = self.cancel_scope.leave(group)
        if left is not None:
            raise left
        return True

    def start_soon(self, function: Callable[..., Awaitable[Any]], *arguments: Any) -> None:
        """Start a task, which makes its first step in the next turn."""
        self._loop.start(function, arguments, self, copy_context())

    def ended(self, task: OwnTask) -> None:
        self.children -= 1
        if (failure := task.take_thrown()) is not None:
            self._fail(failure)
        if self._waits and not self.children:
            self._waits = False
            assert self._parent is not None
            self._loop.resume(self._parent)

    def _fail(self, failure: BaseException) -> None:
        self._failures.append(failure)
        self.cancel_scope.cancel()


class _Outermost(_Owner):
    """What the main task and the tasks of the system belong to. They belong to no other task."""

    __slots__ = ("_failure",)

    def __init__(self) -> None:
        super().__init__()
        self._failure: BaseException | None = None

    def ended(self, task: OwnTask) -> None:
        self.children -= 1
        failure = task.take_thrown()
        if self._failure is None and not isinstance(failure, Cancelled):
            self._failure = failure

    def take_failure(self) -> BaseException | None:
        failure, self._failure = self._failure, None
        return failure


class TaskLoop:
    """The loop of one program. `task` is the one that makes a step."""

    __slots__ = (
        "_batch_size",
        "_calls",
        "_context",
        "_ended",
        "_idle",
        "_is_first",
        "_main",
        "_news",
        "_random",
        "_ready",
        "_started",
        "_system",
        "_tasks",
        "deadlines",
        "task",
    )

    def __init__(self, random: Random) -> None:
        self.task: OwnTask
        self.deadlines: dict[OwnScope, float] = {}
        random.random()  # trio draws where its clock begins
        self._random = random
        self._context = copy_context()
        self._tasks: dict[OwnTask, None] = {}
        self._ready: list[OwnTask | None] = []
        self._calls: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self._news: SimpleQueue[None] = SimpleQueue()
        self._idle: list[tuple[float, OwnTask]] = []
        self._started = 0
        self._batch_size = 0
        self._is_first = True
        self._ended = False
        self._main, self._system = _Outermost(), _Outermost()

    # What a program is run by

    def run(self, function: Callable[..., Awaitable[_Result]], *arguments: Any, timeout_s: float = math.inf) -> _Result:
        """Run the function in the main task, and return its result. TooSlowError is raised if it waits for longer than
        `timeout_s`. When it ends, what it has started outside nurseries is cancelled."""
        assert _HERE.loop is None, "this thread has a loop already"
        results: list[_Result] = []

        async def limited() -> None:
            scope = OwnScope.of_duration(timeout_s)
            with scope:
                results.append(await function(*arguments))
            if scope.cancelled_caught:
                raise TooSlowError

        _HERE.loop = self
        try:
            self.start(limited, (), self._main, copy_context())
            while self._tasks:
                self._take_turn()
        finally:
            self._ended = True
            self._close_tasks()
            _HERE.loop = None
            del self.task
        failure = self._main.take_failure() or self._system.take_failure()
        if failure is not None:
            try:
                raise failure
            finally:
                del failure  # its traceback refers to this frame
        return results[0]

    def _close_tasks(self) -> None:
        """After an exception that belongs to no task, such as an interrupt by the user, unwind what still waits."""
        for task in list(self._tasks):
            self.task = task
            with suppress(RuntimeError):  # a task that waits once more while it is unwound
                task.coroutine.close()

    # What tasks ask for

    def start(
        self, function: Callable[..., Awaitable[Any]], arguments: tuple[Any, ...], owner: _Owner, context: Context
    ) -> None:
        work: Any = context.run(function, *arguments)
        task = OwnTask(self, work, context, owner)
        self._tasks[task] = None
        owner.children += 1
        self._ready.append(task)

    def count_task(self) -> int:
        self._started += 1
        return self._started

    def start_system_task(self, function: Callable[..., Awaitable[Any]], context: Context | None = None) -> None:
        """Start a task that nothing waits for. It ends with the program at the latest."""
        self.start(function, (), self._system, self._context.copy() if context is None else context)

    def resume(self, task: OwnTask) -> None:
        task.abort = None
        self._ready.append(task)

    def resume_when_idle(self, task: OwnTask, quiet_s: float) -> None:
        """Resume a task once no other can run and no call has come for so long."""
        self._idle.append((quiet_s, task))

    def never_idle(self, task: OwnTask) -> None:
        self._idle = [one for one in self._idle if one[1] is not task]

    def runs_alone(self) -> bool:
        """Return whether no other task could run if the current one let it. A turn would then only come back to the
        current task, and draw nothing: to leave it out changes no schedule."""
        return self._batch_size == 1 and not self._ready

    def abort_cancelled(self) -> None:
        """Resume the tasks that wait inside a cancelled scope, where they can be."""
        for task in list(self._tasks):
            if task.abort is not None and task.is_cancelled and task.abort():
                task.thrown = Cancelled()
                self.resume(task)

    def call_soon(self, function: Callable[..., object], *arguments: Any) -> None:
        """Make a call in this loop, from any thread or signal handler."""
        if self._ended:
            raise LoopEnded
        self._calls.append((function, arguments))
        self._news.put(None)

    # Turns

    def _take_turn(self) -> None:
        if self.deadlines or not self._ready:
            self._let_time_pass()
        batch, self._ready = self._ready, []
        if self._calls or self._is_first:
            batch.append(None)
        self._batch_size = len(batch)
        if len(batch) > 1:
            batch.sort(key=_number)
            self._random.shuffle(batch)
        while batch:
            task = batch.pop()
            if task is None:
                self._make_calls()
            else:
                self._step(task)

    def _step(self, task: OwnTask) -> None:
        self.task = task
        try:
            trap = task.context.run(task.coroutine.send, task.take_thrown())
        except StopIteration:
            pass
        except BaseException as raised:  # whatever a task raises is raised by its nursery
            task.thrown = raised
        else:
            if trap is _TURN:
                self._ready.append(task)
            elif trap is not _PAUSE:
                raise TypeError(f"a task waits for {trap!r}, which belongs to another kind of loop")
            elif task.is_cancelled and task.abort is not None and task.abort():
                task.thrown = Cancelled()
                self.resume(task)
            return
        del self._tasks[task]
        task.owner.ended(task)
        if task.owner is self._main:
            self._system.cancel_scope.cancel()

    def _make_calls(self) -> None:
        """Trio has a task for this. It begins before there is any call, and does not notice then that it has made
        some."""
        self._is_first = self._is_first and bool(self._calls)
        while self._calls:
            function, arguments = self._calls.popleft()
            function(*arguments)

    # Time

    def _let_time_pass(self) -> None:
        """If nothing can run, wait until something can. Then cancel the scopes whose time is over."""
        if not self._ready and not self._calls and not self._is_first:
            self._wait()
        if self.deadlines:
            now = perf_counter()
            for scope in [scope for scope, deadline in self.deadlines.items() if deadline <= now]:
                del self.deadlines[scope]
                scope.cancel()

    def _wait(self) -> None:
        left_s = max(min(self.deadlines.values(), default=math.inf) - perf_counter(), 0)
        quiet_s = min((quiet for quiet, _ in self._idle), default=math.inf)
        self._wait_for_call(min(left_s, quiet_s))
        if not self._calls and quiet_s < left_s:
            woken = [task for quiet, task in self._idle if quiet == quiet_s]
            self._idle = [one for one in self._idle if one[0] != quiet_s]
            for task in woken:
                self.resume(task)

    def _wait_for_call(self, seconds: float) -> None:
        """News comes after a call was added, and so possibly after it was made."""
        end = perf_counter() + seconds
        while not self._calls and seconds > 0:
            try:
                self._news.get(timeout=None if seconds == math.inf else seconds)
            except Empty:
                return
            seconds = end - perf_counter()


def _number(task: OwnTask | None) -> float:
    """Calls come after the main task, which is the first, and before all others."""
    return 1.5 if task is None else task.number
