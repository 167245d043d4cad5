"""Judges units in this process, one after another: starts at once, and works with a debugger.

Nothing protects the run from the code it runs: a unit that ends the process ends the run. The time limit still holds.
"""

from __future__ import annotations

import multiprocessing.util
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType

from harness.case.case import Case, CaseError, read_case
from harness.case.unit import Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.execute.failure_result import failure_result
from harness.execute.judge import AdaptRunner, judge_unit, keep_runner
from harness.execute.runner import LostUnit, Runner, UnitOutcome
from harness.execute.scratch import scratch_directory
from harness.findings.result import CaseResult
from harness.findings.secrets.masking import secrets_of
from harness.observe.crash import crash_text
from harness.play.engine_runs import BeforeRun, ignore_run
from harness.play.run_spec import RunSpec

__all__ = ["LocalRunner", "judge_safely"]


@dataclass(slots=True)
class LocalRunner(Runner):
    spec: RunSpec
    _open: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> LocalRunner:
        """Redirect temporary files to a scratch directory. The temporary directory of multiprocessing is created
        before, in its usual place, because the fork server outlives the run."""
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
            yield unit, judge_safely(unit, self.spec)


def judge_safely(
    unit: Unit, spec: RunSpec, before_run: BeforeRun = ignore_run, adapt_runner: AdaptRunner = keep_runner
) -> CaseResult:
    """Judge a unit and turn every exception into a result.

    Failures of engines are caught earlier, by the judge. An exception that arrives here is a bug of the harness, and
    must not prevent other units from being judged.
    """
    try:
        return judge_unit(unit, spec, before_run, adapt_runner)
    except MemoryError as problem:
        lost = LostUnit("over budget: more memory than a case may have", trace=crash_text(problem))
        return failure_result(unit, spec, Ruling.OVER_BUDGET, lost)
    except Exception as problem:
        # A bug of the harness in one unit must not end the run: it becomes the result `crash` of that unit, with its
        # trace, and the run exits with 3.
        message = f"{type(problem).__name__}: {problem}"
        lost = LostUnit(_masked(unit, message), trace=_masked(unit, crash_text(problem)))
        return failure_result(unit, spec, Ruling.CRASH, lost)


def _read_case(unit: Unit) -> Case | None:
    try:
        return read_case(unit.path)
    except CaseError:
        return None


def _masked(unit: Unit, text: str) -> str:
    """Mask the sensitive values of the case. If even that fails, keep only the type of the exception."""
    try:
        return secrets_of(_read_case(unit), {}).masked(text) if unit.kind is UnitKind.CASE else text
    except Exception:
        # The bug that is being reported may be in the code called here. Unmasked text must never be published, so only
        # the type of the exception is kept.
        return text.partition(":")[0]
