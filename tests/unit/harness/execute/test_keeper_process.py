"""Workers that are forked from the run judge as new programs do, within the same limits, and end as they do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from harness.execute.keeper_process import is_forkable

MakeCase = Callable[[str, str], Path]

COMMAND: Final = [sys.executable, "-c", "from diffharness_command import main; main()"]
WORKS: Final = """
import os, sys
from harness.execute.keeper_process import fork_keeper, start_keeper
import harness.execute.process as process

def tell(how, start):
    def told(*arguments):
        print(how, file=sys.stderr)
        return start(*arguments)
    return told

process.fork_keeper, process.start_keeper = tell("forked", fork_keeper), tell("started", start_keeper)
from harness.cli import main
main()
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no process is forked elsewhere")


@pytest.fixture
def good(make_case: MakeCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_case("good", "")


def run(*arguments: str, program: str = COMMAND[2], **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    command = [sys.executable, "-c", program, "run", "cases", "--engines", "moody,legacy", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env={**kept, **environment}
    )


def results(tmp_path: Path, name: str, *arguments: str, **environment: str) -> dict[str, Any]:
    file = tmp_path / f"{name}.json"
    ended = run(*arguments, "--json", str(file), "--out", str(tmp_path / name), **environment)
    assert ended.returncode in {0, 1, 3}, ended.stderr
    found = json.loads(file.read_text(encoding="utf-8"))["results"]
    return {each["identifier"]: _without_times(each) for each in found}


def _without_times(found: Any) -> Any:
    """Leave out what differs each time, and where an engine was when its time or memory ran out."""
    if isinstance(found, dict):
        kept = {name: each for name, each in found.items() if name != "trace" and not name.endswith("_s")}
        return {name: _without_times(each) for name, each in kept.items()}
    return [_without_times(each) for each in found] if isinstance(found, list) else found


def test_forked_workers_find_what_started_ones_find(
    make_case: MakeCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moods = {"endless": "loops", "hungry": "eats", "lethal": "dies", "raising": "raises", "good": "", "loud": "prints"}
    for name, mood in moods.items():
        make_case(name, mood)
    monkeypatch.chdir(tmp_path)
    limits = ["--timeout", "2", "--memory", "700", "--retries", "1", "--jobs", "2"]
    forked = results(tmp_path, "forked", *limits)
    started = results(tmp_path, "started", *limits, PYTHONHASHSEED="1")
    assert {name: each.get("ruling", "equal") for name, each in forked.items()} == {
        "moods/endless": "hang",
        "moods/hungry": "over-budget",
        "moods/lethal": "crash",
        "moods/raising": "crash",
        "moods/good": "equal",
        "moods/loud": "equal",
    }
    assert forked == started


@pytest.mark.parametrize(
    ("seed", "hash_seed", "how"),
    [("0", "0", "forked"), ("3", "3", "forked"), ("3", "0", "started"), ("0", "random", "started")],
)
def test_a_fork_needs_the_hash_seed_of_a_worker(good: Path, seed: str, hash_seed: str, how: str) -> None:
    assert good.is_dir()
    ended = run("--jobs", "2", "--seed", seed, program=WORKS, PYTHONHASHSEED=hash_seed)
    assert (ended.returncode, ended.stderr) == (0, f"{how}\n")


def test_the_command_fixes_its_hash_seed(good: Path) -> None:
    """Otherwise every worker would be started."""
    assert good.is_dir()
    program = WORKS.replace("from harness.cli import main", "from diffharness_command import main")
    assert run("--jobs", "2", program=program).stderr == "forked\n"


def test_a_process_with_threads_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    monkeypatch.setattr(sys, "flags", type("Flags", (), {"hash_randomization": 1}))
    monkeypatch.setattr("threading.active_count", lambda: 1)
    assert is_forkable(7)
    assert not is_forkable(8)
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert not is_forkable(7)
