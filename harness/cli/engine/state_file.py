"""What commands need that only read a state: its text decrypted, and the schemas of the objects in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from harness.cli.engine.options import OperationOptions
from harness.cli.engine.session import with_installed_plugins, with_taped_providers
from harness.cli.support.options import add_options, flavour_option
from harness.engines.dynamic_providers import with_coremock, with_permissive, with_utilities
from harness.engines.encryption import encryption_in
from harness.engines.providers import BUILTIN_PROVIDERS, ProviderContext, Providers
from harness.engines.simulated_providers import KNOWN_SCHEMAS
from harness.engines.state_place import state_place
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.encryption.encryption import DecryptionError, Encryption
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.diagnostics_view import render_plain, render_text
from shared_nodes.record import record
from shared_nodes.state.adoption import adopt_providers
from shared_nodes.state.file import Schemas, read_state
from shared_nodes.state.model import State
from shared_nodes.world import World

__all__ = [
    "FoundState",
    "encryption_of",
    "problem_text",
    "providers_in",
    "read_state_file",
    "schemas_of_state",
    "state_file_here",
    "state_reading_options",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])


@record
class FoundState:
    state: State
    exists: bool
    """Whether there is a state. An empty file counts as none."""

    problems: tuple[Diagnostic, ...] = ()


def state_reading_options(command: _Command) -> _Command:
    """Add the options of a command that reads the state of the current directory."""
    return add_options(
        command,
        [
            click.option(
                "--state",
                "-state",
                type=click.Path(dir_okay=False, path_type=Path),
                help="State file.  [default: terraform.tfstate]",
            ),
            click.option("--no-color", "-no-color", "is_plain", is_flag=True, help="Print problems without a box."),
            flavour_option,
        ],
    )


def state_file_here(options: OperationOptions) -> Path:
    """Return the state file that is asked for: by default that of the configuration in the current directory."""
    if options.state is not None:
        return options.state
    world = World.real(Path())
    return Path(state_place(world.files, options.flavour_in(Path()), StaticInputs(world)))


def read_state_file(file: Path, flavour: Flavour) -> FoundState:
    """Read a state as commands do that change nothing. A file that is missing or empty is no mistake."""
    encryption, problems = encryption_of(file.parent, flavour)
    if has_errors(problems):
        return FoundState(State(), False, tuple(problems))
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
        state, _, problems = read_state(encryption.state_from_text(text), flavour) if text else (State(), None, [])
    except FileNotFoundError:
        return FoundState(State(), False)
    except OSError as failure:
        return FoundState(State(), False, (error("Failed to load state", f"{file}: {failure.strerror}"),))
    except DecryptionError as failure:
        return FoundState(State(), False, (error("Failed to load state", str(failure)),))
    return FoundState(adopt_providers(state, (), flavour), bool(text), tuple(problems))


def problem_text(problem: Diagnostic, *, is_plain: bool) -> str:
    return render_plain(problem) if is_plain else render_text(problem)


def encryption_of(directory: Path, flavour: Flavour) -> tuple[Encryption, list[Diagnostic]]:
    """Return the encryption that the configuration of a directory asks for."""
    world = World.real(directory)
    return encryption_in(world.files, flavour, StaticInputs(world))


def providers_in(world: World, flavour: Flavour, options: OperationOptions) -> Providers:
    providers = with_taped_providers(BUILTIN_PROVIDERS, world.files.working_directory)
    providers = with_installed_plugins(providers, world, flavour, options)
    return with_permissive(with_utilities(with_coremock(providers)), options.permissive)


def schemas_of_state(state: State, directory: Path, flavour: Flavour, options: OperationOptions) -> Schemas:
    """Return the schemas. The configuration next to the state is read only if a provider derives its schema from it."""
    world = World.real(directory)
    providers = providers_in(world, flavour, options)
    if any(providers.is_announced(resource.provider.source) for resource in state.resources.values()):
        config, _ = load_configuration(world.files, flavour, lambda _source: True)
        providers, _ = providers.resolve(ProviderContext(config, state, world, flavour))
    return {**providers.schemas, **KNOWN_SCHEMAS}
