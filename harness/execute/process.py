"""Worker processes on this machine: a unit that crashes, hangs or exhausts memory costs its worker and nothing else.

The judge limits time and memory inside the worker, where it can still name the engine at fault. What it cannot stop
(native code that never returns, a killed process) is detected here: as silence beyond the time limit, or as the end of
the worker's output. One wait covers all workers; nothing polls. Each worker has a keeper in a session of its own
(`keeper.py`), so that everything the worker has started ends with it, and the worker with this process, and so that an
interrupt at the terminal reaches only this process, which can handle it.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import field
from types import TracebackType
from typing import IO, Any, Final

from harness.case.unit import Unit
from harness.compare.ruling import Ruling
from harness.execute.failure_result import failure_result
from harness.execute.keeper_process import KeeperProcess, fork_keeper, is_forkable, start_keeper
from harness.execute.runner import LostUnit, Runner, UnitFacts, UnitOutcome
from harness.execute.scratch import scratch_directory
from harness.execute.wire import facts_from_json, settings_to_json, to_line, unit_to_json
from harness.findings.result import CaseResult, result_from_json
from harness.observe.crash import LACK_OF_MEMORY
from harness.owned_directory import OwnedDirectory
from harness.play.run_spec import RunSpec
from shared_nodes.record import record

__all__ = ["ProcessRunner"]

_WORKER_GRACE_S: Final = 10
"""Time a worker may take beyond the time limit of a run, to read a case and to compare."""

_START_GRACE_S: Final = 60
"""Additional time for a worker to start on a busy machine."""

_STOP_GRACE_S: Final = 10
"""Time a keeper may take to end a worker and everything it has started."""

_LOG_TAIL_BYTES: Final = 20_000
"""Number of bytes at the end of a lost worker's log that are searched for its traceback."""

_LACK_OF_MEMORY: Final = re.compile(
    r"^(?:MemoryError\b|Fatal Python error: .*MemoryError|GNU MP: Cannot allocate memory)", re.MULTILINE
)
"""What Python or a library of it writes when it cannot go on without more memory."""

_INTERPRETER_LINE: Final = re.compile(r'^(?:Fatal Python error: .*|  File ".*", line \d+ in .*)$', re.MULTILINE)
"""Lines that the interpreter itself writes when it dies. Everything else in the log may have been printed by an engine
and contain secrets, so it is not kept."""


