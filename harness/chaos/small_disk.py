"""A disk with little room: a small file system in memory or, where mounting is not allowed, a pretended one.

On a pretended disk, writing to a directory fails as if its disk were full. Only the calls by which a state is saved are
affected: `os.write` and `os.posix_fallocate`. What is written is what fits, as the operating system does it.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

__all__ = ["SmallDisk", "mounted_disk"]


@contextmanager
def mounted_disk(directory: Path, capacity: int) -> Iterator[bool]:
    """Mount a disk of this many bytes on a directory, and say whether that was allowed."""
    options = f"size={capacity},mode=700"
    mount = ["mount", "-t", "tmpfs", "-o", options, "diffharness-chaos", str(directory)]
    is_mounted = os.geteuid() == 0 and _succeeds(mount)
    try:
        yield is_mounted
    finally:
        if is_mounted:
            _succeeds(["umount", "--lazy", str(directory)])


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


class SmallDisk:
    """The room of a directory. `write` and `allocate` take the place of the two calls of `os`."""

    __slots__ = ("_allocate", "_allocated", "_directory", "_write", "capacity")

    def __init__(self, directory: Path, capacity: int) -> None:
        self._directory = directory.resolve()
        self.capacity = capacity
        self._allocated: dict[int, int] = {}
        self._write = os.write
        self._allocate = os.posix_fallocate

    def install(self) -> None:
        """Put the disk in force for the rest of this process."""
        patch.multiple(os, write=self.write, posix_fallocate=self.allocate).start()

    def write(self, descriptor: int, content: bytes) -> int:
        if not self._holds(descriptor):
            return self._write(descriptor, content)
        room = self._room()
        if room <= 0 < len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self._write(descriptor, content[:room])

    def allocate(self, descriptor: int, offset: int, length: int) -> None:
        if length > self._room():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._allocate(descriptor, offset, length)
        self._allocated[descriptor] = os.fstat(descriptor).st_ino

    def _holds(self, descriptor: int) -> bool:
        return Path(os.readlink(f"/proc/self/fd/{descriptor}")).is_relative_to(self._directory)

    def _room(self) -> int:
        files = sum(file.lstat().st_size for file in self._directory.rglob("*") if file.is_file())
        return self.capacity - files - sum(map(_size, self._allocated.items()))


def _size(allocated: tuple[int, int]) -> int:
    """Return the size of a file without a name that is still open. Its descriptor may have been given to another."""
    descriptor, inode = allocated
    try:
        found = os.fstat(descriptor)
    except OSError:
        return 0
    return found.st_size if found.st_ino == inode else 0
