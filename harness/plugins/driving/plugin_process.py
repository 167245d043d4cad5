"""The process of a plugin: started, connected, and certain to end.

A plugin that is not ended lives on with hundreds of megabytes. So it is ended in four ways: by `close`, which asks it
to shut down, then sends TERM, then KILL; with the event loop, if nothing closed it; by the kernel, when this program
dies (on Linux); and its sockets are in a directory of ours, which is removed, if need be by the next process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from harness.owned_directory import OwnedDirectory
from harness.plugins.driving.handshake import (
    Handshake,
    PluginStartError,
    no_answer_problem,
    parse_handshake,
    plugin_environment,
)
from harness.plugins.driving.locate import RunningElsewhere
from harness.plugins.wire.methods import SHUTDOWN, Major
from harness.plugins.wire.rpc_client import Channel, connect
from harness.plugins.wire.status import RpcError

__all__ = ["PluginProcess", "attach_plugin", "start_plugin"]

_START_TIMEOUT_S: Final = 60
_SHUTDOWN_TIMEOUT_S: Final = 2.0
_TERMINATION_TIMEOUT_S: Final = 2.0
_LONGEST_LINE: Final = 64 * 1024
_POLL_S: Final = 0.005
_LOG: Final = "stderr"

_LAUNCHER: Final = """
import ctypes, os, signal, sys
parent, program = int(sys.argv[1]), sys.argv[2]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() != parent:
    sys.exit(1)
os.execv(program, [program])
"""
"""Asks the kernel to end the process with its parent, and then becomes the plugin. A program of its own, because code
between fork and exec is not safe in a process with threads."""


class PluginProcess:
    """A plugin that is connected. `close` is called once; calls that are under way then fail."""

    __slots__ = ("_guard", "_process", "_sockets", "channel", "major")

    def __init__(
        self, channel: Channel, major: Major, process: subprocess.Popen[bytes] | None, sockets: OwnedDirectory | None
    ) -> None:
        self.channel: Final = channel
        self.major: Final = major
        self._process = process
        self._sockets = sockets
        self._guard = trio.CancelScope()

    async def close(self) -> None:
        with trio.CancelScope(shield=True):
            if self._process is not None:
                with suppress(RpcError):
                    await self.channel.call(SHUTDOWN, b"", timeout_s=_SHUTDOWN_TIMEOUT_S)
            await self.channel.close()
            if self._process is not None:
                await _end(self._process, _SHUTDOWN_TIMEOUT_S)
            self._guard.cancel()

    async def guard(self) -> None:
        """Wait for the end, of the plugin or of the event loop, and leave nothing behind."""
        try:
            with self._guard:
                await trio.sleep_forever()
        finally:
            _kill(self._process, self._sockets)


async def attach_plugin(running: RunningElsewhere) -> PluginProcess:
    """Connect to a plugin that something else has started. RpcError says that it does not answer."""
    return PluginProcess(await connect(running.address), running.major, None, None)


async def start_plugin(executable: Path, directory: Path, environment: Mapping[str, str]) -> PluginProcess:
    """Start a plugin and connect. PluginStartError says that it does not behave like one, RpcError that it does not
    answer at the address it has named."""
    sockets = OwnedDirectory()
    process: subprocess.Popen[bytes] | None = None
    try:
        private = Path(sockets.name)
        process = _launch(executable, directory, plugin_environment(environment, private), private / _LOG)
        handshake = await _read_handshake(process, executable)
        channel = await connect(handshake.address)
    except BaseException:
        _kill(process, sockets)
        raise
    plugin = PluginProcess(channel, handshake.major, process, sockets)
    trio.lowlevel.spawn_system_task(plugin.guard)
    return plugin


def _launch(executable: Path, directory: Path, environment: Mapping[str, str], log: Path) -> subprocess.Popen[bytes]:
    """Start the process, in this thread: the kernel ends it with the thread that has started it."""
    if not os.access(executable, os.X_OK):
        raise PluginStartError(f"fork/exec {executable}: permission denied")
    command = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid()), str(executable)]
    with log.open("wb") as errors:
        return subprocess.Popen(
            command,
            cwd=directory,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )


async def _read_handshake(process: subprocess.Popen[bytes], executable: Path) -> Handshake:
    assert process.stdout is not None
    line = b""
    async with trio.lowlevel.FdStream(os.dup(process.stdout.fileno())) as output:
        with trio.move_on_after(_START_TIMEOUT_S):
            while b"\n" not in line and len(line) < _LONGEST_LINE:
                chunk = await output.receive_some()
                if not chunk:
                    raise no_answer_problem(executable)
                line += chunk
            return parse_handshake(line.partition(b"\n")[0].decode("utf-8", "replace"), executable)
    raise PluginStartError("timeout while waiting for plugin to start")


async def _end(process: subprocess.Popen[bytes], timeout_s: float) -> None:
    """Wait for the end of a process that was asked to shut down, and end it if it does not."""
    if not await _ends_within(process, timeout_s):
        process.terminate()
        if not await _ends_within(process, _TERMINATION_TIMEOUT_S):
            process.kill()


async def _ends_within(process: subprocess.Popen[bytes], timeout_s: float) -> bool:
    with trio.move_on_after(timeout_s):
        while process.poll() is None:
            await trio.sleep(_POLL_S)
    return process.poll() is not None


def _kill(process: subprocess.Popen[bytes] | None, sockets: OwnedDirectory | None) -> None:
    """Leave nothing of a plugin: neither the process and what it has started, nor its files. Does not wait for anything
    but the kernel."""
    if process is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    if sockets is not None:
        sockets.cleanup()
