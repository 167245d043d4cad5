"""Writes and runs short stories."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from harness.case.case import read_case
from harness.observe.observation import Observation
from harness.play.case_runner import CaseRunner
from harness.play.schedule import Schedule

__all__ = ["SIMCLOUD", "cases_with_several_steps", "places_of", "play", "write_steps", "write_story"]

CASES: Final = Path(__file__).parents[4] / "corpus" / "cases"

SIMCLOUD = """
terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}
"""


def write_story(directory: Path, tasks: str, **configurations: str) -> Path:
    """Write a case. `tasks` is the text of case.yaml without its description."""
    for name, text in (configurations or {"v1": ""}).items():
        (directory / name).mkdir(parents=True, exist_ok=True)
        (directory / name / "main.tf").write_text(text, encoding="utf-8")
    (directory / "case.yaml").write_text(f"description: x\n{tasks}", encoding="utf-8")
    return directory


def write_steps(directory: Path, configurations: Mapping[str, str], *steps: tuple[str, str]) -> Path:
    """Write a case with these steps, each an operation and a configuration."""
    lines = "".join(f"  - {{op: {operation}, config: {config}}}\n" for operation, config in steps)
    return write_story(directory, f"steps:\n{lines}", **configurations)


def cases_with_several_steps(count: int) -> list[Path]:
    """Return cases with three steps or more, from all over the corpus."""
    found = (path.parent for path in sorted(CASES.glob("*/*/case.yaml")))
    cases = [path for path in found if len(read_case(path).steps) >= 3]
    return cases[:: len(cases) // count]


def play(directory: Path, engine: str = "legacy", schedule: Schedule | None = None) -> dict[str, Observation]:
    with tempfile.TemporaryDirectory() as place:
        return CaseRunner.of(read_case(directory), Path(place), ()).run(engine, schedule or Schedule(), 60)


def places_of(observations: dict[str, Observation]) -> list[str]:
    """Return the places of the observations, without the end of the story."""
    return [place for place in observations if place != "story"]
