"""Runs a case from its beginning to its end by one engine in one schedule, and observes each place.

A place is "validate v1", for the validation of a configuration, "step 2 (apply v2)", or a task of a story
(`story_runner.py`): "task repair #3 (apply v2)". Observations are normalised, so that two runs of one case can be
compared with each other as well as with a recording.
"""

from __future__ import annotations

import math
import shlex
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from harness.case.case import PLACES, Case, CaseError, Step, read_golden, read_system_recording
from harness.case.case_cloud import furnished_cloud
from harness.case.containment import read_contained
from harness.case.module_installation import MissingModule
from harness.case.plain_directory import PlainDirectory
from harness.case.prelude import Prelude
from harness.case.recordings import system_file
from harness.engine_settings import NO_SETTINGS, EngineSettings
from harness.engines.chain import Chain, chain_named, engines_of, is_chain
from harness.engines.external import ExternalBinary, Surrounding, find_binary, is_external
from harness.engines.recorded import is_recorded, recorded_system
from harness.engines.registry import supported_changes
from harness.observe.evaluation import references_in
from harness.observe.json_trees import as_object, as_objects, as_texts
from harness.observe.normalise import Names
from harness.observe.observation import Observation
from harness.observe.recorded_observation import observe_recorded_step
from harness.play.artifacts import ArtifactWriter
from harness.play.case_run import CaseRun
from harness.play.chain_steps import chain_steps
from harness.play.checkpoint import Checkpoint
from harness.play.config_cache import caching_parser, caching_reader
from harness.play.directory_snapshot import DirectorySnapshot
from harness.play.external_step import BinarySteps, obstacle
from harness.play.schedule import Schedule
from harness.play.served_providers import NO_EXTRA
from harness.play.step_context import EngineSpec, StepContext
from harness.play.step_runner import EngineSteps
from harness.play.stopwatch import Stopwatch
from harness.play.story_runner import StoryRunner
from harness.plugins.extra import has_extra
from harness.plugins.tapes.recording_provider import TapeRecorder
from harness.simulation.permissive.permissive_files import NO_FILES, PermissiveFiles
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.config.files import ParseFile
from shared_nodes.config.loading import ReadDirectory
from shared_nodes.flavour import FLAVOURS
from shared_nodes.processes import REAL, Processes, RecordedProcesses
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, loads
from shared_nodes.world import Files, World

__all__ = [
    "CaseRunner",
    "Observations",
    "configurations_to_validate",
    "prepare_runner",
    "recorded_observations",
    "recorded_validations",
]

Observations = Mapping[str, Mapping[str, Tree]]
"""Observations by place, in the order they were made."""

_NOW: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
"""The current time of every run by an engine of ours."""

_PLAIN: Final = "configuration"
_NEEDS_REFERENCES: Final = frozenset({"events", "execution_graph"})
"""Keys of recorded steps from which an order of effects is read."""

_LONGEST_RUN: Final = timedelta(hours=1)
_QUIET_S: Final = 0.1
"""How long a binary must have asked nothing before it is taken to wait for an answer."""


def recorded_observations(case: Case, golden: Mapping[str, Tree]) -> Observations:
    validations = {_validation_place(name): found for name, found in recorded_validations(golden).items()}
    places = step_places(case) if case.tasks is None else as_texts(golden[PLACES])
    return validations | dict(zip(places, as_objects(golden["steps"]), strict=True))


def recorded_validations(golden: Mapping[str, Tree]) -> Mapping[str, Mapping[str, Tree]]:
    """Return recorded validations by configuration. There may be more of them than steps name."""
    return {name: as_object(found) for name, found in as_object(golden.get("validate")).items()}


def _validation_place(configuration: str) -> str:
    return f"validate {configuration}"


def step_places(case: Case) -> list[str]:
    return [f"step {position} ({step.operation} {step.config})" for position, step in enumerate(case.steps, 1)]


