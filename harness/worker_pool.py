"""Pools of worker processes that end with the process that has started them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Final, ParamSpec, TypeVar

from harness.child_process import forkserver_context
from harness.garbage_collection import collect_rarely
from harness.process_tree import end_with_parent

__all__ = ["start_pool"]

_P = ParamSpec("_P")
_Result = TypeVar("_Result")
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def start_pool(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of forked processes that import the same packages as this one. Without more ado, processes of a
    pool whose owner was killed wait for work for ever."""
    return _Pool(jobs, mp_context=forkserver_context(), initializer=_prepare_worker)


class _Pool(ProcessPoolExecutor):
    """A pool that an interrupt does not surprise while it starts a process: one that is unknown to the pool would not
    be waited for, and would fail when the pool is gone."""

    def submit(self, fn: Callable[_P, _Result], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_Result]:
        with _signals_held_back():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Let requests to stop wait. Only the main thread gets them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []

    def hold(number: int, _frame: FrameType | None) -> None:
        held.append(number)

    before = {number: signal.getsignal(number) for number in _STOPPING}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, hold)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if held:
        signal.raise_signal(held[0])


def _prepare_worker() -> None:
    end_with_parent()
    collect_rarely()
