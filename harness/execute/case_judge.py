"""Runs a case by all engines of a specification and collects the verdicts on them.

Running and deciding are separate: `harness/play` makes the runs, `harness/compare` turns runs and a recording into
verdicts, and this module only brings the two together.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from harness.compare.consequences import places_apart
from harness.compare.ruling import Ruling
from harness.compare.variation import describe_variations
from harness.compare.verdict import (
    RECORDED,
    CaseVerdict,
    RunComparison,
    Verdict,
    compare_engines,
    judge_engine,
    mark_consequences,
)
from harness.engines.chain import is_chain
from harness.engines.external import is_external
from harness.engines.recorded import is_recorded
from harness.observe.json_trees import as_items
from harness.observe.recorded_observation import reduce_to_recorded, without_init
from harness.play.case_runner import CaseRunner, Observations
from harness.play.checkpoint import Checkpoint
from harness.play.engine_runs import BeforeRun, EngineRun, ignore_run, resynchronise, run_schedules
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
    really did. Where the baseline cannot run the case, the others are compared with the recording alone. A step that an
    engine begins in another state than the baseline, after a difference, is run once more from the baseline's state:
    what differs only with its own history is a consequence. A chain is run for its history, and never begins elsewhere.
    Binaries are asked for the order of effects only where there is another engine to compare it with.
    """
    runner = replace(runner, with_orders=len(spec.engines) > 1)
    baseline = spec.engines[0]
    of: dict[str, Verdict] = {}
    firsts: dict[str, Observations] = {}
    varies: dict[str, tuple[str, ...]] = {}
    checkpoints: dict[str, dict[str, Checkpoint]] = {}
    for engine in spec.engines:
        if (reason := runner.obstacle(engine)) is not None:
            of[engine] = Verdict(Ruling.NOT_RUN, reason=reason)
            continue
        started = time.monotonic()
        own_recording = recording if runner.is_recorded_system(engine) else None
        comparison = RunComparison(own_recording, _is_real(engine), runner.normalised)
        kept = checkpoints.setdefault(engine, {}) if len(spec.engines) > 1 else None
        seen: list[EngineRun] = []
        schedules = _schedules(spec, engine, baseline)
        runs = _remembered(run_schedules(runner, engine, schedules, spec, before_run, kept=kept), seen)
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
    resynchronised: dict[str, Observations] = {}
    for engine, first in firsts.items():
        if engine != baseline and baseline in firsts:
            marks = _unstable_fields(recording or {}, firsts[baseline], first)
            comparison = RunComparison(marks, _is_real(baseline) or _is_real(engine), runner.normalised)
            sides = (
                _comparable(baseline, firsts[baseline], engine, first),
                _comparable(engine, first, baseline, firsts[baseline]),
            )
            verdict = between[engine] = compare_engines(comparison, *sides)
            own = {} if is_chain(engine) else checkpoints.get(engine, {})
            apart = places_apart(own, checkpoints.get(baseline, {}), verdict.differences)
            schedule = _schedules(spec, engine, baseline)[0]
            if again := resynchronise(runner, engine, schedule, spec, apart, before_run=before_run):
                resynchronised[engine] = again
                between[engine] = mark_consequences(comparison, verdict, sides[0], again)
    recorded = {} if recording is None or runner.faked else {RECORDED: recording}
    return CaseVerdict(
        is_recorded=bool(recorded),
        of=of,
        between=between,
        baseline=baseline,
        observations={**recorded, **firsts},
        resynchronised=resynchronised,
        faked=runner.faked,
        strangers=frozenset(engine for engine in of if not runner.is_recorded_system(engine)),
        varies=varies,
        normalised=dict(sorted(runner.normalised.items())),
        description=runner.case.description,
        tags=runner.case.tags,
    )


def _is_real(engine: str) -> bool:
    """Return whether the observations are those of a binary, made now or recorded."""
    return is_external(engine) or is_recorded(engine)


def _comparable(engine: str, observations: Observations, other: str, others: Observations) -> Observations:
    """Return what an engine did, without what the other engine cannot have. Only binaries are initialised: an engine in
    process has nothing to install. A recording may lack verdicts on configurations, and has less of each step than is
    observed of an engine that runs."""
    if _is_real(engine) and not _is_real(other):
        return {place: without_init(each) for place, each in observations.items()}
    if not is_recorded(other):
        return observations
    asked = {place: each for place, each in observations.items() if place in others or each.get("op") != "validate"}
    if is_recorded(engine):
        return asked
    return {place: reduce_to_recorded(each, others.get(place, {})) for place, each in asked.items()}


def _unstable_fields(*known: Observations) -> Observations:
    """Return what any of these recordings knows to differ from run to run, in the form of a recording."""
    marks: dict[str, list[Tree]] = {}
    for observations in known:
        for place, observation in observations.items():
            marks.setdefault(place, []).extend(as_items(observation.get("unstable")))
    return {place: {"unstable": fields} for place, fields in marks.items() if fields}


def _schedules(spec: RunSpec, engine: str, baseline: str) -> Sequence[Schedule]:
    """Return the schedules of an engine. A binary has no seed, and knows two ways to apply a plan: saved and at once.
    It runs each combination as often as is asked for. A recorded engine follows no schedule."""
    schedules = (*spec.schedules, *spec.baseline_schedules) if engine == baseline else spec.schedules
    if is_recorded(engine):
        return schedules[:1]
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
