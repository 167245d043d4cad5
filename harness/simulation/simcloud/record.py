"""The record of every provider call, with its arguments, answer, start and end.

Time is virtual in two ways. The record has its own clock, which advances by one whenever a call begins or ends: two
calls were concurrent exactly if one began between the other's beginning and end, and a run is reproducible to the tick
by its seed alone. Seconds are those of `time.py`, which pass only while a fault or a slow answer causes a wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from itertools import accumulate
from typing import Final

from harness.simulation.simcloud.faults import Phase
from harness.simulation.simcloud.time import VirtualTime
from shared_nodes.record import record
from shared_nodes.values.json import JsonWriter, Tree

__all__ = ["ProviderCall", "Record"]

_UNANSWERED: Final = None
_UNLIMITED: Final = ("validate", "renew")


@record(frozen=False)
class ProviderCall:
    """One call. `what` distinguishes calls of one verb and type: a name, an id or a region; None if unknown. `end` is
    None until the call has been answered."""

    phase: Phase
    verb: str
    type_name: str
    what: str | None
    arguments: Mapping[str, object]
    begin: int
    begin_s: float = 0
    end: int | None = None
    end_s: float | None = None
    result: object = _UNANSWERED

    def summary(self) -> list[Tree]:
        return [self.verb, self.type_name, self.what]


@record(frozen=False)
class Record:
    calls: list[ProviderCall] = field(default_factory=list)
    time: VirtualTime = field(default_factory=VirtualTime)
    _now: int = 0

    def tick(self) -> int:
        self._now += 1
        return self._now

    @contextmanager
    def call(
        self, phase: Phase, verb: str, type_name: str, what: str | None, arguments: Mapping[str, object]
    ) -> Iterator[ProviderCall]:
        """Record a call. The caller sets `result`; a call that is cancelled, or whose provider crashes, ends without
        one."""
        call = ProviderCall(phase, verb, type_name, what, arguments, self.tick(), self.time.now)
        self.calls.append(call)
        try:
            yield call
        finally:
            call.end, call.end_s = self.tick(), self.time.now

    def most_at_a_time(self, phase: Phase) -> int:
        """Return how many calls of one half were concurrent. Validations request nothing from outside and renewals
        cannot wait, so engines need not limit these and they do not count."""
        moves: dict[int, int] = {}
        for call in self.calls:
            if call.phase is phase and not call.verb.startswith(_UNLIMITED):
                moves[call.begin] = 1
                if call.end is not None:
                    moves[call.end] = -1
        return max(accumulate(moves[tick] for tick in sorted(moves)), default=0)

    def summary(self, phase: Phase) -> Tree:
        """Return the calls of one half as a multiset, in an order independent of time."""
        found = [call.summary() for call in self.calls if call.phase is phase]
        return {"items": sorted(found, key=JsonWriter().text)}
