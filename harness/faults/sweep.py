"""Injects every fault into every call of a case, and checks that engines agree and recover.

The case is run once without faults, which shows its calls. Then each of its steps is run again from the same starting
point, once for every call and every kind of fault that call can meet, by every engine:

    the step with the fault            outcomes must be equal: diagnostics, plan, events, calls, state, cloud
    clean-up                           objects that were created without the engine being informed are removed
    the step again, without            must succeed
    a plan, where that was an apply    must find nothing to change, and the cloud must hold what the state knows

An engine that loses an object, creates one twice, or cannot go on from the state a failure left, is found by one of
these, and the trial says where.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Final

from harness.case.actions import CrashAndResume, InjectFault
from harness.case.case import Case, Step, read_case
from harness.case.case_cloud import furnished_cloud
from harness.compare.observations import compare_observations, unmet
from harness.faults.report import TrialReport, Trouble
from harness.faults.trials import FaultTrial, faults_of_calls, faults_of_cloud
from harness.observe.crash import crash_text
from harness.observe.json_trees import as_object, as_objects, as_texts
from harness.observe.observation import Observation, observed_state, would_change
from harness.play.case_run import CaseRun
from harness.play.case_runner import CaseRunner
from harness.play.config_cache import caching_reader
from harness.play.schedule import PlanTransfer, Schedule
from harness.play.step_context import EngineSpec
from harness.play.story_runner import StoryRunner
from harness.simulation.simcloud.faults import Fault
from harness.simulation.simcloud.leaks import find_leaks
from harness.simulation.simcloud.simulation import Simulation, simulation_from_json
from harness.worker_pool import start_pool
from shared_nodes import tasks
from shared_nodes.config.loading import ReadDirectory
from shared_nodes.flavour import FLAVOURS
from shared_nodes.processes import REAL, RecordedProcesses
from shared_nodes.record import record
from shared_nodes.state.file import read_state
from shared_nodes.values.json import dumps, loads

__all__ = ["FaultSweep", "SweepError", "prepare_sweep", "try_all"]

_TIMEOUT_S: Final = 30


class SweepError(Exception):
    """Faults cannot be tried on this case. The message says why."""


@record
class _StartingPoint:
    """The situation before a step: the text of the state, and the cloud as JSON."""

    state: str | None
    cloud: str


@record
class FaultSweep:
    """A case, and everything that can go wrong in it."""

    case: Case
    """Its steps are the operations that were run, also where the case has tasks."""

    starts: tuple[_StartingPoint, ...]
    """By step."""

    trials: tuple[FaultTrial, ...]
    seed: int = 0
    """Seed of the schedule of every run."""

    may_execute: bool = True
    """Otherwise commands are assumed to have been run successfully."""

    def spec(self, engine: str) -> EngineSpec:
        """Plans are applied at once. What a file would lose is tested elsewhere, and costs a third of the time."""
        schedule = Schedule(self.seed, handover=PlanTransfer.MEMORY)
        case = self.case
        return EngineSpec(
            engine,
            case.flavour,
            schedule,
            _TIMEOUT_S,
            permissive=case.permissive,
            taped_case=case.taped_directory,
        )


@contextmanager
def _runner(sweep: FaultSweep) -> Iterator[CaseRunner]:
    processes = REAL if sweep.may_execute else RecordedProcesses()
    with tempfile.TemporaryDirectory(prefix="diffharness-faults-") as place:
        yield replace(CaseRunner.of(sweep.case, Path(place), (), processes), case_text="")


# The case without faults


def prepare_sweep(directory: Path, engine: str, seed: int = 0, *, may_execute: bool = True) -> FaultSweep:
    """Run the case without faults, and return all trials. The operations of a case with tasks become steps, in the
    order they were done.

    CaseError says what is wrong with the case, SweepError why faults cannot be tried on it: it must succeed by itself.
    """
    case = read_case(directory)
    actions = case.tasks.actions.values() if case.tasks is not None else ()
    is_faulty = bool(case.faults) or any(isinstance(action, InjectFault | CrashAndResume) for action in actions)
    if is_faulty or case.prior_state is not None:
        raise SweepError(f"{directory}: a story begins with nothing, and has no faults of its own")
    sweep = FaultSweep(case, (), (), seed, may_execute)
    with _runner(sweep) as runner:
        run = runner.start(sweep.spec(engine), Simulation(furnished_cloud(case.cloud)))
        rehearsal = _Rehearsal(run.steps, run.names, run.simulation, run.copy_configuration)
        if case.tasks is not None:
            StoryRunner(case.tasks, rehearsal).run()
        for number, step in enumerate(case.steps, 1):
            rehearsal.observe(f"step {number}", step)
    for _, found in unmet(rehearsal.observations):
        raise SweepError(f"{directory}: the story fails without any fault: {found.got}")
    return replace(
        sweep,
        case=replace(case, steps=tuple(rehearsal.done)),
        starts=tuple(rehearsal.starts),
        trials=tuple(rehearsal.trials),
    )


@record(frozen=False)
class _Rehearsal(CaseRun):
    """A run that records where each of its steps starts, and what can go wrong in it."""

    done: list[Step] = field(default_factory=list)
    starts: list[_StartingPoint] = field(default_factory=list)
    trials: list[FaultTrial] = field(default_factory=list)

    def observe(
        self, place: str, step: Step, faults: Sequence[Fault] | None = (), *, until_killed: bool = False
    ) -> Observation:
        simulation, number = self.simulation, len(self.done)
        if faults is not None:
            simulation.begin_step(faults)
        self.done.append(step)
        self.starts.append(_StartingPoint(self.state, dumps(simulation.to_json(), escape_html=False)))
        self.trials.extend(map(FaultTrial, faults_of_cloud(number, simulation)))
        observation = CaseRun.observe(self, place, step, None, until_killed=until_killed)
        if not observation["ok"]:
            first = as_objects(observation["diagnostics"])[0]
            name = f"step {number + 1} ({step.operation} {step.config})"
            raise SweepError(f"{name} fails without any fault: {first['summary']}")
        self.trials.extend(map(FaultTrial, faults_of_calls(number, simulation.record.calls)))
        return observation


# Trials


def try_all(
    sweep: FaultSweep, engines: Sequence[str], trials: Sequence[FaultTrial], jobs: int = 1
) -> Iterator[TrialReport]:
    """Return reports in the order of the trials, as they become known. Workers collect garbage as rarely as this
    process."""
    work = partial(_try_batch, sweep, tuple(engines))
    batches = [trials[start : start + _BATCH] for start in range(0, len(trials), _BATCH)]
    if jobs <= 1:
        for batch in batches:
            yield from work(batch)
        return
    with start_pool(jobs) as pool:
        for reports in pool.map(work, batches):
            yield from reports


_BATCH: Final = 60
"""Trials that share a directory and what was learned about recovering, few enough that no process waits for long."""


def _try_batch(sweep: FaultSweep, engines: Sequence[str], trials: Sequence[FaultTrial]) -> list[TrialReport]:
    with _runner(sweep) as runner:
        testers = [_EngineTester(sweep, engine, runner, caching_reader(runner.parse)) for engine in engines]
        return [_try_one(testers, trial) for trial in trials]


def _try_one(testers: Sequence[_EngineTester], trial: FaultTrial) -> TrialReport:
    """Each engine is judged by itself first, then against the first one: an engine that does not recover is worse than
    two that recover in different words."""
    outcomes = {tester.engine: tester.run(trial) for tester in testers}
    runs = sum(outcome.runs for outcome in outcomes.values())
    for engine, outcome in outcomes.items():
        if outcome.trouble is not None:
            return TrialReport(trial, outcome.trouble, engine, outcome.text, runs)
    (first, baseline), *others = outcomes.items()
    for engine, outcome in others:
        for number, (expected, got) in enumerate(zip(baseline.observations, outcome.observations, strict=True)):
            differences = compare_observations(expected, got)
            if differences:
                text = f"{_PLACES[number]}: {differences[0]}"
                return TrialReport(trial, Trouble.DIFFERS, f"{engine} against {first}", text, runs)
    return TrialReport(trial, runs=runs)


_PLACES: Final = ("with the fault", "again", "the plan after that")


@record
class _Outcome:
    """What one engine did in a trial, or to recover from it, and what is wrong with that."""

    observations: tuple[Observation, ...] = ()
    trouble: Trouble | None = None
    text: str = ""
    runs: int = 0
    """How often the engine really ran."""


@record
class _EngineTester:
    """One engine. Many faults lead to the same state, most of all those that spoil nothing but a plan: how the engine
    recovers from each state is tried once."""

    sweep: FaultSweep
    engine: str
    runner: CaseRunner
    read: ReadDirectory
    recovered: dict[tuple[int, str | None, str], _Outcome] = field(default_factory=dict)

    def run(self, trial: FaultTrial) -> _Outcome:
        try:
            return self._run(trial)
        except tasks.TooSlowError:
            return _Outcome((), Trouble.CRASHED, f"hung: had no end after {_TIMEOUT_S} s")
        except Exception as crash:
            # An engine never raises for a user error, so any exception is a crash of the engine: this trial reports it.
            return _Outcome((), Trouble.CRASHED, crash_text(crash).rstrip())

    def _run(self, trial: FaultTrial) -> _Outcome:
        start, step = self.sweep.starts[trial.step], self.sweep.case.steps[trial.step]
        run = self._start(start.state, start.cloud)
        observation = run.observe(_PLACES[0], step, (trial.fault,))
        run.simulation.clean_up()
        key = (trial.step, run.state, dumps(run.simulation.cloud.to_json(), escape_html=False))
        recovery, runs = self.recovered.get(key), 1
        if recovery is None:
            recovery = self.recovered[key] = self._recover(*key)
            runs += len(recovery.observations)
        return replace(recovery, observations=(observation, *recovery.observations), runs=runs)

    def _recover(self, number: int, state: str | None, cloud: str) -> _Outcome:
        step = self.sweep.case.steps[number]
        run = self._start(state, cloud)
        if state is not None:
            run.names.normalised({"state": observed_state(as_object(loads(state)))}, "")
        again = run.observe(_PLACES[1], step)
        if not again["ok"] and not _has_nothing_to_record(step, again):
            first = as_objects(again["diagnostics"])[0]
            text = f"without the fault: {first['summary']}: {first['detail']}"
            return _Outcome((again,), Trouble.DOES_NOT_RECOVER, text)
        known, _, problems = read_state(run.state or "", FLAVOURS[self.sweep.case.flavour])
        assert not problems, problems
        found = find_leaks(run.simulation.cloud.inventory(), known) if step.operation in ("apply", "destroy") else ()
        if found:
            return _Outcome((again,), Trouble.LEAKS, "; ".join(map(str, found)))
        if step.operation != "apply" or step.mode != "normal" or step.targets:
            return _Outcome((again,))
        after = run.observe(_PLACES[2], Step("plan", step.config, step.variables))
        left = _describe_changes(after)
        if left:
            return _Outcome((again, after), Trouble.DOES_NOT_RECOVER, f"still to do: {left}")
        return _Outcome((again, after))

    def _start(self, state: str | None, cloud: str) -> CaseRun:
        simulation = simulation_from_json(as_object(loads(cloud)))
        run = self.runner.start(self.sweep.spec(self.engine), simulation, self.read)
        run.state = state
        return run


def _has_nothing_to_record(step: Step, observation: Observation) -> bool:
    """A refresh-only plan cannot be applied where nothing has changed: the first run may have recorded what the fault
    did."""
    plan = observation["plan"]
    return step.mode == "refresh-only" and isinstance(plan, dict) and not plan["errored"] and not would_change(plan)


def _describe_changes(observation: Observation) -> str:
    changes = as_objects(as_object(observation["plan"]).get("resource_changes"))
    planned = [(as_texts(as_object(change["change"])["actions"]), change["address"]) for change in changes]
    return ", ".join(f"{'+'.join(actions)} of {address}" for actions, address in planned if actions != ["no-op"])
