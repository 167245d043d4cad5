"""Faults that happen to `diffharness run` and `diffharness fuzz`.

A run that was killed or interrupted is continued until it is complete. Then its published document must be that of a
run to which nothing happened, byte for byte. A fuzzing campaign is begun again.
"""

from __future__ import annotations

import json
import shutil
import signal
import time
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Final

from harness.chaos.child import Outcome, is_running_stories, left_behind, left_running, run_command, start_command
from harness.chaos.damage import damaged
from harness.chaos.small_disk import mounted_disk
from harness.chaos.trial import Trial

__all__ = ["Fuzzing", "Runs"]

_CASES: Final = 8
_JOBS: Final = ("--jobs", "2")
_STORIES: Final = ("--examples", "4", "--seed", "3", "--no-shrink")
_DAMAGES: Final = 3
_JOURNAL: Final = "journal.jsonl"
_HEADER: Final = "run.json"
_TIMES: Final = ("seconds", "stories_per_second")
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_CASE: Final = """description: Objects are created, changed, and destroyed.
steps:
  - {{op: apply, config: v1}}
  - {{op: plan, config: v2}}
  - {{op: apply, config: v2}}
"""

_MODULE: Final = """
resource "terraform_data" "a" {{
  count            = {count}
  input            = "{text}"
  triggers_replace = "{text}"
}}
output "o" {{
  value = terraform_data.a[*].output
}}
"""


class Runs:
    """Runs of one corpus, which is written to `home` unless there is one already."""

    def __init__(self, home: Path, corpus: Path | None = None) -> None:
        self._home = home
        self._corpus = corpus

    @cached_property
    def corpus(self) -> Path:
        if self._corpus is not None:
            return self._corpus.resolve()
        for number in range(_CASES):
            case = self._home / "corpus" / f"case{number}"
            for config, count in (("v1", number), ("v2", number + 1)):
                (case / config).mkdir(parents=True)
                text = _MODULE.format(count=count, text=config)
                (case / config / "main.tf").write_text(text, encoding="utf-8")
            (case / "case.yaml").write_text(_CASE.format(), encoding="utf-8")
        return self._home / "corpus"

    @cached_property
    def undisturbed(self) -> tuple[bytes, float]:
        """The document of a run to which nothing happens, and the seconds it takes."""
        scratch = self._home / "undisturbed"
        scratch.mkdir()
        started = time.monotonic()
        run_command(self._begin(scratch / "run"), scratch)
        return (scratch / "run.document").read_bytes(), time.monotonic() - started

    def _begin(self, place: Path) -> list[str | Path]:
        return ["run", self.corpus, *_JOBS, "--out", place, "--json", place.with_suffix(".document")]

    def _continue(self, place: Path) -> list[str | Path]:
        """Return the command that continues a run; or begins it, if it was killed before there was anything."""
        if not (place / _HEADER).exists():
            shutil.rmtree(place, ignore_errors=True)
            return self._begin(place)
        return ["run", self.corpus, *_JOBS, "--resume", place, "--json", place.with_suffix(".document")]

    def _complete(self, place: Path) -> list[str]:
        """Let a run complete, and return what is wrong with it."""
        wanted, _ = self.undisturbed
        outcome = run_command(self._continue(place), place.parent)
        document = place.with_suffix(".document")
        if outcome.complaints(0, 1) or not document.exists():
            return outcome.complaints(0, 1) or ["there is no document"]
        differs = [] if document.read_bytes() == wanted else ["the document differs"]
        return [*differs, *left_behind(place.parent)]

    def kill(self, random: Random, scratch: Path) -> Trial:
        _, seconds = self.undisturbed
        place = scratch / "run"
        failures: list[str] = []
        killed = 0
        for _ in range(random.randint(1, 4)):
            child = start_command(self._continue(place), scratch)
            time.sleep(random.uniform(0, seconds))
            if child.has_ended:
                break
            child.send(signal.SIGKILL, to_group=random.random() < 0.5)
            child.wait()
            killed += 1
            failures += left_running(scratch)
        return Trial(killed, (*failures, *self._complete(place)))

    def interrupt(self, random: Random, scratch: Path) -> Trial:
        _, seconds = self.undisturbed
        place = scratch / "run"
        number = random.choice(_SIGNALS)
        child = start_command(self._continue(place), scratch)
        while not (place / _HEADER).exists() and not child.has_ended:
            time.sleep(0.01)
        time.sleep(random.uniform(0, seconds / 4))
        if child.has_ended:
            return Trial(0)
        child.send(number)
        failures = [f"{number.name}: {complaint}" for complaint in child.wait().complaints(130)]
        return Trial(1, (*failures, *left_running(scratch), *self._complete(place)))

    def fill_disk(self, random: Random, scratch: Path) -> Trial:
        """Run with little room for the directory of the run. Where no disk can be mounted, nothing is tried."""
        disk = scratch / "disk"
        disk.mkdir()
        with mounted_disk(disk, 600 * 1024) as is_mounted:
            if not is_mounted:
                return Trial(0)
            (disk / "ballast").write_bytes(b"x" * (600 - random.choice((0, 4, 8, 16))) * 1024)
            outcome = run_command(self._begin(disk / "run"), scratch)
            failures = [*outcome.complaints(1), *left_running(scratch)]
            (disk / "ballast").unlink()
            failures += self._complete(disk / "run")
        return Trial(1, tuple(failures))

    def damage(self, random: Random, scratch: Path) -> Trial:
        """Damage the journal of a run: it is refused, or completed as if nothing had happened."""
        wanted, _ = self.undisturbed
        failures: list[str] = []
        for number in range(_DAMAGES):
            place = scratch / f"run{number}"
            shutil.copytree(self._home / "undisturbed" / "run", place)
            journal = place / _JOURNAL
            journal.write_bytes(damaged(journal.read_bytes(), random))
            outcome = run_command(self._continue(place), scratch)
            failures += outcome.complaints(0, 1)
            document = place.with_suffix(".document")
            if not outcome.status and document.read_bytes() != wanted:
                failures.append("the document differs")
        return Trial(_DAMAGES, tuple(failures))


