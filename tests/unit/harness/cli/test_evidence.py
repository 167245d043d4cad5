"""Values shown with diagnostics of unsuitable results and of failed rules, which the evaluator does not report
itself.

`evidence/NAME/recorded.json` has the diagnostics that `terraform plan -json` of the real Terraform 1.11.4 reported for
the configuration next to it: file, line, column, severity, summary and values of each.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

CASES: Final = Path(__file__).parent / "evidence"


@pytest.mark.parametrize("name", ["results", "rules"])
def test_values_are_told_as_recorded(name: str, tmp_path: Path) -> None:
    shutil.copytree(CASES / name, tmp_path / name)
    events = tmp_path / "events"
    command = [sys.executable, "-c", "from harness.cli import main; main()", "engine", "legacy", "plan"]
    arguments = [str(tmp_path / name), "--events", str(events)]
    result = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 1
    lines = map(json.loads, events.read_text(encoding="utf-8").splitlines())
    found = [_row(line["diagnostic"]) for line in lines if line["type"] == "diagnostic"]
    assert sorted(found, key=str) == json.loads((CASES / name / "recorded.json").read_text())


def _row(diagnostic: dict[str, Any]) -> list[object]:
    where, start = diagnostic["range"], diagnostic["range"]["start"]
    values = [[value["traversal"], value["statement"]] for value in diagnostic["snippet"]["values"]]
    return [
        where["filename"],
        start["line"],
        start["column"],
        diagnostic["severity"],
        diagnostic["summary"],
        values,
    ]
