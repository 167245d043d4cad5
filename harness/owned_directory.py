"""Temporary directories that do not outlive the process that has made them, even if it is killed.

A directory is locked as long as its process lives. One that is not locked belongs to a process that was killed: the
next process that needs a directory in the same place removes it, or it would fill the memory for ever. The directory
itself is locked, and no file in it, so that there is no moment at which a killed process leaves one without a mark: not
while it is made, and not while it is removed.
"""

from __future__ import annotations

import fcntl
import multiprocessing.util
import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final

__all__ = ["OwnedDirectory", "keep_sockets"]

_PREFIX: Final = "dhown-"
"""Only such directories have it, because others would be removed. It is short, because sockets are in them."""


_AFTER_MULTIPROCESSING: Final = -200
"""Its own directory is removed with the priority -100."""


class OwnedDirectory:
    """A temporary directory with an owner, in the usual place or another one. `with` yields its name."""

    def __init__(self, place: Path | None = None) -> None:
        self.name, owner = _make(place or Path(tempfile.gettempdir()))
        self._remove: Final = weakref.finalize(self, _remove, self.name, owner)

    def cleanup(self) -> None:
        self._remove()

    def __enter__(self) -> str:
        return self.name

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None, /
    ) -> None:
        self.cleanup()


@cache
def keep_sockets() -> None:
    """Let multiprocessing keep its sockets in such a directory, which lives as long as this process. It makes its own
    one only once, so that this must come before anything that needs it."""
    name, owner = _make(Path(tempfile.gettempdir()))
    multiprocessing.util.Finalize(None, _remove, (name, owner), exitpriority=_AFTER_MULTIPROCESSING)
    before, tempfile.tempdir = tempfile.tempdir, name
    try:
        multiprocessing.util.get_temp_dir()
    finally:
        tempfile.tempdir = before


def _make(place: Path) -> tuple[str, int | None]:
    """Return the path of a new directory, and the descriptor that holds its lock."""
    _remove_abandoned(place)
    while True:
        directory = tempfile.mkdtemp(prefix=_PREFIX, dir=place)
        try:
            return directory, _lock(Path(directory))
        except (BlockingIOError, FileNotFoundError):
            # Another process found it before it was locked, and is removing it.
            continue


def _remove(directory: str, owner: int | None) -> None:
    shutil.rmtree(directory, ignore_errors=True)
    if owner is not None:
        os.close(owner)


def _lock(directory: Path) -> int | None:
    """Return a descriptor that holds the lock; None if the file system has no locks for directories, and so nothing
    there is ever taken for abandoned."""
    descriptor = _open(directory)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        directory.lstat()
    except (BlockingIOError, FileNotFoundError):
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


@cache
def _remove_abandoned(place: Path) -> None:
    """Remove the directories of processes that are gone. Once is enough for a process."""
    for directory in place.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if directory.lstat().st_uid == os.getuid():
                _remove_unless_locked(directory)


def _remove_unless_locked(directory: Path) -> None:
    """Remove a directory whose owner is gone. Raises OSError if it is not, or if this is no directory."""
    descriptor = _open(directory)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(directory, ignore_errors=True)
    finally:
        os.close(descriptor)


def _open(directory: Path) -> int:
    return os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
