"""The program between a run and a worker: when either ends, so does everything that the worker has started.

The keeper is a small process that only waits, and so can always react. It forks the worker, and then waits for the end
of the worker, or for that of the run: then a pipe is closed, of which only the run has the other end. It ends as the
worker has ended. A worker cannot do this by itself: it may be killed, or compute without ever looking at a signal.
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

from harness.process_tree import adopt_orphans, end_children, killed_with_parent

__all__ = ["keep", "main"]


def main() -> None:
    """Keep a worker. The arguments are the descriptor of the pipe, and the scratch directory of the worker."""
    keep(int(sys.argv[1]), Path(sys.argv[2]))


def keep(pipe: int, scratch: Path) -> None:
    """Keep a worker. Only the worker returns from this, when its work is done."""
    adopt_orphans()
    worker = _fork_worker(pipe)
    if worker:
        status = _wait(worker, pipe)
        with suppress(ProcessLookupError):
            os.killpg(worker, signal.SIGKILL)
        end_children()
        shutil.rmtree(scratch, ignore_errors=True)
        _end_as(status)


def _fork_worker(pipe: int) -> int:
    """Return the process of the worker; 0 in the worker itself, when its work is done."""
    keeper = os.getpid()
    worker = os.fork()
    if worker:
        with open(os.devnull, "r+b", buffering=0) as nothing:
            os.dup2(nothing.fileno(), 0)
            os.dup2(nothing.fileno(), 1)  # the run sees the end of the worker's output
        return worker
    os.setpgid(0, 0)
    os.close(pipe)
    killed_with_parent(keeper)
    from harness.execute.worker import main as work

    work()
    return 0


def _wait(worker: int, pipe: int) -> int:
    """Wait for the end of the worker, or of the run. Return the status of the worker, 0 if it still runs."""
    awake, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _ignore)
    while True:
        ended, status = os.waitpid(worker, os.WNOHANG)
        if ended:
            return status
        ready, _, _ = select.select([pipe, awake], [], [])
        if pipe in ready:
            return 0
        os.read(awake, 1 << 10)


def _ignore(_signal: int, _frame: FrameType | None) -> None:
    """Do nothing but wake the process up."""


def _end_as(status: int) -> None:
    """End with the same exit code or signal, so that the run can say how the worker has ended."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)
