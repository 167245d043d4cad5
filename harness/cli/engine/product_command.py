"""Runs a command line of the product, such as `plan -out=FILE -no-color`, with one of our engines.

It is translated to a command of `diffharness engine`, and that command runs in this process. So what is returned is
what a user of that command sees; only the command that a saved plan advises to run is translated back.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from harness.cli.engine.engine_operation import apply_command_line
from harness.cli.engine.group import engine as engine_group
from harness.equivalence.judging import CommandFailedError
from shared_nodes.flavour import Flavour

__all__ = ["run_product_command", "translate_options"]

_WITHOUT_EFFECT: Final = ("-no-color", "-auto-approve", "-input", "-lock", "-compact-warnings")
_WITH_VALUE: Final = (
    *("-out", "-target", "-exclude", "-target-file", "-exclude-file", "-replace"),
    *("-var", "-var-file", "-state", "-parallelism"),
)
_WITHOUT_VALUE: Final = ("-destroy", "-refresh-only", "-suppress-forget-errors")


def run_product_command(engine: str, flavour: Flavour, directory: Path, arguments: Sequence[str]) -> str:
    """Return what the command prints to standard output. Raises CommandFailedError with what it prints to standard
    error, or if our engines have no such command."""
    name, *rest = arguments
    if name == "init":
        return ""
    with TemporaryDirectory() as scratch:
        events = Path(scratch) / "events" if "-json" in rest and name != "show" else None
        ours = [engine, name, *_place(name, rest), "--flavour", flavour.name, *translate_options(name, rest)]
        printed = _run([*ours, *(("--events", str(events)) if events else ())], directory)
        if events is not None:
            return events.read_text(encoding="utf-8")
    for out in _values(rest, "-out"):
        printed = printed.replace(apply_command_line(engine, Path(out)), f'{flavour.command} apply "{out}"')
    return printed


def _run(arguments: Sequence[str], directory: Path) -> str:
    output, problems = io.StringIO(), io.StringIO()
    with chdir(directory), redirect_stdout(output), redirect_stderr(problems):
        try:
            status = engine_group.main(list(arguments), standalone_mode=False)
        except click.ClickException as problem:
            raise CommandFailedError(problem.format_message()) from problem
    if status:
        raise CommandFailedError(problems.getvalue().strip() or f"exit code {status}")
    return output.getvalue()


def _place(name: str, arguments: Sequence[str]) -> list[str]:
    """Return what the command works on: what is named, or else the working directory. `show` needs no name."""
    named = [argument for argument in arguments if not argument.startswith("-")]
    return named or ([] if name == "show" else ["."])


def translate_options(name: str, arguments: Sequence[str]) -> Iterator[str]:
    """Yield options of `diffharness engine` for those of the product. Raises CommandFailedError for one that has no
    counterpart."""
    for argument in (one for one in arguments if one.startswith("-")):
        option, _, value = argument.partition("=")
        if option in _WITHOUT_EFFECT:
            continue
        if option in _WITH_VALUE:
            yield from (f"-{option}", value)
        elif option in _WITHOUT_VALUE:
            yield f"-{option}"
        elif argument == "-refresh=false":
            yield "--no-refresh"
        elif argument == "-json":
            yield from ["--json"] if name == "show" else []
        else:
            raise CommandFailedError(f"the option {argument} has no counterpart here")


def _values(arguments: Sequence[str], option: str) -> list[str]:
    return [argument.partition("=")[2] for argument in arguments if argument.startswith(f"{option}=")]
