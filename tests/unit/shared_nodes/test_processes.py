"""Real processes: lines arrive as they are written, and nothing survives a cancelled run."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from shared_nodes.processes import FORBIDDEN, REAL, Command, ForbiddenProcessError


def shell(script: str, directory: Path) -> Command:
    return Command(("/bin/sh", "-c", script), {"PATH": os.defpath}, directory)


def is_running(process: int) -> bool:
    """Return whether a process is running. One that has ended but was not yet waited for does not count."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_lines_and_status(tmp_path: Path) -> None:
    lines: list[bytes] = []
    assert trio.run(REAL.run, shell("printf 'a\\n\\nb'; exit 3", tmp_path), lines.append) == 3
    assert lines == [b"a\n", b"\n", b"b"]


def test_the_output_of_what_was_left_running_is_waited_for(tmp_path: Path) -> None:
    lines: list[bytes] = []
    trio.run(REAL.run, shell("(sleep 0.2; echo late) & echo early", tmp_path), lines.append)
    assert lines == [b"early\n", b"late\n"]


def test_input_is_empty(tmp_path: Path) -> None:
    lines: list[bytes] = []
    assert trio.run(REAL.run, shell("cat; echo end", tmp_path), lines.append) == 0
    assert lines == [b"end\n"]


def test_virtual_time_does_not_tear_lines_apart(tmp_path: Path) -> None:
    """A virtual clock jumps whenever all tasks wait, which must not be taken for silence of the command."""
    lines: list[bytes] = []
    clock = MockClock(autojump_threshold=0)
    trio.run(REAL.run, shell("printf a; sleep 0.01; printf 'b\\n'", tmp_path), lines.append, clock=clock)
    assert lines == [b"ab\n"]


def test_nothing_survives_a_cancelled_run(tmp_path: Path) -> None:
    lines: list[bytes] = []

    async def cancelled_when_started() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(REAL.run, shell("sleep 60 & echo $!; echo $$; wait", tmp_path), lines.append)
            while len(lines) < 2:
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()

    trio.run(cancelled_when_started)
    processes = [int(line) for line in lines]
    deadline = time.monotonic() + 5
    while any(map(is_running, processes)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_running, processes))


def test_forbidden(tmp_path: Path) -> None:
    with pytest.raises(ForbiddenProcessError):
        trio.run(FORBIDDEN.run, shell("true", tmp_path), lambda _: None)
