"""Judges units on a Dask cluster: an existing one, given by its address, or a local one that ends with the run.

One Dask task is one unit. It is judged by a worker process of its own with limits of time and memory, exactly as on
this machine, because a Dask worker runs tasks in threads and a crash would take other tasks along. Each thread keeps
its worker process. Only JSON text and the name of a function cross the network. Paths are sent unchanged, so the corpus
must be in the same place on every machine.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, field
from types import TracebackType
from typing import Any

from harness.case.unit import Unit
from harness.child_process import child_environment
from harness.execute.process import ProcessRunner
from harness.execute.runner import LostUnit, Runner, RunnerError, UnitOutcome
from harness.execute.wire import (
    facts_from_json,
    settings_from_json,
    settings_to_json,
    to_line,
    unit_from_json,
    unit_to_json,
)
from harness.findings.result import result_from_json, result_to_json
from harness.play.run_spec import RunSpec
from shared_nodes.record import record

__all__ = ["DaskRunner", "judge_remotely"]

_of_thread = threading.local()
"""Per thread: its `ProcessRunner`, and the settings with which it was started."""


@record(frozen=False)
class DaskRunner(Runner):
    spec: RunSpec
    jobs: int = 1
    """Number of workers of a local cluster."""

    memory_mb: int | None = None
    scheduler: str | None = None
    _open: ExitStack = field(default_factory=ExitStack)
    _client: Any = None

    def __enter__(self) -> DaskRunner:
        try:
            import distributed
        except ImportError as problem:
            raise RunnerError("the runner dask needs Dask: pip install 'diffharness[dask]'") from problem
        address: Any = self.scheduler
        try:
            if address is None:
                address = self._open.enter_context(_local_cluster(distributed, self.jobs))
            self._client = self._open.enter_context(distributed.Client(address))
        except (OSError, ValueError) as problem:
            self._open.close()
            raise RunnerError(f"no Dask scheduler answers at {address}: {problem}") from problem
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None, /
    ) -> None:
        self._open.close()

    def judge(self, units: Sequence[Unit]) -> Iterator[UnitOutcome]:
        from distributed import as_completed

        terms = to_line({"settings": settings_to_json(self.spec), "memory_mb": self.memory_mb})
        futures = {
            self._client.submit(judge_remotely, to_line(unit_to_json(unit)), terms, pure=False): unit for unit in units
        }
        try:
            for future in as_completed(list(futures)):
                yield futures[future], _read_outcome(future)
        finally:
            self._client.cancel(list(futures))


def _local_cluster(distributed: Any, jobs: int) -> Any:
    """Start a cluster that is reachable from this machine only and has no dashboard, so that no port is opened."""
    with child_environment():
        return distributed.LocalCluster(
            n_workers=jobs, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        )


def _read_outcome(future: Any) -> Any:
    """Return the result of a unit. Any failure reported by Dask concerns its workers: failures of cases are results."""
    if future.status != "finished":
        return LostUnit(f"the cluster lost it: {type(future.exception()).__name__}", trace=str(future.exception()))
    answer = json.loads(future.result())
    return _lost_from_json(answer["lost"]) if "lost" in answer else result_from_json(answer["result"])


def _lost_from_json(tree: Any) -> LostUnit:
    return LostUnit(**{**tree, "facts": facts_from_json(tree["facts"])})


def judge_remotely(unit: str, terms: str) -> str:
    """Judge a unit in a thread of a Dask worker."""
    ((_, outcome),) = _runner_of_thread(terms).judge([unit_from_json(json.loads(unit))])
    tree = {"lost": asdict(outcome)} if isinstance(outcome, LostUnit) else {"result": result_to_json(outcome)}
    return to_line(tree)


def _runner_of_thread(terms: str) -> ProcessRunner:
    """Return the runner of this thread. It is reused, because starting one takes longer than most cases; its worker
    process exits when its input is closed."""
    if getattr(_of_thread, "terms", None) != terms:
        tree = json.loads(terms)
        _of_thread.terms, _of_thread.runner = (
            terms,
            ProcessRunner(settings_from_json(tree["settings"]), 1, tree["memory_mb"]),
        )
    runner = _of_thread.runner
    assert isinstance(runner, ProcessRunner)
    return runner
