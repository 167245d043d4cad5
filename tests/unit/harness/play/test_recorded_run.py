"""Recorded engines: they answer from the recordings of a case, and are compared like engines that run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.case.case import CaseError, read_case
from harness.compare.ruling import Ruling
from harness.execute.replay import replay
from harness.play.artifacts import ArtifactWriter
from harness.play.case_runner import prepare_runner
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
from tests.judging import judge_engines

OLD, NEW = "recorded:main", "recorded:main-new"
OUTPUT = 'output "o" {\n  value = 1\n}\n'


def step(**others: Any) -> dict[str, Any]:
    change = {"actions": ["create"], "before": None, "after": 1, "after_unknown": False}
    marks = {"before_sensitive": False, "after_sensitive": False}
    nothing: dict[str, Any] = {"items": [], "before": []}
    counts = {"add": 0, "change": 0, "import": 0, "remove": 0}
    plan = {
        "resource_changes": [],
        "output_changes": {"o": {**change, **marks}},
        "relevant_attributes": [],
        "errored": False,
    }
    state: dict[str, Any] = {"outputs": {"o": {"value": 1, "type": "number"}}, "resources": [], "check_results": None}
    return {
        "op": "apply",
        "config": "v1",
        "ok": True,
        "diagnostics": [],
        "plan_summary": counts,
        "plan": plan,
        "plan_events": nothing,
        "apply_summary": counts,
        "events": nothing,
        "state": state,
        **others,
    }


@pytest.fixture
def case(tmp_path: Path) -> Path:
    directory = tmp_path / "area" / "case"
    (directory / "v1").mkdir(parents=True)
    (directory / "v1" / "main.tf").write_text(OUTPUT)
    (directory / "case.yaml").write_text("description: x\nsteps: [{op: apply, config: v1}]\n")
    return directory


def write(case: Path, system: str, *steps: dict[str, Any], release: str = "opentofu 1.13.0-dev") -> None:
    verdicts = {"v1": {"ok": True, "diagnostics": []}, "unused": {"ok": True, "diagnostics": []}}
    tree = {"engine": release, "validate": verdicts, "steps": [*steps]}
    (case / f"golden.{system}.json").write_text(json.dumps(tree))


def test_two_recordings_are_compared_and_nothing_is_run(case: Path) -> None:
    write(case, "main", step())
    write(case, "main-new", step(ok=False))
    verdict = judge_engines(case, [OLD, NEW], [Schedule(), Schedule(1)], baseline_schedules=[Schedule(2)])
    assert (verdict.baseline, verdict.is_recorded, verdict.of[OLD].ruling) == (OLD, False, Ruling.EQUAL)
    assert [str(found[1]) for found in verdict.between[NEW].differences] == ["ok: expected true, got false"]
    assert [each.runs for each in verdict.of.values()] == [1, 1]
    assert list(verdict.observations[OLD]) == ["validate v1", "step 1 (apply v1)"]


@pytest.mark.parametrize("engines", [(OLD, "legacy"), ("legacy", OLD), ("new", "legacy", OLD)])
def test_a_recording_and_an_engine_that_did_the_same_are_equal(case: Path, engines: tuple[str, ...]) -> None:
    write(case, "main", step())
    verdict = judge_engines(case, engines)
    assert {name: each.differences for name, each in verdict.between.items()} == dict.fromkeys(engines[1:], ())
    assert {each.ruling for each in verdict.of.values()} == {Ruling.EQUAL}


def test_a_verdict_that_was_not_recorded_is_not_missed(case: Path) -> None:
    write(case, "main", step())
    write(case, "main-new", step())
    file = case / "golden.main-new.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "validate": {}}))
    for engines in ((OLD, NEW), (NEW, OLD), ("legacy", NEW), (NEW, "legacy")):
        assert judge_engines(case, engines).between[engines[1]].ruling is Ruling.EQUAL


def test_an_engine_in_process_is_not_expected_to_fail_in_init(case: Path) -> None:
    write(case, "main", step(init={"ok": False, "diagnostics": [{"severity": "error", "summary": "x"}]}))
    for engines in ((OLD, "legacy"), ("legacy", OLD)):
        assert judge_engines(case, engines).between[engines[1]].ruling is Ruling.EQUAL


def test_fields_that_either_recording_calls_unstable_are_left_out(case: Path) -> None:
    write(case, "main", step(unstable=["ok"]))
    write(case, "main-new", step(ok=False, state=None, unstable=["state"]))
    assert judge_engines(case, [OLD, NEW]).between[NEW].ruling is Ruling.EQUAL


def test_a_case_without_the_recording_is_not_run(case: Path) -> None:
    write(case, "main", step())
    verdict = judge_engines(case, [OLD, NEW])
    assert verdict.of[NEW].ruling is Ruling.NOT_RUN
    assert verdict.of[NEW].reason == "the case has no recording of main-new"


def test_a_recorded_engine_is_not_held_against_the_recording_of_a_product(case: Path) -> None:
    write(case, "main", step())
    (case / "golden.main.json").rename(case / "golden.kept.json")
    write(case, "main", step(ok=False))
    (case / "golden.kept.json").rename(case / "golden.json")
    assert judge_engines(case, [OLD], flavour="opentofu-1.12").of[OLD].ruling is Ruling.EQUAL


def test_a_case_that_may_not_run_commands_is_answered_all_the_same(case: Path) -> None:
    write(case, "main", step())
    assert judge_engines(case, [OLD], may_execute=False).of[OLD].ruling is Ruling.EQUAL


def test_a_recording_of_another_number_of_steps_cannot_be_read(case: Path) -> None:
    write(case, "main", step(), step())
    with prepare_runner(read_case(case)) as (runner, _), pytest.raises(CaseError, match="another number of steps"):
        runner.read_recorded_run(OLD)
    assert "another number of steps" in judge_engines(case, [OLD]).invalid


def test_a_replay_keeps_the_observations_and_ends_where_it_is_asked_to(case: Path, tmp_path: Path) -> None:
    (case / "case.yaml").write_text("description: x\nsteps: [{op: apply, config: v1}, {op: plan, config: v1}]\n")
    write(case, "main", step(), step(op="plan"))
    replayed = replay(case, RunSpec((OLD,)), ArtifactWriter(tmp_path / "kept"), until=1)
    assert list(replayed.verdict.observations[OLD]) == ["validate v1", "step 1 (apply v1)"]
    kept = sorted(path.relative_to(tmp_path / "kept").as_posix() for path in (tmp_path / "kept").rglob("*.json"))
    assert kept == ["recorded_main/01-validate-v1/observation.json", "recorded_main/02-apply-v1/observation.json"]


def test_orders_of_recordings_are_compared_and_named_by_what_uses_what(case: Path) -> None:
    """The old system deletes the user before it updates what was used; the new one has planned no such order. That one
    uses the other is known from the state before the step alone."""
    main = 'resource "terraform_data" "base" {\n  input = 2\n}\n'
    (case / "v1" / "main.tf").write_text(main)
    user = {"mode": "managed", "type": "terraform_data", "name": "user", "instances": [{"dependencies": [BASE]}]}
    (case / "before.tfstate").write_text(json.dumps({"version": 4, "resources": [user]}))
    (case / "case.yaml").write_text(
        "description: x\nprior_state: before.tfstate\nsteps: [{op: apply, config: v1}]\n", encoding="utf-8"
    )
    items = [[kind, address, verb] for address, verb in EFFECTS for kind in ("apply_start", "apply_complete")]
    events = {"items": items, "before": [[0, 1], [1, 2], [2, 3]]}
    write(case, "main", step(events=events))
    release = "opentofu 1.13.0-dev with TOFU_X_EXPERIMENTAL_RUNTIME=1"
    write(case, "main-new", step(events={**events, "before": []}, execution_graph=OPERATIONS), release=release)
    (difference,) = [found for _, found in judge_engines(case, [OLD, NEW]).between[NEW].differences]
    assert difference.shape == "constraints[delete before update of what it uses]"
    assert difference.expected == f"{USER} (delete) before {BASE} (update)"


BASE, USER = "terraform_data.base", "terraform_data.user"
EFFECTS = [(USER, "delete"), (BASE, "update")]
OPERATIONS = f"""
r[0] = ResourceInstancePrior({BASE});
r[1] = ResourceInstanceCurrentMeta({BASE}, r[0]);
r[2] = ResourceInstanceDesired(r[1]);
r[3] = ManagedFinalPlan(r[1], r[2], r[0], v[0]);
r[4] = ManagedApply(r[3], nil, await());
r[5] = ResourceInstancePrior({USER});
r[6] = ResourceInstanceCurrentMeta({USER}, r[5]);
r[7] = ManagedFinalPlan(r[6], nil, r[5], v[1]);
r[8] = ManagedApply(r[7], nil, await());
"""
