"""`diffharness causes`: what is wrong in a run, and the entries of known.yaml that document it.

Everything is read from the directory of the run; nothing is run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from harness.cli.support.completions import complete_runs
from harness.cli.support.options import json_file_option, judging_option
from harness.cli.support.output import write_file
from harness.cli.support.project import read_known_divergences, read_project_configuration
from harness.cli.support.run_directory import find_run
from harness.execute.journal import JournalError, read_run
from harness.findings.cause_entry import DocumentedCause, Examination, KnownList, document_cause
from harness.findings.causes import Cause
from harness.findings.judging import judge_again
from harness.findings.known_divergences import DivergenceClass, KnownDivergences, KnownError
from harness.findings.run import Run
from reports.run.causes import cause_screen, cause_table
from reports.run.document import cause_document
from reports.visible import visible
from shared_nodes.record import record

__all__ = ["causes"]

_WIDTH: Final = 160
"""The width of a table that is not shown in a terminal."""


@record
class _Entry:
    """The options that describe a new entry. Empty if not given."""

    name: str
    category: str
    title: str
    reason: str
    link: str
    file: Path | None

    @staticmethod
    def from_click(values: Mapping[str, Any]) -> _Entry:
        return _Entry(**{**values, "category": values["category"] or ""})

    @property
    def is_given(self) -> bool:
        return any((self.name, self.category, self.title, self.reason, self.link, self.file))


@click.command()
@click.argument("run", metavar="RUN", shell_complete=complete_runs)
@click.argument("cause", metavar="[CAUSE]", default="")
@judging_option
@json_file_option
@click.option("--write", "file", type=click.Path(dir_okay=False, path_type=Path), help="List to add an entry to.")
@click.option("--name", default="", help="Id of the new entry.")
@click.option(
    "--class", "category", type=click.Choice([str(each) for each in DivergenceClass]), help="Class of the new entry."
)
@click.option("--title", default="", help="Title of the cause in reports.  [default: the reason]")
@click.option("--reason", default="", help="What was found out about it.  [default: the title that was found]")
@click.option("--link", default="", help="Where it is discussed.")
def causes(run: str, cause: str, known: Path | None, json_file: Path | None, **values: Any) -> None:
    """List the causes of a RUN: what is wrong behind the cases that differ. With a CAUSE, given by the beginning of its
    id, show it in full. With --write, --name and --class, document it: the entry takes away the findings of that cause
    and nothing else, and the run can be judged by it with diffharness report RUN --known FILE.
    """
    entry = _Entry.from_click(values)
    if entry.is_given and not (cause and entry.name and entry.category and entry.file):
        raise click.UsageError("a new entry needs a CAUSE, --name, --class and --write")
    judged, others = _judged(run, known, entry.file)
    chosen = (_find_cause(judged, cause),) if cause else judged.causes
    if json_file is not None:
        write_file(json_file, json.dumps([cause_document(each) for each in chosen], indent=2) + "\n")
    if entry.file is not None:
        _write_entry(judged, chosen[0], entry, entry.file, others)
    elif cause:
        click.echo(cause_screen(judged, chosen[0]))
    else:
        console = Console(width=None if Console().is_terminal else _WIDTH)
        console.print(cause_table(chosen))


def _judged(run: str, known: Path | None, file: Path | None) -> tuple[Run, KnownDivergences]:
    """Return the run as judged by `known`, or by the list that an entry is to be added to, or as it was; and the
    entries that hold beside that list."""
    try:
        found = read_run([find_run(read_project_configuration(), run)])
    except JournalError as problem:
        raise click.ClickException(str(problem)) from problem
    others = KnownDivergences() if known is None else read_known_divergences(known)
    if known is not None:
        return judge_again(found, others), others if known.resolve() != (
            file or known
        ).resolve() else KnownDivergences()
    if file is not None and file.exists():
        return judge_again(found, read_known_divergences(file)), others
    return found, others


def _find_cause(run: Run, text: str) -> Cause:
    """Return the cause with this id, or the only one whose id begins so."""
    found = [cause for cause in run.causes if cause.identifier.startswith(text)]
    exact = [cause for cause in found if cause.identifier == text]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        raise click.UsageError(f"several causes begin with {text}: {', '.join(each.identifier for each in found)}")
    raise click.UsageError(f"there is no cause {text} in this run; diffharness causes RUN lists them")


def _write_entry(run: Run, cause: Cause, entry: _Entry, file: Path, others: KnownDivergences) -> None:
    if cause.known:
        raise click.UsageError(f"{cause.identifier} is documented already, by the entry of that name")
    path, changes = _shown_by(run, cause, file)
    examination = Examination(
        entry.name, entry.category, entry.reason or cause.title, path, entry.title, entry.link, changes
    )
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        documented = document_cause(run, cause, examination, KnownList(file, text, others))
    except (OSError, UnicodeDecodeError) as problem:
        raise click.ClickException(f"{file}: cannot be read: {problem}") from problem
    except KnownError as problem:
        raise click.ClickException(str(problem)) from problem
    write_file(file, documented.text)
    click.echo(visible(documented.entry))
    click.echo(_describe(documented, file))


def _shown_by(run: Run, cause: Cause, file: Path) -> tuple[str, tuple[str, ...]]:
    """Return the path of the smallest case, from the file, and the changes that were adopted there. A case under
    another flavour than its own is only named if there is no other: an entry cannot name the flavour."""
    shown = [result for result in run.results if result.identifier in cause.cases]
    result = min(shown, key=lambda each: ("@" in each.identifier, len(each.evidence), each.identifier))
    place = Path(result.path).absolute()
    if not place.exists():
        raise click.ClickException(
            f"an entry names a case that shows it, and {result.identifier} is not at {result.path} any more: use the "
            "directory in which the run was started, or save the case there"
        )
    return Path(os.path.relpath(place, file.absolute().parent)).as_posix(), result.changes


def _describe(documented: DocumentedCause, file: Path) -> str:
    findings, cases = _count(len(documented.places), "finding"), _count(len(documented.cases), "case")
    return f"Added to {file}: it takes away {findings} in {cases}, none of another cause."


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"
