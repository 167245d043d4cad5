"""Faults that happen to `diffharness engine ENGINE apply`.

Every object has a provisioner that writes the identifier of the object to a file when it begins and to another when it
ends. So a trial knows from outside which objects were made, and which of them are complete.
"""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from harness.chaos.child import Child, left_running, start_command
from harness.chaos.damage import damaged
from harness.chaos.small_disk import mounted_disk
from harness.chaos.trial import Trial
from shared_nodes.record import record

__all__ = ["damage_journals", "fill_disks", "kill_applies", "signal_applies"]

_OBJECTS: Final = 12
_MANY_OBJECTS: Final = 60
_DISK: Final = 600 * 1024
_FREE_KB: Final = (0, 4, 8, 16, 32, 64, 80, 96, 112, 128, 160, 200, 260, 400)
_DAMAGES: Final = 6
_STATE: Final = "terraform.tfstate"
_JOURNAL: Final = ".terraform.tfstate.journal"
_WAIT_S: Final = 60

_MODULE: Final = """
resource "terraform_data" "a" {{
  count = {count}
  input = count.index
  provisioner "local-exec" {{
    command = "echo ${{self.id}} >> begun; sleep ${{0.05 * (count.index % 4)}}; echo ${{self.id}} >> ended"
  }}
}}
"""

_PRETENDED: Final = (
    "from pathlib import Path; from harness.chaos.small_disk import SmallDisk; SmallDisk(Path({!r}), {}).install()"
)


@record
class _Story:
    """The applies of one configuration, and what is known about its objects. `saved` is the directory of the state."""

    engine: str
    directory: Path
    saved: Path
    count: int

    @staticmethod
    def begin(engine: str, scratch: Path, count: int = _OBJECTS) -> _Story:
        directory = scratch / "module"
        directory.mkdir()
        (directory / "main.tf").write_text(_MODULE.format(count=count), encoding="utf-8")
        return _Story(engine, directory, directory, count)

    def start(self, operation: str, *options: str, preparation: str = "") -> Child:
        state = ("--state", str(self.saved / _STATE))
        return start_command(
            ["engine", self.engine, operation, self.directory, *state, *options], self.directory.parent, preparation
        )

    def begun(self) -> list[str]:
        return _lines(self.directory / "begun")

    def ended(self) -> list[str]:
        return _lines(self.directory / "ended")

    def wait_for(self, child: Child, begun: int) -> None:
        """Wait until so many provisioners have begun, or the command has ended."""
        deadline = time.monotonic() + _WAIT_S
        while len(self.begun()) < begun and not child.has_ended and time.monotonic() < deadline:
            time.sleep(0.005)

    def unknown(self, since: int, printed: str = "") -> list[str]:
        """Return a complaint if an object whose provisioner has begun is in no file, and was not printed either."""
        files = [self.saved / _STATE, self.saved / _JOURNAL, self.directory / "errored.tfstate"]
        known = printed + "".join(file.read_text(encoding="utf-8") for file in files if file.exists())
        return ["an object is lost"] if any(identifier not in known for identifier in self.begun()[since:]) else []

    def complete(self) -> Iterator[str]:
        """Apply once more, and yield what is wrong afterwards."""
        yield from self.start("apply").wait().complaints(0)
        if "No changes." not in self.start("plan").wait().output:
            yield "the next plan is not empty"
        found = [instance["attributes"]["id"] for instance in _instances(self.saved / _STATE)]
        if len(found) != self.count:
            yield f"{len(found)} objects instead of {self.count}"
        ended = Counter(self.ended())
        if any(not ended[identifier] for identifier in found):
            yield "a provisioner is forgotten"
        if any(ended[identifier] > 1 for identifier in found):
            yield "a provisioner ran twice"
        if [file for file in self.saved.iterdir() if file.name.startswith(".")]:
            yield "files are left behind"
        yield from left_running(self.directory.parent)


def _lines(file: Path) -> list[str]:
    """Return the complete lines of a file."""
    return file.read_text(encoding="utf-8").split("\n")[:-1] if file.exists() else []


def _instances(state: Path) -> list[Any]:
    if not state.exists():
        return []
    document = json.loads(state.read_text(encoding="utf-8"))
    return [instance for resource in document["resources"] for instance in resource["instances"]]


