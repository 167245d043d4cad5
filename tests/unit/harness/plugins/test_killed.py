"""What is left after `kill -9`: of a plugin in the middle of calls, and of an engine that waits for one.

The expectations are what terraform 1.11.4 leaves, and it is held to them too, where there is one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

pytest.importorskip("h2")
pytest.importorskip("msgpack")
pytest.importorskip("google.protobuf")

from harness.cli import commands
from tests.stuck_plugin import install

ROOT: Final = Path(__file__).parents[4]
TERRAFORM: Final = shutil.which("terraform")
ENGINES: Final = ("legacy", "new")
ENGINES_AND_TERRAFORM: Final = (
    *ENGINES,
    pytest.param(
        "terraform",
        marks=[
            pytest.mark.terraform,
            pytest.mark.skipif(TERRAFORM is None, reason="needs a terraform binary on PATH"),
        ],
    ),
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")

CONFIG: Final = """
terraform {
  required_providers {
    fake = { source = "dh.test/x/fake" }
  }
}
resource "fake_thing" "first" {
  name = "first"
}
resource "fake_thing" "created" {
  name  = "created"
  value = "v-${fake_thing.first.id}"
}
resource "fake_thing" "after" {
  name = "x-${fake_thing.created.id}"
}
resource "fake_thing" "updated" {
  name  = "updated"
  value = "new"
}
resource "fake_thing" "replaced" {
  name = "replaced"
  lifecycle {
    create_before_destroy = true
  }
}
resource "fake_thing" "swapped" {
  name = "swapped"
}
"""
BEFORE: Final = ("gone", "replaced", "swapped", "updated")
"""The objects that exist at first. `gone` is not configured."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plugin")


@pytest.fixture
def plugin(package: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of the plugin that is installed. Its schema is asked for once."""
    variables = {**install(package), "XDG_CACHE_HOME": str(package / "cache"), "CHECKPOINT_DISABLE": "1"}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return package


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "main.tf").write_text(CONFIG)
    resources = [
        {
            "mode": "managed",
            "type": "fake_thing",
            "name": name,
            "provider": 'provider["dh.test/x/fake"]',
            "instances": [{"schema_version": 1, "attributes": _attributes(name)}],
        }
        for name in BEFORE
    ]
    state = {"version": 4, "serial": 1, "lineage": "l", "terraform_version": "1.11.4", "resources": resources}
    (tmp_path / "terraform.tfstate").write_text(json.dumps(state))
    return tmp_path


def _attributes(name: str) -> dict[str, Any]:
    rest: dict[str, Any] = {"rules": None, "secret": None, "size": None, "part": []}
    return {"name": name, "value": "old", "id": f"old-{name}", **rest}


def diagnostics_of(engine: str, command: str, place: Path) -> list[dict[str, Any]]:
    """Run a command to its end, and return its errors."""
    replaced = ("fake_thing.replaced", "fake_thing.swapped")
    if engine == "terraform":
        options = ["-auto-approve"] if command == "apply" else []
        options += [f"-replace={address}" for address in replaced]
        ran = subprocess.run([str(TERRAFORM), command, "-json", *options], cwd=place, capture_output=True, check=False)
        lines, status = ran.stdout.decode().splitlines(), ran.returncode
    else:
        options = [word for address in replaced for word in ("--replace", address)]
        events = place / "events"
        arguments = ["engine", engine, command, str(place), "--allow-exec", "--events", str(events), *options]
        invoked = CliRunner().invoke(commands, arguments)
        assert isinstance(invoked.exception, SystemExit), invoked.exception
        lines, status = events.read_text().splitlines(), invoked.exit_code
    assert status == 1
    found = [json.loads(line).get("diagnostic") for line in lines]
    return [one for one in found if one is not None and one["severity"] == "error"]


def no_answer(call: str) -> dict[str, Any]:
    detail = (
        f"The plugin encountered an error, and failed to respond to the plugin6.(*GRPCProvider).{call} call. The "
        "plugin logs may contain more details."
    )
    return {"severity": "error", "summary": "Plugin did not respond", "detail": detail}


def cancelled(call: str) -> dict[str, Any]:
    detail = f"The plugin6.(*GRPCProvider).{call} request was cancelled."
    return {"severity": "error", "summary": "Request cancelled", "detail": detail}


def objects_in(place: Path) -> dict[str, list[str]]:
    """Return the ids of the objects of each resource. None is tainted or deposed."""
    state = json.loads((place / "terraform.tfstate").read_text())
    objects = [entry for one in state["resources"] for entry in one["instances"]]
    assert not any("status" in entry or "deposed" in entry for entry in objects)
    return {one["name"]: [entry["attributes"]["id"] for entry in one["instances"]] for one in state["resources"]}


def running_in(directory: Path) -> list[int]:
    """Return the processes that run a program in a directory."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.fsencode(directory) in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


STUCK: Final = {
    "ReadResource": "read updated",
    "PlanResourceChange": "plan updated,plan first",
    "ApplyResourceChange": "create created,update updated,delete gone,create replaced,create swapped",
}


@pytest.mark.parametrize("engine", ENGINES_AND_TERRAFORM)
@pytest.mark.parametrize("call", STUCK)
def test_a_plugin_that_is_killed_in_the_middle_of_calls(
    engine: str, call: str, place: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every call under way is reported. What was finished before is kept, a new object is absent, and one that exists
    stays as it was: also one whose replacement was to be created first, but not one that was deleted already.

    In terraform, the end of the process and the end of its connection race for the words of the message."""
    monkeypatch.setenv("STUCK_AT", STUCK[call])
    command = "apply" if call.startswith("Apply") else "plan"
    reported = diagnostics_of(engine, command, place)
    if engine == "terraform":
        reported = [no_answer(call) if one == cancelled(call) else one for one in reported]
    assert reported == [no_answer(call)] * len(STUCK[call].split(","))
    kept = {name: [f"old-{name}"] for name in BEFORE}
    if command == "apply":
        kept = {**kept, "first": ["id-first"]}
        del kept["swapped"]
    assert objects_in(place) == kept
    assert running_in(plugin) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_that_is_killed_in_the_middle_of_a_call(
    engine: str, place: Path, plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plugin ends with it, unlike that of terraform. The state file is whole. The next run is not kept out by the
    lock, finds what was finished, and does the rest, like the next one of terraform."""
    pid_file = place / "pid"
    monkeypatch.setenv("STUCK_AT", "create created")
    monkeypatch.setenv("PID_FILE", str(pid_file))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    arguments = ["engine", engine, "apply", str(place), "--allow-exec"]
    program = [sys.executable, "-c", "from diffharness_command import main; main()"]
    with subprocess.Popen([*program, *arguments], stdout=subprocess.DEVNULL) as running:
        wait_until(lambda: pid_file.exists() or running.poll() is not None)
        assert len(running_in(plugin)) == 1
        running.send_signal(signal.SIGKILL)
    wait_until(lambda: running_in(plugin) == [])
    assert json.loads((place / "terraform.tfstate").read_text())["lineage"] == "l"
    monkeypatch.delenv("STUCK_AT")
    finished = CliRunner().invoke(commands, arguments)
    assert "Apply complete! Resources: 2 added, 0 changed, 0 destroyed." in finished.output
    assert objects_in(place).keys() == {"first", "created", "after", "replaced", "swapped", "updated"}
    assert [file.name for file in place.glob(".*")] == []


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
