"""Runs small configurations with either engine, each in a directory of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import legacy_engine.api
import new_engine.api
from harness.engines.registry import Engine
from harness.engines.scheduling import run_deterministically
from shared_nodes.config.inputs import VarText, collect_inputs
from shared_nodes.config.loading import load_configuration
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.engine import ApplyResult, EngineRequest, PlanResult
from shared_nodes.plan.options import Options
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.state.model import State
from shared_nodes.world import World
from tests.builtin_provider import builtin_provider_only

__all__ = ["ENGINES", "Place"]

ENGINES: Final[Mapping[str, Engine]] = {"legacy": legacy_engine.api, "new": new_engine.api}
_NOW: Final = datetime(2026, 1, 2, tzinfo=UTC)
_USUAL: Final = Options()
_PATIENCE_S: Final = 60
"""Far longer than any operation here takes, so that only a hang exceeds it."""


class Place:
    """A directory with a configuration. Each has its own world with the same seed: the same operations in two places
    create the same ids."""

    def __init__(self, directory: Path, providers: Callable[[World], ProviderFactory] = builtin_provider_only) -> None:
        self.directory = directory
        self.world = World.confined(directory, 1, _NOW)
        self.state = State()
        self._providers = providers

    def write(self, files: Mapping[str, str] | str) -> None:
        for name, text in ({"main.tf": files} if isinstance(files, str) else files).items():
            (self.directory / name).parent.mkdir(parents=True, exist_ok=True)
            (self.directory / name).write_text(text, encoding="utf-8")

    def request(self, options: Options, **variables: str) -> tuple[EngineRequest | None, list[Diagnostic]]:
        """Return a request, or None if the configuration cannot be loaded."""
        config, problems = load_configuration(self.world.files, TERRAFORM_1_11)
        if config is None or has_errors(problems):
            return None, problems
        given, found = collect_inputs(config, [VarText(*each) for each in variables.items()], self.world.files)
        assert not found
        return EngineRequest(config, self.state, self.world, self._providers(self.world), given, options), problems

    def validate(self, engine: Engine, options: Options = _USUAL) -> list[Diagnostic]:
        request, problems = self.request(options)
        if request is None:
            return problems
        result = run_deterministically(options.seed, engine.validate, request, timeout_s=_PATIENCE_S)
        return [*problems, *result.diagnostics]

    def plan(self, engine: Engine, options: Options = _USUAL, **variables: str) -> PlanResult:
        request, problems = self.request(options, **variables)
        if request is None:
            return PlanResult(tuple(problems), None)
        return run_deterministically(options.seed, engine.plan, request, timeout_s=_PATIENCE_S)

    def apply(self, engine: Engine, options: Options = _USUAL, **variables: str) -> ApplyResult:
        """Plan and apply. The resulting state is the prior state of the next operation."""
        request, problems = self.request(options, **variables)
        assert request is not None, problems
        planned = run_deterministically(options.seed, engine.plan, request, timeout_s=_PATIENCE_S)
        assert planned.ok, planned.diagnostics
        carried_out = replace(request, plan=planned.plan)
        result = run_deterministically(options.seed, engine.apply, carried_out, timeout_s=_PATIENCE_S)
        self.state = result.state
        return result
