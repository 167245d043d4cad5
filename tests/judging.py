"""Judges cases on disk as a run does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from harness.case.case import CaseError, read_case
from harness.case.prelude import Prelude
from harness.case.recordings import GOLDEN_FILE
from harness.compare.ruling import Ruling
from harness.compare.verdict import CaseVerdict, Verdict, unreadable
from harness.engine_settings import EngineSettings
from harness.execute.case_judge import judge_runner
from harness.play.case_runner import prepare_runner
from harness.play.engine_runs import BeforeRun, ignore_run
from harness.play.run_spec import DEFAULT_TIMEOUT_S, RunSpec
from harness.play.schedule import Schedule

__all__ = ["judge_by_recording", "judge_engines"]


def judge_engines(
    directory: Path,
    engines: Sequence[str],
    schedules: Sequence[Schedule] = (Schedule(),),
    *,
    baseline_schedules: Sequence[Schedule] = (),
    may_execute: bool = True,
    changes: frozenset[str] = frozenset(),
    timeout_s: float = DEFAULT_TIMEOUT_S,
    before_run: BeforeRun = ignore_run,
    flavour: str = "",
    prelude: Prelude | None = None,
    repeat: int = 1,
    engine_settings: Mapping[str, EngineSettings] = MappingProxyType({}),
) -> CaseVerdict:
    """Judge engines by the recording of the flavour, if there is one, and against each other."""
    spec = RunSpec(
        tuple(engines),
        tuple(schedules),
        baseline_schedules=tuple(baseline_schedules),
        changes=changes,
        timeout_s=timeout_s,
        repeat=repeat,
        engine_settings=engine_settings,
    )
    try:
        prepared = prepare_runner(read_case(directory, flavour), may_execute=may_execute, prelude=prelude)
        with prepared as (runner, recording):
            return judge_runner(runner, spec, recording, before_run)
    except CaseError as problem:
        return unreadable(engines, problem)


def judge_by_recording(
    directory: Path,
    engine: str = "legacy",
    schedules: Sequence[Schedule] = (Schedule(),),
    timeout_s: float = DEFAULT_TIMEOUT_S,
    flavour: str = "",
) -> Verdict:
    """Judge one engine by the recording of the flavour. A case without a recording is a crash: there is nothing to
    compare it with."""
    verdict = judge_engines(directory, [engine], schedules, timeout_s=timeout_s, flavour=flavour)
    if verdict.invalid:
        return Verdict(Ruling.INVALID_CASE, crash=verdict.invalid)
    if not verdict.is_recorded and not verdict.of[engine].ruling.is_breakdown:
        missing = f"{directory / GOLDEN_FILE}: missing, so there is nothing to hold the outcome against"
        return Verdict(Ruling.CRASH, crash=missing)
    return verdict.of[engine]
