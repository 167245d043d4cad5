"""Plans are applied from memory, from a file, and from a file in another process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.case.case import read_case
from harness.engines.registry import DEFAULT_ENGINES
from harness.observe.observation import Observation
from harness.play import plan_transfer
from harness.play.case_runner import CaseRunner
from harness.play.plan_transfer import ApplyingProcessError
from harness.play.schedule import PlanTransfer, Schedule

PARENT = """
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "echo $PPID"
  }
}
"""

ROOT_OF_A_MODULE = """
module "m" {
  source = "./m"
}
resource "terraform_data" "b" {
  input = module.m.o
}
"""

OUTPUT_OF_A_CHANGING_FILE = """
resource "terraform_data" "w" {
  provisioner "local-exec" {
    command = "printf new > m/data.txt"
  }
}
output "o" {
  value      = file("${path.module}/data.txt")
  depends_on = [terraform_data.w]
}
"""


def apply_and_destroy(
    tmp_path: Path, files: dict[str, str], schedule: Schedule, engine: str = "legacy"
) -> list[Observation]:
    """Apply and then destroy, so that the second step starts from a state."""
    case = tmp_path / "area" / "case"
    for name, text in files.items():
        file = case / "v1" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (case / "case.yaml").write_text("description: x\nsteps: [{op: apply, config: v1}, {op: destroy, config: v1}]\n")
    place = tmp_path / "place"
    place.mkdir(exist_ok=True)
    observations = CaseRunner.of(read_case(case), place, ()).run(engine, schedule, timeout_s=60)
    assert list(place.iterdir()) == []
    return list(observations.values())


def parent_of_the_provisioner(observation: Observation) -> int:
    events = observation["events"]
    assert isinstance(events, list)
    (line,) = [
        event[3]
        for event in events
        if isinstance(event, list) and event[0] == "provision_progress" and len(event) == 4 and str(event[3]).isdigit()
    ]
    return int(str(line))


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_who_applies(tmp_path: Path, engine: str) -> None:
    """In the third mode, a process other than this one really applies the plan."""
    parents = {
        each: parent_of_the_provisioner(
            apply_and_destroy(tmp_path, {"main.tf": PARENT}, Schedule(handover=each), engine)[0]
        )
        for each in PlanTransfer
    }
    assert parents[PlanTransfer.MEMORY] == parents[PlanTransfer.FILE] == os.getpid()
    assert parents[PlanTransfer.PROCESS] not in (os.getpid(), os.getppid())


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
@pytest.mark.parametrize("each", list(PlanTransfer))
def test_a_plan_file_holds_no_outputs_of_modules(tmp_path: Path, engine: str, each: PlanTransfer) -> None:
    """This is how the original behaves: a plan that is applied at once uses the planned values; for a saved plan,
    outputs of modules other than the root are evaluated again."""
    files = {"main.tf": ROOT_OF_A_MODULE, "m/main.tf": OUTPUT_OF_A_CHANGING_FILE, "m/data.txt": "old"}
    first = apply_and_destroy(tmp_path, files, Schedule(handover=each), engine)[0]
    diagnostics = first["diagnostics"]
    assert isinstance(diagnostics, list)
    summaries = [item["summary"] for item in diagnostics if isinstance(item, dict)]
    expected = [] if each is PlanTransfer.MEMORY else ["Provider produced inconsistent final plan"]
    assert (first["ok"], summaries) == (not expected, expected)


def test_objects_made_by_several_processes_are_told_apart(tmp_path: Path) -> None:
    first, second = apply_and_destroy(tmp_path, {"main.tf": PARENT}, Schedule(handover=PlanTransfer.PROCESS))
    assert first["state"] != second["state"]
    assert "<id terraform_data.a #1>" in str(second["events"])


def test_a_crash_of_the_other_process_is_told_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_transfer, "_PLAN", "not/where/the/other/process/looks.tfplan")
    monkeypatch.setattr(plan_transfer, "write_plan", lambda *_: None)
    with pytest.raises(ApplyingProcessError) as failure:
        apply_and_destroy(tmp_path, {"main.tf": PARENT}, Schedule(handover=PlanTransfer.PROCESS))
    assert "AssertionError" in str(failure.value)
    assert "_apply_saved" in str(failure.value)


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
@pytest.mark.parametrize("plan_transfer", [PlanTransfer.FILE, PlanTransfer.MEMORY])
def test_what_cannot_be_saved_is_a_failure_and_no_crash(
    tmp_path: Path, engine: str, plan_transfer: PlanTransfer
) -> None:
    first, _ = apply_and_destroy(
        tmp_path, {"main.tf": 'output "o" {\n  value = 1 / 0\n}\n'}, Schedule(handover=plan_transfer), engine
    )
    assert first["ok"] is False
    assert "cannot serialize infinity as JSON" in str(first["diagnostics"])
