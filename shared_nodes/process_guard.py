"""The guard of a process: a small program that ends the commands of the process if that is killed.

A process that is killed by SIGKILL, or leaves at once after a second interrupt, cannot end what it has started. So it
starts this program before its first command, and writes to its standard input which commands run: `+N` before a command
starts and `-N` when it has ended, where N is the inode of the pipe that the command writes its output to. When standard
input ends, the process is gone, and every process that still holds one of the pipes is killed, with its whole group.

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
    pipes: set[str] = set()
    for line in sys.stdin:
        if line.startswith("+"):
            pipes.add(line[1:-1])
        else:
            pipes.discard(line[1:-1])
    end_holders(pipes)


def end_holders(pipes: set[str]) -> None:
    """Kill every process that holds one of the pipes, with its process group."""
    wanted = {f"pipe:[{inode}]" for inode in pipes}
    for _ in range(_ROUNDS if pipes else 0):
        holders = [pid for pid in _processes() if wanted & _open_files(pid)]
        if not holders:
            return
        for pid in holders:
            _kill(pid)


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
