"""Runs small configurations with the engine, each in a directory of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trio

from legacy_engine import api
from shared_nodes.config.inputs import VarText, collect_inputs
from shared_nodes.config.loading import load_configuration
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.operations.engine import ApplyResult, EngineRequest, PlanResult
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.plan.options import Options
from shared_nodes.state.model import State
from shared_nodes.world import World
from tests.builtin_provider import builtin_provider_only


@dataclass
class Workspace:
    """A directory with a configuration, the state it led to, and the events of the last operation."""

    directory: Path
    state: State = field(default_factory=State)
    flavour: Flavour = TERRAFORM_1_11
    events: list[Event] = field(default_factory=list)
    world: World = field(init=False)
    """One world for all operations, so that no identifier occurs twice."""

    def __post_init__(self) -> None:
        self.world = World.confined(self.directory, 1, datetime(2026, 1, 2, tzinfo=UTC))

    def write(self, files: Mapping[str, str] | str) -> None:
        """Replace the configuration."""
        for old in [path for path in self.directory.rglob("*") if path.is_file()]:
            old.unlink()
        for name, text in ({"main.tf": files} if isinstance(files, str) else files).items():
            (self.directory / name).parent.mkdir(parents=True, exist_ok=True)
            (self.directory / name).write_text(text, encoding="utf-8")

    def request(self, options: Options | None = None, **variables: str) -> EngineRequest:
        world = self.world
        config, problems = load_configuration(world.files, self.flavour)
        assert config is not None, problems
        given, problems = collect_inputs(config, [VarText(name, text) for name, text in variables.items()], world.files)
        assert not problems
        self.events = []
        return EngineRequest(
            config,
            self.state,
            world,
            builtin_provider_only(world),
            given,
            options or Options(),
            self.flavour,
            EventSink(self.events.append),
        )

    def plan(self, options: Options | None = None, **variables: str) -> PlanResult:
        return trio.run(api.plan, self.request(options, **variables))

    def apply(self, options: Options | None = None, **variables: str) -> ApplyResult:
        """Plan and apply. The resulting state is the prior state of the next operation."""
        request = self.request(options, **variables)
        planned = trio.run(api.plan, request)
        assert planned.ok, planned.diagnostics
        self.events.clear()
        result = trio.run(api.apply, replace(request, plan=planned.plan))
        self.state = result.state
        return result


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)
