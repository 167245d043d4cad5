"""Every fault at every call of a story: what engines make of it, and whether they recover.

A story is a case. It is played once without faults, which tells its calls; then each of its steps is run again from
where the story stood, once for every call and every kind of fault that call can meet, by every engine:

    the step with the fault            outcomes must be equal: diagnostics, plan, events, calls, state, cloud
    somebody cleans up                 what exists without anybody having been told
    the step again, without            must succeed
    a plan, where that was an apply    must find nothing to change, and the cloud must hold what the state knows

An engine that loses an object, creates one twice, or cannot go on from the state a failure left, is found by one of
these; where, by which trial it was.
"""

from __future__ import annotations

import gc
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final, cast

import trio

from harness.case.actions import CrashAndResume, InjectFault
from harness.case.case import Case, Step, read_case
from harness.case.case_cloud import furnished_cloud
from harness.case.trust import require_contained
from harness.child_process import forkserver_context
from harness.compare.observations import compare_observations, unmet
from harness.engines.session import LoadConfiguration
from harness.observe.crash import crash_text
from harness.observe.normalise import Names
from harness.observe.observation import Observation, observed_state
from harness.play.schedule import PlanTransfer, Schedule
from harness.play.step_context import StepContext
from harness.play.step_runner import run_step
from harness.play.story_runner import EngineOperations, StoryRunner
from harness.simulation.simcloud.behaviour import text_of
from harness.simulation.simcloud.faults import KINDS_OF, Fault, FaultKind, Phase, Verb
from harness.simulation.simcloud.leaks import find_leaks
from harness.simulation.simcloud.record import ProviderCall
from harness.simulation.simcloud.simulation import Simulation, simulation_from_json
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import FLAVOURS, Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.processes import REAL, RecordedProcesses
from shared_nodes.providers.contract import ApplyRequest, PlanRequest
from shared_nodes.state.file import read_state
from shared_nodes.values.json import Tree, dumps, loads
from shared_nodes.values.value import Value
from shared_nodes.world import Files, World

__all__ = ["Report", "Story", "StoryError", "Trial", "Trouble", "rehearse", "try_all", "try_out"]

_NOW: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_PATIENCE_S: Final = 30
_SECONDS: Final = 7
"""How long a late answer takes: longer than anything else in a story, where nothing takes any time."""

_TIMES: Final = 2
"""How often in a row something flaky fails: from the first such call on."""

_VERBS: Final = {
    "apply-create": Verb.CREATE,
    "apply-update": Verb.UPDATE,
    "apply-delete": Verb.DELETE,
    "validate-data": Verb.VALIDATE,
    "validate-ephemeral": Verb.VALIDATE,
}


class StoryError(Exception):
    """The case is no story that faults could be tried on. The message says why."""


class Trouble(StrEnum):
    CRASHED = "crashed"
    DIFFERS = "differs"
    DOES_NOT_RECOVER = "does not recover"
    LEAKS = "leaks"


@dataclass(frozen=True, slots=True)
class Trial:
    """One fault in one step of a story."""

    fault: Fault

    @property
    def step(self) -> int:
        assert self.fault.step is not None, "a trial is about one step"
        return self.fault.step

    def __str__(self) -> str:
        fault = self.fault
        what = f"{fault.type_name} {fault.name or ''}".rstrip()
        if fault.verb is None:
            return f"step {self.step + 1}: {fault.kind} of {what}"
        number = f", call {fault.occurrence}" if fault.occurrence != 1 else ""
        return f"step {self.step + 1}: {fault.kind} at {fault.verb} of {what} in {fault.phase}{number}"


@dataclass(frozen=True, slots=True)
class Report:
    """What became of one trial: nothing wrong, or the first thing that is. `runs` are the operations it took."""

    trial: Trial
    trouble: Trouble | None = None
    engine: str = ""
    text: str = ""
    runs: int = 0


@dataclass(frozen=True, slots=True)
class _Scene:
    """Where the story stands before a step: the text of the state, and the cloud as JSON."""

    state: str | None
    cloud: str


@dataclass(frozen=True, slots=True)
class Story:
    case: Case
    scenes: tuple[_Scene, ...]
    trials: tuple[Trial, ...]
    seed: int = 0
    """Of every run: one seed, one order of everything dependencies leave open."""

    may_execute: bool = True
    """Otherwise commands count as run, and successful."""


