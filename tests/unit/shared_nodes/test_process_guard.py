"""Commands end with the process that runs them, even if that is killed, and with everything they have started."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio

from shared_nodes.process_guard import end_holders
from shared_nodes.processes import REAL, Command

RUNNING = """
import os, sys, trio
from pathlib import Path
from shared_nodes.processes import REAL, Command
command = Command(["/bin/sh", "-c", sys.argv[1]], dict(os.environ), Path(sys.argv[2]))
trio.run(REAL.run, command, print)
"""


CLOSING = f"""{sys.executable} -c 'import os, sys; os.closerange(0, 256); os.execvp("sh", ["sh", "-c", sys.argv[1]])'"""
"""Runs a script in a process that has closed all files."""


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_for(file: Path, count: int) -> list[int]:
    deadline = time.monotonic() + 60
    while not file.exists() or len(file.read_text().split()) < count:
        assert time.monotonic() < deadline, "the command never started"
        time.sleep(0.02)
    return [int(word) for word in file.read_text().split()]


@pytest.mark.parametrize(
    "script",
    [
        "echo $$ >> pids; sleep 60 & echo $! >> pids; wait",
        "setsid sh -c 'echo $$ >> pids; sleep 60' & echo $$ >> pids; wait",
        "setsid sh -c 'echo $$ >> pids; sleep 60' >/dev/null 2>&1 & echo $$ >> pids; wait",
        "(setsid sh -c 'echo $$ >> pids; sleep 60' >/dev/null 2>&1 &); echo $$ >> pids; sleep 60",
        f"{CLOSING} 'echo $$ >> pids; sleep 60' & echo $$ >> pids; wait",
    ],
)
def test_a_killed_process_leaves_no_command_behind(tmp_path: Path, script: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", RUNNING, script, str(tmp_path)])
    pids = wait_for(tmp_path / "pids", 2)
    assert all(map(is_running, pids))
    process.kill()
    process.wait(60)
    wait_until_gone(pids)


def wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 5
    while any(map(is_running, pids)):
        assert time.monotonic() < deadline, "a command is still running"
        time.sleep(0.02)


def test_what_a_finished_command_left_running_is_not_touched(tmp_path: Path) -> None:
    """A command may start a service on purpose. It no longer holds the output, and so it is not waited for either."""
    script = "sleep 60 >/dev/null 2>&1 & echo $! > pids"
    subprocess.run([sys.executable, "-c", RUNNING, script, str(tmp_path)], check=True, timeout=60)
    [pid] = wait_for(tmp_path / "pids", 1)
    try:
        assert is_running(pid)
    finally:
        os.kill(pid, 9)


def test_pipes_that_no_process_holds_end_nothing() -> None:
    end_holders({"0"})
    end_holders(set())


def test_a_cancelled_command_leaves_nothing_behind(tmp_path: Path) -> None:
    script = "(setsid sh -c 'echo $$ >> pids; sleep 60' >/dev/null 2>&1 &); echo $$ >> pids; sleep 60"
    command = Command(["/bin/sh", "-c", script], dict(os.environ), tmp_path)

    async def cancel() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(REAL.run, command, print)
            await trio.to_thread.run_sync(wait_for, tmp_path / "pids", 2)
            nursery.cancel_scope.cancel()

    trio.run(cancel)
    wait_until_gone(wait_for(tmp_path / "pids", 2))
