"""Publishing a run: in the terminal, and to the files the user asked for.

A run that has just ended and one that is read back are published the same way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from rich.console import Console

from harness.cli.support.migration import render_migration
from harness.cli.support.options import add_options
from harness.cli.support.output import write_file
from harness.findings.run import Run
from harness.findings.run_comparison import compare_runs
from reports.html.page import html_report
from reports.run.comparison import comparison_lines
from reports.run.document import run_document
from reports.run.harness_quality import UNKNOWN, HarnessQuality
from reports.run.junit import junit_xml
from reports.run.markdown import markdown
from reports.run.sarif import sarif
from reports.run.summary import print_run

__all__ = ["ReportFiles", "publish", "publishing_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_DESCRIPTIONS: Final = {
    "html": "one self-contained page for a browser",
    "json": "the published JSON document",
    "junit": "JUnit XML, for build servers",
    "markdown": "a summary short enough for a comment",
    "migration": "the state of a migration; upstream.yaml beside the cases names the flags",
    "sarif": "SARIF, for code-scanning tools",
}
"""The formats by the name of their option."""


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Where to write each format. None: not wanted."""

    html_file: Path | None = None
    json_file: Path | None = None
    junit_file: Path | None = None
    markdown_file: Path | None = None
    migration_file: Path | None = None
    sarif_file: Path | None = None

    @staticmethod
    def from_click(values: Mapping[str, Any]) -> ReportFiles:
        return ReportFiles(**{field.name: values[field.name] for field in fields(ReportFiles)})


def publishing_options(command: _Command) -> _Command:
    kind = click.Path(dir_okay=False, path_type=Path)
    options = [
        click.option(f"--{name}", f"{name}_file", type=kind, help=f"Write {description}.")
        for name, description in _DESCRIPTIONS.items()
    ]
    return add_options(command, options)


def publish(
    run: Run,
    files: ReportFiles,
    against: Run | None = None,
    *,
    previous: Run | None = None,
    health: HarnessQuality = UNKNOWN,
) -> None:
    """Print the run and write its files. `against` is an earlier run the user named: every format reports what changed
    since then. `previous` is the run that happened to precede this one: only the HTML page mentions it, because
    documents for programs must not depend on which other runs exist."""
    print_run(run, Console(width=None if Console().is_terminal else 120))
    since = None if against is None else compare_runs(against, run)
    writers: tuple[tuple[Path | None, Callable[[], str]], ...] = (
        (files.html_file, lambda: html_report(run, against or previous, health)),
        (files.json_file, lambda: json.dumps(run_document(run, since), indent=2) + "\n"),
        (files.junit_file, lambda: junit_xml(run, since)),
        (files.markdown_file, lambda: markdown(run, since=since)),
        (files.sarif_file, lambda: sarif(run, against, str(Path.cwd()))),
    )
    for file, render in writers:
        if file is not None:
            write_file(file, render())
    if files.migration_file is not None:
        write_file(files.migration_file, render_migration(run, files.migration_file))
    if since is not None:
        click.echo("\n" + "\n".join(comparison_lines(since)))
