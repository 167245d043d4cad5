"""The project the user works in: its settings, the directories it trusts, and the divergences it has documented.

Settings come from `[tool.diffharness]` of the nearest pyproject.toml at or above the current directory. Every problem
with them ends in one message and exit code 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from harness.case.trust import refused_binaries
from harness.configuration import (
    Configuration,
    ConfigurationError,
    is_part_of,
    read_configuration,
    trusted_directories,
)
from harness.findings.known_divergences import KnownDivergences, KnownError, read_known

_KNOWN: Final = "known.yaml"

__all__ = ["find_trusted_directories", "read_known_divergences", "read_project_configuration"]


def read_project_configuration() -> Configuration:
    try:
        return read_configuration(Path.cwd())
    except ConfigurationError as problem:
        raise click.ClickException(str(problem)) from problem


def find_trusted_directories(engines: Iterable[str], paths: Iterable[Path], allow_exec: bool) -> tuple[Path, ...]:
    """Return the directories whose cases may execute commands. A real binary is refused for any path outside them."""
    paths = list(paths)
    configuration = read_project_configuration()
    trusted = trusted_directories(configuration, allow_exec, paths)
    if configuration.trusted and not allow_exec and is_part_of(configuration, paths):
        click.echo(
            f"{configuration.file}: trusted has no effect, because the file is part of what is run. Run directories "
            "below it, or add --allow-exec if you trust all of it.",
            err=True,
        )
    refusal = refused_binaries(engines, paths, trusted)
    if refusal is not None:
        raise click.UsageError(refusal)
    return trusted


def read_known_divergences(file: Path | None = None, paths: Iterable[Path] = ()) -> KnownDivergences:
    """Read `file`; or else the file that the project's settings name, and each `known.yaml` in a directory of `paths`
    or between that and the directory of the project. Without any, nothing is documented."""
    configuration = read_project_configuration()
    files = [file] if file is not None else [*_beside(paths, configuration), *filter(None, [configuration.known])]
    known = KnownDivergences()
    try:
        for each in dict.fromkeys(map(Path.resolve, files)):
            known |= read_known(each)
    except KnownError as problem:
        raise click.ClickException(str(problem)) from problem
    return known


def _beside(paths: Iterable[Path], configuration: Configuration) -> Iterator[Path]:
    """Return the lists of the directories that are run, nearest first. Only lists inside the project count: what a
    foreign directory calls known says nothing here."""
    if configuration.file is None:
        return
    project = configuration.file.parent.resolve()
    for path in paths:
        place = path.resolve()
        for directory in (place, *place.parents):
            if directory != project and project in directory.parents and os.path.isfile(directory / _KNOWN):
                yield directory / _KNOWN
