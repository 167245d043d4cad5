"""What a runner promises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from harness.judging.result import CaseResult
from harness.judging.unit import Unit

__all__ = ["LostUnit", "Runner", "RunnerError", "UnitOutcome"]


class RunnerError(Exception):
    """The runner itself cannot work here. The message tells why, and what to do."""


@dataclass(frozen=True, slots=True)
class LostUnit:
    """Whoever judged a unit is gone without a word: killed from outside, or by what it ran. That may be an accident, so
    it is worth another try, which a verdict never is."""

    told: str
    """What is known of the end: "killed by SIGSEGV"."""

    engine: str = ""
    """Who was running."""

    way: str = ""
    trace: str = ""
    """What the process wrote before it ended."""


UnitOutcome = tuple[Unit, CaseResult | LostUnit]


class Runner(AbstractContextManager["Runner"], Protocol):
    """Entered once for a run; leaving it ends whatever is still being done. Nothing is shared between units, so they
    may come back in any order, and whoever gives up on the iterator gives up on the units that have not come back."""

    def judge(self, units: Sequence[Unit]) -> Iterator[UnitOutcome]: ...
