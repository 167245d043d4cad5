"""`--known`: which divergences are documented already, for every command that looks for some."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.trust import configuration_here
from harness.findings.known_divergences import KnownDivergences, KnownError, read_known

__all__ = ["documented_divergences", "known_option"]

known_option = click.option(
    "--known",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Documented divergences: known.yaml.  [default: what pyproject.toml names]",
)


def documented_divergences(given: Path | None) -> KnownDivergences:
    file = given or configuration_here().known
    try:
        return KnownDivergences() if file is None else read_known(file)
    except KnownError as problem:
        raise click.ClickException(str(problem)) from problem