class Fuzzing:
    def __init__(self, home: Path) -> None:
        self._home = home

    @cached_property
    def undisturbed(self) -> tuple[str, float]:
        """What a campaign to which nothing happens finds, and the seconds it takes."""
        scratch = self._home / "fuzzing"
        scratch.mkdir()
        started = time.monotonic()
        self._fuzz(scratch)
        return _findings(scratch / "fuzz.json"), time.monotonic() - started

    def _fuzz(self, scratch: Path) -> Outcome:
        return run_command(self._command(scratch), scratch)

    def _command(self, scratch: Path) -> list[str | Path]:
        return ["fuzz", *_STORIES, *_JOBS, "--json", scratch / "fuzz.json"]

    def kill(self, random: Random, scratch: Path) -> Trial:
        wanted, seconds = self.undisturbed
        child = start_command(self._command(scratch), scratch)
        time.sleep(random.uniform(0, seconds))
        if child.has_ended:
            return Trial(0)
        child.send(signal.SIGKILL, to_group=random.random() < 0.5)
        child.wait()
        failures = [*left_running(scratch), *self._fuzz(scratch).complaints(0, 1)]
        if not failures and _findings(scratch / "fuzz.json") != wanted:
            failures.append("the findings differ")
        return Trial(1, (*failures, *left_behind(scratch)))

    def interrupt(self, random: Random, scratch: Path) -> Trial:
        """Interrupt a campaign that has begun its first story: what it has found so far is written."""
        _, seconds = self.undisturbed
        number = random.choice(_SIGNALS)
        child = start_command(self._command(scratch), scratch)
        while not is_running_stories(scratch) and not child.has_ended:
            time.sleep(0.01)
        time.sleep(random.uniform(0, seconds / 2))
        if child.has_ended:
            return Trial(0)
        child.send(number)
        failures = [f"{number.name}: {complaint}" for complaint in child.wait().complaints(130, 0, 1)]
        if not (scratch / "fuzz.json").exists():
            failures.append(f"{number.name}: nothing is written")
        return Trial(1, (*failures, *left_running(scratch)))


def _findings(file: Path) -> str:
    document = json.loads(file.read_text(encoding="utf-8"))
    return json.dumps({key: value for key, value in document.items() if key not in _TIMES}, sort_keys=True)
