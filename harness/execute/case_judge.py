"""Runs a case by all engines of a specification and collects the verdicts on them.

Running and deciding are separate: `harness/play` makes the runs, `harness/compare` turns runs and a recording into
verdicts, and this module only brings the two together.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from harness.compare.ruling import Ruling
from harness.compare.verdict import RECORDED, CaseVerdict, RunComparison, Verdict, compare_engines, judge_engine
from harness.engines.external import is_external
from harness.play.case_runner import CaseRunner, Observations
from harness.play.engine_runs import BeforeRun, ignore_run, run_schedules
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule

__all__ = ["judge_runner"]


def judge_runner(
    runner: CaseRunner, spec: RunSpec, recording: Observations | None = None, before_run: BeforeRun = ignore_run
) -> CaseVerdict:
    """Run a case by every engine of the specification, and decide.

    The baseline runs in `spec.baseline_schedules`, too: what differs there is not a difference between engines. Where
    commands were faked, engines are compared with each other and not with the recording, which says what the commands
    really did. Binaries are asked for the order of effects only where there is another engine to compare it with.
    """
    runner = replace(runner, with_orders=len(spec.engines) > 1)
    baseline = next((engine for engine in spec.engines if runner.obstacle(engine) is None), spec.engines[0])
    of: dict[str, Verdict] = {}
    firsts: dict[str, Observations] = {}
    for engine in spec.engines:
        if (reason := runner.obstacle(engine)) is not None:
            of[engine] = Verdict(Ruling.NOT_RUN, reason=reason)
            continue
        started = time.monotonic()
        own_recording = recording if runner.is_recorded_system(engine) else None
        comparison = RunComparison(own_recording, is_external(engine), runner.normalised)
        runs = run_schedules(runner, engine, _schedules(spec, engine, baseline), spec, before_run)
        verdict, first = judge_engine(runs, comparison, is_baseline=engine == baseline)
        of[engine] = replace(verdict, elapsed_s=time.monotonic() - started)
        if first is not None:
            firsts[engine] = first
    between: dict[str, Verdict] = {}
    for engine, first in firsts.items():
        if engine != baseline and baseline in firsts:
            comparison = RunComparison(recording, is_external(baseline) or is_external(engine), runner.normalised)
            between[engine] = compare_engines(comparison, firsts[baseline], first)
    kept = {} if recording is None or runner.faked else {RECORDED: recording}
    return CaseVerdict(
        is_recorded=bool(kept),
        of=of,
        between=between,
        baseline=baseline,
        observations={**kept, **firsts},
        faked=runner.faked,
        normalised=dict(sorted(runner.normalised.items())),
        description=runner.case.description,
        tags=runner.case.tags,
    )


def _schedules(spec: RunSpec, engine: str, baseline: str) -> Sequence[Schedule]:
    """Return the schedules of an engine. A binary runs each parallelism once, since nothing else of its schedule can be
    chosen."""
    schedules = (*spec.schedules, *spec.baseline_schedules) if engine == baseline else spec.schedules
    if not is_external(engine):
        return schedules
    return list({schedule.parallelism: schedule for schedule in reversed(schedules)}.values())[::-1]
