"""Replaces a file completely or not at all, and never makes it readable by more users than before.

The new content is written to a temporary file in the same directory, synced to disk and renamed, so a reader sees the
old content or the new one, never a part. The temporary file is always created: whatever has its name before, left by a
killed run or put there as a link by another user, is removed and never opened.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

__all__ = ["create_file", "file_mode", "require_regular", "write_atomically", "write_whole"]

_CHUNK: Final = 1 << 20
"""In characters: a large state is encoded in pieces of this size, because encoding it as a whole would double its
memory."""

_NEW_FILE: Final = 0o666
"""Reduced by the umask, as for any file that a user creates."""


def file_mode(path: Path) -> int | None:
    """Return the permissions of a file; None if there is no such file."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def require_regular(path: Path) -> None:
    """Raise OSError if the path leads to anything but a regular file: opening a pipe would wait for ever. A file that
    does not exist is fine."""
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(kind):
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def create_file(path: Path, flags: int, mode: int) -> int:
    """Create a file and return its descriptor. What has the name already is removed, and never followed."""
    path.unlink(missing_ok=True)
    return os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)


def write_atomically(path: Path, text: tuple[str, ...], mode: int | None) -> None:
    """Replace a file, even if the machine crashes: first the content must be on disk, then the name. `mode` are its
    permissions; None for those of a new file."""
    temporary = path.with_name(f".{path.name}.new")
    descriptor = create_file(temporary, os.O_WRONLY, _NEW_FILE if mode is None else mode)
    try:
        try:
            if mode is not None:
                os.fchmod(descriptor, mode)
            for piece in text:
                for at in range(0, len(piece), _CHUNK):
                    write_whole(descriptor, piece[at : at + _CHUNK].encode("utf-8", "surrogateescape"))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, path)
    except OSError as failure:
        temporary.unlink(missing_ok=True)
        failure.filename = failure.filename or str(path)
        raise
    _sync_directory(path.parent)


def write_whole(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _sync_directory(path: Path) -> None:
    directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
