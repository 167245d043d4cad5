"""Runs a case by all engines of a specification and collects the verdicts on them.

Running and deciding are separate: `harness/play` makes the runs, `harness/compare` turns runs and a recording into
verdicts, and this module only brings the two together.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from harness.compare.consequences import places_apart
from harness.compare.ruling import Ruling
from harness.compare.verdict import (
    RECORDED,
    CaseVerdict,
    RunComparison,
    Verdict,
    compare_engines,
    judge_engine,
    mark_consequences,
)
from harness.engines.external import is_external
from harness.engines.recorded import is_recorded
from harness.observe.json_trees import as_items
from harness.observe.recorded_observation import reduce_to_recorded
from harness.play.case_runner import CaseRunner, Observations
from harness.play.checkpoint import Checkpoint
from harness.play.engine_runs import BeforeRun, ignore_run, resynchronise, run_schedules
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
from shared_nodes.values.json import Tree

__all__ = ["judge_runner"]


def judge_runner(
    runner: CaseRunner, spec: RunSpec, recording: Observations | None = None, before_run: BeforeRun = ignore_run
) -> CaseVerdict:
    """Run a case by every engine of the specification, and decide.

    The baseline runs in `spec.baseline_schedules`, too: what differs there is not a difference between engines. Where
    commands were faked, engines are compared with each other and not with the recording, which says what the commands
    really did. A step that an engine begins in another state than the baseline, after a difference, is run once more
    from the baseline's state: what differs only with its own history is a consequence.
    Binaries are asked for the order of effects only where there is another engine to compare it with.
    """
    runner = replace(runner, with_orders=len(spec.engines) > 1)
    baseline = next((engine for engine in spec.engines if runner.obstacle(engine) is None), spec.engines[0])
    of: dict[str, Verdict] = {}
    firsts: dict[str, Observations] = {}
    checkpoints: dict[str, dict[str, Checkpoint]] = {}
    for engine in spec.engines:
        if (reason := runner.obstacle(engine)) is not None:
            of[engine] = Verdict(Ruling.NOT_RUN, reason=reason)
            continue
        started = time.monotonic()
        own_recording = recording if runner.is_recorded_system(engine) else None
        comparison = RunComparison(own_recording, _is_real(engine), runner.normalised)
        kept = checkpoints.setdefault(engine, {}) if len(spec.engines) > 1 else None
        runs = run_schedules(runner, engine, _schedules(spec, engine, baseline), spec, before_run, kept=kept)
        verdict, first = judge_engine(runs, comparison, is_baseline=engine == baseline)
        of[engine] = replace(verdict, elapsed_s=time.monotonic() - started)
        if first is not None:
            firsts[engine] = first
    between: dict[str, Verdict] = {}
    resynchronised: dict[str, Observations] = {}
    for engine, first in firsts.items():
        if engine != baseline and baseline in firsts:
            marks = _unstable_fields(recording or {}, firsts[baseline], first)
            comparison = RunComparison(marks, _is_real(baseline) or _is_real(engine), runner.normalised)
            sides = _alike((baseline, firsts[baseline]), (engine, first))
            verdict = between[engine] = compare_engines(comparison, *sides)
            apart = places_apart(checkpoints.get(engine, {}), checkpoints.get(baseline, {}), verdict.differences)
            schedule = _schedules(spec, engine, baseline)[0]
            if again := resynchronise(runner, engine, schedule, spec, apart, before_run=before_run):
                resynchronised[engine] = again
                between[engine] = mark_consequences(comparison, verdict, firsts[baseline], again)
    recorded = {} if recording is None or runner.faked else {RECORDED: recording}
    return CaseVerdict(
        is_recorded=bool(recorded),
        of=of,
        between=between,
        baseline=baseline,
        observations={**recorded, **firsts},
        resynchronised=resynchronised,
        faked=runner.faked,
        normalised=dict(sorted(runner.normalised.items())),
        description=runner.case.description,
        tags=runner.case.tags,
    )


def _is_real(engine: str) -> bool:
    """Return whether the observations are those of a binary, made now or recorded."""
    return is_external(engine) or is_recorded(engine)


def _alike(*sides: tuple[str, Observations]) -> list[Observations]:
    """Return what two engines did, each without what the recording of the other cannot have."""
    (one, first), (other, second) = sides
    return [
        _reduced(first, second) if is_recorded(other) and not is_recorded(one) else first,
        _reduced(second, first) if is_recorded(one) and not is_recorded(other) else second,
    ]


def _reduced(observations: Observations, recorded: Observations) -> Observations:
    return {place: reduce_to_recorded(each, recorded.get(place, {})) for place, each in observations.items()}


def _unstable_fields(*known: Observations) -> Observations:
    """Return what any of these recordings knows to differ from run to run, in the form of a recording."""
    marks: dict[str, list[Tree]] = {}
    for observations in known:
        for place, observation in observations.items():
            marks.setdefault(place, []).extend(as_items(observation.get("unstable")))
    return {place: {"unstable": fields} for place, fields in marks.items() if fields}


def _schedules(spec: RunSpec, engine: str, baseline: str) -> Sequence[Schedule]:
    """Return the schedules of an engine. A binary runs each parallelism once, since nothing else of its schedule can be
    chosen; a recorded engine follows none."""
    schedules = (*spec.schedules, *spec.baseline_schedules) if engine == baseline else spec.schedules
    if is_recorded(engine):
        return schedules[:1]
    if not is_external(engine):
        return schedules
    return list({schedule.parallelism: schedule for schedule in reversed(schedules)}.values())[::-1]
