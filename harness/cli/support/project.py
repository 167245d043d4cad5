"""The project the user works in: its settings, the directories it trusts, and the divergences it has documented.

Settings come from `[tool.diffharness]` of the nearest pyproject.toml at or above the current directory. Every problem
with them ends in one message and exit code 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from harness.case.trust import refused_binaries
from harness.configuration import Configuration, ConfigurationError, read_configuration, trusted_directories
from harness.findings.known_divergences import KnownDivergences, KnownError, read_known

__all__ = ["find_trusted_directories", "read_known_divergences", "read_project_configuration"]


def read_project_configuration() -> Configuration:
    try:
        return read_configuration(Path.cwd())
    except ConfigurationError as problem:
        raise click.ClickException(str(problem)) from problem


def find_trusted_directories(engines: Iterable[str], paths: Iterable[Path], allow_exec: bool) -> tuple[Path, ...]:
    """Return the directories whose cases may execute commands. A real binary is refused for any path outside them."""
    trusted = trusted_directories(read_project_configuration(), allow_exec)
    refusal = refused_binaries(engines, paths, trusted)
    if refusal is not None:
        raise click.UsageError(refusal)
    return trusted


def read_known_divergences(file: Path | None = None) -> KnownDivergences:
    """Read `file`, or the file that the project's settings name. Without either, nothing is documented."""
    file = file or read_project_configuration().known
    try:
        return KnownDivergences() if file is None else read_known(file)
    except KnownError as problem:
        raise click.ClickException(str(problem)) from problem
