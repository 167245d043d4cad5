"""`engine validate --json` says about the configurations of corpus/real-world what Terraform 1.11.4 said: severity,
summary, detail, file, line and column. Those that need a provider are not recorded, since none was installed.

Modules were installed by `terraform init` where the corpus has no manifest of its own.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from harness.case.unit import select_units
from harness.cli import commands
from harness.cli.engine.group import engine as engine_command

ROOT: Final = Path(__file__).parents[2] / "corpus" / "real-world"
VALIDATED: Final[Mapping[str, Any]] = json.loads(
    (Path(__file__).parent / "real_world_validated.json").read_text(encoding="utf-8")
)


def summary_of(text: str) -> str:
    """Return a summary. The order in which a cycle is listed varies from run to run."""
    if not text.startswith("Cycle: "):
        return text
    return "Cycle: " + ", ".join(sorted(re.split(", ", text.removeprefix("Cycle: "))))


def diagnostic(found: Mapping[str, Any]) -> list[Any]:
    place = found.get("range")
    if place is not None:
        start, end = place["start"], place["end"]
        place = [place["filename"], start["line"], start["column"], end["line"], end["column"]]
    return [found["severity"], summary_of(found["summary"]), found["detail"], place]


@pytest.mark.parametrize("engine", ["legacy", "new"])
@pytest.mark.parametrize("name", sorted(VALIDATED))
def test_validation_says_what_terraform_says(name: str, engine: str) -> None:
    ran = CliRunner().invoke(engine_command, [engine, "validate", "--json", str(ROOT / name)])
    found = json.loads(ran.output)
    recorded = VALIDATED[name]
    wanted = [[severity, summary_of(summary), *rest] for severity, summary, *rest in recorded["diagnostics"]]
    assert sorted(map(diagnostic, found["diagnostics"]), key=str) == sorted(wanted, key=str)
    assert found["ok"] == recorded["valid"]


def test_there_are_enough_shapes_and_each_has_a_name_of_its_own() -> None:
    found = select_units([ROOT])
    names = [unit.identifier for unit in found.units]
    assert len(names) == len(set(names)) >= 80
    assert {"prod/eu/network", "dev/us/network"} <= set(names)
    assert not any("fixtures" in name for name in names)


def test_a_monorepo_runs(tmp_path: Path) -> None:
    copy = tmp_path / "monorepo"
    shutil.copytree(ROOT / "monorepo", copy)
    ran = CliRunner().invoke(commands, ["run", str(copy), "--jobs", "1", "--out", str(tmp_path / "run")])
    assert ran.exit_code == 0, ran.output
    assert "6 cases: 6 equal" in ran.output
    assert "3 modules that other configurations call" in ran.output
    assert "1 configuration for tests" in ran.output
