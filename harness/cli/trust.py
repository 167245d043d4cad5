"""`--allow-exec`, and what is trusted without it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from harness.case.trust import refused_binaries
from harness.configuration import Configuration, ConfigurationError, read_configuration, trusted_directories

__all__ = ["allow_exec_option", "configuration_here", "trusted_for"]

allow_exec_option: Final = click.option(
    "--allow-exec",
    is_flag=True,
    help="Run commands of the cases, and real binaries, wherever the cases are. Without it only below the directories "
    "that trusted in [tool.diffharness] of pyproject.toml names.",
)


def configuration_here() -> Configuration:
    """Of the project the user stands in."""
    try:
        return read_configuration(Path.cwd())
    except ConfigurationError as problem:
        raise click.ClickException(str(problem)) from problem


def trusted_for(engines: Iterable[str], paths: Iterable[Path], allow_exec: bool) -> tuple[Path, ...]:
    """Directories whose cases may execute. Refused at once where an engine is a binary and a path is not among them."""
    trusted = trusted_directories(configuration_here(), allow_exec)
    refusal = refused_binaries(engines, paths, trusted)
    if refusal is not None:
        raise click.UsageError(refusal)
    return trusted
