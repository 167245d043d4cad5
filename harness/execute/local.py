"""Judges units in this process, one after another: starts at once, and works with a debugger.

Nothing protects the run from the code it runs: a unit that ends the process ends the run. The time limit still holds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import field
from types import TracebackType
from typing import Final

from harness.case.case import Case
from harness.case.recordings import find_recording
from harness.case.unit import Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.execute.failure_result import failure_result
from harness.execute.judge import AdaptRunner, judge_unit, keep_runner
from harness.execute.runner import LostUnit, Runner, UnitFacts, UnitOutcome
from harness.execute.scratch import scratch_directory
from harness.findings.result import CaseResult
from harness.findings.secrets.masking import secrets_of
from harness.observe.crash import LACK_OF_MEMORY, crash_text, is_lack_of_memory
from harness.owned_directory import keep_sockets
from harness.play.alarm import Alarm, AlarmRang
from harness.play.engine_runs import BeforeRun, ignore_run
from harness.play.run_spec import RunSpec
from shared_nodes.record import record

__all__ = ["LocalRunner", "OnFacts", "ignore_facts", "judge_safely"]

_MASKING_S: Final = 5.0
"""Time to find what is sensitive in a case before it is run."""


@record(frozen=False)
class LocalRunner(Runner):
    spec: RunSpec
    _open: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> LocalRunner:
        """Redirect temporary files to a scratch directory, but not the sockets of multiprocessing, because the fork
        server outlives the run."""
        keep_sockets()
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


OnFacts = Callable[[UnitFacts], None]


def ignore_facts(_facts: UnitFacts) -> None:
    """Do nothing with the facts of a unit."""


def judge_safely(
    unit: Unit,
    spec: RunSpec,
    before_run: BeforeRun = ignore_run,
    adapt_runner: AdaptRunner = keep_runner,
    on_facts: OnFacts = ignore_facts,
) -> CaseResult:
    """Judge a unit and turn every exception into a result.

    Failures of engines are caught earlier, by the judge. An exception that arrives here is a bug of the harness, and
    must not prevent other units from being judged. `on_facts` receives what is known of a case once it was read.
    """
    read: list[Case] = []
    facts = UnitFacts()

    def on_case(case: Case) -> None:
        nonlocal facts
        read.append(case)
        facts = _facts_of(case, spec)
        on_facts(facts)

    try:
        return judge_unit(unit, spec, before_run, adapt_runner, on_case)
    except Exception as problem:
        # A bug of the harness in one unit must not end the run: it becomes the result `crash` of that unit, with its
        # trace, and the run exits with 3.
        trace = _masked(unit, read, crash_text(problem))
        if is_lack_of_memory(problem):
            lost = LostUnit(LACK_OF_MEMORY, trace=trace, facts=facts)
            return failure_result(unit, spec, Ruling.OVER_BUDGET, lost)
        message = f"{type(problem).__name__}: {problem}"
        lost = LostUnit(_masked(unit, read, message), trace=trace, facts=facts)
        return failure_result(unit, spec, Ruling.CRASH, lost)


def _facts_of(case: Case, spec: RunSpec) -> UnitFacts:
    recording = find_recording(case.directory, spec.against or case.flavour, case.own_flavour)
    return UnitFacts(_masked_description(case), case.tags, recording is not None, case.flavour)


def _masked_description(case: Case) -> str:
    """Mask the sensitive values of a case in its description. Reading its configurations may take any time, and then
    there is no description."""
    try:
        with Alarm().after(_MASKING_S):
            return secrets_of(case, {}).masked(case.description)
    except (AlarmRang, Exception):
        # Whatever is wrong with the configurations is for the engines to find.
        return ""


def _masked(unit: Unit, read: Sequence[Case], text: str) -> str:
    """Mask the sensitive values of a case. If it was not read, or even that fails, keep only the type of the
    exception."""
    if unit.kind is not UnitKind.CASE:
        return text
    try:
        return secrets_of(read[0], {}).masked(text)
    except Exception:
        # The bug that is being reported may be in the code called here. Unmasked text must never be published, so only
        # the type of the exception is kept.
        return text.partition(":")[0]
