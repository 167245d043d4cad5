"""Runs a case by all engines of a specification and collects the verdicts on them.

Running and deciding are separate: `harness/play` makes the runs, `harness/compare` turns runs and a recording into
verdicts, and this module only brings the two together.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
    really did. Where the baseline cannot run the case, the others are compared with the recording alone. Binaries are
    asked for the order of effects only where there is another engine to compare it with.
    """
    judge = _CaseJudge(replace(runner, with_orders=len(spec.engines) > 1), spec, recording, before_run)
    ran = {engine: judge.run(engine) for engine in spec.engines}
    baseline = ran[judge.baseline]
    others = {name: one for name, one in ran.items() if name != judge.baseline and one.observations is not None}
    pairs = (
        {} if baseline.observations is None else {name: judge.compare(baseline, one) for name, one in others.items()}
    )
    recorded = {} if recording is None or runner.faked else {RECORDED: recording}
    observations = {name: one.observations for name, one in ran.items() if one.observations is not None}
    return CaseVerdict(
        is_recorded=bool(recorded),
        of={name: one.verdict for name, one in ran.items()},
        between={name: verdict for name, (verdict, _) in pairs.items()},
        baseline=judge.baseline,
        observations={**recorded, **observations},
        resynchronised={name: again for name, (_, again) in pairs.items() if again},
        faked=runner.faked,
        strangers=frozenset(name for name in ran if not runner.is_recorded_system(name)),
        varies={name: one.varies for name, one in ran.items() if one.varies},
        normalised=dict(sorted(runner.normalised.items())),
        binaries_s=runner.in_binaries.total_s,
        description=runner.case.description,
        tags=runner.case.tags,
    )


@dataclass(frozen=True, slots=True)
class _Ran:
    """What one engine did with the case."""

    engine: str
    verdict: Verdict
    observations: Observations | None = None
    """Those of the first run, if all came to an end."""

    checkpoints: Mapping[str, Checkpoint] = field(default_factory=dict)
    varies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _CaseJudge:
    runner: CaseRunner
    spec: RunSpec
    recording: Observations | None
    before_run: BeforeRun

    @property
    def baseline(self) -> str:
        return self.spec.engines[0]

    def run(self, engine: str) -> _Ran:
        """Run the case by one engine, and judge it by the recording and by itself."""
        if (reason := self.runner.obstacle(engine)) is not None:
            return _Ran(engine, Verdict(Ruling.NOT_RUN, reason=reason))
        started = time.monotonic()
        recording = self.recording if self.runner.is_recorded_system(engine) else None
        comparison = RunComparison(recording, _is_real(engine), self.runner.normalised)
        checkpoints: dict[str, Checkpoint] | None = {} if len(self.spec.engines) > 1 else None
        seen: list[EngineRun] = []
        schedules = _schedules(self.spec, engine, self.baseline)
        made = run_schedules(self.runner, engine, schedules, self.spec, self.before_run, kept=checkpoints)
        runs = _remembered(made, seen)
        verdict, first = judge_engine(runs, comparison, is_baseline=engine == self.baseline)
        varies: tuple[str, ...] = ()
        if is_external(engine):
            if self.spec.repeat > 1:
                deque(runs, maxlen=0)
            ended = [run.observations for run in seen if run.observations is not None]
            varies = describe_variations(ended)
            verdict = replace(verdict, runs=len(ended))
        verdict = replace(verdict, elapsed_s=time.monotonic() - started)
        return _Ran(engine, verdict, first, checkpoints or {}, varies)

    def compare(self, baseline: _Ran, one: _Ran) -> tuple[Verdict, Observations]:
        """Decide about an engine by the baseline. A step that it begins in another state than the baseline, after a
        difference, is run once more from the baseline's state: what differs only with its own history is a consequence.
        A chain is run for its history, and never begins elsewhere. Also return what was observed then."""
        assert baseline.observations is not None
        assert one.observations is not None
        marks = _unstable_fields(self.recording or {}, baseline.observations, one.observations)
        comparison = RunComparison(marks, _is_real(baseline.engine) or _is_real(one.engine), self.runner.normalised)
        wanted = _comparable(baseline.engine, baseline.observations, one.engine, one.observations)
        got = _comparable(one.engine, one.observations, baseline.engine, baseline.observations)
        verdict = compare_engines(comparison, wanted, got)
        own = {} if is_chain(one.engine) else one.checkpoints
        apart = places_apart(own, baseline.checkpoints, verdict.differences)
        schedule = _schedules(self.spec, one.engine, self.baseline)[0]
        again = resynchronise(self.runner, one.engine, schedule, self.spec, apart, before_run=self.before_run)
        return (mark_consequences(comparison, verdict, wanted, again) if again else verdict), again


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
