"""What the documentation points at is there: recordings, files, functions."""

from __future__ import annotations

import re
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
