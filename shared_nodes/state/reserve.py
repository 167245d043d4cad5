"""Disk space that is set aside while an apply runs, so that its outcome can be saved when the disk is full.

The space belongs to a file without a name, so that it is free again when the process ends, however that happens.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import IO, Final

__all__ = ["Reserve"]

_LEAST: Final = 32 * 1024
"""In bytes: room for what runs when the disk turns out to be full."""

_UNSUPPORTED: Final = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)
"""What a file system answers that cannot set space aside. An apply on it has no reserve, and begins all the same."""


class Reserve:
    """Space in the directory of a state file. Creating and growing it raises OSError if there is not enough."""

    __slots__ = ("_file", "_size")

    def __init__(self, directory: Path, needed: int) -> None:
        import tempfile

        self._size = 0
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=directory, buffering=0)  # noqa: SIM115  # open until released
        try:
            self.grow(needed)
        except OSError:
            self.release()
            raise

    def grow(self, needed: int) -> None:
        """Make room for at least `needed` bytes and a little more. It grows in large steps, so that most calls do
        nothing."""
        if needed + _LEAST <= self._size:
            return
        size = needed + needed // 4 + 2 * _LEAST
        try:
            os.posix_fallocate(self._file.fileno(), self._size, size - self._size)
        except OSError as failure:
            if failure.errno not in _UNSUPPORTED:
                raise
        self._size = size

    def release(self) -> None:
        """Give the space back. Releasing it twice does nothing."""
        self._file.close()
