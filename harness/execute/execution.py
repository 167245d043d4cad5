"""Units to results, in chunks of bounded concurrency.

A chunk is what is begun before anybody looks back: after it results are on disk for good, and what was lost in it is
tried again. So a large chunk keeps all workers busy, and a small one loses little. A verdict is never retried: only a
worker that ended without one is, with growing pauses, because what killed it (a machine short of memory, somebody's
kill) is often over soon. One that is lost each time is the verdict on its unit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from harness.execute.failure_result import failure_result
from harness.execute.local import LocalRunner
from harness.execute.process import ProcessRunner
from harness.execute.runner import LostUnit, Runner
from harness.judging.result import CaseResult
from harness.judging.ruling import Ruling
from harness.judging.unit import Settings, Unit

__all__ = ["ExecutionOptions", "RunnerName", "execute"]


class RunnerName(StrEnum):
    LOCAL = "local"
    PROCESS = "process"
    DASK = "dask"


@dataclass(frozen=True, slots=True)
class ExecutionOptions:
    """How units are executed. None of it may show in a result."""

    runner: RunnerName = RunnerName.LOCAL
    jobs: int = 1
    chunk_size: int = 64
    fail_fast: bool = False
    retries: int = 2
    backoff_s: float = 0.2
    """Before the first retry; twice as long before each further one."""

    memory_mb: int | None = None
    scheduler: str | None = None
    """Of Dask; None for a cluster of our own."""


def execute(
    units: Sequence[Unit],
    settings: Settings,
    how: ExecutionOptions,
    on_result: Callable[[CaseResult], bool],
    on_chunk: Callable[[], None] = lambda: None,
) -> bool:
    """Whether all were executed. `on_result` gets each result as it comes, and says whether the run is still fine."""
    with _runner(settings, how) as runner:
        for start in range(0, len(units), how.chunk_size):
            go_on = _execute_chunk(units[start : start + how.chunk_size], settings, how, runner, on_result)
            on_chunk()
            if not go_on:
                return False
    return True


def _runner(settings: Settings, how: ExecutionOptions) -> Runner:
    match how.runner:
        case RunnerName.LOCAL:
            return LocalRunner(settings)
        case RunnerName.PROCESS:
            return ProcessRunner(settings, how.jobs, how.memory_mb)
        case RunnerName.DASK:
            from harness.execute.remote import DaskRunner

            return DaskRunner(settings, how.jobs, how.memory_mb, how.scheduler)


def _execute_chunk(
    units: Sequence[Unit],
    settings: Settings,
    how: ExecutionOptions,
    runner: Runner,
    on_result: Callable[[CaseResult], bool],
) -> bool:
    for attempt in range(1, how.retries + 2):
        again: list[Unit] = []
        for unit, outcome in runner.judge(units):
            if isinstance(outcome, LostUnit) and attempt <= how.retries:
                again.append(unit)
                continue
            result = failure_result(unit, settings, Ruling.CRASH, outcome) if isinstance(outcome, LostUnit) else outcome
            is_fine = on_result(replace(result, attempts=attempt))
            if how.fail_fast and not is_fine:
                return False
        if not again:
            break
        units = again
        time.sleep(how.backoff_s * 2 ** (attempt - 1))
    return True
