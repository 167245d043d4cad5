"""Virtual time: waiting that takes no time.

Who sleeps here waits until nobody in the whole program could do anything, and only then time moves on, to the first
moment somebody waits for. Ten minutes pass in no time, and two sleepers wake in the order their seconds say, whatever
the machine is busy with. Nothing but this clock knows about it: what waits for the real clock, or for another process,
waits as ever.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import trio
import trio.testing

__all__ = ["VirtualTime"]


@dataclass(slots=True)
class VirtualTime:
    now: float = 0
    _due: list[float] = field(default_factory=list)
    _parked: trio.lowlevel.ParkingLot = field(default_factory=trio.lowlevel.ParkingLot)
    _is_watched: bool = False
    _behind: list[tuple[float, trio.Event]] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        """One sleeper watches for everybody, so that time moves once for all of them."""
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

    async def sleep_behind(self, seconds: float) -> None:
        """For what happens behind everybody's back: it never makes time pass, and wakes only if somebody sleeps for
        longer. Otherwise a real process that takes its time would let days pass here."""
        waking = self.now + seconds, trio.Event()
        self._behind.append(waking)
        try:
            await waking[1].wait()
        finally:
            self._behind.remove(waking)

    async def _watch(self) -> None:
        self._is_watched = True
        try:
            await trio.testing.wait_all_tasks_blocked()
            first = min(self._due)
            due, woken = min(self._behind, default=(math.inf, None), key=lambda one: one[0])
            self.now = max(self.now, min(first, due))
            if woken is not None and due < first:
                woken.set()
        finally:
            self._is_watched = False
            self._parked.unpark_all()