@record
class CaseRunner:
    """One case and an empty directory in which it is run any number of times.

    What is the same in every run is read once. The paths that a configuration can see are the same in all runs.
    """

    case: Case
    directory: Path
    configurations: Sequence[str]
    """The configurations that are validated before the first step."""

    case_text: str
    """All text of the case: an identifier that occurs in it is not normalised."""

    prior_state: str | None
    processes: Processes = REAL
    """Recorded ones where the case may not run commands."""

    prelude: Prelude | None = None
    """Added to the modules of every configuration that declare no providers."""

    recorded_release: str = ""
    """The system that was recorded, as a recording names it; empty if there is no recording or it names none."""

    omitted: int = 0
    """How many steps at the end of the case are left out."""

    normalised: Counter[str] = field(default_factory=Counter, compare=False)
    """How often each rule of `harness/observe/rules.py` changed something, in all runs."""

    in_binaries: Stopwatch = field(default_factory=Stopwatch, compare=False)
    """Runs while a command of a binary does, in all runs."""

    step_s: dict[str, dict[str, float]] = field(default_factory=dict, compare=False)
    """The time of each step in the first run by each engine, by place."""

    snapshots: dict[str, DirectorySnapshot] = field(default_factory=dict, compare=False)
    """The configurations of the case that have been needed so far."""

    parse: ParseFile = field(default_factory=caching_parser, compare=False)
    artifacts: ArtifactWriter | None = field(default=None, compare=False)
    """Writes the files of each step for later inspection, where that is wanted."""

    recorder: TapeRecorder | None = None
    """Records the providers, real plugins among them, instead of replaying the tapes of the case."""

    with_orders: bool = False
    """Whether binaries report the order of effects, for which they have to be asked once more."""

    @staticmethod
    def of(case: Case, directory: Path, configurations: Iterable[str], processes: Processes = REAL) -> CaseRunner:
        return CaseRunner(case, directory, tuple(configurations), _read_text(case), _read_prior_state(case), processes)

    @property
    def faked(self) -> tuple[str, ...]:
        """Commands that the case asked for and that were not run."""
        asked = self.processes.commands if isinstance(self.processes, RecordedProcesses) else []
        return tuple(sorted({shlex.join(command.arguments) for command in asked}))

    def run(
        self,
        engine: str,
        schedule: Schedule,
        timeout_s: float,
        changes: frozenset[str] = frozenset(),
        *,
        with_graphs: bool = False,
        kept: dict[str, Checkpoint] | None = None,
        settings: EngineSettings = NO_SETTINGS,
    ) -> dict[str, Observation]:
        """Validate the configurations, then run all steps or tasks. Return the observations by place.

        Ids, randomness and time are those of the case. `changes` are the intended changes that the engine adopts. A
        binary has the real ones, and adopts no changes. `with_graphs` asks a binary for its graphs as well. `kept`
        receives a checkpoint before each step, by place; tasks have none, since their way depends on their results.
        `settings` are those of a binary.
        """
        with self._start(engine, schedule, timeout_s, changes, settings, with_graphs=with_graphs) as run:
            run.step_s = self.step_s.setdefault(engine, {})
            for name in self.configurations:
                run.observe(_validation_place(name), Step("validate", name), None)
            run.state = self.prior_state
            if self.case.tasks is not None:
                StoryRunner(self.case.tasks, run).run()
                return run.observations
            for number, (place, step) in enumerate(zip(step_places(self.case), self.case.steps, strict=True)):
                if kept is not None:
                    kept[place] = run.checkpoint()
                run.observe(place, step, self.case.faults_of(number))
            return run.observations

    def run_step(
        self,
        place: str,
        checkpoint: Checkpoint,
        engine: str,
        schedule: Schedule,
        timeout_s: float,
        *,
        changes: frozenset[str] = frozenset(),
        settings: EngineSettings = NO_SETTINGS,
    ) -> Observation:
        """Run the step at one place alone, from where some run was before it."""
        number = step_places(self.case).index(place)
        with self._start(engine, schedule, timeout_s, changes, settings) as run:
            run.resume(checkpoint)
            return run.observe(place, self.case.steps[number], self.case.faults_of(number))

    def read_recorded_run(self, engine: str) -> Observations:
        """Return what the system of a recorded engine did, by place. It is asked to validate the same configurations as
        an engine that runs. CaseError says why the recording cannot be read."""
        golden = read_system_recording(self.case, recorded_system(engine), self.omitted)
        verdicts = recorded_validations(golden)
        validations: Observations = {
            _validation_place(name): {"op": "validate", "config": name, **verdicts[name]}
            for name in self.configurations
            if name in verdicts
        }
        steps = recorded_observations(self.case, {**golden, "validate": {}})
        release = _release(golden)
        observations = self._observe_recorded({**validations, **steps}, release)
        if self.artifacts is not None:
            self.artifacts.write_recorded_run(engine, observations.values())
        return observations

    def _observe_recorded(self, steps: Observations, release: str) -> Observations:
        """Return recorded steps as observations. Each began with the state that the one before it has left."""
        references = cache(lambda name: references_in(Files(self.case.directory / name), FLAVOURS[self.case.flavour]))
        state = as_object(loads(self.prior_state)) if self.prior_state is not None else {}
        found: dict[str, Mapping[str, Tree]] = {}
        for place, step in steps.items():
            used = references(str(step["config"])) if _NEEDS_REFERENCES & step.keys() else None
            found[place] = observe_recorded_step(step, release, used, state)
            state = as_object(step["state"]) if "state" in step else state
        return found

    @contextmanager
    def _start(
        self,
        engine: str,
        schedule: Schedule,
        timeout_s: float,
        changes: frozenset[str],
        settings: EngineSettings,
        *,
        with_graphs: bool = False,
    ) -> Iterator[CaseRun]:
        if self.artifacts is not None:
            self.artifacts.begin_run(engine)
        if is_chain(engine):
            with self._start_chain(chain_named(engine), schedule, timeout_s, changes) as run:
                yield run
        elif is_external(engine):
            with self._start_binary(find_binary(engine, settings), schedule, timeout_s, with_graphs) as run:
                yield run
        else:
            spec = self._engine_spec(engine, schedule, timeout_s, changes)
            yield self.start(spec, Simulation(furnished_cloud(self.case.cloud)))

    def _engine_spec(self, engine: str, schedule: Schedule, timeout_s: float, changes: frozenset[str]) -> EngineSpec:
        return EngineSpec(
            engine,
            self.case.flavour,
            schedule,
            timeout_s,
            changes,
            self.case.permissive,
            self.case.permissive_files,
            has_utilities=not self.case.is_recorded,
            taped_case=self.case.taped_directory,
        )

    def start(self, spec: EngineSpec, simulation: Simulation, read: ReadDirectory | None = None) -> CaseRun:
        """Return a run by an engine of ours in which nothing has happened yet. `read` is for callers that share read
        configurations between runs of one engine."""
        context = self._context(spec, self._world(), simulation, read)
        names = Names(self.case_text, _NOW, _NOW, counts=self.normalised)
        return CaseRun(EngineSteps(context, self.artifacts), names, simulation, self._fresh_copy, self.artifacts)

    def _world(self) -> World:
        return World.confined(self.directory, self.case.seed, _NOW, processes=self.processes)

    def _context(
        self, spec: EngineSpec, world: World, simulation: Simulation, read: ReadDirectory | None = None
    ) -> StepContext:
        attend = None if self.artifacts is None else self.artifacts.attend
        reading = read or caching_reader(self.parse)
        return StepContext(spec, world, simulation, attend, reading, self.case.keep, self.recorder)

    @contextmanager
    def _start_chain(
        self, chain: Chain, schedule: Schedule, timeout_s: float, changes: frozenset[str]
    ) -> Iterator[CaseRun]:
        """Return a run by a chain. Its engines share whatever outlives a step: the cloud, the files of mocked
        providers, and the source of ids, or the objects of one would get the ids of another's."""
        simulation, world = Simulation(furnished_cloud(self.case.cloud)), self._world()
        now = datetime.now(UTC).replace(microsecond=0)
        contexts = {
            name: self._context(
                self._engine_spec(name, schedule, timeout_s, changes & supported_changes(name)), world, simulation
            )
            for name in chain.engines
            if not is_external(name)
        }
        with tempfile.TemporaryDirectory(prefix="diffharness-chain-") as scratch:
            surrounding = Surrounding(self.directory, Path(scratch))
            binaries = {
                name: BinarySteps(
                    find_binary(name),
                    surrounding,
                    schedule,
                    timeout_s,
                    self._binary_context(name, schedule, world, simulation),
                    kept_sections=self.case.keep,
                    keeps_states_here=self.case.plain is not None,
                    in_binary=self.in_binaries,
                )
                for name in chain.engines
                if name not in contexts
            }
            times = [*([_NOW] if contexts else []), *([now, now + _LONGEST_RUN] if binaries else [])]
            names = Names(self.case_text, min(times), max(times), counts=self.normalised)
            steps = chain_steps(chain, contexts, binaries, self.artifacts)
            yield CaseRun(steps, names, simulation, self._fresh_copy, self.artifacts)

    @contextmanager
    def _start_binary(
        self, binary: ExternalBinary, schedule: Schedule, timeout_s: float, with_graphs: bool
    ) -> Iterator[CaseRun]:
        """Return a run by a binary. Of its schedule the seed has no effect. When the run will end is not known
        beforehand; times within the next hour count as current, because no case names one of them."""
        now = datetime.now(UTC).replace(microsecond=0)
        simulation = Simulation(furnished_cloud(self.case.cloud))
        with tempfile.TemporaryDirectory(prefix="diffharness-binary-") as scratch:
            surrounding = Surrounding(self.directory, Path(scratch))
            steps = BinarySteps(
                binary,
                surrounding,
                schedule,
                timeout_s,
                self._binary_context(binary.name, schedule, self._world(), simulation),
                with_graphs,
                self.case.keep,
                keep_log=None if self.artifacts is None else self.artifacts.save_log,
                with_orders=self.with_orders or self.artifacts is not None,
                keeps_states_here=self.case.plain is not None,
                in_binary=self.in_binaries,
            )
            names = Names(self.case_text, now, now + _LONGEST_RUN, counts=self.normalised)
            yield CaseRun(steps, names, simulation, self._fresh_copy, self.artifacts)

    def _binary_context(self, name: str, schedule: Schedule, world: World, simulation: Simulation) -> StepContext:
        """Return the context of the providers that are offered to a binary. It has the real time, and makes the next
        call some moments after an answer: only when none comes can nothing proceed."""
        simulation.time.quiet_s = _QUIET_S
        spec = self._engine_spec(name, schedule, math.inf, frozenset())
        return self._context(spec, replace(world, now=lambda: datetime.now(UTC)), simulation)

    def is_recorded_system(self, engine: str) -> bool:
        """Return whether the recording says what this engine should do. An engine of ours follows the product that was
        recorded; a binary is only compared with recordings of its own minor version, and a recorded engine with
        none."""
        if is_chain(engine):
            return all(map(self.is_recorded_system, engines_of(engine)))
        if is_recorded(engine):
            return False
        if not is_external(engine) or not self.recorded_release:
            return True
        return find_binary(engine).is_release_of(self.recorded_release)

    def obstacle(self, engine: str) -> str | None:
        """Return why this engine cannot run the case, or None if it can. A chain can if all its engines can."""
        if is_chain(engine):
            return next(filter(None, map(self.obstacle, engines_of(engine))), None)
        if is_recorded(engine):
            system = recorded_system(engine)
            has_recording = system_file(self.case.directory, system).exists()
            return None if has_recording else f"the case has no recording of {system}"
        if is_external(engine) and self.processes is not REAL:
            return "the case is not trusted, and a binary would run whatever it says"
        if (plain := self.case.plain) is not None:
            if plain.modules.missing:
                return _without_modules(plain.modules.missing)
            if missing := self._missing_provider(engine, plain):
                return missing
        return obstacle(self.case, find_binary(engine)) if is_external(engine) else None

    def _missing_provider(self, engine: str, plain: PlainDirectory) -> str | None:
        """A case may be about a provider that is not available. A plain configuration is not: without the provider
        nothing can be learned from it."""
        world = replace(World.confined(plain.root, self.case.seed, _NOW), files=plain.own_files)
        taped = self.case.taped_directory
        spec = EngineSpec(engine, self.case.flavour, timeout_s=0, permissive=self.case.permissive, taped_case=taped)
        needed, missing = StepContext(spec, world).foreign_providers()
        if is_external(engine) and needed and not has_extra():
            return NO_EXTRA
        choices = " ".join(f"--permissive {source.namespace}/{source.type}" for source in missing)
        names = ", ".join(map(str, missing))
        message = f"no provider here is {names}; {choices} stands in for it, with a schema taken from the configuration"
        return message if missing else None

    @contextmanager
    def _fresh_copy(self, config: str) -> Iterator[Path]:
        """Copy a configuration. What a provisioner writes there is gone before the next step."""
        place = self.directory / (config if self.case.plain is None else _PLAIN)
        if self.case.plain is None:
            directory = self._snapshot(config).write_to(place)
        else:
            directory = self.case.plain.copy_to(place)
        if self.prelude is not None:
            self.prelude.add_to(place)
        try:
            yield directory
        finally:
            shutil.rmtree(place)

    def _snapshot(self, config: str) -> DirectorySnapshot:
        if config not in self.snapshots:
            try:
                self.snapshots[config] = DirectorySnapshot.of(self.case.directory / config, self.case.directory)
            except OSError as problem:
                raise CaseError(f"{self.case.directory / config}: cannot be read: {problem}") from problem
        return self.snapshots[config]


