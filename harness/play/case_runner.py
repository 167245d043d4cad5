"""Runs a case from its beginning to its end by one engine in one schedule, and observes each place.

A place is "validate v1", for the validation of a configuration, or one of the places of the story
(harness/play/story_runner.py): "step 2 (apply v2)", "task repair #3 (apply v2)". Observations are normalised, so that
two runs of one case can be compared with each other as well as with a recording.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final, cast

from harness.case.case import PLACES, Case, CaseError, Step
from harness.case.case_cloud import furnished_cloud
from harness.case.plain_directory import PlainDirectory
from harness.case.trust import require_contained
from harness.engines.external import Surrounding, find_binary, is_external
from harness.observe.normalise import Names
from harness.observe.observation import Observation
from harness.play.artifacts import ArtifactWriter
from harness.play.config_cache import caching_loader, caching_parser
from harness.play.directory_snapshot import DirectorySnapshot
from harness.play.external_step import ExternalContext, obstacle, run_external_step
from harness.play.killed_apply import apply_until_killed
from harness.play.mock_objects import MockObjects
from harness.play.plan_transfer import apply_plan
from harness.play.schedule import Schedule
from harness.play.step_context import StepContext
from harness.play.step_runner import Apply, run_step
from harness.play.story_runner import EngineOperations, StoryRunner
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.config.files import ParseFile
from shared_nodes.flavour import FLAVOURS
from shared_nodes.processes import REAL, Processes, RecordedProcesses
from shared_nodes.values.json import Tree
from shared_nodes.world import World

__all__ = ["CaseRunner", "Observations", "recorded_observations", "recorded_validations"]

Observations = Mapping[str, Mapping[str, Tree]]
"""Observations by place, in the order they were made."""

_NOW: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_PLAIN: Final = "configuration"
_LONGEST_COURSE: Final = timedelta(hours=1)

_Outcome = tuple[Observation, str | None]
_RunStep = Callable[[Path, Step, str | None], _Outcome]


def recorded_observations(case: Case, golden: Mapping[str, Tree]) -> Observations:
    course = {_verdict_place(name): verdict for name, verdict in recorded_validations(golden).items()}
    places = _step_places(case) if case.tasks is None else cast("list[str]", golden[PLACES])
    return course | dict(zip(places, cast("list[Mapping[str, Tree]]", golden["steps"]), strict=True))


def recorded_validations(golden: Mapping[str, Tree]) -> Mapping[str, Mapping[str, Tree]]:
    """By configuration. There may be more of them than steps name."""
    return cast("Mapping[str, Mapping[str, Tree]]", golden.get("validate") or {})


def _verdict_place(configuration: str) -> str:
    return f"validate {configuration}"


def _step_places(case: Case) -> list[str]:
    return [f"step {position} ({step.operation} {step.config})" for position, step in enumerate(case.steps, 1)]


@dataclass(frozen=True, slots=True)
class CaseRunner:
    """One case and an empty directory to run it in, again and again: what is the same for every course is read once,
    and the paths a configuration can see are the same in all of them."""

    case: Case
    directory: Path
    configurations: Sequence[str]
    """Those a verdict is asked on, before the steps."""

    given: str
    prior_state: str | None
    processes: Processes = REAL
    """Recorded ones where the case may not run commands."""

    normalised: Counter[str] = field(default_factory=Counter, compare=False)
    """How often each rule of `rules.py` changed something, in all courses."""

    contents: dict[str, DirectorySnapshot] = field(default_factory=dict, compare=False)
    """Of the configurations of the case that have been needed so far."""

    parse: ParseFile = field(default_factory=caching_parser, compare=False)
    keeper: ArtifactWriter | None = field(default=None, compare=False)
    """Who keeps what steps leave, where anybody wants to look at it."""

    @staticmethod
    def of(case: Case, directory: Path, configurations: Iterable[str], processes: Processes = REAL) -> CaseRunner:
        if case.plain is None:
            require_contained(case.directory)
        return CaseRunner(case, directory, tuple(configurations), _given_text(case), _prior_state(case), processes)

    @property
    def faked(self) -> tuple[str, ...]:
        """Commands that were not run although the case wanted them to be."""
        asked = self.processes.commands if isinstance(self.processes, RecordedProcesses) else []
        return tuple(sorted({shlex.join(command.arguments) for command in asked}))

    def play(
        self, engine: str, way: Schedule, patience_s: float, changes: frozenset[str] = frozenset()
    ) -> dict[str, Observation]:
        """The verdicts on the configurations, then all steps. Ids, randomness and time are those of the case. `changes`
        are those the engine is asked to make. A binary has the real ones, and makes no changes."""
        if self.keeper is not None:
            self.keeper.begin_course(engine)
        if is_external(engine):
            return self.play_binary(engine, way, patience_s)
        world = World.confined(self.directory, self.case.seed, _NOW, processes=self.processes)
        simulation = Simulation(furnished_cloud(self.case.cloud))
        stage = StepContext(engine, world, FLAVOURS[self.case.flavour], way, patience_s, simulation, changes)
        attend = None if self.keeper is None else self.keeper.attend
        stage = replace(stage, permissive=self.case.permissive, attend=attend, load=caching_loader(self.parse))
        usual = apply_plan if self.keeper is None else self.keeper.apply
        objects = MockObjects()

        def run(directory: Path, step: Step, state: str | None, apply: Apply = usual) -> _Outcome:
            with objects.around(directory) if step.operation != "validate" else nullcontext():
                return run_step(stage.at(directory), step, state, apply)

        return self._course(
            run,
            lambda directory, step, state: run(directory, step, state, apply_until_killed),
            Names(self.given, _NOW, _NOW, counts=self.normalised),
            simulation,
        )

    def play_binary(
        self, engine: str, way: Schedule, patience_s: float, *, with_graphs: bool = False
    ) -> dict[str, Observation]:
        """The same by a binary, of whose way only the parallelism can be chosen. The end of the time that counts as
        current is not known beforehand, and no case speaks of the next hour."""
        now = datetime.now(UTC).replace(microsecond=0)
        with tempfile.TemporaryDirectory(prefix="diffharness-binary-") as scratch:
            surrounding = Surrounding(self.directory, Path(scratch))
            stage = ExternalContext(find_binary(engine), surrounding, way, patience_s, with_graphs)
            run: _RunStep = partial(run_external_step, stage)
            names = Names(self.given, now, now + _LONGEST_COURSE, counts=self.normalised)
            return self._course(run, run, names, Simulation())

    def obstacle(self, engine: str) -> str | None:
        """Why this engine cannot run the case; None where it can."""
        if is_external(engine) and self.processes is not REAL:
            return "the case is not trusted, and a binary would run whatever it says"
        if self.case.plain is not None and (missing := self._missing_provider(engine, self.case.plain)):
            return missing
        return obstacle(self.case, find_binary(engine)) if is_external(engine) else None

    def _missing_provider(self, engine: str, plain: PlainDirectory) -> str | None:
        """A case says what it is about, and may be about a provider that is not there. Of a configuration that somebody
        just wants to try nothing can be told without it."""
        world = World.confined(plain.root, self.case.seed, _NOW)
        stage = StepContext(engine, world, FLAVOURS[self.case.flavour], Schedule(), 0, permissive=self.case.permissive)
        needed, missing = stage.at(plain.root / plain.main).foreign_providers()
        if is_external(engine):
            names = ", ".join(map(str, needed))
            return f"it needs {names}, which a binary without network cannot install" if needed else None
        choices = " ".join(f"--permissive {source.namespace}/{source.type}" for source in missing)
        names = ", ".join(map(str, missing))
        told = f"no provider here is {names}; {choices} stands in for it, with a schema taken from the configuration"
        return told if missing else None

    def _course(
        self, run: _RunStep, run_until_killed: _RunStep, names: Names, simulation: Simulation
    ) -> dict[str, Observation]:
        """The verdicts on the configurations, then the story."""
        operate, operate_until_killed = (partial(self._observed, names, each) for each in (run, run_until_killed))
        verdicts = {_verdict_place(name): operate(Step("validate", name), None)[0] for name in self.configurations}
        company = EngineOperations(operate, operate_until_killed, simulation)
        player = StoryRunner(self.case.story, company, self.prior_state, verdicts)
        player.play()
        return player.course

    def _observed(self, names: Names, run: _RunStep, step: Step, state: str | None) -> tuple[Observation, str | None]:
        with self._fresh_copy(step) as directory:
            if self.keeper is not None:
                self.keeper.begin_step(step, state)
            observation, state = run(directory, step, state)
            if self.keeper is not None:
                self.keeper.end_step(step, directory, observation, state)
            return names.normalised(observation, str(directory)), state

    @contextmanager
    def _fresh_copy(self, step: Step) -> Iterator[Path]:
        """Of the step's configuration: what a provisioner writes there is gone before the next step."""
        place = self.directory / (step.config if self.case.plain is None else _PLAIN)
        if self.case.plain is None:
            directory = self._contents_of(step.config).lay_out(place)
        else:
            directory = self.case.plain.copy_to(place)
        try:
            yield directory
        finally:
            shutil.rmtree(place)

    def _contents_of(self, config: str) -> DirectorySnapshot:
        if config not in self.contents:
            self.contents[config] = DirectorySnapshot.of(self.case.directory / config)
        return self.contents[config]


def _prior_state(case: Case) -> str | None:
    if case.prior_state is None:
        return None
    file = case.directory / case.prior_state
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise CaseError(f"{file}: cannot be read: {problem}") from problem


def _given_text(case: Case) -> str:
    """All text of the case itself. Bytes that are no text cannot hold an identifier."""
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in case.files)
