"""A directory in memory that can be written any number of times.

Every step of every run gets a fresh copy of its configuration, and reading the same few files each time would take
longer than writing them.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NoReturn

from shared_nodes.record import record

__all__ = ["DirectorySnapshot"]


@record
class DirectorySnapshot:
    """Paths are relative to the directory. Links are followed: `harness.case.containment.require_contained`
    has checked them."""

    directories: tuple[str, ...]
    """Each after its parent."""

    files: tuple[tuple[str, bytes, int], ...]
    """With content and mode: scripts stay executable."""

    @staticmethod
    def of(directory: Path) -> DirectorySnapshot:
        """Read a directory. Raises OSError for anything that cannot be read."""
        directories: list[str] = []
        files: list[tuple[str, bytes, int]] = []
        for place, below, names in os.walk(directory, onerror=_fail):
            relative = os.path.relpath(place, directory)
            directories.extend(os.path.normpath(os.path.join(relative, name)) for name in sorted(below))
            for name in sorted(names):
                file = Path(place, name)
                mode = stat.S_IMODE(file.stat().st_mode)
                files.append((os.path.normpath(os.path.join(relative, name)), file.read_bytes(), mode))
        return DirectorySnapshot(tuple(directories), tuple(files))

    def write_to(self, place: Path) -> Path:
        """Write the content as a new directory."""
        place.mkdir(parents=True)
        for name in self.directories:
            os.mkdir(os.path.join(place, name))
        for name, content, mode in self.files:
            file = place / name
            file.write_bytes(content)
            file.chmod(mode)
        return place


def _fail(problem: OSError) -> NoReturn:
    raise problem