def _without_modules(missing: Sequence[MissingModule]) -> str:
    """Say which module is not here. The first says what to do about all of them."""
    more = len(missing) - 1
    others = "1 more module is" if more == 1 else f"{more} more modules are"
    return f"{missing[0]}; {others} not here" if more else str(missing[0])


@contextmanager
def prepare_runner(
    case: Case,
    *,
    may_execute: bool = True,
    permissive: tuple[str, ...] = (),
    permissive_files: PermissiveFiles = NO_FILES,
    until: int | None = None,
    against: str = "",
    prelude: Prelude | None = None,
) -> Iterator[tuple[CaseRunner, Observations | None]]:
    """Return a runner of the case in a scratch directory, and the recording. CaseError says why it cannot be run.

    Without `may_execute`, commands are only pretended to run. Providers of `permissive` are replaced by the permissive
    one, in addition to those of the case; `permissive_files` say more about all of them. Steps after number `until`,
    counted from 1, are left out. The recording is that of the flavour `against`, or of the one that the case is run as.
    The prelude is added unless the case declines it.
    """
    golden = read_golden(case, against)
    recording = None if golden is None else recorded_observations(case, golden)
    omitted = [] if until is None else step_places(case)[until:]
    if omitted:
        case = replace(case, steps=case.steps[:until])
        recording = recording and {place: step for place, step in recording.items() if place not in omitted}
    case = replace(case, permissive=(*case.permissive, *permissive), permissive_files=permissive_files)
    processes = REAL if may_execute else RecordedProcesses()
    with tempfile.TemporaryDirectory(prefix="diffharness-") as place:
        runner = CaseRunner.of(case, Path(place), configurations_to_validate(case, golden), processes)
        wanted = prelude if case.prelude else None
        yield replace(runner, recorded_release=_release(golden), omitted=len(omitted), prelude=wanted), recording


def _release(golden: Mapping[str, Tree] | None) -> str:
    release = None if golden is None else golden.get("engine")
    return release if isinstance(release, str) else ""


def configurations_to_validate(case: Case, golden: Mapping[str, Tree] | None) -> Iterable[str]:
    """Return the configurations that are validated before the first step: the recorded ones, or else all that steps
    name and none of them validates. A step that does so without faults asks the same question."""
    if golden is not None:
        return recorded_validations(golden)
    steps = [replace(step, expect=None) for step in case.steps]
    validated = () if case.faults else {step.config for step in steps if step == Step("validate", step.config)}
    return [name for name in case.configurations if name not in validated]


def _read_prior_state(case: Case) -> str | None:
    if case.prior_state is None:
        return None
    file = case.directory / case.prior_state
    text = read_contained(file, case.directory)
    try:
        loads(text)
    except JsonError as problem:
        raise CaseError(f"{file}: not a state: {problem}") from problem
    return text


def _read_text(case: Case) -> str:
    """Return all text of the case itself. Bytes that are not text cannot contain an identifier."""
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in case.files)
