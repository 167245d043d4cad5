"""Runs units in chunks and retries those whose worker was lost.

After each chunk, results are forced to disk and lost units are retried. A large chunk keeps all workers busy; a small
one loses less if the machine fails. A verdict is never retried. A worker that exits without one is, after growing
pauses, because the cause (a machine short of memory, a kill from outside) often passes. A unit whose worker is lost
every time is ruled `crash`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum

from harness.case.unit import Unit
from harness.compare.ruling import Ruling
from harness.execute.failure_result import failure_result
from harness.execute.local import LocalRunner
from harness.execute.process import ProcessRunner
from harness.execute.runner import LostUnit, Runner
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec
from shared_nodes.record import record

__all__ = ["ExecutionOptions", "RunnerName", "execute"]


class RunnerName(StrEnum):
    LOCAL = "local"
    PROCESS = "process"
    DASK = "dask"


@record
class ExecutionOptions:
    """How units are executed. No option may have an influence on a result."""

    runner: RunnerName = RunnerName.LOCAL
    jobs: int = 1
    chunk_size: int = 64
    fail_fast: bool = False
    retries: int = 2
    backoff_s: float = 0.2
    """Pause before the first retry; doubled before each further one."""

    memory_mb: int | None = None
    by_forking: bool = False
    """Whether worker processes may be forked from this one, which pays for a few units: each has imported then what
    would take longer to import than to judge them."""

    scheduler: str | None = None
    """Address of the Dask scheduler. None starts a local cluster."""


def execute(
    units: Sequence[Unit],
    spec: RunSpec,
    options: ExecutionOptions,
    on_result: Callable[[CaseResult], bool],
    on_chunk: Callable[[], None] = lambda: None,
) -> bool:
    """Execute the units and return whether all of them were executed.

    `on_result` receives each result as soon as it is known and returns whether the run still counts as passed.
    """
    with _make_runner(spec, options) as runner:
        for start in range(0, len(units), options.chunk_size):
            go_on = _execute_chunk(units[start : start + options.chunk_size], spec, options, runner, on_result)
            on_chunk()
            if not go_on:
                return False
    return True


def _make_runner(spec: RunSpec, options: ExecutionOptions) -> Runner:
    match options.runner:
        case RunnerName.LOCAL:
            return LocalRunner(spec)
        case RunnerName.PROCESS:
            return ProcessRunner(spec, options.jobs, options.memory_mb, options.by_forking)
        case RunnerName.DASK:
            from harness.execute.remote import DaskRunner

            return DaskRunner(spec, options.jobs, options.memory_mb, options.scheduler)


def _execute_chunk(
    units: Sequence[Unit],
    spec: RunSpec,
    options: ExecutionOptions,
    runner: Runner,
    on_result: Callable[[CaseResult], bool],
) -> bool:
    for attempt in range(1, options.retries + 2):
        again: list[Unit] = []
        for unit, outcome in runner.judge(units):
            if isinstance(outcome, LostUnit) and attempt <= options.retries:
                again.append(unit)
                continue
            result = failure_result(unit, spec, Ruling.CRASH, outcome) if isinstance(outcome, LostUnit) else outcome
            is_fine = on_result(replace(result, attempts=attempt))
            if options.fail_fast and not is_fine:
                return False
        if not again:
            break
        units = again
        time.sleep(options.backoff_s * 2 ** (attempt - 1))
    return True
