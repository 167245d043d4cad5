"""A Dask cluster: an existing one by its address, or one on this machine for the length of a run.

A task is one unit. Dask moves it to a machine, and there it is judged as it would be here: by a worker process of its
own with limits of time and memory, since a Dask worker judges in a thread, and what ends it takes other tasks along.
Each thread keeps its worker process. What crosses the network is JSON text and the name of a function. Paths cross as
they are, so the corpus has to be at the same place on every machine.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any

from harness.execute.process import ProcessRunner
from harness.execute.runner import LostUnit, Runner, RunnerError, UnitOutcome
from harness.execute.wire import settings_from_json, settings_to_json, to_line, unit_from_json, unit_to_json
from harness.judging.result import result_from_json, result_to_json
from harness.judging.unit import Settings, Unit

__all__ = ["DaskRunner", "judge_remotely"]

_own = threading.local()
"""The worker process of a thread, and the terms it was started on."""


@dataclass(slots=True)
class DaskRunner(Runner):
    settings: Settings
    jobs: int = 1
    """Workers of the cluster, where it is one of our own."""

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

        terms = to_line({"settings": settings_to_json(self.settings), "memory_mb": self.memory_mb})
        futures = {
            self._client.submit(judge_remotely, to_line(unit_to_json(unit)), terms, pure=False): unit for unit in units
        }
        try:
            for future in as_completed(list(futures)):
                yield futures[future], _outcome(future)
        finally:
            self._client.cancel(list(futures))


def _local_cluster(distributed: Any, jobs: int) -> Any:
    """Reachable from this machine only, and without the page that shows what it does: nobody asked for an open port."""
    return distributed.LocalCluster(
        n_workers=jobs, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
    )


def _outcome(future: Any) -> Any:
    """Whatever Dask reports of a task is about its workers: what a case does comes back as a result."""
    if future.status != "finished":
        return LostUnit(f"the cluster lost it: {type(future.exception()).__name__}", trace=str(future.exception()))
    answer = json.loads(future.result())
    return LostUnit(**answer["lost"]) if "lost" in answer else result_from_json(answer["result"])


def judge_remotely(unit: str, terms: str) -> str:
    """In a thread of a Dask worker."""
    ((_, outcome),) = _own_runner(terms).judge([unit_from_json(json.loads(unit))])
    tree = {"lost": asdict(outcome)} if isinstance(outcome, LostUnit) else {"result": result_to_json(outcome)}
    return to_line(tree)


def _own_runner(terms: str) -> ProcessRunner:
    """Kept from task to task: starting it costs more than most cases. It ends with the thread's process, when its input
    does."""
    if getattr(_own, "terms", None) != terms:
        tree = json.loads(terms)
        _own.terms, _own.runner = terms, ProcessRunner(settings_from_json(tree["settings"]), 1, tree["memory_mb"])
    runner = _own.runner
    assert isinstance(runner, ProcessRunner)
    return runner
