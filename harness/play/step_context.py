"""The context of a step: by which engine, in which world, in which schedule it is run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import field, replace
from pathlib import Path
from typing import Any, TypeVar

from harness.case.case import Step
from harness.engines.dynamic_providers import with_coremock, with_permissive, with_plugins, with_utilities
from harness.engines.providers import Providers
from harness.engines.registry import engine_named, is_ours
from harness.engines.scheduling import interleaved, run_deterministically
from harness.engines.session import EngineSession
from harness.engines.simulated_providers import simulated_providers
from harness.engines.taped_providers import with_recording, with_tapes
from harness.observe.observation import STEP_VARIABLES
from harness.play.schedule import Schedule
from harness.plugins.tapes.recording_provider import TapeRecorder
from harness.plugins.tapes.tape import read_tapes
from harness.simulation.permissive.permissive_files import NO_FILES, PermissiveFiles
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.inputs import VarFile
from shared_nodes.config.loading import ReadDirectory, load_configuration, read_directory
from shared_nodes.config.requirements import is_builtin, required_sources
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.flavour import FLAVOURS, Flavour
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.plan.options import Mode, Options
from shared_nodes.plan.order import EffectOrder
from shared_nodes.record import record
from shared_nodes.state.file import Schemas
from shared_nodes.world import Files, World

__all__ = ["EngineSpec", "StepContext"]

_Result = TypeVar("_Result")


@record
class EngineSpec:
    """The plain part of a step context: which engine runs how. It can be sent to another process."""

    engine: str
    """A name, see `harness.engines.registry`."""

    flavour: str
    schedule: Schedule = Schedule()
    timeout_s: float = float("inf")
    """Limit of one operation. One that waits longer ends with TooSlowError."""

    changes: frozenset[str] = frozenset()
    """Intended changes that the engine adopts: docs/intended-changes.md."""

    permissive: tuple[str, ...] = ()
    """Providers that are replaced by the permissive provider."""

    permissive_files: PermissiveFiles = NO_FILES
    """What is known about these beyond the configuration."""

    has_utilities: bool = True
    """Whether there are models of the providers local, null and random."""

    taped_case: Path | None = None
    """The directory of the case whose tapes are replayed; None if it has none."""


@record
class StepContext:
    """Everything that the steps of one run have in common: the engine, its world and the simulated cloud."""

    spec: EngineSpec
    world: World
    simulation: Simulation = field(default_factory=Simulation)
    attend: Callable[[StepContext, EventSink], None] | None = None
    """Called before each operation with the sink of its events, so that an observer can listen."""

    read: ReadDirectory = read_directory
    kept_sections: tuple[str, ...] = ()
    """Sections of the JSON plan that the case compares in addition."""

    recorder: TapeRecorder | None = None
    """Records the providers, real plugins among them, which then must be allowed to run."""

    @property
    def flavour(self) -> Flavour:
        return FLAVOURS[self.spec.flavour]

    def at(self, directory: Path) -> StepContext:
        """Return the same context in another working directory. Ids and randomness go on where they were."""
        files = self.world.files
        return replace(self, world=replace(self.world, files=Files(directory, root=files.root, home=files.home)))

    def session(self, step: Step) -> EngineSession:
        given = [VarFile(STEP_VARIABLES, step.variables)] if step.variables is not None else []
        engine = engine_named(self.spec.engine)
        world = replace(self.world, wait=self.simulation.time.sleep_in_background)
        return EngineSession(engine, world, self.flavour, given, providers=self.providers, read=self.read)

    @property
    def providers(self) -> Providers:
        simulated = simulated_providers(self.simulation, lambda factory: interleaved(factory, self.spec.schedule.seed))
        available = simulated
        if self.recorder is not None:
            around = World.real(self.world.files.working_directory)
            available = with_plugins(available, around, self.flavour)
        elif self.spec.taped_case is not None:
            available = with_tapes(available, read_tapes(self.spec.taped_case), self.simulation.replayed)
        available = with_coremock(available)
        if self.spec.has_utilities:
            available = with_utilities(available)
        available = with_permissive(available, self.spec.permissive, self.spec.permissive_files)
        return available if self.recorder is None else with_recording(available, self.recorder)

    def foreign_providers(self) -> tuple[list[ProviderSource], list[ProviderSource]]:
        """Return the providers that the configuration in the working directory needs and that are not built in, and
        those among them that are not available here. A configuration that cannot be read needs none."""
        config, _ = load_configuration(
            self.world.files, self.flavour, lambda _source: True, StaticInputs(self.world), self.read
        )
        sources = required_sources(config) if config is not None else ()
        foreign = sorted((source for source in sources if not is_builtin(source)), key=str)
        providers = self.providers
        return foreign, [source for source in foreign if not providers.has(source)]

    @property
    def schemas(self) -> Schemas:
        return self.providers.schemas

    def options(self, step: Step) -> Options:
        return Options(
            mode=Mode.DESTROY if step.operation == "destroy" else Mode(step.mode),
            targets=step.targets,
            excludes=step.excludes,
            replace=step.replace,
            refresh=step.refresh,
            parallelism=self.spec.schedule.parallelism,
            seed=self.spec.schedule.seed,
            changes=self.spec.changes,
            target_files=() if step.target_file is None else (step.target_file,),
            exclude_files=() if step.exclude_file is None else (step.exclude_file,),
            suppress_forget_errors=step.suppresses_forget_errors,
        )

    def sink(self, events: list[Event], orders: list[EffectOrder] | None = None) -> EventSink:
        """Return a sink that collects events, and the order an apply keeps to. The simulation stops the operation
        through it where a call is stuck and nothing else can go on."""
        sink = EventSink(events.append, ordered=None if orders is None else orders.append)
        self.simulation.interrupt = sink.stop
        if self.attend is not None:
            self.attend(self, sink)
        return sink

    def run(self, function: Callable[..., Awaitable[_Result]], *arguments: Any) -> _Result:
        """Run an operation in an event loop of its own. The simulation drops its reference to the operation afterwards,
        because that holds the providers, and they hold the simulation."""
        try:
            return run_deterministically(
                self.spec.schedule.seed,
                function,
                *arguments,
                timeout_s=self.spec.timeout_s,
                in_trio=self.recorder is not None or not is_ours(engine_named(self.spec.engine)),
            )
        finally:
            self.simulation.interrupt = lambda: None
