"""The contract of runners: judge units in any order, and report those that were lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from typing import Protocol

from harness.case.unit import Unit
from harness.findings.result import CaseResult
from shared_nodes.record import record

__all__ = ["LostUnit", "Runner", "RunnerError", "UnitFacts", "UnitOutcome"]


class RunnerError(Exception):
    """The runner cannot work on this machine. The message says why, and what to do."""


@record
class UnitFacts:
    """What a result says about a unit itself. Only the process that judges a unit reads its files, and it reports this
    as soon as it has: the process may be gone when it is needed."""

    description: str = ""
    tags: tuple[str, ...] = ()
    is_recorded: bool = False
    flavour: str = ""


@record
class LostUnit:
    """The process that judged a unit is gone without a result.

    It was killed from outside, or by the code it ran. That may be an accident, so the unit is retried; a verdict never
    is.
    """

    message: str
    """How it ended, such as "killed by SIGSEGV"."""

    engine: str = ""
    """The engine that was running."""

    schedule: str = ""
    trace: str = ""
    """The traceback that the interpreter wrote before it died."""

    facts: UnitFacts = field(default_factory=UnitFacts)
    lacks_memory: bool = False
    """Whether it ended because it had no more memory. That is no accident."""


UnitOutcome = tuple[Unit, CaseResult | LostUnit]


class Runner(AbstractContextManager["Runner"], Protocol):
    """Judges units. Enter it once per run; leaving it stops everything in progress.

    Units share nothing, so results may arrive in any order. Closing the iterator abandons the units that are
    outstanding.
    """

    def judge(self, units: Sequence[Unit]) -> Iterator[UnitOutcome]: ...
