"""Virtual time: waiting that takes no real time.

A sleeper waits until no task in the program can proceed; only then time advances, to the earliest moment any sleeper
waits for. Ten minutes pass instantly, and sleepers wake in the order of their due times, whatever the load of the
machine. Nothing else is affected: what waits for the real clock, or for another process, waits as usual.
"""

from __future__ import annotations

import math
from dataclasses import field

from shared_nodes import tasks
from shared_nodes.record import record

__all__ = ["VirtualTime"]


@record(frozen=False)
class VirtualTime:
    now: float = 0
    quiet_s: float = 0
    """For how long, in real time, nothing may happen before nothing can proceed. Zero is exact for tasks in this
    program; another process, whose calls are answered here, may be about to make the next one."""

    _due: list[float] = field(default_factory=list)
    _parked: tasks.ParkingLot = field(default_factory=tasks.ParkingLot)
    _is_watched: bool = False
    _background: list[tuple[float, tasks.Event]] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        """Sleep. One sleeper watches for all, so that time advances once for all of them."""
        due = self.now + seconds
        self._due.append(due)
        try:
            while self.now < due:
                if self._is_watched:
                    await self._parked.park()
                else:
                    await self._watch()
        finally:
            self._due.remove(due)

    async def until_idle(self) -> None:
        """Wait until nothing in the program can proceed."""
        await tasks.wait_until_idle(self.quiet_s)

    async def sleep_in_background(self, seconds: float) -> None:
        """Sleep without making time pass: wake only if another sleeper sleeps longer. Background work uses this;
        otherwise days would pass here while a real process takes a moment."""
        waking = self.now + seconds, tasks.Event()
        self._background.append(waking)
        try:
            await waking[1].wait()
        finally:
            self._background.remove(waking)

    async def _watch(self) -> None:
        self._is_watched = True
        try:
            await self.until_idle()
            first = min(self._due)
            due, woken = min(self._background, default=(math.inf, None), key=lambda one: one[0])
            self.now = max(self.now, min(first, due))
            if woken is not None and due < first:
                woken.set()
        finally:
            self._is_watched = False
            self._parked.unpark_all()
