"""Where steps are run: by which engine, in which world, in which way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from harness.case.case import Step
from harness.engines.dynamic_providers import with_coremock, with_permissive
from harness.engines.providers import Providers
from harness.engines.registry import engine_named
from harness.engines.scheduling import interleaved, run_deterministically
from harness.engines.session import LoadConfiguration, Session
from harness.engines.simulated_providers import simulated_providers
from harness.observe.observation import STEP_VARIABLES
from harness.play.schedule import Schedule
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.inputs import VarFile
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.requirements import is_builtin, required_sources
from shared_nodes.flavour import Flavour
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.plan.options import Mode, Options
from shared_nodes.plan.order import EffectOrder
from shared_nodes.state.file import Schemas
from shared_nodes.world import Files, World

__all__ = ["StepContext"]

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class StepContext:
    """`engine` is a name, since it has to be told to other processes. An operation that waits for longer than
    `patience_s` ends with TooSlowError."""

    engine: str
    world: World
    flavour: Flavour
    way: Schedule
    patience_s: float
    simulation: Simulation = field(default_factory=Simulation)
    changes: frozenset[str] = frozenset()
    """Where the engine is to differ on purpose: docs/intended-changes.md."""

    attend: Callable[[StepContext, EventSink], None] | None = None
    """Told of every operation before it begins, with what can be listened to."""

    load: LoadConfiguration = load_configuration
    permissive: tuple[str, ...] = ()
    """Providers that the permissive one stands in for."""

    def at(self, directory: Path) -> StepContext:
        """The same with another working directory. Ids and randomness go on where they were."""
        files = self.world.files
        return replace(self, world=replace(self.world, files=Files(directory, root=files.root, home=files.home)))

    def session(self, step: Step) -> Session:
        given = [VarFile(STEP_VARIABLES, step.variables)] if step.variables is not None else []
        engine = engine_named(self.engine)
        world = replace(self.world, wait=self.simulation.time.sleep_in_background)
        return Session(engine, world, self.flavour, given, providers=self._providers, load=self.load)

    @property
    def _providers(self) -> Providers:
        simulated = simulated_providers(self.simulation, lambda factory: interleaved(factory, self.way.seed))
        return with_permissive(with_coremock(simulated), self.permissive)

    def foreign_providers(self) -> tuple[list[ProviderSource], list[ProviderSource]]:
        """Those the configuration in the working directory needs and that are not built in; and those among them that
        nobody offers here. A configuration that cannot be read needs nothing yet."""
        config, _ = self.load(self.world.files, self.flavour, lambda _source: True)
        sources = required_sources(config) if config is not None else ()
        foreign = sorted((source for source in sources if not is_builtin(source)), key=str)
        providers = self._providers
        return foreign, [source for source in foreign if not providers.has(source)]

    @property
    def schemas(self) -> Schemas:
        return self._providers.schemas

    def options(self, step: Step) -> Options:
        return Options(
            mode=Mode.DESTROY if step.operation == "destroy" else Mode(step.mode),
            targets=step.targets,
            excludes=step.excludes,
            replace=step.replace,
            refresh=step.refresh,
            parallelism=self.way.parallelism,
            seed=self.way.seed,
            changes=self.changes,
        )

    def sink(self, events: list[Event], orders: list[EffectOrder] | None = None) -> EventSink:
        """Collects events, and the order an apply keeps to. Whoever watches interrupts the run where a call is stuck
        and nothing else moves."""
        sink = EventSink(events.append, ordered=None if orders is None else orders.append)
        self.simulation.interrupt = sink.stop
        if self.attend is not None:
            self.attend(self, sink)
        return sink

    def run(self, function: Callable[..., Awaitable[_Result]], *arguments: Any) -> _Result:
        """What was to be interrupted is forgotten after it: it holds the providers, and they hold the simulation."""
        try:
            return run_deterministically(self.way.seed, function, *arguments, patience_s=self.patience_s)
        finally:
            self.simulation.interrupt = lambda: None
