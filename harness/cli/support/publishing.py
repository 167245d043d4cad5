"""A run, published: in the terminal, and to the files that were asked for. The same for a run that has just ended and
for one that is read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from rich.console import Console

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

__all__ = ["publish", "publishing_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_FILES: Final = {
    "html": "one page with everything, for a browser",
    "json": "the published JSON",
    "junit": "JUnit's XML, for build servers",
    "markdown": "a summary in Markdown, short enough for a comment",
    "sarif": "SARIF, for what shows findings on their lines",
}
"""By the name of the option."""


def publishing_options(command: _Command) -> _Command:
    for name, told in reversed(_FILES.items()):
        kind = click.Path(dir_okay=False, path_type=Path)
        command = click.option(f"--{name}", f"{name}_file", type=kind, help=f"Write {told}, here.")(command)
    return command


def publish(
    run: Run,
    files: Mapping[str, Path | None],
    against: Run | None = None,
    *,
    previous: Run | None = None,
    health: HarnessQuality = UNKNOWN,
) -> None:
    """`files` are the values of the options, by their parameter's name. `against` is an earlier run that somebody has
    named: all of them tell what is new since then. `previous` is the one that happened to be before: only the page
    tells of it, since programs are to be given the same for the same."""
    print_run(run, Console(width=None if Console().is_terminal else 120))
    since = None if against is None else compare_runs(against, run)
    writers: Mapping[str, Callable[[], str]] = {
        "html": lambda: html_report(run, against or previous, health),
        "json": lambda: json.dumps(run_document(run, since), indent=2) + "\n",
        "junit": lambda: junit_xml(run, since),
        "markdown": lambda: markdown(run, since=since),
        "sarif": lambda: sarif(run, against),
    }
    for name, write in writers.items():
        file = files[f"{name}_file"]
        if file is not None:
            write_file(file, write())
    if since is not None:
        click.echo("\n" + "\n".join(comparison_lines(since)))
