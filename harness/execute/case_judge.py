"""Runs a case by all engines of a specification and collects the verdicts on them.

Running and deciding are separate: `harness/play` makes the runs, `harness/compare` turns runs and a recording into
verdicts, and this module only brings the two together.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from harness.compare.ruling import Ruling
from harness.compare.variation import describe_variations
from harness.compare.verdict import RECORDED, CaseVerdict, RunComparison, Verdict, compare_engines, judge_engine
from harness.engines.external import is_external
from harness.play.case_runner import CaseRunner, Observations
from harness.play.engine_runs import BeforeRun, EngineRun, ignore_run, run_schedules
from harness.play.run_spec import RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from shared_nodes.values.json import Tree

__all__ = ["judge_runner"]


def judge_runner(
    runner: CaseRunner, spec: RunSpec, recording: Observations | None = None, before_run: BeforeRun = ignore_run
) -> CaseVerdict:
    """Run a case by every engine of the specification, and decide.

    The baseline runs in `spec.baseline_schedules`, too: what differs there is not a difference between engines. Where
    commands were faked, engines are compared with each other and not with the recording, which says what the commands
    really did. Where the baseline cannot run the case, the others are compared with the recording alone.
    """
    baseline = spec.engines[0]
    of: dict[str, Verdict] = {}
    firsts: dict[str, Observations] = {}
    varies: dict[str, tuple[str, ...]] = {}
    for engine in spec.engines:
        if (reason := runner.obstacle(engine)) is not None:
            of[engine] = Verdict(Ruling.NOT_RUN, reason=reason)
            continue
        started = time.monotonic()
        own_recording = recording if runner.is_recorded_system(engine) else None
        comparison = RunComparison(own_recording, is_external(engine), runner.normalised)
        seen: list[EngineRun] = []
        runs = _remembered(run_schedules(runner, engine, _schedules(spec, engine, baseline), spec, before_run), seen)
        verdict, first = judge_engine(runs, comparison, is_baseline=engine == baseline)
        if is_external(engine):
            if spec.repeat > 1:
                deque(runs, maxlen=0)
            if found := describe_variations([run.observations for run in seen if run.observations is not None]):
                varies[engine] = found
            verdict = replace(verdict, runs=sum(run.observations is not None for run in seen))
        of[engine] = replace(verdict, elapsed_s=time.monotonic() - started)
        if first is not None:
            firsts[engine] = first
    between: dict[str, Verdict] = {}
    for engine, first in firsts.items():
        if engine != baseline and baseline in firsts:
            comparison = RunComparison(recording, is_external(baseline) or is_external(engine), runner.normalised)
            sides = (firsts[baseline], first)
            if is_external(baseline) != is_external(engine):
                sides = _without_init(sides[0]), _without_init(sides[1])
            between[engine] = compare_engines(comparison, *sides)
    kept = {} if recording is None or runner.faked else {RECORDED: recording}
    return CaseVerdict(
        is_recorded=bool(kept),
        of=of,
        between=between,
        baseline=baseline,
        observations={**kept, **firsts},
        faked=runner.faked,
        strangers=frozenset(engine for engine in of if not runner.is_recorded_system(engine)),
        varies=varies,
        normalised=dict(sorted(runner.normalised.items())),
        description=runner.case.description,
        tags=runner.case.tags,
    )


def _schedules(spec: RunSpec, engine: str, baseline: str) -> Sequence[Schedule]:
    """Return the schedules of an engine. A binary has no seed, and knows two ways to apply a plan: saved and at once.
    It runs each combination as often as is asked for."""
    schedules = (*spec.schedules, *spec.baseline_schedules) if engine == baseline else spec.schedules
    if not is_external(engine):
        return schedules
    distinct: dict[tuple[int, bool], Schedule] = {}
    for schedule in schedules:
        distinct.setdefault((schedule.parallelism, schedule.handover is PlanTransfer.MEMORY), schedule)
    return [schedule for schedule in distinct.values() for _ in range(spec.repeat)]


def _remembered(runs: Iterable[EngineRun], seen: list[EngineRun]) -> Iterator[EngineRun]:
    for run in runs:
        seen.append(run)
        yield run


def _without_init(observations: Observations) -> Observations:
    """Return the observations without failures to initialise: an engine in process has nothing to install."""

    def kept(step: Mapping[str, Tree]) -> Mapping[str, Tree]:
        return {name: part for name, part in step.items() if name != "init"}

    return {place: kept(step) if "init" in step else step for place, step in observations.items()}
