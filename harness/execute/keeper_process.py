"""Starts keepers, each of which starts a worker (`keeper.py`): as new programs, or by forking this process.

A new program imports everything again, which takes longer than judging a few cases. A fork has imported it already.
Both are children with a session, pipes and a log of their own, and neither keeps any other file of this process open.
Only a process with a single thread can be forked safely, and only on Linux; and only one whose strings hash as those
of a new worker would can be forked without an influence on results: sets have another order otherwise. The command
therefore fixes its hash seed before it does anything else (`diffharness_command.py`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import IO, Final, Protocol

from harness.child_process import python_command
from shared_nodes.record import record

__all__ = ["KeeperProcess", "fork_keeper", "is_forkable", "start_keeper"]

_POLL_S: Final = 0.005
_RESET: Final = (signal.SIGTERM, signal.SIGHUP)


class KeeperProcess(Protocol):
    """A running keeper, as `subprocess.Popen` describes it: the worker reads and writes its pipes."""

    @property
    def stdin(self) -> IO[bytes] | None: ...

    @property
    def stdout(self) -> IO[bytes] | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def kill(self) -> None: ...


def start_keeper(pipe: int, scratch: str, log: IO[bytes], hash_seed: int) -> KeeperProcess:
    """Start a keeper as a new program. `pipe` is its end of the lifeline."""
    return subprocess.Popen(
        [*python_command("harness.execute.keeper"), str(pipe), scratch],
        pass_fds=[pipe],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        start_new_session=True,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
    )


def is_forkable(hash_seed: int) -> bool:
    """Return whether a fork of this process is as good as a new program with this hash seed."""
    has_seed = os.environ.get("PYTHONHASHSEED") == str(hash_seed) and bool(sys.flags.hash_randomization) == (
        hash_seed != 0
    )
    return sys.platform == "linux" and has_seed and threading.active_count() == 1


def fork_keeper(pipe: int, scratch: str, log: IO[bytes]) -> KeeperProcess:
    """Start a keeper as a fork of this process."""
    sys.stdout.flush()
    sys.stderr.flush()
    read_by_worker, stdin = os.pipe()
    stdout, written_by_worker = os.pipe()
    process = os.fork()
    if not process:
        try:
            _keep([read_by_worker, written_by_worker, log.fileno()], pipe, scratch)
        except BaseException:
            # Nothing may return into the program that was forked.
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(read_by_worker)
    os.close(written_by_worker)
    return _Fork(process, os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb", buffering=0))


def _keep(streams: list[int], pipe: int, scratch: str) -> None:
    """Make this fork as fresh as a new program, and keep a worker."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for request in _RESET:
        if signal.getsignal(request) is not signal.SIG_IGN:
            signal.signal(request, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(3, pipe)
    os.closerange(pipe + 1, os.sysconf("SC_OPEN_MAX"))
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    from harness.execute.keeper import keep

    keep(pipe, Path(scratch))
    sys.stderr.flush()
    os._exit(0)


@record(frozen=False, eq=False)
class _Fork:
    process: int
    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    _ended: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Wait as `subprocess.Popen` does: a negative result is the signal that has ended the process."""
        deadline_s = None if timeout is None else time.monotonic() + timeout
        while self._ended is None:
            found, status = os.waitpid(self.process, 0 if deadline_s is None else os.WNOHANG)
            if found:
                self._ended = os.waitstatus_to_exitcode(status)
            elif deadline_s is not None and time.monotonic() > deadline_s:
                raise subprocess.TimeoutExpired("keeper", timeout or 0.0)
            else:
                time.sleep(_POLL_S)
        return self._ended

    def kill(self) -> None:
        if self._ended is None:
            os.kill(self.process, signal.SIGKILL)
