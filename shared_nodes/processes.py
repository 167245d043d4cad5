"""Processes: the only way provisioners have to act outside the program.

A `World` decides whether they may: `REAL` starts programs of the operating system, `FORBIDDEN` refuses every one,
`RecordedProcesses` answers from a script and records the commands.
"""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import trio

__all__ = ["FORBIDDEN", "REAL", "Command", "ForbiddenProcessError", "Processes", "RecordedProcesses", "RecordedResult"]

OnLine = Callable[[bytes], object]

_PARTIAL_LINE_TIMEOUT_S: Final = 0.1
"""How long an unfinished line may wait for its end before it is passed on. A prompt or a row of dots must be visible
before it is a complete line."""

_CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
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


class _RealProcesses:
    """Starts operating-system processes. A thread follows each process, because waiting for its output must take real
    time even if trio's clock is virtual. The process leads its own session, so that everything it started can be ended
    with it."""

    async def run(self, command: Command, on_line: OnLine) -> int:
        process = subprocess.Popen(
            command.arguments,
            executable=_executable(command),
            cwd=command.directory,
            env=command.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        token = trio.lowlevel.current_trio_token()
        try:
            return await trio.to_thread.run_sync(
                _follow, process, lambda line: token.run_sync_soon(on_line, line), abandon_on_cancel=True
            )
        except trio.Cancelled:
            _end_session(process)
            raise


def _executable(command: Command) -> str:
    program = command.arguments[0]
    if "/" in program:
        return program
    found = shutil.which(program, path=command.search_path)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    return found


def _follow(process: subprocess.Popen[bytes], on_line: OnLine) -> int:
    """Pass on the output until it ends. That may be after the process has exited, if it left something running that
    still writes."""
    assert process.stdout is not None
    pending = bytearray()
    with process, selectors.DefaultSelector() as selector, contextlib.suppress(trio.RunFinishedError):
        descriptor = process.stdout.fileno()
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


def _end_session(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


class _ForbiddenProcesses:
    async def run(self, command: Command, on_line: OnLine) -> int:  # noqa: ARG002  # the contract's names
        raise ForbiddenProcessError("this run may not start processes")


REAL: Final[Processes] = _RealProcesses()
FORBIDDEN: Final[Processes] = _ForbiddenProcesses()


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """The recorded result of a command: its output, line by line, and its exit status; or `failure`, if it could not be
    started."""

    lines: Sequence[bytes] = ()
    status: int = 0
    failure: OSError | None = None


@dataclass(slots=True)
class RecordedProcesses:
    """Looks up results by the last argument, which for a shell is the script. `commands` records what was run."""

    answers: Mapping[str, RecordedResult] = field(default_factory=dict)
    commands: list[Command] = field(default_factory=list)

    async def run(self, command: Command, on_line: OnLine) -> int:
        self.commands.append(command)
        answer = self.answers.get(command.arguments[-1], RecordedResult())
        await trio.lowlevel.checkpoint()
        if answer.failure is not None:
            raise answer.failure
        for line in answer.lines:
            on_line(line)
        return answer.status
