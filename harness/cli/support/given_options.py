"""What the user gives to configurations on the command line: `--module`, `--var`, `--var-file`, `--generate-vars`.

Of two values for one variable the later one wins, whichever option it came from. Click keeps the options apart, so
`InputCommand` merges them into one parameter that keeps their common order.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from harness.case.given import VALUE_FILE, VALUE_TEXT
from harness.cli.support.option_groups import GroupedCommand
from harness.configuration import Configuration, is_part_of

if TYPE_CHECKING:
    from harness.findings.result import CaseResult

__all__ = [
    "GroupedInputCommand",
    "InputCommand",
    "generate_vars_option",
    "given_modules",
    "given_values",
    "module_directories",
    "module_option",
    "value_options",
    "warn_of_unused_values",
]

module_option: Final = click.option(
    "--module",
    "module",
    multiple=True,
    metavar="SOURCE=DIR",
    help="Take the module with this source, such as terraform-aws-modules/vpc/aws or git::https://example.com/x.git, "
    "from a directory. Can be repeated.",
)
value_options: Final = (
    click.option("--var", multiple=True, metavar="NAME=VALUE", help="Value of a root variable. Can be repeated."),
    click.option("--var-file", multiple=True, metavar="FILE", help="Values of root variables. Can be repeated."),
)
generate_vars_option: Final = click.option(
    "--generate-vars",
    is_flag=True,
    help="Choose values for required variables that have none, by their types and their validation rules.",
)


class InputCommand(click.Command):
    """A command with `--var` and `--var-file`, merged into one parameter `inputs`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        rest = super().parse_args(ctx, args)
        texts = {option: iter(ctx.params.pop(option)) for option in (VALUE_TEXT, VALUE_FILE)}
        given = [option.name for option in order if option.name in texts]
        ctx.params["inputs"] = tuple((name, next(texts[name])) for name in given)
        return rest


class GroupedInputCommand(InputCommand, GroupedCommand):
    """The same, with headings in its help."""


def given_modules(options: Iterable[str], configuration: Configuration) -> dict[str, str]:
    """Return the absolute directories by source: those of the project's settings, and those of the command line, which
    win. A usage error names an option that is none."""
    found = {source: str(directory) for source, directory in configuration.modules.items()}
    for text in options:
        source, equals, directory = text.rpartition("=")
        if not equals or not source or not directory:
            raise click.BadParameter(f"{text}: a module is given as SOURCE=DIR", param_hint="--module")
        if not os.path.isdir(directory):
            raise click.BadParameter(f"{text}: {directory} is not a directory", param_hint="--module")
        found[source] = os.path.abspath(directory)
    return found


def module_directories(modules: Mapping[str, str], configuration: Configuration, paths: Iterable[Path]) -> list[Path]:
    """Return the directories of modules that may be read. Settings that are part of what is run, and so written by the
    author of the configurations, give access to nothing."""
    is_foreign = is_part_of(configuration, paths)
    own = {str(directory) for directory in configuration.modules.values()} if is_foreign else set[str]()
    return [Path(directory) for directory in modules.values() if directory not in own]


def given_values(inputs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return values of variables with absolute paths of files. A usage error names what is neither."""
    return tuple(map(_value, inputs))


def _value(given: tuple[str, str]) -> tuple[str, str]:
    kind, text = given
    if kind == VALUE_TEXT:
        name, equals, _ = text.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{text}: a variable is given as NAME=VALUE", param_hint="--var")
        return kind, text
    if not os.path.isfile(text):
        raise click.BadParameter(f"{text}: there is no such file", param_hint="--var-file")
    return kind, os.path.abspath(text)


def warn_of_unused_values(values: Iterable[tuple[str, str]], results: Iterable[CaseResult]) -> None:
    """Name each `--var` of a variable that no configuration of the run declares: it may be misspelt."""
    declared = {name for result in results for name in result.given_values}
    names = (text.partition("=")[0].strip() for kind, text in values if kind == VALUE_TEXT)
    for name in dict.fromkeys(names):
        if name not in declared:
            click.echo(f"--var {name}: none of these configurations declares such a variable", err=True)
