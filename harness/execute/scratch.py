"""The temporary directory in which cases run: in memory if possible.

Every step gets a fresh copy of its configuration and every applied plan a directory, so even a small case creates and
removes about thirty. On a journaling file system each of them costs more than planning does.

A directory is locked as long as the process lives that has made it. One that is not locked belongs to a process that
was killed: the next process that needs a directory in the same place removes it, or it would fill the memory for ever.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["ScratchDirectory", "memory_directory", "scratch_directory"]

_IN_MEMORY: Final = Path("/dev/shm")
_NEEDED_BYTES: Final = 1 << 30
"""Bytes that must be free. Containers often have a tiny /dev/shm."""

_PREFIX: Final = "diffharness-"
_OWNER: Final = ".owner"
"""The file that is locked by the process that has made the directory."""


class ScratchDirectory(tempfile.TemporaryDirectory[str]):
    """A temporary directory with an owner."""

    def __init__(self) -> None:
        place = memory_directory() or Path(tempfile.gettempdir())
        _remove_abandoned(place)
        super().__init__(prefix=_PREFIX, dir=place, ignore_cleanup_errors=True)
        self._owner = _lock(Path(self.name))

    def cleanup(self) -> None:
        super().cleanup()
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None


def memory_directory() -> Path | None:
    """Return a directory in memory in which commands of cases can run.

    None if there is no suitable one, or if the user has set TMPDIR.
    """
    return _IN_MEMORY if "TMPDIR" not in os.environ and _is_usable(_IN_MEMORY) else None


def scratch_directory() -> ScratchDirectory:
    return ScratchDirectory()


def _is_usable(directory: Path) -> bool:
    try:
        system = os.statvfs(directory)
    except OSError:
        return False
    has_room = system.f_bavail * system.f_frsize >= _NEEDED_BYTES
    return has_room and not system.f_flag & os.ST_NOEXEC and os.access(directory, os.W_OK | os.X_OK)


def _lock(directory: Path) -> int | None:
    """Return a descriptor that holds the lock; None if the file system has no locks. The file gets its name when it is
    locked, so that no other process sees it unlocked."""
    unnamed = directory / f"{_OWNER}.new"
    descriptor = os.open(unnamed, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    unnamed.rename(directory / _OWNER)
    return descriptor


@cache
def _remove_abandoned(place: Path) -> None:
    """Remove the directories of processes that are gone. Once is enough for a process."""
    for owner in place.glob(f"{_PREFIX}*/{_OWNER}"):
        with suppress(OSError):
            if owner.parent.lstat().st_uid == os.getuid() and not owner.parent.is_symlink():
                _remove_unless_locked(owner)


def _remove_unless_locked(owner: Path) -> None:
    """Remove a directory whose owner is gone. Raises OSError if it is not."""
    descriptor = os.open(owner, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(owner.parent, ignore_errors=True)
    finally:
        os.close(descriptor)
