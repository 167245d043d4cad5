"""`diffharness runs`: list the runs that are kept, newest first."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table
from rich.text import Text

from harness.cli.support.console import make_console
from harness.cli.support.options import json_file_option
from harness.cli.support.output import surviving_closed_pipe, write_file
from harness.cli.support.project import read_project_configuration
from harness.cli.support.run_directory import latest_run, runs_newest_first
from harness.compare.ruling import Ruling
from harness.execute.journal import JournalError, read_header, read_run
from reports.visible import visible_line
from shared_nodes.record import record

__all__ = ["runs"]

_LONGEST: Final = 60
_SHOWN: Final = 20
_UNITS: Final = ("B", "kB", "MB", "GB")


@record
class _KeptRun:
    name: str
    is_latest: bool
    size_b: int
    started: str = ""
    what: str = ""
    engines: tuple[str, ...] = ()
    planned: int = 0
    rulings: tuple[tuple[Ruling, int], ...] = ()
    problem: str = ""
    """Why it cannot be read."""

    @property
    def is_complete(self) -> bool:
        return sum(count for _, count in self.rulings) >= self.planned

    @property
    def verdicts(self) -> str:
        if self.problem:
            return f"cannot be read: {self.problem}"
        counted = ", ".join(f"{count:,} {ruling}" for ruling, count in self.rulings) or "nothing was run"
        return counted if self.is_complete else f"{counted}; stopped, {self.planned:,} were planned"


@click.command()
@click.option(
    "--last", metavar="N", type=click.IntRange(min=1), default=_SHOWN, show_default=True, help="List the N newest runs."
)
@json_file_option
def runs(last: int, json_file: Path | None) -> None:
    """List the runs that are kept: name, time, what was run, verdicts, size.

    Commands that take a RUN accept the name.
    """
    configuration = read_project_configuration()
    directories = runs_newest_first(configuration)
    latest = latest_run(configuration)
    kept = [_read(directory, latest) for directory in directories[:last]]
    if json_file is not None:
        write_file(json_file, json.dumps([_to_json(each) for each in kept], indent=2) + "\n")
    with surviving_closed_pipe():
        if kept:
            make_console().print(_table(kept))
        else:
            click.echo("There is no run here yet: diffharness run PATH makes one.")
        if len(directories) > last:
            click.echo(f"and {len(directories) - last:,} older ones: --last {len(directories)} lists all")


def _read(directory: Path, latest: Path | None) -> _KeptRun:
    size_b = sum(file.stat().st_size for file in directory.rglob("*") if file.is_file())
    known = directory.name, directory.resolve() == latest, size_b
    try:
        header = read_header(directory)
        results = read_run([directory]).results
    except JournalError as problem:
        return _KeptRun(*known, problem=str(problem))
    found = [result.ruling for result in results]
    return _KeptRun(
        *known,
        started=header.facts.get("started", ""),
        what=_describe(header.facts.get("command", "")),
        engines=header.engines,
        planned=len(header.units),
        rulings=tuple((ruling, found.count(ruling)) for ruling in Ruling if ruling in found),
    )


def _describe(command: str) -> str:
    """Return what follows `diffharness run` in the command."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    return shlex.join(words[2:] if words[1:2] == ["run"] else words[1:])


def _table(kept: Sequence[_KeptRun]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("run", "started", "what", "verdicts", "size"):
        table.add_column(heading, no_wrap=heading in ("run", "started", "size"), overflow="fold")
    for each in kept:
        name = f"{each.name} (latest)" if each.is_latest else each.name
        started = each.started.replace("T", " ").removesuffix("+00:00")
        cells = (name, started, _cut(each.what), each.verdicts, _size_text(each.size_b))
        table.add_row(*(Text(visible_line(cell)) for cell in cells))
    return table


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _size_text(size_b: int) -> str:
    size = float(size_b)
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"


def _to_json(kept: _KeptRun) -> dict[str, Any]:
    return {
        "name": kept.name,
        "latest": kept.is_latest,
        "started": kept.started,
        "what": kept.what,
        "engines": list(kept.engines),
        "planned": kept.planned,
        "complete": kept.is_complete and not kept.problem,
        "rulings": {str(ruling): count for ruling, count in kept.rulings},
        "size_b": kept.size_b,
        **({"problem": kept.problem} if kept.problem else {}),
    }
