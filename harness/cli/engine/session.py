"""A session for one command: the engine it names, in a directory, with the available providers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.engine.options import OperationOptions
from harness.cli.engine.simulation import permissive_of_case
from harness.engines.dynamic_providers import with_coremock, with_permissive, with_utilities
from harness.engines.providers import BUILTIN_PROVIDERS, Providers
from harness.engines.registry import EngineNotFoundError, engine_named
from harness.engines.session import EngineSession
from harness.play.config_cache import caching_reader
from shared_nodes.config.files import parse_file
from shared_nodes.world import World

if TYPE_CHECKING:
    from harness.simulation.simcloud.simulation import Simulation

__all__ = ["open_session"]


def open_session(
    directory: Path, engine_name: str, options: OperationOptions, simulation: Simulation | None = None
) -> EngineSession:
    try:
        engine = engine_named(engine_name)
    except EngineNotFoundError as problem:
        raise click.ClickException(str(problem)) from problem
    world, providers = World.real(directory), BUILTIN_PROVIDERS
    if simulation is not None:
        world, providers = (
            replace(world, wait=simulation.time.sleep_in_background),
            _providers_of_simulation(simulation),
        )
    providers = with_permissive(
        with_utilities(with_coremock(providers)), (*options.permissive, *permissive_of_case(options))
    )
    flavour, read = options.flavour_in(directory), caching_reader(parse_file)
    return EngineSession(engine, world, flavour, options.given, providers=providers, read=read)


def _providers_of_simulation(simulation: Simulation) -> Providers:
    from harness.engines.simulated_providers import simulated_providers

    return simulated_providers(simulation)
