"""The options of one engine operation (validate, plan, apply, destroy, show, graph) as one typed object."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from harness.case.directory_flavour import flavour_of_directory
from harness.case.given import VALUE_FILE
from harness.cli.support.given_options import InputCommand, given_modules, module_option, value_options
from harness.cli.support.options import (
    add_options,
    allow_plugins_option,
    change_option,
    check_permissive,
    flavour_option,
    permissive_file_options,
    permissive_option,
    read_permissive_files,
    seed_help,
)
from harness.configuration import Configuration, ConfigurationError, read_configuration
from shared_nodes.config.given_modules import GivenModules
from shared_nodes.config.inputs import Given, VarFile, VarText
from shared_nodes.flavour import FLAVOURS, Flavour
from shared_nodes.plan.options import Mode, Options
from shared_nodes.record import record

__all__ = [
    "InputCommand",
    "OperationOptions",
    "input_options",
    "json_option",
    "operation_options",
    "simulation_options",
]

if TYPE_CHECKING:
    from harness.simulation.permissive.permissive_files import PermissiveFiles

_Command = TypeVar("_Command", bound=Callable[..., Any])


@record
class OperationOptions:
    """The values given on the command line. An option that the command does not have keeps its default."""

    state: Path | None = None
    events: Path | None = None
    plan_json: Path | None = None
    inputs: tuple[tuple[str, str], ...] = ()
    """Pairs of `var` or `var_file` and the value given, in the order of the command line."""

    module: tuple[str, ...] = ()
    """Directories that stand in for sources of modules, as `--module` gives them."""

    target: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    target_file: tuple[str, ...] = ()
    exclude_file: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    destroy: bool = False
    refresh_only: bool = False
    no_refresh: bool = False
    suppress_forget_errors: bool = False
    parallelism: int = 10
    seed: int = 0
    change: tuple[str, ...] = ()
    flavour: str | None = None
    """The product that was asked for; None to follow the one that the directory is written for."""

    as_json: bool = False
    case: Path | None = None
    step: int | None = None
    cloud: Path | None = None
    permissive: tuple[str, ...] = ()
    """Sources of providers to mock, with a schema derived from the configuration."""

    permissive_values: str | None = None
    provider_schemas: str | None = None
    allow_exec: bool = False
    """Whether the real provider plugins of the directory may be run, although it is not trusted."""

    @staticmethod
    def from_click(values: dict[str, Any]) -> OperationOptions:
        """Collect the parameters that click passes to a command. Contradictory options are a usage error."""
        names = [field.name for field in fields(OperationOptions) if field.name in values]
        asked = OperationOptions(**{name: values[name] for name in names})
        if asked.destroy and asked.refresh_only:
            raise click.UsageError("--destroy and --refresh-only exclude each other")
        if asked.no_refresh and asked.refresh_only:
            raise click.UsageError("--refresh-only and --no-refresh exclude each other: nothing would be left to do")
        if asked.replace and (asked.destroy or asked.refresh_only):
            raise click.UsageError("--replace can be used in a normal plan only")
        check_permissive(asked.permissive)
        if asked.step is not None and asked.case is None:
            raise click.UsageError("--step needs --case: the case whose step this is")
        return asked

    def flavour_in(self, directory: Path) -> Flavour:
        """Return the product to follow in a directory."""
        return FLAVOURS[self.flavour or flavour_of_directory(directory)]

    @property
    def given(self) -> tuple[Given, ...]:
        """Values of variables. Of two values for one variable, the later wins."""
        return tuple((_var_file if option == VALUE_FILE else _var_text)(text) for option, text in self.inputs)

    @property
    def permissive_files(self) -> PermissiveFiles:
        return read_permissive_files(self.permissive_values, self.provider_schemas)

    def modules_for(self, directory: Path) -> GivenModules:
        """Return the directories that stand in for sources of modules, relative to that of the configuration."""
        modules = given_modules(self.module, _configuration())
        return GivenModules({source: os.path.relpath(place, directory) for source, place in modules.items()})

    @property
    def mode(self) -> Mode:
        if self.destroy:
            return Mode.DESTROY
        return Mode.REFRESH_ONLY if self.refresh_only else Mode.NORMAL

    @property
    def engine_options(self) -> Options:
        return Options(
            mode=self.mode,
            targets=self.target,
            excludes=self.exclude,
            target_files=self.target_file,
            exclude_files=self.exclude_file,
            replace=self.replace,
            refresh=not self.no_refresh,
            suppress_forget_errors=self.suppress_forget_errors,
            parallelism=self.parallelism,
            seed=self.seed,
            changes=frozenset(self.change),
        )


def _configuration() -> Configuration:
    try:
        return read_configuration(Path.cwd())
    except ConfigurationError as problem:
        raise click.ClickException(str(problem)) from problem


def _var_file(name: str) -> VarFile:
    try:
        return VarFile(name, Path(name).read_bytes())
    except OSError as problem:
        raise click.ClickException(f"cannot read {name}: {problem.strerror}") from problem


def _var_text(text: str) -> VarText:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"--var {text}: a variable is given as NAME=VALUE")
    return VarText(name, value)


json_option = click.option("--json", "as_json", is_flag=True, help="Print the outcome and all diagnostics as JSON.")

_FILE = click.Path(dir_okay=False, path_type=Path)

_SIMULATION = (
    click.option("--case", type=_FILE, help="A case.yaml whose cloud and faults to simulate."),
    click.option("--step", type=click.IntRange(min=0), help="The step of the case, counted from 0."),
    click.option("--cloud", type=_FILE, help="File with the simulated cloud: read before and replaced after."),
)

_INPUTS = (*value_options, module_option)

_COMMON = (
    click.option("--state", type=_FILE, help="State file.  [default: terraform.tfstate in DIR]"),
    click.option("--plan-json", type=_FILE, help="Write the plan in the published JSON format."),
    click.option("--events", type=_FILE, help="Write the published event stream, one JSON object per line."),
    *_INPUTS,
    click.option("--target", multiple=True, metavar="ADDRESS", help="Only this object and its dependencies."),
    click.option("--exclude", multiple=True, metavar="ADDRESS", help="All but this object and its dependents."),
    click.option("--target-file", multiple=True, metavar="FILE", help="Targets, one per line. Relative to DIR."),
    click.option("--exclude-file", multiple=True, metavar="FILE", help="Exclusions, one per line. Relative to DIR."),
    click.option("--no-refresh", is_flag=True, help="Trust the state instead of reading existing objects."),
    click.option(
        "--suppress-forget-errors",
        is_flag=True,
        help="Succeed if destroying everything leaves objects that were only forgotten.",
    ),
    click.option(
        "--parallelism", type=click.IntRange(min=1), default=10, show_default=True, help="Operations at the same time."
    ),
    click.option("--seed", type=int, default=0, help=seed_help),
    change_option,
    flavour_option,
    json_option,
    permissive_option,
    *permissive_file_options,
    allow_plugins_option,
)

_PLANNING = (
    click.option("--replace", multiple=True, metavar="ADDRESS", help="Replace this object in any case."),
    click.option("--destroy", is_flag=True, help="Destroy everything."),
    click.option("--refresh-only", is_flag=True, help="Only record changes made outside."),
)


def input_options(command: _Command) -> _Command:
    return add_options(command, _INPUTS)


def simulation_options(command: _Command) -> _Command:
    return add_options(command, _SIMULATION)


def operation_options(*, choose_mode: bool = True) -> Callable[[_Command], _Command]:
    """Add all options of an operation that plans. `choose_mode=False` leaves out those that select a planning mode."""
    return lambda command: simulation_options(add_options(command, [*_COMMON, *(_PLANNING if choose_mode else ())]))
