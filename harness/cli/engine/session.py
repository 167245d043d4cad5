"""A session for one command: the engine it names, in a directory, with the available providers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from harness.cli.engine.options import OperationOptions
from harness.cli.engine.simulation import permissive_of_case
from harness.configuration import ConfigurationError, may_execute, read_configuration, trusted_directories
from harness.engines.dynamic_providers import with_coremock, with_permissive, with_plugins, with_utilities
from harness.engines.providers import BUILTIN_PROVIDERS, Providers
from harness.engines.registry import EngineNotFoundError, engine_named
from harness.engines.session import EngineSession
from harness.play.config_cache import caching_reader
from harness.plugins.extra import EXTRA, has_extra
from shared_nodes.config.files import parse_file
from shared_nodes.flavour import Flavour
from shared_nodes.world import World

if TYPE_CHECKING:
    from harness.simulation.simcloud.simulation import Simulation

__all__ = ["open_session", "with_installed_plugins", "with_taped_providers"]

_NOT_ALLOWED: Final = "diffharness runs an installed provider plugin with --allow-exec, or in a trusted directory."
_NO_EXTRA: Final = f"diffharness runs an installed provider plugin only with its extra: install {EXTRA}."


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
    flavour, read = options.flavour_in(directory), caching_reader(parse_file)
    providers = with_taped_providers(providers, directory if options.case is None else options.case.parent, simulation)
    providers = with_installed_plugins(providers, world, flavour, options)
    providers = with_permissive(
        with_utilities(with_coremock(providers)),
        (*options.permissive, *permissive_of_case(options)),
        options.permissive_files if options.permissive_values or options.provider_schemas else None,
    )
    return EngineSession(
        engine,
        world,
        flavour,
        options.given,
        providers=providers,
        read=read,
        modules=options.modules_for(directory),
        only_local=options.state is None,
    )


def with_taped_providers(providers: Providers, directory: Path, simulation: Simulation | None = None) -> Providers:
    """Add the providers that are on tapes in the directory, or in that of the case. They precede all others."""
    if not (directory / "tapes").is_dir():
        return providers
    from harness.engines.taped_providers import with_tapes
    from harness.plugins.tapes.tape import read_tapes
    from harness.plugins.tapes.tape_error import TapeError

    try:
        return with_tapes(providers, read_tapes(directory), Counter() if simulation is None else simulation.replayed)
    except TapeError as problem:
        raise click.ClickException(str(problem)) from problem


def with_installed_plugins(
    providers: Providers, world: World, flavour: Flavour, options: OperationOptions
) -> Providers:
    """Add the real plugins of the World's directory, if the user trusts that directory or allows programs to be run.
    They precede our models of the same providers. Where there are none, the message about a missing provider says
    what it takes."""
    if options.allow_exec and not has_extra():
        raise click.ClickException(f"--allow-exec: to run provider plugins, install {EXTRA}")
    if not (options.allow_exec or _is_trusted(world.files.working_directory)):
        return replace(providers, advice=_NOT_ALLOWED)
    return with_plugins(providers, world, flavour) if has_extra() else replace(providers, advice=_NO_EXTRA)


def _is_trusted(directory: Path) -> bool:
    """Return whether the user's project trusts a directory."""
    try:
        trusted = trusted_directories(read_configuration(Path.cwd()))
    except ConfigurationError as problem:
        raise click.ClickException(str(problem)) from problem
    return may_execute(directory, trusted)


def _providers_of_simulation(simulation: Simulation) -> Providers:
    from harness.engines.simulated_providers import simulated_providers

    return simulated_providers(simulation)
