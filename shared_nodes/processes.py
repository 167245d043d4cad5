"""Processes: the only way provisioners have to act outside the program.

A `World` decides whether they may: `REAL` starts programs of the operating system, `FORBIDDEN` refuses every one,
`RecordedProcesses` answers from a script and records the commands. What starting one needs is imported when the first
one is started.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from shared_nodes import tasks
from shared_nodes.record import record

if TYPE_CHECKING:
    import subprocess

__all__ = ["FORBIDDEN", "REAL", "Command", "ForbiddenProcessError", "Processes", "RecordedProcesses", "RecordedResult"]

OnLine = Callable[[bytes], object]

_PARTIAL_LINE_TIMEOUT_S: Final = 0.1
"""How long an unfinished line may wait for its end before it is passed on. A prompt or a row of dots must be visible
before it is a complete line."""

_CHUNK: Final = 64 * 1024


@record
class Command:
    """A program with its arguments. The first argument is a path, or a name to look up in the directories of
    `search_path`, which need not be the PATH of the environment given to the command."""

    arguments: Sequence[str]
    environment: Mapping[str, str]
    directory: Path
    search_path: str = ""


class ForbiddenProcessError(OSError):
    """This World starts no processes."""


class Processes(Protocol):
    async def run(self, command: Command, on_line: OnLine) -> int:
        """Run the command and return its exit status, negative for the signal that ended it.

        Each line of its output (standard output and error combined) is passed on as it arrives, with its line ending;
        an unfinished line is passed on without it after a delay. Raises OSError if the command cannot be started. A
        cancelled run leaves no process behind.
        """
        ...


class _Guard:
    """Starts the guard of this process before its first command, and reports commands to it. A guard that cannot be
    started or was killed guards nothing, which is no reason to refuse a command. A fork gets a guard of its own."""

    __slots__ = ("_input",)

    def __init__(self) -> None:
        self._input: int | None = None

    def begin(self, mark: int) -> None:
        if self._input is None:
            with contextlib.suppress(OSError, NotImplementedError):
                self._input = _start_guard()
        self._write(f"+{mark}\n")

    def end(self, mark: int) -> None:
        self._write(f"-{mark}\n")

    def forget(self) -> None:
        if self._input is not None:
            os.close(self._input)
            self._input = None

    def _write(self, line: str) -> None:
        if self._input is not None:
            with contextlib.suppress(OSError):
                os.write(self._input, line.encode())


def _start_guard() -> int:
    """Start the guard in a session of its own, where signals for this process do not reach it, and return the
    descriptor of its standard input."""
    from shared_nodes import process_guard

    reading, writing = os.pipe()
    try:
        silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", process_guard.__file__],
            {},
            file_actions=[(os.POSIX_SPAWN_DUP2, reading, 0), *silent],
            setsid=True,
        )
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    return writing


_GUARD: Final = _Guard()
os.register_at_fork(after_in_child=_GUARD.forget)


class _RealProcesses:
    """Starts operating-system processes. A thread follows each process, because waiting for its output must take real
    time even if the clock is virtual. The process leads its own session, so that everything it started can be ended
    with it; the guard does that if this process is killed.

    A command inherits a pipe that is never read or written, its mark: what it starts can be found by that, also if it
    makes itself a session of its own and writes elsewhere."""

    async def run(self, command: Command, on_line: OnLine) -> int:
        executable = _executable(command)
        unread, mark = os.pipe()
        os.close(unread)
        number = os.fstat(mark).st_ino
        _GUARD.begin(number)
        try:
            return await self._run(command, executable, mark, on_line)
        finally:
            os.close(mark)
            _GUARD.end(number)

    async def _run(self, command: Command, executable: str, mark: int, on_line: OnLine) -> int:
        import subprocess

        reading, writing = os.pipe()
        try:
            process = subprocess.Popen(
                command.arguments,
                executable=executable,
                cwd=command.directory,
                env=command.environment,
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=[mark],
            )
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        call_soon = tasks.caller_of_this_loop()
        try:
            return await tasks.call_in_thread(partial(_follow, process, reading, partial(call_soon, on_line)))
        except BaseException:  # being cancelled is one
            _end_session(process, mark)
            raise


def _executable(command: Command) -> str:
    program = command.arguments[0]
    if "/" in program:
        return program
    import shutil

    found = shutil.which(program, path=command.search_path)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    return found


def _follow(process: subprocess.Popen[bytes], descriptor: int, on_line: OnLine) -> int:
    """Pass on the output until it ends, and close it. That may be after the process has exited, if it left something
    running that still writes."""
    import selectors

    pending = bytearray()
    with (
        process,
        open(descriptor, "rb", buffering=0),
        selectors.DefaultSelector() as selector,
        contextlib.suppress(tasks.LoopEnded),
    ):
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if pending and not selector.select(_PARTIAL_LINE_TIMEOUT_S):
                on_line(bytes(pending))
                pending.clear()
            chunk = os.read(descriptor, _CHUNK)
            if not chunk:
                break
            for line in chunk.splitlines(keepends=True):
                pending += line
                if line.endswith(b"\n"):
                    on_line(bytes(pending))
                    pending.clear()
        if pending:
            on_line(bytes(pending))
    return process.wait()


def _end_session(process: subprocess.Popen[bytes], mark: int) -> None:
    from shared_nodes.process_guard import end_holders

    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    end_holders({str(os.fstat(mark).st_ino)})


class _ForbiddenProcesses:
    async def run(self, command: Command, on_line: OnLine) -> int:  # noqa: ARG002  # the contract's names
        raise ForbiddenProcessError("this run may not start processes")


REAL: Final[Processes] = _RealProcesses()
FORBIDDEN: Final[Processes] = _ForbiddenProcesses()


@record
class RecordedResult:
    """The recorded result of a command: its output, line by line, and its exit status; or `failure`, if it could not be
    started."""

    lines: Sequence[bytes] = ()
    status: int = 0
    failure: OSError | None = None


@record(frozen=False)
class RecordedProcesses:
    """Looks up results by the last argument, which for a shell is the script. `commands` records what was run."""

    answers: Mapping[str, RecordedResult] = field(default_factory=dict)
    commands: list[Command] = field(default_factory=list)

    async def run(self, command: Command, on_line: OnLine) -> int:
        self.commands.append(command)
        answer = self.answers.get(command.arguments[-1], RecordedResult())
        await tasks.checkpoint()
        if answer.failure is not None:
            raise answer.failure
        for line in answer.lines:
            on_line(line)
        return answer.status
