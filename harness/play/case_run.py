"""One run of a case: one engine, one schedule, and what is carried from step to step.

A step is run in a fresh copy of its configuration. Between steps only what outlives a command is kept: the text of the
state, and the simulated cloud, which belongs to no engine. A checkpoint has all of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import field, replace
from pathlib import Path
from typing import Protocol

from harness.case.steps import Step
from harness.observe.normalise import Names
from harness.observe.observation import Observation
from harness.play.artifacts import ArtifactWriter
from harness.play.checkpoint import Checkpoint, EngineMemory
from harness.simulation.simcloud.faults import Fault
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.record import record

__all__ = ["CaseRun", "StepOutcome", "StepRunner"]

StepOutcome = tuple[Observation, str | None]
"""What was observed, and the text of the state file afterwards (None: there is none yet)."""


class StepRunner(Protocol):
    """Runs single steps: by an engine in this process (`step_runner.py`), or by a binary (`external_step.py`)."""

    def run(self, directory: Path, step: Step, state: str | None, *, until_killed: bool = False) -> StepOutcome:
        """Run a step in `directory`. With `until_killed`, an apply is killed at the call that is stuck."""
        ...

    def remember(self) -> EngineMemory | None:
        """Return what the next step would find besides state and cloud, or None if there is nothing."""
        ...

    def recall(self, memory: EngineMemory) -> None:
        """Find what another run remembers, before the first step."""
        ...


@record(frozen=False)
class CaseRun:
    steps: StepRunner
    names: Names
    simulation: Simulation
    copy_configuration: Callable[[str], AbstractContextManager[Path]]
    """Makes a copy of a configuration that is removed at the end of the step."""

    artifacts: ArtifactWriter | None = None
    state: str | None = None
    """The text of the state file; None where there is none yet."""

    observations: dict[str, Observation] = field(default_factory=dict)
    """By place, in the order they were made."""

    step_s: dict[str, float] | None = None
    """Receives the time of each step, by place, if it is wanted. It is never part of an observation."""

    clock: Callable[[], float] = time.monotonic

    def observe(
        self, place: str, step: Step, faults: Sequence[Fault] | None = (), *, until_killed: bool = False
    ) -> Observation:
        """Run a step with these faults, and record what was observed under its place.

        `faults` is None for a validation before the first step: the simulation then sees no step begin.
        """
        if faults is not None:
            self.simulation.begin_step(faults)
        started = self.clock()
        with self.copy_configuration(step.config) as directory:
            if self.artifacts is not None:
                self.artifacts.begin_step(step, self.state)
            observation, self.state = self.steps.run(directory, step, self.state, until_killed=until_killed)
            if self.artifacts is not None:
                self.artifacts.end_step(step, directory, observation, self.state)
            normalised = Observation.from_json(self.names.normalised(observation, str(directory)))
            self.observations[place] = normalised
        if self.step_s is not None:
            self.step_s.setdefault(place, self.clock() - started)
        return normalised

    def checkpoint(self) -> Checkpoint:
        """Return where the run is now, between two steps."""
        return Checkpoint(self.state, self.simulation.snapshot(), self.names.copy(), self.steps.remember())

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go to where another run was, before the first step of this one. Times that count as current in either run do
        so from now on."""
        earliest = min(self.names.earliest, checkpoint.names.earliest)
        latest = max(self.names.latest, checkpoint.names.latest)
        self.names = replace(checkpoint.names.copy(), earliest=earliest, latest=latest)
        self.state = checkpoint.state
        self.simulation.restore(checkpoint.cloud)
        if checkpoint.memory is not None:
            self.steps.recall(checkpoint.memory)
