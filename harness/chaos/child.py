"""The commands that faults happen to, and the processes that they leave running.

Every process of a trial has the directory of the trial in its environment, or as its working directory. So whatever a
command has started can be found, in whatever session it is.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from harness.child_process import import_path, python_command
from shared_nodes.record import record

__all__ = ["Child", "Outcome", "is_running_stories", "left_behind", "left_running", "run_command", "start_command"]

_MARK: Final = "DIFFHARNESS_CHAOS"
_TEMPORARY: Final = "t"
"""The directory for temporary files of a trial. Its name is short, because sockets are in it."""

_TIMEOUT_S: Final = 180
_PATIENCE_S: Final = 5
"""How long a process may stay after the command that started it is gone."""

_HEAR_SIGNALS: Final = (
    "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL); "
    "signal.signal(signal.SIGINT, signal.default_int_handler)"
)


@record
class Outcome:
    status: int
    output: str
    errors: str

    def complaints(self, *allowed: int) -> list[str]:
        """Return what is wrong with how a command ended: a crash, a traceback, or a status that is not allowed."""
        if "diffharness crashed" in self.errors or "Traceback" in self.errors:
            return [f"crash: {self.errors.strip().splitlines()[0]}"]
        return [] if self.status in allowed else [f"exit status {self.status}"]


class Child:
    """A command that runs. Its output goes to files, so that nothing waits for a reader."""

    __slots__ = ("_directory", "_process")

    def __init__(self, process: subprocess.Popen[bytes], directory: Path) -> None:
        self._process = process
        self._directory = directory

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def send(self, number: signal.Signals, *, to_group: bool = False) -> None:
        with suppress(ProcessLookupError):
            if to_group:
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def wait(self) -> Outcome:
        """Wait for the end. A command that does not end is killed, and so has a status that no check allows."""
        try:
            status = self._process.wait(_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        texts = [(self._directory / name).read_text(encoding="utf-8", errors="replace") for name in ("out", "err")]
        return Outcome(status, *texts)


def start_command(arguments: Sequence[str | Path], scratch: Path, preparation: str = "") -> Child:
    """Start `diffharness ARGUMENTS` in a directory of its own, by the entry point that users start: so a run forks its
    workers. `preparation` is Python code to be run before.

    The command hears every signal, even if this campaign was started by `nohup` or in the background of a script."""
    command = python_command("diffharness_command")
    command[-1] = f"import sys; sys.path[:] = {import_path()!r}; {_HEAR_SIGNALS}; {preparation}\n{command[-1]}"
    place = scratch / f"output{time.monotonic_ns()}"
    place.mkdir()
    (scratch / _TEMPORARY).mkdir(exist_ok=True)
    with (place / "out").open("wb") as out, (place / "err").open("wb") as err:
        process = subprocess.Popen(
            [*command, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=scratch,
            env={**os.environ, _MARK: str(scratch), "TMPDIR": str(scratch / _TEMPORARY)},
            start_new_session=True,
        )
    return Child(process, place)


def run_command(arguments: Sequence[str | Path], scratch: Path) -> Outcome:
    return start_command(arguments, scratch).wait()


def left_running(scratch: Path) -> list[str]:
    """Return a complaint if processes of a trial are still there after a while, and end them."""
    deadline = time.monotonic() + _PATIENCE_S
    while found := _processes_of(scratch):
        if time.monotonic() > deadline:
            for pid in found:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return ["processes left running"]
        time.sleep(0.02)
    return []


def left_behind(scratch: Path) -> list[str]:
    """Return a complaint if the commands of a trial have left temporary directories. Files are not ours: Python tries
    whether it can write one before it first uses the place, and may be killed just then."""
    names = sorted(path.name for path in (scratch / _TEMPORARY).iterdir() if path.is_dir())
    return [f"left behind: {', '.join(names)}"] if names else []


def is_running_stories(scratch: Path) -> bool:
    return any((scratch / _TEMPORARY).glob("*/story-*"))


def _processes_of(scratch: Path) -> list[int]:
    mark = f"{_MARK}={scratch}\0".encode()
    return [int(place.name) for place in Path("/proc").glob("[0-9]*") if _belongs_to(place, mark, scratch)]


def _belongs_to(place: Path, mark: bytes, scratch: Path) -> bool:
    """Return whether a process belongs to a trial. One that has ended and waits for its parent has no environment."""
    try:
        if mark in (place / "environ").read_bytes():
            return True
        return (place / "cwd").readlink().is_relative_to(scratch)
    except OSError:
        return False
