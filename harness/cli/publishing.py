"""A run, published: in the terminal, and to the files that were asked for. The same for a run that has just ended and
for one that is read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from rich.console import Console

from harness.cli.output import write_file
from harness.judging.run import Run
from reports.html.page import html_report
from reports.run.document import run_document
from reports.run.junit import junit_xml
from reports.run.markdown import markdown
from reports.run.sarif import sarif
from reports.run.summary import print_run

__all__ = ["publish", "publishing_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_WRITERS: Final[Mapping[str, tuple[str, Callable[[Run], str]]]] = {
    "html": ("one page with everything, for a browser", html_report),
    "json": ("the published JSON", lambda run: json.dumps(run_document(run), indent=2) + "\n"),
    "junit": ("JUnit's XML, for build servers", junit_xml),
    "markdown": ("a summary in Markdown, short enough for a comment", markdown),
    "sarif": ("SARIF, for what shows findings on their lines", sarif),
}
"""By the name of the option."""


def publishing_options(command: _Command) -> _Command:
    for name, (told, _) in reversed(list(_WRITERS.items())):
        kind = click.Path(dir_okay=False, path_type=Path)
        command = click.option(f"--{name}", f"{name}_file", type=kind, help=f"Write {told}, here.")(command)
    return command


def publish(run: Run, files: Mapping[str, Path | None], before: Run | None = None) -> None:
    """`files` are the values of the options, by their parameter's name. `before` is an earlier run: the page tells what
    is new since then."""
    print_run(run, Console(width=None if Console().is_terminal else 120))
    for name, (_, write) in _WRITERS.items():
        file = files[f"{name}_file"]
        if file is not None:
            write_file(file, html_report(run, before) if name == "html" else write(run))
