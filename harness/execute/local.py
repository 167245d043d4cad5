"""In this process, one unit after the other: what a debugger wants, and what costs nothing to start.

Nothing protects the run from what it runs: a unit that ends the process ends the run. Time is limited all the same.
"""

from __future__ import annotations

import multiprocessing.util
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType

from harness.execute.failure_result import failure_result
from harness.execute.runner import LostUnit, Runner, UnitOutcome
from harness.execute.scratch import scratch_directory
from harness.judging.result import CaseResult
from harness.judging.ruling import Ruling
from harness.judging.secrets import secrets_of
from harness.judging.unit import Settings, Sort, Unit, judge_unit
from harness.scenarios.crash import crash_text
from harness.scenarios.way import Way

__all__ = ["LocalRunner", "judge_safely"]


@dataclass(slots=True)
class LocalRunner(Runner):
    settings: Settings
    _open: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> LocalRunner:
        """What outlives the run, as the server that applying processes are forked from does, keeps its own place."""
        multiprocessing.util.get_temp_dir()
        before, tempfile.tempdir = tempfile.tempdir, self._open.enter_context(scratch_directory())
        self._open.callback(setattr, tempfile, "tempdir", before)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None, /
    ) -> None:
        self._open.close()

    def judge(self, units: Sequence[Unit]) -> Iterator[UnitOutcome]:
        for unit in units:
            yield unit, judge_safely(unit, self.settings)


def judge_safely(
    unit: Unit, settings: Settings, on_run: Callable[[str, Way], None] = lambda _engine, _way: None
) -> CaseResult:
    """Engines are guarded by the judge. What is raised here is a mistake of the harness, and still no reason to judge
    no other case."""
    try:
        return judge_unit(unit, settings, on_run)
    except MemoryError as problem:
        lost = LostUnit("over budget: more memory than a case may have", trace=crash_text(problem))
        return failure_result(unit, settings, Ruling.OVER_BUDGET, lost)
    except Exception as problem:  # the border of a unit: whatever is raised is its result
        told = f"{type(problem).__name__}: {problem}"
        lost = LostUnit(_masked(unit, told), trace=_masked(unit, crash_text(problem)))
        return failure_result(unit, settings, Ruling.CRASH, lost)


def _masked(unit: Unit, text: str) -> str:
    """Without what is sensitive in the case. Where not even that can be told, only the kind of mistake is."""
    try:
        return secrets_of(unit.path, {}).masked(text) if unit.sort is Sort.CASE else text
    except Exception:  # the mistake may be in what is called here
        return text.partition(":")[0]
