"""Applies that are killed, interrupted or cannot save: nothing is lost, forgotten or left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from harness.cli import main; main()", "engine"]
ENGINES = ("legacy", "new")


def engine(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, name, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False
    )


def start(name: str, *arguments: str | Path, setting: str = "") -> subprocess.Popen[str]:
    """Start a command. `setting` is Python code that is run before it."""
    call = [sys.executable, "-c", f"{setting}\nfrom harness.cli import main; main()", "engine", name]
    return subprocess.Popen(
        [*call, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "this never happened"
        time.sleep(0.02)


def write_module(directory: Path, count: int, command: str) -> None:
    """Write resources with a provisioner each, which leaves a line in `effects` after the command."""
    (directory / "main.tf").write_text(
        f'resource "terraform_data" "a" {{\n  count = {count}\n  input = count.index\n'
        f'  provisioner "local-exec" {{\n    command = "{command}; echo ${{count.index}} >> effects"\n  }}\n}}\n'
    )


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("name", ENGINES)
def test_a_killed_apply_forgets_no_provisioner_and_leaves_no_command(tmp_path: Path, name: str) -> None:
    """An object was once recorded as complete before its provisioners ran, and they were forgotten after a kill."""
    write_module(tmp_path, 4, "echo $$ >> begun; while ! test -e go; do sleep 0.1; done")
    process = start(name, "apply", tmp_path, "--parallelism", "2")
    wait_until(lambda: len(lines(tmp_path / "begun")) == 2)
    process.kill()
    process.communicate(timeout=60)
    wait_until(lambda: not any(map(is_running, map(int, lines(tmp_path / "begun")))), 5)
    (tmp_path / "go").touch()
    result = engine(name, "apply", tmp_path)
    assert result.returncode == 0, result.stderr
    assert sorted(lines(tmp_path / "effects")) == ["0", "1", "2", "3"]
    assert "No changes." in engine(name, "plan", tmp_path).stdout


@pytest.mark.parametrize("name", ENGINES)
def test_an_object_and_its_provisioners_keep_one_of_the_places(tmp_path: Path, name: str) -> None:
    """The promise engine once created all objects before it ran the first provisioner."""
    write_module(tmp_path, 3, "true")
    assert engine(name, "apply", tmp_path, "--parallelism", "1", "--events", tmp_path / "events").returncode == 0
    events = [json.loads(line)["type"] for line in lines(tmp_path / "events")]
    kinds = [kind for kind in events if kind in ("apply_start", "provision_start", "apply_complete")]
    assert kinds == ["apply_start", "provision_start", "apply_complete"] * 3


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_waits_for_what_runs_and_saves(tmp_path: Path, name: str, number: signal.Signals) -> None:
    write_module(tmp_path, 3, "touch begun; sleep 0.5")
    process = start(name, "apply", tmp_path, "--parallelism", "1")
    wait_until((tmp_path / "begun").exists)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupt received" in errors
    assert len(lines(tmp_path / "effects")) == 1
    assert not [file.name for file in tmp_path.iterdir() if file.name.startswith(".")]
    assert engine(name, "apply", tmp_path).returncode == 0
    assert len(lines(tmp_path / "effects")) == 4, "the one that was running is tainted, as by the original"


def test_the_second_signal_ends_the_commands_that_run(tmp_path: Path) -> None:
    write_module(tmp_path, 1, "echo $$ > begun; sleep 60 & sleep 60")
    process = start("legacy", "apply", tmp_path)
    wait_until(lambda: bool(lines(tmp_path / "begun")))
    for _ in range(2):
        process.terminate()
        time.sleep(0.3)
    process.communicate(timeout=60)
    assert process.returncode == 130
    [pid] = map(int, lines(tmp_path / "begun"))
    wait_until(lambda: not is_running(pid), 5)


def test_a_hangup_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    write_module(tmp_path, 1, "touch begun; sleep 0.5")
    process = start("legacy", "apply", tmp_path, setting="import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)")
    wait_until((tmp_path / "begun").exists)
    process.send_signal(signal.SIGHUP)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Apply complete!" in output


FULL_DISK = {
    0: "Error acquiring the state lock",
    4_000: "Not enough room for the state",
    80_000: "The apply has ended early",
    100_000: "The apply has ended early",
}


def known_objects(state: Path) -> set[int]:
    if not state.exists():
        return set()
    resources = json.loads(state.read_text())["resources"]
    return {instance["index_key"] for resource in resources for instance in resource["instances"]}


FULL = "from pathlib import Path; from harness.chaos.small_disk import SmallDisk; SmallDisk(Path({!r}), {}).install()"


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("room", FULL_DISK)
def test_every_object_is_known_after_a_full_disk(tmp_path: Path, name: str, room: int) -> None:
    """An apply once went on creating objects that it could not record."""
    module, disk = tmp_path / "module", tmp_path / "disk"
    module.mkdir()
    disk.mkdir()
    padding = "x" * 1000
    (module / "main.tf").write_text(
        f'resource "terraform_data" "a" {{\n  count = 60\n  input = "${{count.index}}{padding}"\n'
        '  provisioner "local-exec" {\n    command = "echo ${count.index} >> effects"\n  }\n}\n'
    )
    process = start(name, "apply", module, "--state", disk / "state", setting=FULL.format(str(disk), room))
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert [line for line in errors.splitlines() if "Error:" in line] == [f"│ Error: {FULL_DISK[room]}"]
    assert "no space left on device" in " ".join(errors.replace("│", "").split())
    made = {int(line) for line in lines(module / "effects")}
    assert made <= known_objects(disk / "state")
    assert (room > 64 * 1024) == bool(known_objects(disk / "state"))
    assert len(made) < 60
    assert engine(name, "apply", module, "--state", disk / "state").returncode == 0
    assert {int(line) for line in lines(module / "effects")} == known_objects(disk / "state") == {*range(60)}


def test_a_directory_that_becomes_read_only_is_one_message(tmp_path: Path) -> None:
    """The state is printed as a last resort. A directory cannot be made read-only for root, so replacing fails here."""
    write_module(tmp_path, 2, "true")
    setting = (
        "import os\nreal = os.open\n"
        "def refuse(path, flags, *rest, **named):\n"
        "    if str(path).endswith('.new'): raise PermissionError(13, 'Permission denied', str(path))\n"
        "    return real(path, flags, *rest, **named)\n"
        "os.open = refuse\n"
    )
    process = start("legacy", "apply", tmp_path, setting=setting)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert [line for line in errors.splitlines() if "Error:" in line] == [
        "│ Error: Failed to write state",
        "│ Error: Failed to persist state",
    ]
    printed = json.loads(output[output.index("\n{\n") :])
    made = {instance["index_key"] for instance in printed["resources"][0]["instances"]}
    assert {int(line) for line in lines(tmp_path / "effects")} <= made
    assert made == {int(line[-2]) for line in errors.splitlines() if "- terraform_data.a[" in line}


def test_output_that_cannot_be_written_does_not_stop_an_apply(tmp_path: Path) -> None:
    write_module(tmp_path, 3, "true")
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*COMMAND, "legacy", "apply", str(tmp_path)], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 1
    assert result.stderr == "Cannot write to standard output: No space left on device. The rest is dropped.\n"
    assert len(lines(tmp_path / "effects")) == 3
    assert "No changes." in engine("legacy", "plan", tmp_path).stdout


def test_an_event_stream_that_cannot_be_written_does_not_stop_an_apply(tmp_path: Path) -> None:
    write_module(tmp_path, 3, "true")
    result = engine("legacy", "apply", tmp_path, "--events", "/dev/full")
    assert result.returncode == 1
    assert "Failed to write the event stream" in result.stderr
    assert len(lines(tmp_path / "effects")) == 3


def test_a_pipe_that_is_closed_does_not_stop_an_apply(tmp_path: Path) -> None:
    write_module(tmp_path, 3, "true")
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run([*COMMAND, "legacy", "apply", str(tmp_path)], stdout=writing, check=False)
    os.close(writing)
    assert process.returncode == 0
    assert len(lines(tmp_path / "effects")) == 3