# The story without faults


def rehearse(directory: Path, engine: str, seed: int = 0, *, may_execute: bool = True) -> Story:
    """CaseError tells what is wrong with the case, StoryError why it is no story: it must succeed by itself. Operations
    of a story with tasks become steps, in the order they were done."""
    case = read_case(directory)
    if case.faults or case.prior_state is not None or any(isinstance(act, _FAULTY) for act in case.story.acts.values()):
        raise StoryError(f"{directory}: a story begins with nothing, and has no faults of its own")
    with _theatre(case) as place:
        simulation = Simulation(furnished_cloud(case.cloud))
        rehearsal = _Rehearsal(_stage(Story(case, (), (), seed, may_execute), engine, Path(place), simulation))
        player = StoryRunner(case.story, EngineOperations(rehearsal.operate, rehearsal.operate, simulation), None)
        player.play()
    for _, found in unmet(player.course):
        raise StoryError(f"{directory}: the story fails without any fault: {found.got}")
    case = replace(case, steps=tuple(rehearsal.steps))
    return Story(case, tuple(rehearsal.scenes), tuple(rehearsal.trials), seed, may_execute)


_FAULTY: Final = (InjectFault, CrashAndResume)


@dataclass(frozen=True, slots=True)
class _Rehearsal:
    stage: StepContext
    steps: list[Step] = field(default_factory=list)
    scenes: list[_Scene] = field(default_factory=list)
    trials: list[Trial] = field(default_factory=list)

    def operate(self, step: Step, state: str | None) -> tuple[Observation, str | None]:
        simulation, number = self.stage.simulation, len(self.steps)
        self.steps.append(step)
        self.scenes.append(_Scene(state, dumps(simulation.to_json(), escape_html=False)))
        self.trials.extend(map(Trial, _of_cloud(number, simulation)))
        directory = self.stage.world.files.working_directory / step.config
        observation, state = run_step(self.stage.at(directory), step, state)
        if not observation["ok"]:
            first = cast("list[dict[str, str]]", observation["diagnostics"])[0]
            told = f"step {number + 1} ({step.operation} {step.config})"
            raise StoryError(f"{told} fails without any fault: {first['summary']}")
        self.trials.extend(map(Trial, _of_calls(number, simulation.record.calls)))
        return observation, state


def _of_cloud(step: int, simulation: Simulation) -> Iterator[Fault]:
    """What can happen to each object behind the engine's back."""
    for live in simulation.cloud.objects.live_objects(None):
        yield Fault(step, live.name, FaultKind.VANISH, type_name=live.type_name)
        if "value" in live.behaviour.block.attributes:
            yield Fault(step, live.name, FaultKind.DRIFT, type_name=live.type_name, attributes={"value": "drifted"})
    for thing in simulation.cloud.things.values():
        yield Fault(step, text_of(thing, "name"), FaultKind.VANISH, type_name="sim_thing")
        yield Fault(
            step, text_of(thing, "name"), FaultKind.DRIFT, type_name="sim_thing", attributes={"value": "drifted"}
        )


def _of_calls(step: int, calls: Sequence[ProviderCall]) -> Iterator[Fault]:
    """Every kind at every call. Which call it is, is told by what it is about and how often there was such a one."""
    seen: Counter[tuple[Phase, Verb, str, str | None]] = Counter()
    for call in calls:
        verb = _VERBS.get(call.verb) or next((verb for verb in Verb if verb == call.verb), None)
        if verb is None:
            continue
        key = (call.phase, verb, call.type_name, _name(call))
        seen[key] += 1
        for kind in KINDS_OF[verb]:
            if kind is FaultKind.INCONSISTENT_PLAN and call.phase is Phase.PLAN:
                continue
            if kind is FaultKind.FLAKY and seen[key] > 1:
                continue
            yield Fault(
                step,
                key[3],
                kind,
                verb,
                seen[key],
                call.phase,
                type_name=call.type_name,
                seconds=_SECONDS if kind is FaultKind.LATENCY else 0,
                times=_TIMES,
            )