@record(frozen=False)
class _Worker:
    process: KeeperProcess
    """The keeper of the worker, which ends as the worker does."""

    lifeline: int
    """A pipe. The keeper ends the worker when it is closed."""

    log: IO[bytes]
    scratch: OwnedDirectory
    unit: Unit | None = None
    engine: str = ""
    schedule: str = ""
    facts: UnitFacts = field(default_factory=UnitFacts)
    deadline_s: float = float("inf")
    received: bytearray = field(default_factory=bytearray)
    is_new: bool = True

    def assign(self, unit: Unit, limit_s: float) -> None:
        self.unit, self.engine, self.schedule, self.is_new = unit, "", "", False
        self.facts = UnitFacts()
        self.deadline_s = time.monotonic() + limit_s
        self.send(unit_to_json(unit))

    def send(self, tree: Any) -> None:
        """Send a message. A worker that is gone is noticed when its output ends, not here."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(to_line(tree).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def stop(self) -> None:
        """End the worker and everything it started."""
        os.close(self.lifeline)
        try:
            self.process.wait(_STOP_GRACE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.log):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                continue
        self.scratch.cleanup()

    def describe_exit(self) -> LostUnit:
        """Describe the exit of a worker whose output has ended."""
        status = self.process.wait()
        ending = f"exit code {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"
        self.log.seek(max(0, self.log.seek(0, os.SEEK_END) - _LOG_TAIL_BYTES))
        log = self.log.read().decode(errors="replace")
        trace = "\n".join(_INTERPRETER_LINE.findall(log))
        lacks_memory = _LACK_OF_MEMORY.search(log) is not None
        message = LACK_OF_MEMORY if lacks_memory else f"the process ended with no answer: {ending}"
        return LostUnit(message, self.engine, self.schedule, trace, self.facts, lacks_memory=lacks_memory)


@record(frozen=False)
class ProcessRunner(Runner):
    spec: RunSpec
    jobs: int = 1
    memory_mb: int | None = None
    by_forking: bool = False
    """Whether workers may be forks of this process, which has imported what they need."""

    _idle: list[_Worker] = field(default_factory=list)
    _busy: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    """Workers that have a unit, registered with the pipe of their output."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None, /
    ) -> None:
        for worker in [*self._idle, *self._busy_workers]:
            worker.stop()
        self._busy.close()

    def judge(self, units: Sequence[Unit]) -> Iterator[UnitOutcome]:
        waiting = deque(units)
        while waiting or self._busy_workers:
            while waiting and len(self._busy_workers) < self.jobs:
                self._assign(waiting.popleft())
            yield from self._next_finished()

    @property
    def _busy_workers(self) -> list[_Worker]:
        return [key.data for key in (self._busy.get_map() or {}).values()]

    def _assign(self, unit: Unit) -> None:
        worker = self._idle.pop() if self._idle else self._start_worker()
        assert worker.process.stdout is not None
        self._busy.register(worker.process.stdout, selectors.EVENT_READ, worker)
        limit_s = max(map(self.spec.timeout_of, self.spec.engines))
        worker.assign(unit, limit_s + _WORKER_GRACE_S + (_START_GRACE_S if worker.is_new else 0))

    def _start_worker(self) -> _Worker:
        """Start a worker.

        Its hash seed is derived from the seed of the run: otherwise the order of sets would differ between workers, and
        two runs with the same seed could differ. The worker has a scratch directory of its own, so that nothing stays
        behind if it is killed.
        """
        # No `with`: the file must stay open as long as the worker lives, and is closed when the worker is stopped.
        log = tempfile.TemporaryFile(prefix="diffharness-worker-")  # noqa: SIM115
        scratch = scratch_directory()
        hash_seed = self.spec.schedules[0].seed % (1 << 32)
        kept, lifeline = os.pipe()
        if self.by_forking and is_forkable(hash_seed):
            process = fork_keeper(kept, scratch.name, log)
        else:
            process = start_keeper(kept, scratch.name, log, hash_seed)
        os.close(kept)
        worker = _Worker(process, lifeline, log, scratch)
        spec = settings_to_json(self.spec)
        worker.send({"settings": spec, "memory_mb": self.memory_mb, "scratch": scratch.name})
        return worker

    def _next_finished(self) -> Iterator[UnitOutcome]:
        """Wait until a worker reports something or exceeds its deadline, and yield the finished units."""
        timeout_s = min(worker.deadline_s for worker in self._busy_workers) - time.monotonic()
        for key, _ in self._busy.select(max(0.0, timeout_s)):
            yield from self._receive(key.data)
        now_s = time.monotonic()
        for worker in self._busy_workers:
            if worker.deadline_s <= now_s:
                yield self._abandon(worker)

    def _receive(self, worker: _Worker) -> Iterator[UnitOutcome]:
        assert worker.process.stdout is not None
        assert worker.unit is not None
        data = os.read(worker.process.stdout.fileno(), 1 << 20)
        if not data:
            lost = worker.describe_exit()
            over_budget = failure_result(worker.unit, self.spec, Ruling.OVER_BUDGET, lost)
            yield self._release(worker, over_budget if lost.lacks_memory else lost)
            return
        worker.received += data
        *lines, rest = worker.received.split(b"\n")
        worker.received = rest
        for line in lines:
            answer = json.loads(line)
            if "case" in answer:
                worker.facts = facts_from_json(answer["case"])
            elif "run" in answer:
                worker.engine, worker.schedule = answer["run"], answer["schedule"]
                worker.deadline_s = time.monotonic() + self.spec.timeout_of(worker.engine) + _WORKER_GRACE_S
            else:
                yield self._release(worker, result_from_json(answer["result"]))

    def _abandon(self, worker: _Worker) -> UnitOutcome:
        assert worker.unit is not None
        limit_s = self.spec.timeout_of(worker.engine)
        lost = LostUnit(
            f"{limit_s:g} s were not enough, see --timeout", worker.engine, worker.schedule, facts=worker.facts
        )
        return self._release(worker, failure_result(worker.unit, self.spec, Ruling.HANG, lost))

    def _release(self, worker: _Worker, outcome: CaseResult | LostUnit) -> UnitOutcome:
        """Release the worker. It is stopped if it was lost, or after a timeout or lack of memory: the interrupted code
        may have left anything behind, and memory is fragmented."""
        assert worker.process.stdout is not None
        assert worker.unit is not None
        self._busy.unregister(worker.process.stdout)
        unit, worker.unit, worker.deadline_s = worker.unit, None, float("inf")
        if isinstance(outcome, LostUnit) or any(
            found.signature.ruling.is_timeout_or_memory for found in outcome.findings
        ):
            worker.stop()
        else:
            self._idle.append(worker)
        return unit, outcome
