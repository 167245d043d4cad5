"""The temporary directory in which cases run: in memory if possible.

Every step gets a fresh copy of its configuration and every applied plan a directory, so even a small case creates and
removes about thirty. On a journaling file system each of them costs more than planning does.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from harness.owned_directory import OwnedDirectory

__all__ = ["memory_directory", "scratch_directory"]

_IN_MEMORY: Final = Path("/dev/shm")
_NEEDED_BYTES: Final = 1 << 30
"""Bytes that must be free. Containers often have a tiny /dev/shm."""


def memory_directory() -> Path | None:
    """Return a directory in memory in which commands of cases can run.

    None if there is no suitable one, or if the user has set TMPDIR.
    """
    return _IN_MEMORY if "TMPDIR" not in os.environ and _is_usable(_IN_MEMORY) else None


def scratch_directory() -> OwnedDirectory:
    return OwnedDirectory(memory_directory())


def _is_usable(directory: Path) -> bool:
    try:
        system = os.statvfs(directory)
    except OSError:
        return False
    has_room = system.f_bavail * system.f_frsize >= _NEEDED_BYTES
    return has_room and not system.f_flag & os.ST_NOEXEC and os.access(directory, os.W_OK | os.X_OK)
