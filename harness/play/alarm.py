"""A limit of real time, for code that does not look at a clock."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Alarm", "AlarmRang"]


class AlarmRang(BaseException):
    """Not an Exception, so that nothing in an engine can mistake it for one of its own."""


class Alarm:
    """A time limit for code that computes without end and so never sees a deadline. What the signal raises can
    leave an event loop as an error of the loop, and so `rang` says whether it was raised."""

    __slots__ = ("rang",)

    def __init__(self) -> None:
        self.rang = False

    @contextmanager
    def after(self, limit_s: float) -> Iterator[None]:
        before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, limit_s)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _ring(self, _signal: int, _frame: FrameType | None) -> None:
        self.rang = True
        raise AlarmRang
