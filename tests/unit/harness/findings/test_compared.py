"""What a result keeps of a case in which engines agree: how much was compared in each step, and how long it took."""

from __future__ import annotations

from pathlib import Path

from harness.findings.result import result_from_json, result_to_json
from tests.unit.harness.findings.patched import judge_case, write_case

MAIN = """resource "terraform_data" "a" {}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
output "o" {
  value = 1
}
"""
STEPS = "steps: [{op: apply, config: v1}, {op: plan, config: v1}]"
FIRST, SECOND = "step 1 (apply v1)", "step 2 (plan v1)"


def test_everything_that_was_compared_is_counted_by_step(tmp_path: Path) -> None:
    result = judge_case(write_case(tmp_path, STEPS, {"v1/main.tf": MAIN}))
    assert (result.findings, result.evidence) == ((), "")
    assert list(result.compared) == ["validate v1", FIRST, SECOND]
    applied = result.compared[FIRST]
    names = ("planned objects", "planned outputs", "objects in the state", "effects in order", "events", "diagnostics")
    assert [applied[name] for name in names] == [2, 1, 2, 2, 4, 0]
    assert "objects in the state" not in result.compared[SECOND], "a plan leaves no state"


def test_each_step_has_a_time_that_is_no_part_of_the_result(tmp_path: Path) -> None:
    result = judge_case(write_case(tmp_path, STEPS, {"v1/main.tf": MAIN}))
    assert {name: list(of) for name, of in result.step_s.items()} == {
        name: ["validate v1", FIRST, SECOND] for name in ("legacy", "new")
    }
    assert all(0 <= time_s < 60 for of in result.step_s.values() for time_s in of.values())
    assert result.stable.step_s == {}
    assert result_from_json(result_to_json(result)) == result
