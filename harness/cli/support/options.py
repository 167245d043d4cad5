"""Options that several operations share, and what they are together: how an operation is to be run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from harness.engines.dynamic_providers import PERMISSIBLE, is_permissible
from shared_nodes.config.inputs import Given, VarFile, VarText
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11
from shared_nodes.plan.options import Mode, Options

__all__ = [
    "Asked",
    "InputCommand",
    "change_option",
    "flavour_option",
    "json_option",
    "operation_options",
    "permissive_option",
    "permitted",
    "simulation_options",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of one plan, apply or destroy, as given."""

    state: Path | None = None
    events: Path | None = None
    plan_json: Path | None = None
    inputs: tuple[tuple[str, str], ...] = ()
    """`var` or `var_file`, and what was given, in the order of the command line."""

    target: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    destroy: bool = False
    refresh_only: bool = False
    no_refresh: bool = False
    parallelism: int = 10
    seed: int = 0
    change: tuple[str, ...] = ()
    flavour: str = TERRAFORM_1_11.name
    as_json: bool = False
    case: Path | None = None
    step: int | None = None
    cloud: Path | None = None
    permissive: tuple[str, ...] = ()
    """Sources of providers that are to be replaced by one that takes its schema from the configuration."""

    @staticmethod
    def of(values: dict[str, Any]) -> Asked:
        """From what click hands to a command; refuses combinations that make no sense."""
        asked = Asked(**{field.name: values[field.name] for field in fields(Asked) if field.name in values})
        if asked.destroy and asked.refresh_only:
            raise click.UsageError("--destroy and --refresh-only exclude each other")
        if asked.no_refresh and asked.refresh_only:
            raise click.UsageError("--refresh-only and --no-refresh exclude each other: nothing would be left to do")
        if asked.target and asked.exclude:
            raise click.UsageError("--target and --exclude exclude each other")
        if asked.replace and (asked.destroy or asked.refresh_only):
            raise click.UsageError("--replace can be used in a normal plan only")
        permitted(asked.permissive)
        if asked.step is not None and asked.case is None:
            raise click.UsageError("--step needs --case: the case whose step this is")
        return asked

    @property
    def given(self) -> tuple[Given, ...]:
        """Values of variables: the later ones win."""
        return tuple((_var_file if option == _FILE_OPTION else _var_text)(text) for option, text in self.inputs)

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
            replace=self.replace,
            refresh=not self.no_refresh,
            parallelism=self.parallelism,
            seed=self.seed,
            changes=frozenset(self.change),
        )


class InputCommand(click.Command):
    """A command with `--var` and `--var-file`. click keeps the values of each option apart, but of a variable given
    twice the later value counts, whichever option it came by: here they become one parameter, `inputs`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        rest = super().parse_args(ctx, args)
        texts = {option: iter(ctx.params.pop(option)) for option in _INPUT_OPTIONS}
        given = [option.name for option in order if option.name in _INPUT_OPTIONS]
        ctx.params["inputs"] = tuple((name, next(texts[name])) for name in given)
        return rest


_TEXT_OPTION: Final = "var"
_FILE_OPTION: Final = "var_file"
_INPUT_OPTIONS: Final = (_TEXT_OPTION, _FILE_OPTION)


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


flavour_option = click.option(
    "--flavour", type=click.Choice(sorted(FLAVOURS)), default=TERRAFORM_1_11.name, help="Whose behaviour to follow."
)
change_option = click.option(
    "--change", multiple=True, metavar="ID", help="Differ on purpose in this: C01 to C09 of docs/intended-changes.md."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the outcome and all diagnostics as JSON.")

permissive_option = click.option(
    "--permissive",
    multiple=True,
    metavar="SOURCE",
    help="Stand in for this provider, such as hashicorp/aws, with a schema taken from the configuration; or all.",
)


def permitted(sources: tuple[str, ...]) -> tuple[str, ...]:
    """The same, if providers can be called so."""
    for source in sources:
        if not is_permissible(source):
            raise click.BadParameter(f"{source} is not {PERMISSIBLE}", param_hint="--permissive")
    return sources


_FILE = click.Path(dir_okay=False, path_type=Path)

_SIMULATION = (
    click.option("--case", type=_FILE, help="A case.yaml: its cloud and faults are simulated."),
    click.option("--step", type=click.IntRange(min=0), help="Which step of the case this is, counted from 0."),
    click.option("--cloud", type=_FILE, help="The simulated cloud, as JSON: read before, replaced after."),
)

_COMMON = (
    click.option("--state", type=_FILE, help="The state file; without it, terraform.tfstate in DIR."),
    click.option("--plan-json", type=_FILE, help="Write the plan here, in the published JSON form."),
    click.option("--events", type=_FILE, help="Write the published event stream here, one JSON object a line."),
    click.option("--var", multiple=True, metavar="NAME=VALUE", help="The value of a root variable."),
    click.option("--var-file", multiple=True, metavar="FILE", help="Values of root variables."),
    click.option("--target", multiple=True, metavar="ADDRESS", help="Only this and what it depends on."),
    click.option("--exclude", multiple=True, metavar="ADDRESS", help="Not this, nor what depends on it."),
    click.option("--no-refresh", is_flag=True, help="Take the state for what exists, without looking."),
    click.option("--parallelism", type=click.IntRange(min=1), default=10, show_default=True),
    click.option("--seed", type=int, default=0, help="One seed, one order of everything dependencies leave open."),
    change_option,
    flavour_option,
    json_option,
    permissive_option,
)

_PLANNING = (
    click.option("--replace", multiple=True, metavar="ADDRESS", help="Replace this object even if it need not be."),
    click.option("--destroy", is_flag=True, help="Destroy everything."),
    click.option("--refresh-only", is_flag=True, help="Only take note of what has changed outside."),
)


def simulation_options(command: _Command) -> _Command:
    for option in reversed(_SIMULATION):
        command = option(command)
    return command


def operation_options(*, choose_mode: bool = True) -> Callable[[_Command], _Command]:
    """All options of an operation that plans; without those that choose a mode where the operation is one."""

    def decorate(command: _Command) -> _Command:
        for option in reversed([*_COMMON, *(_PLANNING if choose_mode else ())]):
            command = option(command)
        return simulation_options(command)

    return decorate