def _name(call: ProviderCall) -> str | None:
    """What faults know the call by, which is not always what the record shows."""
    given = call.arguments
    match call.verb:
        case "configure":
            return text_of(cast("Value", given["config"]), "region") or ""
        case "upgrade":
            attributes = given["attributes"]
            name = attributes.get("name") if isinstance(attributes, dict) else None
            return name if isinstance(name, str) else None
        case "read":
            return text_of(cast("Value", given["current"]), "name")
    request = given.get("request")
    if isinstance(request, ApplyRequest):
        return text_of(request.prior if request.planned.is_null else request.planned, "name")
    if isinstance(request, PlanRequest):
        return text_of(request.prior if request.proposed.is_null else request.proposed, "name")
    return call.what


# Trials


def try_all(story: Story, engines: Sequence[str], trials: Sequence[Trial], jobs: int = 1) -> Iterator[Report]:
    """In the order of the trials, as they become known. Garbage is looked for as seldom as in this process."""
    work = partial(_try_some, story, tuple(engines))
    batches = [trials[start : start + _BATCH] for start in range(0, len(trials), _BATCH)]
    if jobs <= 1:
        for batch in batches:
            yield from work(batch)
        return
    with ProcessPoolExecutor(
        jobs, mp_context=forkserver_context(), initializer=gc.set_threshold, initargs=gc.get_threshold()
    ) as pool:
        for reports in pool.map(work, batches):
            yield from reports


_BATCH: Final = 60
"""Trials that share a directory and what was learned about recovering, few enough that no process waits for long."""


def _try_some(story: Story, engines: Sequence[str], trials: Sequence[Trial]) -> list[Report]:
    with _theatre(story.case) as place:
        players = [_Player(story, engine, Path(place)) for engine in engines]
        return [_tried(players, trial) for trial in trials]


def try_out(story: Story, engines: Sequence[str], trial: Trial) -> Report:
    return _try_some(story, engines, [trial])[0]


def _tried(players: Sequence[_Player], trial: Trial) -> Report:
    """Each engine by itself first, then against the first: an engine that does not recover is a worse thing than two
    that do so in different words."""
    courses = {player.engine: player.play(trial) for player in players}
    runs = sum(course.runs for course in courses.values())
    for engine, course in courses.items():
        if course.trouble is not None:
            return Report(trial, course.trouble, engine, course.text, runs)
    (first, baseline), *others = courses.items()
    for engine, course in others:
        for number, (expected, got) in enumerate(zip(baseline.observations, course.observations, strict=True)):
            differences = compare_observations(expected, got)
            if differences:
                text = f"{_RUNS[number]}: {differences[0]}"
                return Report(trial, Trouble.DIFFERS, f"{engine} against {first}", text, runs)
    return Report(trial, runs=runs)


_RUNS: Final = ("with the fault", "again", "the plan after that")


@dataclass(frozen=True, slots=True)
class _Course:
    """What one engine has made of a trial, or of recovering from it, and what is wrong with that."""

    observations: tuple[Observation, ...] = ()
    trouble: Trouble | None = None
    text: str = ""
    runs: int = 0
    """How often the engine really ran for it."""


def _remembering() -> LoadConfiguration:
    """Reads each configuration once, which a sweep would otherwise do some thousand times: no fault is about reading,
    and nothing in a story writes to its directory."""
    known: dict[Files, tuple[ConfigTree | None, list[Diagnostic]]] = {}

    def load(
        files: Files, flavour: Flavour, is_available: Callable[[ProviderSource], bool]
    ) -> tuple[ConfigTree | None, list[Diagnostic]]:
        if files not in known:
            known[files] = load_configuration(files, flavour, is_available)
        config, problems = known[files]
        return config, list(problems)

    return load


