"""The guard of a process: a small program that ends the commands of the process if that is killed.

A process that is killed by SIGKILL, or leaves at once after a second interrupt, cannot end what it has started. So it
starts this program before its first command, and writes to its standard input which commands run: `+N` before a command
starts and `-N` when it has ended, where N is the inode of a pipe that the command inherits as its mark. When standard
input ends, the process is gone, and every process that still holds one of the pipes is killed, with its whole group and
all of its descendants.

The pipe is known before the command starts, so no command can slip through, and it is inherited by everything that the
command starts. Process identifiers would be known too late, and could be in use again. Reading /proc is Linux only: on
other systems the guard finds nothing to end.

The module imports next to nothing, because it is a program of its own that must start quickly.
"""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["end_holders", "main"]

_ROUNDS = 20
"""A process may start another one while the list of processes is read, so it is read until nothing is left."""


def main() -> None:
    marks: set[str] = set()
    for line in sys.stdin:
        if line.startswith("+"):
            marks.add(line[1:-1])
        else:
            marks.discard(line[1:-1])
    end_holders(marks)


def end_holders(marks: set[str]) -> None:
    """Kill every process that holds one of the pipes, with its process group and its descendants: these may have closed
    all files. They are looked for first, because nothing leads to them once their parents are gone."""
    wanted = {f"pipe:[{inode}]" for inode in marks}
    for _ in range(_ROUNDS if marks else 0):
        holders = [pid for pid in _processes() if wanted & _open_files(pid)]
        if not holders:
            return
        for pid in _with_descendants(holders):
            _kill(pid)


def _with_descendants(ancestors: list[int]) -> list[int]:
    children: dict[int, list[int]] = {}
    for pid in _processes():
        children.setdefault(_parent(pid), []).append(pid)
    found = list(dict.fromkeys(ancestors))
    for pid in found:
        found += [child for child in children.get(pid, []) if child not in found]
    return found


def _parent(pid: int) -> int:
    """Return the parent of a process; 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as status:
            return int(status.read().rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return 0


def _processes() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    except OSError:
        return []


def _open_files(pid: int) -> set[str]:
    """Return what the standard streams and other files of a process lead to. Nothing, if it is another user's."""
    found: set[str] = set()
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            found.add(os.readlink(f"/proc/{pid}/fd/{name}"))
    except OSError:
        pass
    return found


def _kill(pid: int) -> None:
    """Kill a process and, if it is not in the group of the guard itself, its group."""
    try:
        group = os.getpgid(pid)
        os.kill(pid, signal.SIGKILL)
        if group != os.getpgrp():
            os.killpg(group, signal.SIGKILL)
    except OSError:
        pass


if __name__ == "__main__":
    main()
