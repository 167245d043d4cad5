"""The state of a migration: finding what the project of the candidate says about it, and writing the page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from harness.findings.run import Run
from harness.findings.upstream import UpstreamError, read_upstream
from reports.run.migration import migration_page

__all__ = ["render_migration"]

_UPSTREAM: Final = "upstream.yaml"


def render_migration(run: Run, page: Path) -> str:
    file = _find_upstream(run)
    if file is None:
        raise click.ClickException(
            f"--migration: there is no {_UPSTREAM} above the cases of the run, which lists the flags of the project: "
            "run its whole directory, from where the run was made"
        )
    try:
        return migration_page(run, read_upstream(file), file.parent, page)
    except UpstreamError as problem:
        raise click.ClickException(str(problem)) from problem


def _find_upstream(run: Run) -> Path | None:
    """Return the nearest file above the first case that has one."""
    files = (directory / _UPSTREAM for result in run.results for directory in Path(result.path).parents)
    return next((file for file in files if file.is_file()), None)
