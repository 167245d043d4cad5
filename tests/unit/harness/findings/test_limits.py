"""What a result keeps is limited: the process that leads a run holds all results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from harness.case.unit import Unit, UnitKind
from harness.execute.local import judge_safely
from harness.findings.building.limits import LONGEST_EVIDENCE, limited_observations, limited_text
from harness.findings.result import result_to_json
from harness.play.run_spec import RunSpec
from tests.odd_cases import write_good_case

LONG: Final = 2_100_000


def test_a_recording_of_many_megabytes_makes_no_large_result(tmp_path: Path) -> None:
    case = tmp_path / "area" / "case"
    write_good_case(case)
    problem = {"severity": "error", "summary": "s" * LONG, "detail": ""}
    steps = [{"op": "plan", "config": "v1", "ok": False, "diagnostics": [problem], "k" * LONG: 1}, {}]
    (case / "golden.json").write_text(json.dumps({"steps": steps}))
    result = judge_safely(Unit(UnitKind.CASE, case), RunSpec(("legacy", "new")))
    assert result.findings
    assert len(json.dumps(result_to_json(result))) < 2 * LONGEST_EVIDENCE
    assert set(json.loads(result.evidence)["courses"]) == {"legacy", "new", "recorded"}


def test_small_observations_stay_beside_large_ones() -> None:
    large, small = {"text": "x" * LONGEST_EVIDENCE}, {"text": "y"}
    kept = limited_observations({"legacy": {"a": small, "b": large, "c": small}, "new": {"a": small}})
    assert kept == {"legacy": {"a": small, "c": small}, "new": {"a": small}}


def test_the_length_of_a_text_is_told() -> None:
    assert limited_text("short") == "short"
    assert limited_text("x" * 100_001).endswith("x... (100,001 characters)")
