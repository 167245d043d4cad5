"""The course of a command: load the configuration, collect inputs, validate, plan, apply.

Which of these report what, and where a failure ends the course, is the original's: an engine that plans validates first
and keeps the warnings; applying a plan loads and collects again, so that those warnings come a second time, but
validates nothing. What stands in the way of a step is told by diagnostics; a plan is None where nothing could be
planned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.engines.providers import unselected_providers
from harness.engines.registry import Engine
from harness.engines.saved_inputs import saved_inputs
from shared_nodes.config.inputs import Given, GivenValue, collect_inputs
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.requirements import required_sources
from shared_nodes.config.tree import ConfigTree
from shared_nodes.diagnostics import Diagnostic, has_errors
from shared_nodes.engine import ApplyResult, EngineRequest, Options
from shared_nodes.flavour import Flavour
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.file import SavedPlan
from shared_nodes.plan.plan import Plan
from shared_nodes.providers.registry import provider_factory
from shared_nodes.state.model import State
from shared_nodes.world import World

__all__ = ["Planned", "Session"]


@dataclass(frozen=True, slots=True)
class Planned:
    """What planning found. `request` is what the engine was asked, None where it never came to that."""

    diagnostics: list[Diagnostic]
    plan: Plan | None = None
    request: EngineRequest | None = None

    @property
    def can_be_applied(self) -> bool:
        return self.plan is not None and not has_errors(self.diagnostics)


@dataclass(frozen=True, slots=True)
class Session:
    """One engine at work in one directory, which is the World's working directory."""

    engine: Engine
    world: World
    flavour: Flavour
    given: Sequence[Given] = ()
    """Values for root variables, beyond the files that are read by themselves."""

    saved: SavedPlan | None = None
    """The plan file that is applied: it brings its own configuration and values of variables."""

    def of_saved(self, saved: SavedPlan) -> Session:
        return replace(self, world=replace(self.world, files=saved.files(self.world.files)), saved=saved)

    async def validate(self) -> list[Diagnostic]:
        """Variables are unknown here, and the state is not looked at."""
        config, problems = load_configuration(self.world.files, self.flavour)
        if config is None or has_errors(problems):
            return problems
        request = EngineRequest(
            config, State(), self.world, provider_factory(self.world, self.flavour), flavour=self.flavour
        )
        return [*problems, *(await self.engine.validate(request)).diagnostics]

    async def plan(self, state: State, options: Options, events: EventSink) -> Planned:
        request, problems = self.prepare(state, options, events)
        if request is None:
            return Planned(problems)
        result = await self.engine.plan(request)
        return Planned([*problems, *result.diagnostics], result.plan, request)

    async def apply(self, plan: Plan, state: State, options: Options, events: EventSink) -> ApplyResult:
        """Without a usable configuration or inputs nothing is done, and the state stays as it is."""
        request, problems = self.prepare(state, options, events)
        if request is None:
            return ApplyResult(tuple(problems), state)
        result = await self.engine.apply(replace(request, plan=plan))
        return ApplyResult((*problems, *result.diagnostics), result.state)

    def prepare(
        self, state: State, options: Options, events: EventSink
    ) -> tuple[EngineRequest | None, list[Diagnostic]]:
        """The request, or None where the configuration or the inputs are not fit for one."""
        config, problems = load_configuration(self.world.files, self.flavour, lambda _source: True)
        if config is not None:
            problems.extend(unselected_providers(required_sources(config), self.flavour))
        if config is None or has_errors(problems):
            return None, problems
        variables, found = self._inputs(config)
        problems.extend(found)
        if has_errors(problems):
            return None, problems
        providers = provider_factory(self.world, self.flavour)
        request = EngineRequest(config, state, self.world, providers, variables, options, self.flavour, events)
        return request, problems

    def _inputs(self, config: ConfigTree) -> tuple[dict[str, GivenValue], list[Diagnostic]]:
        if self.saved is not None:
            return saved_inputs(config, self.given, self.world, self.saved.plan)
        return collect_inputs(config, self.given, self.world.files, self.world.environment)
