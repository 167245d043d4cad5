"""What tasks do in the loop for engines, where it is not compared with trio's: time, threads, and ends."""

from __future__ import annotations

import signal
import threading
import time
from contextvars import ContextVar, copy_context
from random import Random

import pytest

from shared_nodes import tasks
from shared_nodes.task_loop import TaskLoop, current_loop


def loop() -> TaskLoop:
    return TaskLoop(Random(1))


def test_the_result_is_returned_and_the_thread_has_no_loop_afterwards() -> None:
    async def double(number: int) -> int:
        assert current_loop() is not None
        return 2 * number

    assert loop().run(double, 4) == 8
    assert current_loop() is None


def test_an_exception_is_raised_as_it_is() -> None:
    failure = ValueError("a failure")

    async def fail() -> None:
        await tasks.checkpoint()
        raise failure

    with pytest.raises(ValueError, match="a failure") as raised:
        loop().run(fail)
    assert raised.value is failure


def test_a_nursery_raises_what_all_its_tasks_have_raised_and_cancels_the_others() -> None:
    noted: list[str] = []

    async def fail(name: str) -> None:
        raise KeyError(name)

    async def wait() -> None:
        try:
            await tasks.sleep_forever()
        finally:
            noted.append("cancelled")

    async def main() -> None:
        async with tasks.open_nursery() as nursery:
            nursery.start_soon(wait)
            nursery.start_soon(fail, "a")
            nursery.start_soon(fail, "b")

    with pytest.raises(BaseExceptionGroup) as raised:
        loop().run(main)
    assert sorted(map(str, raised.value.exceptions)) == ["'a'", "'b'"]
    assert noted == ["cancelled"]


def test_a_time_limit_ends_what_waits_and_nothing_else() -> None:
    with pytest.raises(tasks.TooSlowError):
        loop().run(tasks.sleep_forever, timeout_s=0.01)
    loop().run(tasks.sleep, 0.01, timeout_s=60)


def test_sleeping_takes_real_time() -> None:
    started = time.monotonic()
    loop().run(tasks.sleep, 0.02)
    assert time.monotonic() - started >= 0.02


def test_quiet_time_begins_again_with_every_call() -> None:
    noted: list[str] = []

    async def main() -> None:
        call_soon = tasks.caller_of_this_loop()
        timer = threading.Timer(0.01, call_soon, [noted.append, "call"])
        timer.start()
        await tasks.wait_until_idle(0.05)
        noted.append("quiet")

    loop().run(main)
    assert noted == ["call", "quiet"]


def test_calls_come_from_threads_and_signal_handlers() -> None:
    noted: list[object] = []

    async def main() -> None:
        called = tasks.Event()
        call_soon = tasks.caller_of_this_loop()
        before = signal.signal(signal.SIGUSR1, lambda *_: call_soon(called.set))
        try:
            number = signal.SIGUSR1
            threading.Timer(0.01, signal.pthread_kill, [threading.main_thread().ident, number]).start()
            await called.wait()
        finally:
            signal.signal(signal.SIGUSR1, before)
        noted.append("called")

    loop().run(main)
    assert noted == ["called"]


def test_no_call_is_made_in_a_loop_that_has_ended() -> None:
    async def main() -> tasks.CallSoon:
        return tasks.caller_of_this_loop()

    call_soon = loop().run(main)
    with pytest.raises(tasks.LoopEnded):
        call_soon(print)


def test_a_call_in_a_thread_has_the_context_and_the_result_of_a_call_here() -> None:
    variable = ContextVar("variable", default="outside")

    def read() -> tuple[str, bool]:
        return variable.get(), threading.current_thread() is threading.main_thread()

    def fail() -> None:
        raise OSError("no")

    async def main() -> tuple[str, bool]:
        variable.set("inside")
        with pytest.raises(OSError, match="no"):
            await tasks.call_in_thread(fail)
        return await tasks.call_in_thread(read)

    assert loop().run(main) == ("inside", False)


def test_a_cancelled_call_in_a_thread_is_left_alone() -> None:
    go_on = threading.Event()

    async def main() -> None:
        await tasks.call_in_thread(go_on.wait)

    with pytest.raises(tasks.TooSlowError):
        loop().run(main, timeout_s=0.01)
    go_on.set()


def test_tasks_have_the_context_of_what_starts_them() -> None:
    variable = ContextVar("variable", default="")
    noted: list[str] = []

    async def note() -> None:
        noted.append(variable.get())
        variable.set("changed")

    async def main() -> None:
        variable.set("main")
        tasks.spawn_system_task(note)
        tasks.spawn_system_task(note, copy_context())
        async with tasks.open_nursery() as nursery:
            nursery.start_soon(note)
        assert variable.get() == "main"

    loop().run(main)
    assert sorted(noted) == ["", "main", "main"]


def test_tasks_of_the_system_end_with_the_main_task() -> None:
    noted: list[str] = []

    async def wait() -> None:
        try:
            await tasks.sleep_forever()
        finally:
            noted.append("ended")

    async def main() -> None:
        tasks.spawn_system_task(wait)
        await tasks.checkpoint()

    loop().run(main)
    assert noted == ["ended"]


def test_a_failure_of_a_task_of_the_system_is_raised_in_the_end() -> None:
    async def fail() -> None:
        raise ValueError("of the system")

    async def main() -> None:
        tasks.spawn_system_task(fail)

    with pytest.raises(ValueError, match="of the system"):
        loop().run(main)


def test_an_interrupt_between_steps_unwinds_all_tasks() -> None:
    noted: list[str] = []

    async def wait() -> None:
        try:
            await tasks.sleep_forever()
        finally:
            noted.append("unwound")

    def interrupt() -> None:
        raise KeyboardInterrupt

    async def main() -> None:
        async with tasks.open_nursery() as nursery:
            nursery.start_soon(wait)
            await tasks.checkpoint()
            tasks.caller_of_this_loop()(interrupt)
            await tasks.sleep_forever()

    with pytest.raises(KeyboardInterrupt):
        loop().run(main)
    assert noted == ["unwound"]
    assert current_loop() is None


def test_what_belongs_to_another_loop_is_refused() -> None:
    import trio

    with pytest.raises(BaseException, match=r"belongs to another kind of loop|must be called from async context"):
        loop().run(trio.sleep, 1)
