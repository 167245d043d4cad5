"""Processes that end with the one that needs them, whatever they wait in, and whatever they have started.

On Linux the kernel does it: a process is killed when its parent ends, and what a process has left behind becomes a
child of the nearest ancestor that asks for it, even if it has made itself a session of its own. Elsewhere a pipe that
is closed says that the parent has ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Final

__all__ = ["adopt_orphans", "end_children", "end_with_parent", "killed_with_parent"]

_SET_DEATH_SIGNAL: Final = 1
_SET_CHILD_SUBREAPER: Final = 36
_ENDING_S: Final = 5.0
"""How long processes that start others faster than they are killed are fought."""


def killed_with_parent(parent: int) -> bool:
    """Have this process killed when its parent ends. Return whether the operating system can do that. `parent` is the
    process that has started this one: it may be gone already."""
    if not _control(_SET_DEATH_SIGNAL, signal.SIGKILL):
        return False
    if os.getppid() != parent:
        os._exit(1)
    return True


def end_with_parent() -> None:
    """End this worker of multiprocessing when the process that it works for ends: then a pipe is closed. The parent in
    the sense of the operating system is the server that has forked the worker, and that one outlives its workers."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=[parent.sentinel], daemon=True).start()


def _end_after(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def adopt_orphans() -> bool:
    """Become the parent of all descendants that lose theirs. Return whether the operating system can do that."""
    return _control(_SET_CHILD_SUBREAPER, 1)


def end_children() -> None:
    """Kill all children of this process. If it adopts orphans, their children follow, and so on until none is left."""
    deadline_s = time.monotonic() + _ENDING_S
    while (children := _children()) and time.monotonic() < deadline_s:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        time.sleep(0.005)


def _children() -> list[int]:
    """Return the children of this process, as far as the operating system lists them."""
    found: list[int] = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            parent = status.read_text(errors="replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                found.append(int(status.parent.name))
    return found


def _control(operation: int, argument: int) -> bool:
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None).prctl(operation, argument, 0, 0, 0) == 0)
