"""`explain` and `replay`: a complete description of one case, and the files it produces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import new_engine.api
from harness.cli import commands
from harness.execute.journal import RunHeader, RunJournal
from harness.execute.wire import settings_to_json
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
from shared_nodes.operations.engine import EngineRequest, PlanResult
from tests.unit.harness.findings.patched import write_case

STEPS = "steps: [{op: apply, config: v1}, {op: destroy, config: v1}]"
MAIN = 'resource "terraform_data" "a" {\n  input = "some text"\n}\n'


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_case(tmp_path, STEPS, {"v1/main.tf": MAIN})


def run(*arguments: object) -> Result:
    return CliRunner().invoke(commands, [str(argument) for argument in arguments])


def break_destroying(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = new_engine.api.plan

    async def planned(request: EngineRequest) -> PlanResult:
        if str(request.options.mode) == "destroy":
            raise RuntimeError("lost my way")
        return await plan(request)

    monkeypatch.setattr(new_engine.api, "plan", planned)


def test_explain_a_case_that_agrees(case: Path) -> None:
    result = run("explain", case)
    assert result.exit_code == 0
    assert "legacy and new agree in everything." in result.output
    assert "step 2 (destroy v1): succeeded, 2 events" in result.output


def test_explain_shows_what_is_walked_and_followed(case: Path) -> None:
    output = run("explain", case, "--graphs").output
    assert "legacy/02-apply-v1" in output
    assert "new/02-apply-v1" in output
    assert "= ManagedApply(" in output


def test_explain_as_json(case: Path) -> None:
    tree: dict[str, Any] = json.loads(run("explain", case, "--json").output)
    assert tree["result"]["equal"] == ["new"]
    assert tree["steps"]["step 1 (apply v1)"] == {"legacy": "succeeded, 2 events", "new": "succeeded, 2 events"}


def test_explain_a_crash(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    break_destroying(monkeypatch)
    result = run("explain", case)
    assert result.exit_code == 3
    assert "RuntimeError: lost my way" in result.output


def test_replay_keeps_what_each_step_leaves(case: Path, tmp_path: Path) -> None:
    result = run("replay", case, "--keep", "kept")
    assert result.exit_code == 0, result.output
    assert "legacy: apply v1: succeeded" in result.output
    place = tmp_path / "kept" / "new" / "02-apply-v1"
    assert {file.name for file in place.iterdir()} >= {"after.tfstate", "step.tfplan", "graph.txt", "observation.json"}
    assert json.loads((place / "after.tfstate").read_text())["resources"][0]["name"] == "a"
    assert (place / "work" / "main.tf").read_text() == MAIN
    before = tmp_path / "kept" / "legacy" / "03-destroy-v1" / "before.tfstate"
    assert json.loads(before.read_text())["resources"][0]["name"] == "a"


def test_replay_up_to_a_step(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure after the last replayed step has no effect."""
    break_destroying(monkeypatch)
    assert run("replay", case, "--keep", "one", "--step", 1).exit_code == 0
    assert run("replay", case, "--keep", "both").exit_code == 3
    result = run("replay", case, "--keep", "none", "--step", 3)
    assert "there is no step 3; they are 1 to 2" in result.output


def test_replay_never_writes_into_what_is_there(case: Path) -> None:
    result = run("replay", case, "--keep", case)
    assert result.exit_code == 2
    assert "already exists and is not empty" in result.output


def test_replay_as_a_run_had_it(case: Path, tmp_path: Path) -> None:
    settings = RunSpec(("new",), (Schedule(seed=7, parallelism=3),))
    journal = RunJournal.create(
        tmp_path / "run", RunHeader(("area/case",), settings.engines, settings_to_json(settings))
    )
    journal.append(CaseResult("area/case", str(case), "area", engines=("new",)))
    journal.end(1.0, ())
    result = run("replay", "run:area/case", "--keep", "kept")
    assert result.exit_code == 0, result.output
    assert "new with seed 7, parallelism 3, plan by file" in result.output
    assert not (tmp_path / "kept" / "legacy").exists()
    assert "seed 8" in run("replay", "run:area/case", "--keep", "again", "--seed", 8).output
    assert "has no case area/other" in run("replay", "run:area/other").output


@pytest.mark.parametrize("command", ["explain", "replay"])
def test_case_that_is_not_there(command: str) -> None:
    result = run(command, "nowhere")
    assert result.exit_code == 2
    assert "there is no case nowhere" in result.output
