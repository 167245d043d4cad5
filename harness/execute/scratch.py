"""Where cases are played: a directory in memory, where the machine has one.

Every step gets a fresh copy of its configuration, and every plan that is applied a directory, so a small case makes and
removes some thirty of them. On a disk with a journal each costs more than planning does.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

__all__ = ["memory_directory", "scratch_directory"]

_IN_MEMORY: Final = Path("/dev/shm")
_ENOUGH: Final = 1 << 30
"""Bytes. Containers are often given a tiny one."""


def memory_directory() -> Path | None:
    """None where there is none that will do, or where the user has said where temporary files belong. Commands of cases
    must be able to run there."""
    return _IN_MEMORY if "TMPDIR" not in os.environ and _is_good(_IN_MEMORY) else None


def scratch_directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="diffharness-", dir=memory_directory(), ignore_cleanup_errors=True)


def _is_good(directory: Path) -> bool:
    try:
        system = os.statvfs(directory)
    except OSError:
        return False
    has_room = system.f_bavail * system.f_frsize >= _ENOUGH
    return has_room and not system.f_flag & os.ST_NOEXEC and os.access(directory, os.W_OK | os.X_OK)
