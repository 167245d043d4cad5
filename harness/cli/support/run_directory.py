"""Where runs are kept, and what they are called there.

Without `--out` that is `.diffharness/runs` in the current directory, a directory a run, named by the time it was
started; `latest` leads to the newest. Commands that take a run take its path, or its name there.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Final

import click

from harness.configuration import Configuration
from harness.execute.journal import RUN_FILE, JournalError

__all__ = ["REPORT_FILE", "RUNS", "find_run", "latest_run", "new_directory", "point_latest"]

RUNS: Final = Path(".diffharness", "runs")
LATEST: Final = "latest"
REPORT_FILE: Final = "report.html"
"""Of a run, unless it is wanted elsewhere. Made of the other files, and read by none of ours."""


def _root(configuration: Configuration) -> Path:
    return configuration.out or RUNS


def new_directory(configuration: Configuration, now: datetime) -> Path:
    """Not there yet. Version control is told to keep its hands off what is in our own place."""
    root = _root(configuration)
    try:
        root.mkdir(parents=True, exist_ok=True)
        if root == RUNS:
            (root.parent / ".gitignore").write_text("*\n", encoding="ascii")
    except OSError as problem:
        raise JournalError(f"cannot keep runs in {root}: {problem.strerror}; choose --out") from problem
    name = now.strftime("%Y%m%d-%H%M%S")
    count = 1
    while (directory := root / (name if count == 1 else f"{name}-{count}")).exists():
        count += 1
    return directory


def point_latest(directory: Path) -> None:
    """Replaced as a whole: whoever follows it meanwhile gets the one before."""
    temporary = directory.with_name(f".{LATEST}.{os.getpid()}")
    temporary.symlink_to(directory.name)
    temporary.replace(directory.with_name(LATEST))


def latest_run(configuration: Configuration) -> Path | None:
    """The directory itself, since the name will soon lead to another; None before the first run."""
    directory = _root(configuration) / LATEST
    return directory.resolve() if (directory / RUN_FILE).is_file() else None


def find_run(configuration: Configuration, text: str) -> Path:
    """By path, or by name among the runs kept here."""
    for directory in (Path(text), _root(configuration) / text):
        if (directory / RUN_FILE).is_file():
            return directory
    raise click.UsageError(f"there is no run {text}, neither at that path nor in {_root(configuration)}")
