"""Directories that diffharness itself has written: runs, replays and reproductions.

People keep them where they work, which is often inside of the configuration. There they are no part of it: a copy of
the configuration would contain all earlier copies, grow with every step of a replay, and change what `fileset` finds.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Final

__all__ = ["REPLAY_MARK", "is_output", "is_output_directory"]

REPLAY_MARK: Final = ".diffharness-replay"
"""An empty file that says what the directory is."""

_OUTPUTS: Final = (frozenset(("journal.jsonl",)), frozenset((REPLAY_MARK,)), frozenset(("commands.sh", "report.md")))
"""The files of a run, of a replay and of a reproduction."""


def is_output(names: Collection[str]) -> bool:
    """Return whether a directory with these names in it was written by diffharness."""
    return any(files.issubset(names) for files in _OUTPUTS)


def is_output_directory(directory: str | Path) -> bool:
    return any(all(os.path.lexists(os.path.join(directory, name)) for name in files) for files in _OUTPUTS)
