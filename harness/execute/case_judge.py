"""Runs a case by all engines of a specification and collects the verdicts on them.

Running and deciding are separate: `harness/play` makes the runs, `harness/compare` turns runs and a recording into
verdicts, and this module only brings the two together.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from typing import Final

from harness.compare.consequences import places_apart
from harness.compare.difference import Difference
from harness.compare.expectations import unmet_expectations
from harness.compare.observations import ignore_end, unmet, unmet_by_configuration
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
from harness.play.case_runner import CaseRunner, Observations, step_places
from harness.play.checkpoint import Checkpoint
from harness.play.engine_runs import BeforeRun, EngineRun, ignore_run, resynchronise, run_schedules
from harness.play.run_spec import RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["FurtherSchedules", "judge_runner"]

_ENDED: Final = (Ruling.EQUAL, Ruling.DIFFERS)


@record
class FurtherSchedules:
    """Schedules in which every engine runs a case as well if anything differs, or if the baseline has done something
    that makes it worth the time."""

    schedules: Sequence[Schedule] = ()
    are_worth_it: Callable[[Observations], bool] = lambda _observations: False


_NONE: Final = FurtherSchedules()


def judge_runner(
    runner: CaseRunner,
    spec: RunSpec,
    recording: Observations | None = None,
    before_run: BeforeRun = ignore_run,
    further: FurtherSchedules = _NONE,
) -> CaseVerdict:
    """Run a case by every engine of the specification, and decide.

    The baseline runs in `spec.baseline_schedules` as well where anything differs, and for a sample of all cases: what
    differs there is not a difference between engines. Where commands were faked, engines are compared with each other
    and not with the recording, which says what the commands really did. Where the baseline cannot run the case, the
    others are compared with the recording alone. Binaries are asked for the order of effects only where there is
    another engine to compare it with.
    """
    judge = _CaseJudge(replace(runner, with_orders=len(spec.engines) > 1), spec, recording, before_run)
    ran = {engine: judge.run(engine) for engine in spec.engines}
    baseline = ran[judge.baseline]
    others = {name: one for name, one in ran.items() if name != judge.baseline and one.observations is not None}
    pairs = (
        {} if baseline.observations is None else {name: judge.compare(baseline, one) for name, one in others.items()}
    )
    verdicts = [*(one.verdict for one in ran.values()), *(verdict for verdict, _ in pairs.values())]
    disagree = any(verdict.ruling is not Ruling.EQUAL for verdict in verdicts)
    if disagree or (baseline.observations is not None and further.are_worth_it(baseline.observations)):
        ran = {engine: judge.repeat(one, further.schedules) for engine, one in ran.items()}
    if judge.should_repeat_baseline(disagree=disagree, has_pairs=bool(pairs)):
        ran[judge.baseline] = judge.repeat(ran[judge.baseline], spec.baseline_schedules)
    still = [name for name in pairs if ran[name].observations is not None]
    pairs = {} if ran[judge.baseline].observations is None else {name: pairs[name] for name in still}
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
        step_s=runner.step_s,
        description=runner.case.description,
        tags=runner.case.tags,
    )


@record
class _Ran:
    """What one engine did with the case."""

    engine: str
    verdict: Verdict
    observations: Observations | None = None
    """Those of the first run, if all came to an end."""

    runs: tuple[EngineRun, ...] = ()
    checkpoints: Mapping[str, Checkpoint] = field(default_factory=dict)
    varies: tuple[str, ...] = ()


@record
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
        comparison = self._comparison(engine, self.runner.normalised)
        checkpoints: dict[str, Checkpoint] | None = {} if len(self.spec.engines) > 1 else None
        seen: list[EngineRun] = []
        schedules = _schedules(self.spec, engine)
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
        return _Ran(engine, verdict, first, tuple(seen), checkpoints or {}, varies)

    def should_repeat_baseline(self, *, disagree: bool, has_pairs: bool) -> bool:
        """Return whether the baseline is to run in further schedules. Where all engines agree, noise would be news of
        the baseline alone, and a sample is enough to know how much of it there is. The sample depends on the seed."""
        if not self.spec.baseline_schedules or is_external(self.baseline) or is_recorded(self.baseline):
            return False
        return disagree or not has_pairs or self.spec.is_sampled(self.runner.case.directory)

    def repeat(self, ran: _Ran, schedules: Sequence[Schedule]) -> _Ran:
        """Run the case by an engine in further schedules, if it came to the same end in all so far. What was normalised
        in its first run has been counted already."""
        if not schedules or ran.observations is None or ran.verdict.ruling not in _ENDED:
            return ran
        started = time.monotonic()
        seen = list(ran.runs)
        again = run_schedules(self.runner, ran.engine, schedules, self.spec, self.before_run)
        comparison = self._comparison(ran.engine, Counter())
        runs = chain(ran.runs, _remembered(again, seen))
        verdict, first = judge_engine(runs, comparison, is_baseline=ran.engine == self.baseline)
        elapsed_s = ran.verdict.elapsed_s + time.monotonic() - started
        return replace(ran, verdict=replace(verdict, elapsed_s=elapsed_s), observations=first, runs=tuple(seen))

    def _comparison(self, engine: str, applied: Counter[str]) -> RunComparison:
        recording = self._recording_for(engine)
        return RunComparison(recording, _is_real(engine), applied, judge_end=self._choose_end(engine))

    def _recording_for(self, engine: str) -> Observations | None:
        """Return what an engine is compared with. An engine in process is not initialised, whatever came of that."""
        if self.recording is None or not self.runner.is_recorded_system(engine):
            return None
        if _is_real(engine) or is_chain(engine):
            return self.recording
        return {place: without_init(step) for place, step in self.recording.items()}

    def _choose_end(self, engine: str) -> Callable[[Observations], list[tuple[str, Difference]]]:
        """Return what judges the end of the story. The author of a story says what is to happen in it. Of a
        configuration alone this is unknown, unless the run expects success; and then one engine reports it for all."""
        if self.runner.case.plain is None:
            return self._unmet_by_author
        return unmet_by_configuration if self.spec.expect_success and engine == self.baseline else ignore_end

    def _unmet_by_author(self, observations: Observations) -> list[tuple[str, Difference]]:
        case = self.runner.case
        steps = zip(step_places(case), case.steps, strict=True)
        expected = {place: step.expect for place, step in steps if step.expect is not None}
        return [*unmet(observations), *unmet_expectations(expected, observations)]

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
        schedule = _schedules(self.spec, one.engine)[0]
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


def _schedules(spec: RunSpec, engine: str) -> Sequence[Schedule]:
    """Return the schedules of an engine. A binary has no seed, and knows two ways to apply a plan: saved and at once.
    It runs each combination as often as is asked for. A recorded engine follows no schedule."""
    schedules = spec.schedules
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
