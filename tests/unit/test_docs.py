"""What the documentation points at is there: recordings, files, functions."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent.parent
QUIRKS: Final = (ROOT / "docs" / "quirks.md").read_text(encoding="utf-8")
ROWS: Final = [line for line in QUIRKS.splitlines() if line.startswith("| ") and not line.startswith("| name")]


def recorded_ids() -> set[str]:
    files = (ROOT / "corpus" / "conformance" / "expressions").glob("*.jsonl")
    return {match for file in files for match in re.findall(r'^\{"id": "([^"]+)"', file.read_text(), re.MULTILINE)}


def test_recordings_of_quirks_exist() -> None:
    named = set(re.findall(r"`([a-z_]+-[0-9a-f]{10})`", QUIRKS))
    assert named
    assert named <= recorded_ids()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_code_of_quirks_exists(row: str) -> None:
    code = row.rsplit("|", 2)[1]
    for place, names in re.findall(r"`([a-z_/]+\.py)`(?:: ((?:`[^`]+`(?:, )?)+))?", code):
        text = (ROOT / "shared_nodes" / place).read_text(encoding="utf-8")
        for name in re.findall(r"`([^`]+)`", names):
            assert re.search(rf"\b{re.escape(name)}\b", text), f"{place} has no {name}"


# The session in the README

SESSION: Final = (
    (ROOT / "README.md").read_text(encoding="utf-8").partition("## Running an engine")[2].partition("## ")[0]
)
IDENTIFIER: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
COMMAND: Final = [sys.executable, "-c", "from harness.cli import main; main()"]


def session() -> Iterator[tuple[str, list[str]]]:
    """Each command with the lines shown of what it prints, their indentation taken off."""
    lines = [line.removeprefix("    ") for line in SESSION.splitlines() if line.startswith("    ")]
    starts = [index for index, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start][2:], [line for line in lines[start + 1 : end] if line != "..."]


@pytest.mark.parametrize("engine", ["legacy", "new"])
def test_the_session_in_the_readme_is_what_happens(tmp_path: Path, engine: str) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    commands = list(session())
    assert len(commands) == 6
    for command, shown in commands:
        words = command.replace("engine legacy", f"engine {engine}").split()
        program = COMMAND if words[0] == "diffharness" else words[:1]
        result = subprocess.run(
            [*program, *words[1:]], capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path
        )
        assert result.returncode == 0, result.stderr
        printed = IDENTIFIER.sub("ID", result.stdout + result.stderr).splitlines()
        assert [line for line in shown if IDENTIFIER.sub("ID", line) not in printed] == []
