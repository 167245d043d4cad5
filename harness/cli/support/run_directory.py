"""Where runs are kept, and how they are named.

Without `--out`, each run gets its own directory in `.diffharness/runs` below the current directory, named after its
start time; the link `latest` points to the newest. Commands that take a run accept its path, or its name in that
directory.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import click

from harness.configuration import Configuration
from harness.execute.journal import RUN_FILE, JournalError

__all__ = [
    "LATEST",
    "REPORT_FILE",
    "RUNS",
    "find_run",
    "latest_run",
    "new_directory",
    "point_latest",
    "runs_newest_first",
]

RUNS: Final = Path(".diffharness", "runs")
LATEST: Final = "latest"
REPORT_FILE: Final = "report.html"
"""The HTML page of a run, unless `--html` names another file. It is derived from the other files and never read."""


def _runs_directory(configuration: Configuration) -> Path:
    return configuration.out or RUNS


def new_directory(configuration: Configuration, now: datetime) -> Path:
    """Return the path of a directory that does not exist yet. The default location gets a .gitignore."""
    root = _runs_directory(configuration)
    try:
        if root == RUNS:
            _require_here(root)
        root.mkdir(parents=True, exist_ok=True)
        if root == RUNS:
            _ignore_in_git(root.parent)
    except OSError as problem:
        raise JournalError(f"cannot keep runs in {root}: {problem.strerror}; choose --out") from problem
    name = now.strftime("%Y%m%d-%H%M%S")
    count = 1
    while (directory := root / (name if count == 1 else f"{name}-{count}")).exists():
        count += 1
    return directory


def _require_here(root: Path) -> None:
    """Raise JournalError for a link: the directory may have come with a repository of a stranger."""
    place = Path(os.path.realpath(root))
    if not place.is_relative_to(os.path.realpath(os.curdir)):
        raise JournalError(f"{root} leads to {place}, which is not below the current directory; choose --out")


def _ignore_in_git(directory: Path) -> None:
    """Write the file, unless there is one: it could be a link to any file."""
    with suppress(FileExistsError), (directory / ".gitignore").open("x", encoding="ascii") as file:
        file.write("*\n")


def point_latest(directory: Path) -> None:
    """Replace the link atomically, so that it always points to a run."""
    temporary = directory.with_name(f".{LATEST}.{os.getpid()}")
    temporary.symlink_to(directory.name)
    temporary.replace(directory.with_name(LATEST))


def latest_run(configuration: Configuration) -> Path | None:
    """Return the real directory, because the link will soon point to another run. None before the first run."""
    directory = _runs_directory(configuration) / LATEST
    return directory.resolve() if (directory / RUN_FILE).is_file() else None


def runs_newest_first(configuration: Configuration) -> list[Path]:
    """Return the directories of all runs that are kept in the usual place, by the time at which they began."""
    try:
        places = [place for place in _runs_directory(configuration).iterdir() if not place.is_symlink()]
    except OSError:
        return []
    runs = [place for place in places if (place / RUN_FILE).is_file()]
    return sorted(runs, key=lambda place: ((place / RUN_FILE).stat().st_mtime_ns, place.name), reverse=True)


def find_run(configuration: Configuration, text: str) -> Path:
    """Find a run by its path, or by its name in the directory of runs."""
    for directory in (Path(text), _runs_directory(configuration) / text):
        if (directory / RUN_FILE).is_file():
            return directory
    raise click.UsageError(f"there is no run {text}, neither at that path nor in {_runs_directory(configuration)}")
