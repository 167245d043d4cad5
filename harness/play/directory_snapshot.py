"""A directory in memory that can be written any number of times.

Every step of every run gets a fresh copy of its configuration, and reading the same few files each time would take
longer than writing them.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NoReturn

from harness.case.containment import is_kept
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = ["DirectorySnapshot"]


@record
class DirectorySnapshot:
    """Paths are relative to the directory. Links are followed, as far as they do not lead out of the case.
    `harness.case.containment.require_contained` has checked that, but files may have been exchanged since then."""

    directories: tuple[str, ...]
    """Each after its parent."""

    files: tuple[tuple[str, bytes, int], ...]
    """With content and mode: scripts stay executable."""

    @staticmethod
    def of(directory: Path, root: Path) -> DirectorySnapshot:
        """Read a directory of the case at the root. Raises OSError for anything that cannot be read, and for what is no
        file of the case."""
        contained = Files(directory, root=root)
        directories: list[str] = []
        files: list[tuple[str, bytes, int]] = []
        for place, below, names in os.walk(directory, onerror=_fail):
            below[:] = [name for name in below if not is_kept(name)]
            relative = os.path.relpath(place, directory)
            directories.extend(os.path.normpath(os.path.join(relative, name)) for name in sorted(below))
            for name in sorted(names):
                file = os.path.normpath(os.path.join(relative, name))
                files.append((file, contained.read_bytes(file), stat.S_IMODE(contained.status(file).st_mode)))
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
