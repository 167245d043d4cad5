"""Publishing a run: in the terminal, and to the files the user asked for.

A run that has just ended and one that is read back are published the same way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from harness.cli.support.console import make_console
from harness.cli.support.migration import render_migration
from harness.cli.support.options import add_options
from harness.cli.support.output import DocumentPath, surviving_closed_pipe, write_file
from harness.cli.support.provenance import repository_here
from harness.findings.run import Run
from harness.findings.run_comparison import compare_runs
from reports.html.detail import Reproduce
from reports.html.page import html_report
from reports.run.comparison import comparison_lines
from reports.run.document import run_document
from reports.run.harness_quality import UNKNOWN, HarnessQuality
from reports.run.junit import junit_xml
from reports.run.markdown import markdown
from reports.run.sarif import sarif
from reports.run.summary import print_run
from shared_nodes.record import record

__all__ = ["ReportFiles", "SummaryOptions", "document_options", "publish", "publishing_options", "write_documents"]

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

_MIGRATION: Final = "migration"
"""The one format that needs a place: what it says depends on the files beside it."""


@record
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
        """Collect the options of a command. One that it does not have is not wanted."""
        return ReportFiles(**{field.name: values.get(field.name) for field in fields(ReportFiles)})


@record
class SummaryOptions:
    """What the terminal shows of a run."""

    quiet: bool = False
    durations: int | None = None
    """The number of slowest cases; 0 for all."""

    @staticmethod
    def from_click(values: Mapping[str, Any]) -> SummaryOptions:
        return SummaryOptions(**{field.name: values[field.name] for field in fields(SummaryOptions)})


_EVERYTHING: Final = SummaryOptions()


def document_options(*names: str) -> Callable[[_Command], _Command]:
    """Add the options that write these formats."""
    plain = click.Path(dir_okay=False, path_type=Path)
    options = [
        click.option(
            f"--{name}",
            f"{name}_file",
            metavar="FILE",
            type=plain if name == _MIGRATION else DocumentPath(),
            help=f"Write {_DESCRIPTIONS[name]}.",
        )
        for name in names
    ]
    return lambda command: add_options(command, options)


def publishing_options(command: _Command) -> _Command:
    summary = [
        click.option("-q", "--quiet", is_flag=True, help="Print only what is wrong, and the last line."),
        click.option(
            "--durations",
            metavar="N",
            type=click.IntRange(min=0),
            help="Print the N slowest cases; 0 for all of them.",
        ),
    ]
    return document_options(*_DESCRIPTIONS)(add_options(command, summary))


def publish(
    run: Run,
    files: ReportFiles,
    against: Run | None = None,
    *,
    previous: Run | None = None,
    health: HarnessQuality = UNKNOWN,
    summary: SummaryOptions = _EVERYTHING,
    reproduce: Reproduce | None = None,
) -> None:
    """Write the files of a run, and print it. `against` is an earlier run the user named: every format reports what
    changed since then. `previous` is the run that happened to precede this one: only the HTML page mentions it, because
    documents for programs must not depend on which other runs exist. `reproduce` returns, for the page, what reproduces
    a case.

    Files come first, because printing may end early. If a file cannot be written, the run is printed all the same."""
    since = None if against is None else compare_runs(against, run)
    writing = _after_writing(run, files, against, previous=previous, health=health, reproduce=reproduce)
    with writing, surviving_closed_pipe():
        print_run(run, make_console(), is_quiet=summary.quiet, slowest=summary.durations)
        if since is not None:
            click.echo("\n" + "\n".join(comparison_lines(since)))


def write_documents(run: Run, files: ReportFiles) -> None:
    """Write the files of a run. If one cannot be written, the others are all the same."""
    with _after_writing(run, files):
        pass


@contextmanager
def _after_writing(
    run: Run,
    files: ReportFiles,
    against: Run | None = None,
    *,
    previous: Run | None = None,
    health: HarnessQuality = UNKNOWN,
    reproduce: Reproduce | None = None,
) -> Iterator[None]:
    """Write all files before the block, and raise afterwards if one could not be written."""
    since = None if against is None else compare_runs(against, run)
    writers: tuple[tuple[Path | None, Callable[[], str]], ...] = (
        (files.html_file, lambda: html_report(run, against or previous, health, reproduce)),
        (files.json_file, lambda: json.dumps(run_document(run, since), indent=2) + "\n"),
        (files.junit_file, lambda: junit_xml(run, since)),
        (files.markdown_file, lambda: markdown(run, since=since)),
        (files.migration_file, lambda: render_migration(run, files.migration_file or Path())),
        (files.sarif_file, lambda: sarif(run, against, str(repository_here()), str(Path.cwd()))),
    )
    problems: list[click.ClickException] = []
    for file, render in writers:
        try:
            if file is not None:
                write_file(file, render())
        except click.ClickException as problem:
            problems.append(problem)
    yield
    if problems:
        raise problems[0]
