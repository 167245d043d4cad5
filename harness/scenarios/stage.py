"""Where steps are run: by which engine, in which world, in which way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from harness.engines.providers import Providers
from harness.engines.registry import engine_named
from harness.engines.scheduling import interleaved, run_deterministically
from harness.engines.session import Session
from harness.engines.simulated import simulated_providers
from harness.scenarios.case import Step
from harness.scenarios.observation import STEP_VARIABLES
from harness.scenarios.way import Way
from shared_nodes.config.inputs import VarFile
from shared_nodes.engine import Mode, Options
from shared_nodes.flavour import Flavour
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.providers.simcloud.simulation import Simulation
from shared_nodes.state.file import Schemas
from shared_nodes.world import Files, World

__all__ = ["Stage"]

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Stage:
    """`engine` is a name, since it has to be told to other processes. An operation that waits for longer than
    `patience_s` ends with TooSlowError."""

    engine: str
    world: World
    flavour: Flavour
    way: Way
    patience_s: float
    simulation: Simulation = field(default_factory=Simulation)
    changes: frozenset[str] = frozenset()
    """Where the engine is to differ on purpose: docs/squashed-bugs.md."""

    def at(self, directory: Path) -> Stage:
        """The same with another working directory. Ids and randomness go on where they were."""
        files = self.world.files
        return replace(self, world=replace(self.world, files=Files(directory, root=files.root, home=files.home)))

    def session(self, step: Step) -> Session:
        given = [VarFile(STEP_VARIABLES, step.variables)] if step.variables is not None else []
        return Session(engine_named(self.engine), self.world, self.flavour, given, providers=self._providers)

    @property
    def _providers(self) -> Providers:
        return simulated_providers(self.simulation, lambda factory: interleaved(factory, self.way.seed))

    @property
    def schemas(self) -> Schemas:
        return self._providers.schemas

    def options(self, step: Step) -> Options:
        return Options(
            mode=Mode.DESTROY if step.operation == "destroy" else Mode(step.mode),
            targets=step.targets,
            replace=step.replace,
            refresh=step.refresh,
            parallelism=self.way.parallelism,
            seed=self.way.seed,
            changes=self.changes,
        )

    def sink(self, events: list[Event]) -> EventSink:
        """Collects events. Whoever watches interrupts the run where a call is stuck and nothing else moves."""
        sink = EventSink(events.append)
        self.simulation.interrupt = sink.stop
        return sink

    def run(self, function: Callable[..., Awaitable[_Result]], *arguments: Any) -> _Result:
        return run_deterministically(self.way.seed, function, *arguments, patience_s=self.patience_s)
