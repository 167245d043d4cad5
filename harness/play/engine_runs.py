"""Runs a case by one engine in several schedules, and contains whatever the engine does: crashes, hangs, memory.

Runs are made one at a time, as they are asked for: a caller that has seen enough makes no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Final, TypeVar

from harness.case.yaml_fields import CaseError
from harness.engines.chain import engines_of
from harness.engines.external import BinaryFailedError, is_external
from harness.engines.recorded import is_recorded
from harness.engines.registry import supported_changes
from harness.observe.crash import LACK_OF_MEMORY, crash_text, is_lack_of_memory
from harness.observe.observation import Observation
from harness.play.alarm import Alarm
from harness.play.case_runner import CaseRunner, Observations
from harness.play.checkpoint import Checkpoint
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
from shared_nodes import tasks
from shared_nodes.processes import RecordedProcesses
from shared_nodes.record import record

__all__ = [
    "BeforeRun",
    "EngineRun",
    "FailureKind",
    "RunFailure",
    "ignore_run",
    "known_changes",
    "resynchronise",
    "run_schedules",
]

_Outcome = TypeVar("_Outcome")

BeforeRun = Callable[[str, Schedule], None]
"""Called before each run with its engine and its schedule, so that an observer knows which of them breaks."""


def ignore_run(_engine: str, _schedule: Schedule) -> None:
    """Do nothing before a run."""


class FailureKind(StrEnum):
    CRASH = "crash"
    HANG = "hang"
    OVER_BUDGET = "over-budget"
    """Out of memory. A process notices this itself only if Python does."""


@record
class RunFailure:
    """Why a run came to no end."""

    kind: FailureKind
    message: str
    trace: str = ""
    """Where the engine was when its time or memory ran out: another place each time, and so not part of the message."""


@record
class EngineRun:
    """One run of a case. It has observations, or a failure."""

    schedule: Schedule
    observations: Observations | None
    failure: RunFailure | None = None
    is_faked: bool = False
    """Whether a command was only pretended to run, in this run or an earlier one: then the recording says nothing."""


def run_schedules(
    runner: CaseRunner,
    engine: str,
    schedules: Sequence[Schedule],
    spec: RunSpec,
    before_run: BeforeRun,
    *,
    kept: dict[str, Checkpoint] | None = None,
) -> Iterator[EngineRun]:
    """Run the case in each schedule. A run that fails is the last one. `kept` receives the checkpoints of the first. A
    recorded engine has made its only run: it follows no schedule. CaseError says why its recording cannot be read."""
    if is_recorded(engine):
        yield EngineRun(schedules[0], runner.read_recorded_run(engine))
        return
    changes, timeout_s = spec.changes & known_changes(engine), spec.timeout_of(engine)
    for number, schedule in enumerate(schedules):
        before_run(engine, schedule)
        keeping = kept if number == 0 else None
        settings = spec.settings_of(engine)
        run = partial(runner.run, engine, schedule, timeout_s, changes, kept=keeping, settings=settings)
        outcome = _contain(runner, timeout_s, run)
        if isinstance(outcome, RunFailure):
            yield EngineRun(schedule, None, outcome)
            return
        yield EngineRun(schedule, outcome, is_faked=bool(runner.faked))


def resynchronise(
    runner: CaseRunner,
    engine: str,
    schedule: Schedule,
    spec: RunSpec,
    checkpoints: Mapping[str, Checkpoint],
    *,
    before_run: BeforeRun = ignore_run,
) -> dict[str, Observation]:
    """Run each of these steps once, from where another run was before it. Return what was observed, by place.

    A step that comes to no end is left out. Nothing shows in the runner: commands that are only pretended to run are
    those of the runs before.
    """
    processes = RecordedProcesses() if isinstance(runner.processes, RecordedProcesses) else runner.processes
    apart = replace(runner, artifacts=None, processes=processes)
    changes = spec.changes & known_changes(engine)
    observations: dict[str, Observation] = {}
    for place, checkpoint in checkpoints.items():
        before_run(engine, schedule)
        run = partial(apart.run_step, place, checkpoint, engine, schedule, spec.timeout_s, changes=changes)
        outcome = _contain(apart, spec.timeout_s, run)
        if not isinstance(outcome, RunFailure):
            observations[place] = outcome
    return observations


def _contain(runner: CaseRunner, timeout_s: float, run: Callable[[], _Outcome]) -> _Outcome | RunFailure:
    """Return the outcome of a run, or why it has none."""
    alarm = Alarm()
    try:
        with alarm.after(timeout_s + _ALARM_DELAY_S):
            return run()
    except BaseException as problem:  # whatever escapes an engine is its crash, and the outcome of this run
        return _classify(runner, problem, alarm.rang, timeout_s)


def known_changes(engine: str) -> frozenset[str]:
    """Return the intended changes that the engine can adopt, or some engine of a chain. Only an engine in process can
    adopt any."""
    in_process = (each for each in engines_of(engine) if not is_external(each) and not is_recorded(each))
    return frozenset[str]().union(*map(supported_changes, in_process))


def _classify(runner: CaseRunner, problem: BaseException, is_late: bool, timeout_s: float) -> RunFailure:
    """Concurrent code wraps exceptions into groups; the first leaf says what happened, unless the alarm rang: that may
    surface as anything. An engine may report an exception as its own failure, with the exception as the cause. Only an
    interrupt by the user and a case that cannot be read are no failures of the engine. What a binary did wrong is said
    without a traceback, which would only show the harness."""
    trace = crash_text(problem).replace(str(runner.directory), "<scratch>")
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    if isinstance(problem, KeyboardInterrupt):
        raise KeyboardInterrupt
    if isinstance(problem, CaseError):
        raise problem
    if is_late or isinstance(problem, tasks.TooSlowError):
        return RunFailure(FailureKind.HANG, f"{timeout_s:g} s were not enough, see --timeout", trace)
    if is_lack_of_memory(problem) or is_lack_of_memory(problem.__cause__):
        return RunFailure(FailureKind.OVER_BUDGET, LACK_OF_MEMORY, trace)
    if isinstance(problem, BinaryFailedError):
        return RunFailure(FailureKind.CRASH, " ".join(str(problem).split()))
    return RunFailure(FailureKind.CRASH, trace)


_ALARM_DELAY_S: Final = 1.0
"""Extra delay of the SIGALRM, so that the timeout of the event loop, which unwinds cleanly, fires first."""