@dataclass(frozen=True, slots=True)
class _Player:
    """One engine. Many faults lead to the same state, most of all those that spoil nothing but a plan: how the engine
    recovers from each is tried once."""

    story: Story
    engine: str
    place: Path
    recovered: dict[tuple[int, str | None, str], _Course] = field(default_factory=dict)
    load: LoadConfiguration = field(default_factory=_remembering)

    def play(self, trial: Trial) -> _Course:
        try:
            return self._play(trial)
        except trio.TooSlowError:
            return _Course((), Trouble.CRASHED, f"hung: had no end after {_PATIENCE_S} s")
        except Exception as crash:  # whatever escapes an engine is its crash, and the report on this trial
            return _Course((), Trouble.CRASHED, crash_text(crash).rstrip())

    def _play(self, trial: Trial) -> _Course:
        scene, step = self.story.scenes[trial.step], self.story.case.steps[trial.step]
        act = _Act(self._stage(scene.cloud), Names("", _NOW, _NOW))
        observation, state = act.run(step, scene.state, trial.fault)
        simulation = act.stage.simulation
        simulation.clean_up()
        key = (trial.step, state, dumps(simulation.cloud.to_json(), escape_html=False))
        recovery, runs = self.recovered.get(key), 1
        if recovery is None:
            recovery = self.recovered[key] = self._recover(*key)
            runs += len(recovery.observations)
        return replace(recovery, observations=(observation, *recovery.observations), runs=runs)

    def _recover(self, number: int, state: str | None, cloud: str) -> _Course:
        step = self.story.case.steps[number]
        names = Names("", _NOW, _NOW)
        if state is not None:
            names.normalised({"state": observed_state(cast("dict[str, Tree]", loads(state)))}, "")
        act = _Act(self._stage(cloud), names)
        again, state = act.run(step, state)
        if not again["ok"] and not _has_nothing_to_note(step, again):
            first = cast("list[dict[str, str]]", again["diagnostics"])[0]
            text = f"without the fault: {first['summary']}: {first['detail']}"
            return _Course((again,), Trouble.DOES_NOT_RECOVER, text)
        known, _, problems = read_state(state or "", act.stage.flavour)
        assert not problems, problems
        found = (
            find_leaks(act.stage.simulation.cloud.inventory(), known) if step.operation in ("apply", "destroy") else ()
        )
        if found:
            return _Course((again,), Trouble.LEAKS, "; ".join(map(str, found)))
        if step.operation != "apply" or step.mode != "normal" or step.targets:
            return _Course((again,))
        after, _ = act.run(Step("plan", step.config, step.variables), state)
        left = _changes(after)
        if left:
            return _Course((again, after), Trouble.DOES_NOT_RECOVER, f"still to do: {left}")
        return _Course((again, after))

    def _stage(self, cloud: str) -> StepContext:
        simulation = simulation_from_json(cast("Mapping[str, Tree]", loads(cloud)))
        return replace(_stage(self.story, self.engine, self.place, simulation), load=self.load)


@dataclass(frozen=True, slots=True)
class _Act:
    stage: StepContext
    names: Names

    def run(self, step: Step, state: str | None, *faults: Fault) -> tuple[Observation, str | None]:
        self.stage.simulation.begin_step(faults)
        directory = self.stage.world.files.working_directory / step.config
        observation, state = run_step(self.stage.at(directory), step, state)
        return self.names.normalised(observation, str(directory)), state


def _has_nothing_to_note(step: Step, observation: Observation) -> bool:
    """A plan that only takes note of what has changed outside cannot be applied where nothing has: what the fault did
    may have been noted the first time."""
    plan = observation["plan"]
    return step.mode == "refresh-only" and isinstance(plan, dict) and not plan["errored"] and not plan["applyable"]


def _changes(observation: Observation) -> str:
    plan = cast("Mapping[str, list[Mapping[str, Mapping[str, list[str]]]]]", observation["plan"])
    changes = [change for change in plan["resource_changes"] if change["change"]["actions"] != ["no-op"]]
    return ", ".join(f"{'+'.join(change['change']['actions'])} of {change['address']}" for change in changes)


# Places


def _theatre(case: Case) -> tempfile.TemporaryDirectory[str]:
    """With the configurations of the case in it, for as long as it is needed: nothing in a story writes there."""
    require_contained(case.directory)
    place = tempfile.TemporaryDirectory(prefix="diffharness-faults-")
    for name in case.configurations:
        shutil.copytree(case.directory / name, Path(place.name) / name)
    return place


def _stage(story: Story, engine: str, place: Path, simulation: Simulation) -> StepContext:
    """Plans are applied at once: what a file would lose is for others to find out, and costs a third of the time."""
    case, way = story.case, Schedule(story.seed, handover=PlanTransfer.MEMORY)
    processes = REAL if story.may_execute else RecordedProcesses()
    world = World.confined(place, case.seed, _NOW, processes=processes)
    stage = StepContext(engine, world, FLAVOURS[case.flavour], way, _PATIENCE_S, simulation)
    return replace(stage, permissive=case.permissive)