def kill_applies(engine: str, random: Random, scratch: Path) -> Trial:
    """Kill an apply a few times, at random times or at a random progress, and then let it complete."""
    story = _Story.begin(engine, scratch)
    failures: list[str] = []
    killed = 0
    for _ in range(random.randint(2, 6)):
        before = len(story.begun())
        child = story.start("apply", "--parallelism", str(random.choice((1, 3, 10))))
        if random.random() < 0.3:
            time.sleep(random.uniform(0, 1.5))
        else:
            story.wait_for(child, before + random.randint(1, 6))
            time.sleep(random.uniform(0, 0.1))
        if child.has_ended:
            break
        child.send(signal.SIGKILL, to_group=random.random() < 0.5)
        child.wait()
        killed += 1
        failures += [*left_running(scratch), *story.unknown(before)]
    return Trial(killed, (*failures, *story.complete()))


def signal_applies(engine: str, random: Random, scratch: Path) -> Trial:
    """Interrupt an apply half-way: it waits for what runs, saves, and the next one completes it."""
    story = _Story.begin(engine, scratch)
    number = random.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    child = story.start("apply", "--parallelism", "3")
    story.wait_for(child, random.randint(1, _OBJECTS // 2))
    child.send(number)
    outcome = child.wait()
    failures = [f"{number.name}: {complaint}" for complaint in outcome.complaints(130)]
    failures += left_running(scratch)
    if {*story.begun()} != {*story.ended()}:
        failures.append(f"{number.name}: what was running is not awaited")
    if (story.saved / _JOURNAL).exists():
        failures.append(f"{number.name}: the state is not saved")
    return Trial(1, (*failures, *story.complete()))


def fill_disks(engine: str, random: Random, scratch: Path) -> Trial:
    """Apply with little room for the state. Every object must be known, and the next apply with room completes."""
    free = random.choice(_FREE_KB) * 1024
    disk = scratch / "disk"
    disk.mkdir()
    story = replace(_Story.begin(engine, scratch, _MANY_OBJECTS), saved=disk)
    with mounted_disk(disk, _DISK) as is_mounted:
        preparation = "" if is_mounted else _PRETENDED.format(str(disk), free)
        ballast = disk / "ballast"
        if is_mounted:
            ballast.write_bytes(b"x" * (_DISK - free))
        outcome = story.start("apply", preparation=preparation).wait()
        failures = [*outcome.complaints(0, 1), *story.unknown(0, outcome.output), *left_running(scratch)]
        ballast.unlink(missing_ok=True)
        failures += story.complete()
    return Trial(1, tuple(failures))


def damage_journals(engine: str, random: Random, scratch: Path) -> Trial:
    """Damage the journal that a killed apply has left: it is refused, or the state has nothing that was never so."""
    story = _Story.begin(engine, scratch)
    child = story.start("apply", "--parallelism", "3")
    story.wait_for(child, random.randint(3, _OBJECTS))
    child.send(signal.SIGKILL)
    child.wait()
    failures = left_running(scratch)
    journal, kept = story.saved / _JOURNAL, scratch / "kept"
    if not journal.exists():
        return Trial(0, tuple(failures))
    shutil.copytree(story.saved, kept)
    right = {json.dumps(instance, sort_keys=True) for instance in _recorded(kept)}
    for _ in range(_DAMAGES):
        shutil.copy(kept / _STATE, story.saved / _STATE)
        journal.write_bytes(damaged((kept / _JOURNAL).read_bytes(), random))
        outcome = story.start("plan").wait()
        failures += outcome.complaints(0, 1)
        if outcome.status and "Unusable state journal" not in outcome.errors:
            failures.append("a damaged journal is not explained")
        if not {json.dumps(found, sort_keys=True) for found in _instances(story.saved / _STATE)} <= right:
            failures.append("damage reached the state")
    return Trial(_DAMAGES, tuple(failures))


def _recorded(directory: Path) -> Iterator[Any]:
    """Yield every form of an object that a state and its journal contain."""
    yield from _instances(directory / _STATE)
    for line in _lines(directory / _JOURNAL)[1:]:
        yield from json.loads(line)["resource"]["instances"]
