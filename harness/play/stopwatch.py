"""Adds up how long something took, part by part, so that a case can say what share of its time its binaries had.

What it shows is never part of an observation: two runs of one case take different times.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shared_nodes.record import record

__all__ = ["Stopwatch"]


@record(frozen=False)
class Stopwatch:
    clock: Callable[[], float] = time.monotonic
    """Returns the time in seconds since an arbitrary moment."""

    total_s: float = 0.0
    """The time of all parts so far."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Add the time of one part, however it ends."""
        started = self.clock()
        try:
            yield
        finally:
            self.total_s += self.clock() - started
