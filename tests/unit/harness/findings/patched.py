"""Writes small cases, and judges them with engines that tests have patched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.case.unit import Unit, UnitKind
from harness.execute.judge import judge_unit
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec

__all__ = ["judge_case", "write_case"]


def write_case(directory: Path, steps: str, files: Mapping[str, str]) -> Path:
    """Write a case. `steps` is a line of YAML."""
    case = directory / "area" / "case"
    for name, text in {"case.yaml": f"description: made for a test\n{steps}\n", **files}.items():
        (case / name).parent.mkdir(parents=True, exist_ok=True)
        (case / name).write_text(text, encoding="utf-8")
    return case


def judge_case(case: Path, *engines: str) -> CaseResult:
    return judge_unit(Unit(UnitKind.CASE, case), RunSpec(engines or ("legacy", "new")))
