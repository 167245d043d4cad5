"""Worker processes of this machine: a unit that crashes, hangs or eats memory costs its worker, and nothing else.

The judge limits time and memory from inside the worker, where it can still say which engine was at fault. What it
cannot stop (code that never comes back to the interpreter, a process that is killed) is seen from here: as silence
beyond the time limit, or as the end of the worker's answers. Both wake up one wait for all workers; nothing is asked
periodically. Each worker leads a process group of its own, so that whatever it has started ends with it, and an
interrupt at the terminal reaches only the process that knows what to do with it.
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
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO, Any, Final

from harness.child_process import python_command
from harness.execute.failure_result import failure_result
from harness.execute.runner import LostUnit, Runner, UnitOutcome
from harness.execute.scratch import scratch_directory
from harness.execute.wire import settings_to_json, to_line, unit_to_json
from harness.judging.result import CaseResult, result_from_json
from harness.judging.ruling import Ruling
from harness.judging.unit import Settings, Unit

__all__ = ["ProcessRunner"]

_GRACE_S: Final = 10
"""What a worker may take beyond the time limit of a run: to read a case, and to compare."""

_START_S: Final = 60
"""What it may take to start, on a machine that is busy with other things."""

_TRACE: Final = 20_000
"""Bytes of what a lost worker wrote."""

_FRAME: Final = re.compile(r'^(?:Fatal Python error: .*|  File ".*", line \d+ in .*)$', re.MULTILINE)
"""What the interpreter itself says of its end. All else an engine may have printed, secrets included, is not kept."""

_SPENT: Final = (Ruling.HANG, Ruling.OVER_BUDGET)
"""After these a worker is replaced: what was interrupted may have left anything behind, and memory is in pieces."""


@dataclass(slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    log: IO[bytes]
    scratch: tempfile.TemporaryDirectory[str]
    unit: Unit | None = None
    engine: str = ""
    way: str = ""
    deadline_s: float = float("inf")
    heard: bytearray = field(default_factory=bytearray)
    is_new: bool = True

    def take(self, unit: Unit, limit_s: float) -> None:
        self.unit, self.engine, self.way, self.is_new = unit, "", "", False
        self.deadline_s = time.monotonic() + limit_s
        self.write(unit_to_json(unit))

    def write(self, tree: Any) -> None:
        """A worker that is gone is noticed by its silence, not here."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(to_line(tree).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def end(self) -> None:
        """With all it has started. The group is there as long as nobody has waited for its leader."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.log):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                continue
        self.scratch.cleanup()

    def obituary(self) -> LostUnit:
        """After its answers have ended."""
        status = self.process.wait()
        told = f"exit code {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"
        self.log.seek(max(0, self.log.seek(0, os.SEEK_END) - _TRACE))
        trace = "\n".join(_FRAME.findall(self.log.read().decode(errors="replace")))
        return LostUnit(f"the process ended with no answer: {told}", self.engine, self.way, trace)


@dataclass(slots=True)
class ProcessRunner(Runner):
    settings: Settings
    jobs: int = 1
    memory_mb: int | None = None
    _idle: list[_Worker] = field(default_factory=list)
    _busy: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    """Workers with a unit, by the pipe their answers come through."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None, /
    ) -> None:
        for worker in [*self._idle, *self._working]:
            worker.end()
        self._busy.close()

    def judge(self, units: Sequence[Unit]) -> Iterator[UnitOutcome]:
        waiting = deque(units)
        while waiting or self._working:
            while waiting and len(self._working) < self.jobs:
                self._hand_out(waiting.popleft())
            yield from self._completed()

    @property
    def _working(self) -> list[_Worker]:
        return [key.data for key in (self._busy.get_map() or {}).values()]

    def _hand_out(self, unit: Unit) -> None:
        worker = self._idle.pop() if self._idle else self._started()
        assert worker.process.stdout is not None
        self._busy.register(worker.process.stdout, selectors.EVENT_READ, worker)
        worker.take(unit, self.settings.timeout_s + _GRACE_S + (_START_S if worker.is_new else 0))

    def _started(self) -> _Worker:
        """Hashes of texts are drawn from the seed of the run: what depends on the order of a set would otherwise differ
        from worker to worker, and two runs with one seed would not be the same. What a killed worker leaves behind is
        in a directory of its own."""
        log = tempfile.TemporaryFile(prefix="diffharness-worker-")  # noqa: SIM115  it lives as long as the worker
        scratch = scratch_directory()
        hash_seed = self.settings.ways[0].seed % (1 << 32)
        process = subprocess.Popen(
            python_command("harness.execute.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        )
        worker = _Worker(process, log, scratch)
        settings = settings_to_json(self.settings)
        worker.write({"settings": settings, "memory_mb": self.memory_mb, "scratch": scratch.name})
        return worker

    def _completed(self) -> Iterator[UnitOutcome]:
        """Waits until a worker has said something, or should have."""
        patience_s = min(worker.deadline_s for worker in self._working) - time.monotonic()
        for key, _ in self._busy.select(max(0.0, patience_s)):
            yield from self._heard(key.data)
        now_s = time.monotonic()
        for worker in self._working:
            if worker.deadline_s <= now_s:
                yield self._given_up(worker)

    def _heard(self, worker: _Worker) -> Iterator[UnitOutcome]:
        assert worker.process.stdout is not None
        assert worker.unit is not None
        said = os.read(worker.process.stdout.fileno(), 1 << 20)
        if not said:
            lost = worker.obituary()
            yield self._free(worker, lost)
            return
        worker.heard += said
        *lines, rest = worker.heard.split(b"\n")
        worker.heard = rest
        for line in lines:
            answer = json.loads(line)
            if "run" in answer:
                worker.engine, worker.way = answer["run"], answer["way"]
                worker.deadline_s = time.monotonic() + self.settings.timeout_s + _GRACE_S
            else:
                yield self._free(worker, result_from_json(answer["result"]))

    def _given_up(self, worker: _Worker) -> UnitOutcome:
        assert worker.unit is not None
        told = LostUnit(f"hung: no end after {self.settings.timeout_s:g} s", worker.engine, worker.way)
        return self._free(worker, failure_result(worker.unit, self.settings, Ruling.HANG, told))

    def _free(self, worker: _Worker, outcome: CaseResult | LostUnit) -> UnitOutcome:
        """Of its unit; a worker that is lost or spent ends."""
        assert worker.process.stdout is not None
        assert worker.unit is not None
        self._busy.unregister(worker.process.stdout)
        unit, worker.unit, worker.deadline_s = worker.unit, None, float("inf")
        if isinstance(outcome, LostUnit) or any(found.signature.ruling in _SPENT for found in outcome.findings):
            worker.end()
        else:
            self._idle.append(worker)
        return unit, outcome
