"""Walks directories that may come from anywhere: no link is followed, and no depth ends the program.

`os.walk` and `Path.rglob` call themselves for each level, and fail on a path that is longer than the operating system
allows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["DEEPEST", "is_hidden", "walk"]

DEEPEST: Final = 50
"""How many levels of directories below the first are visited."""


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def walk(
    top: Path,
    is_left_out: Callable[[str], bool] = lambda _name: False,
    deepest: int = DEEPEST,
    is_foreign: Callable[[Collection[str]], bool] = lambda _others: False,
) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Yield each directory with the names of its directories and of everything else, links among them. Directories
    whose name is left out are not visited, nor are those that cannot be read, nor those below the first whose files
    say that they are foreign."""
    pending = [(top, 0)]
    while pending:
        place, depth = pending.pop()
        directories: list[str] = []
        others: list[str] = []
        with suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                (directories if entry.is_dir(follow_symlinks=False) else others).append(entry.name)
        if place is not top and is_foreign(others):
            continue
        directories = sorted(name for name in directories if not is_left_out(name))
        yield place, directories, sorted(others)
        if depth < deepest:
            pending.extend((place / name, depth + 1) for name in reversed(directories))
