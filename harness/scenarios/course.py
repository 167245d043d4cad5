"""A case from its first step to its last: one engine, one way, and what could be observed at each place.

A place is "validate v1", for the verdict on a configuration, or "step 2 (apply v2)". Observations are normalised, so
that two courses of one case can be held against each other as well as against a recording.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, cast

from harness.engines.external import Surrounding, find_binary, is_external
from harness.scenarios.case import GOLDEN_FILE, Case, CaseError, Step
from harness.scenarios.external_step import ExternalStage, obstacle, run_external_step
from harness.scenarios.normalise import Names
from harness.scenarios.observation import Observation
from harness.scenarios.simulated import furnished_cloud
from harness.scenarios.stage import Stage
from harness.scenarios.step import run_step
from harness.scenarios.way import Way
from shared_nodes.flavour import FLAVOURS
from shared_nodes.processes import REAL
from shared_nodes.providers.simcloud.simulation import Simulation
from shared_nodes.values.json import Tree
from shared_nodes.world import World

__all__ = ["Course", "Theatre", "recorded_course", "recorded_verdicts"]

Course = Mapping[str, Mapping[str, Tree]]
"""Observations by place, in the order they were made."""

_NOW: Final = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
_LONGEST_COURSE: Final = timedelta(hours=1)

_RunStep = Callable[[Path, Step, str | None], tuple[Observation, str | None]]


def recorded_course(case: Case, golden: Mapping[str, Tree]) -> Course:
    course = {_verdict_place(name): verdict for name, verdict in recorded_verdicts(golden).items()}
    return course | dict(zip(_step_places(case), cast("list[Mapping[str, Tree]]", golden["steps"]), strict=True))


def recorded_verdicts(golden: Mapping[str, Tree]) -> Mapping[str, Mapping[str, Tree]]:
    """By configuration. There may be more of them than steps name."""
    return cast("Mapping[str, Mapping[str, Tree]]", golden.get("validate") or {})


def _verdict_place(configuration: str) -> str:
    return f"validate {configuration}"


def _step_places(case: Case) -> list[str]:
    return [f"step {position} ({step.operation} {step.config})" for position, step in enumerate(case.steps, 1)]


@dataclass(frozen=True, slots=True)
class Theatre:
    """One case and an empty directory to run it in, again and again: what is the same for every course is read once,
    and the paths a configuration can see are the same in all of them."""

    case: Case
    directory: Path
    configurations: Sequence[str]
    """Those a verdict is asked on, before the steps."""

    given: str
    prior_state: str | None

    @staticmethod
    def of(case: Case, directory: Path, configurations: Iterable[str]) -> Theatre:
        return Theatre(case, directory, tuple(configurations), _given_text(case), _prior_state(case))

    def play(
        self, engine: str, way: Way, patience_s: float, changes: frozenset[str] = frozenset()
    ) -> dict[str, Observation]:
        """The verdicts on the configurations, then all steps. Ids, randomness and time are those of the case. `changes`
        are those the engine is asked to make. A binary has the real ones, and makes no changes."""
        if is_external(engine):
            return self.play_binary(engine, way, patience_s)
        world = World.confined(self.directory, self.case.seed, _NOW, processes=REAL)
        simulation = Simulation(furnished_cloud(self.case.cloud))
        stage = Stage(engine, world, FLAVOURS[self.case.flavour], way, patience_s, simulation, changes)
        return self._course(
            lambda directory, step, state: run_step(stage.at(directory), step, state),
            Names(self.given, _NOW, _NOW),
            lambda number: simulation.begin_step(self.case.faults_of(number)),
        )

    def play_binary(
        self, engine: str, way: Way, patience_s: float, *, with_graphs: bool = False
    ) -> dict[str, Observation]:
        """The same by a binary, of whose way only the parallelism can be chosen. The end of the time that counts as
        current is not known beforehand, and no case speaks of the next hour."""
        now = datetime.now(UTC).replace(microsecond=0)
        with tempfile.TemporaryDirectory(prefix="diffharness-binary-") as scratch:
            surrounding = Surrounding(self.directory, Path(scratch))
            stage = ExternalStage(find_binary(engine), surrounding, way, patience_s, with_graphs)
            return self._course(
                lambda directory, step, state: run_external_step(stage, directory, step, state),
                Names(self.given, now, now + _LONGEST_COURSE),
                lambda _number: None,
            )

    def obstacle(self, engine: str) -> str | None:
        """Why this engine cannot run the case; None where it can."""
        return obstacle(self.case, find_binary(engine)) if is_external(engine) else None

    def _course(self, run: _RunStep, names: Names, begin: Callable[[int], None]) -> dict[str, Observation]:
        course: dict[str, Observation] = {}
        for name in self.configurations:
            course[_verdict_place(name)], _ = self._observed(run, Step("validate", name), None, names)
        state = self.prior_state
        for number, (place, step) in enumerate(zip(_step_places(self.case), self.case.steps, strict=True)):
            begin(number)
            course[place], state = self._observed(run, step, state, names)
        return course

    def _observed(self, run: _RunStep, step: Step, state: str | None, names: Names) -> tuple[Observation, str | None]:
        with self._fresh_copy(step) as directory:
            observation, state = run(directory, step, state)
            return names.normalised(observation, str(directory)), state

    @contextmanager
    def _fresh_copy(self, step: Step) -> Iterator[Path]:
        """Of the step's configuration: what a provisioner writes there is gone before the next step."""
        directory = self.directory / step.config
        shutil.copytree(self.case.directory / step.config, directory)
        try:
            yield directory
        finally:
            shutil.rmtree(directory)


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
    files = sorted(path for path in case.directory.rglob("*") if path.is_file() and path.name != GOLDEN_FILE)
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
