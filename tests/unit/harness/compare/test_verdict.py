"""Verdicts on cases, with engines written for these tests: some answer as recorded, others answer differently, crash,
or vary from run to run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.case.case import Step, read_case
from harness.compare.ruling import Ruling
from harness.play import step_context
from harness.play.case_runner import configurations_to_validate
from harness.play.schedule import PARALLELISMS, Schedule, every_schedule
from harness.record.agreeing import agreeing, record_agreeing
from harness.simulation.simcloud.faults import Fault, FaultKind
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.operations.engine import EngineRequest, ValidateResult
from tests.judging import judge_by_recording, judge_engines


class Canned:
    """An engine that reports the same diagnostics for every configuration."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics = diagnostics

    async def validate(self, _request: EngineRequest) -> ValidateResult:
        return ValidateResult(self.diagnostics)


class Crashing(Canned):
    async def validate(self, _request: EngineRequest) -> ValidateResult:
        raise RuntimeError("lost my way")


class Hanging(Canned):
    async def validate(self, _request: EngineRequest) -> ValidateResult:
        await trio.sleep(60)
        return ValidateResult(())


class Racing(Canned):
    """An engine that reports whatever was written last by two unordered tasks."""

    async def validate(self, _request: EngineRequest) -> ValidateResult:
        written = ["very", "very"]

        async def write(text: str) -> None:
            await trio.lowlevel.checkpoint()
            written.append(text)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(write, "very")
            nursery.start_soon(write, "a little")
        return ValidateResult((error("Bad", written[-1]),))


class Narrow(Canned):
    """An engine that fails differently if only one operation may run at a time."""

    async def validate(self, request: EngineRequest) -> ValidateResult:
        return ValidateResult(
            self.diagnostics if request.options.parallelism > 1 else (*self.diagnostics, *self.diagnostics)
        )


@contextmanager
def engine(monkeypatch: pytest.MonkeyPatch, made: Any) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setattr(step_context, "engine_named", lambda _name: made)
        yield


@pytest.fixture
def case(tmp_path: Path) -> Path:
    directory = tmp_path / "area" / "case"
    (directory / "v1").mkdir(parents=True)
    (directory / "v1" / "main.tf").write_text("locals {\n  a = 1\n}\n")
    (directory / "case.yaml").write_text("description: x\nsteps: [{op: validate, config: v1}]\n")
    found = {"phase": "validate", "severity": "error", "summary": "Bad", "detail": "very"}
    verdict = {"ok": False, "diagnostics": [found]}
    golden = {"validate": {"v1": verdict}, "steps": [{"op": "validate", "config": "v1", **verdict}]}
    (directory / "golden.json").write_text(json.dumps(golden))
    return directory


def test_the_recorded_outcome_agrees(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Canned(error("Bad", "very"))):
        verdict = judge_by_recording(case)
    assert (verdict.ruling, verdict.differences) == (Ruling.EQUAL, ())


def test_other_words_are_a_difference_in_details(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Canned(error("Bad", "a little"))):
        verdict = judge_by_recording(case)
    assert (verdict.ruling, verdict.only_details) == (Ruling.DIFFERS, True)


def test_the_first_difference_tells_step_and_field(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Canned(warning("Bad", "very"))):
        verdict = judge_by_recording(case)
    assert verdict.ruling is Ruling.DIFFERS
    assert verdict.first == "validate v1: ok: expected false, got true"
    assert [step for step, _ in verdict.differences] == ["validate v1"] * 3 + ["step 1 (validate v1)"] * 3
    assert [(each.shape, str(each.kind)) for _, each in verdict.differences[:3]] == [
        ("ok", "value"),
        ("diagnostics[error: Bad]", "missing"),
        ("diagnostics[warning: Bad]", "surplus"),
    ]


def test_a_crash_is_a_verdict_with_its_cause(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Crashing()):
        verdict = judge_by_recording(case)
    assert verdict.ruling is Ruling.CRASH
    assert verdict.first == "seed 0, parallelism 10, plan by file: RuntimeError: lost my way"


def test_a_hang_ends(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Hanging()):
        verdict = judge_by_recording(case, timeout_s=0.3)
    assert verdict.ruling is Ruling.HANG
    assert "were not enough, see --timeout" in verdict.first


def test_an_outcome_left_to_chance_is_a_race_whatever_is_recorded(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Racing()):
        verdict = judge_by_recording(case, schedules=every_schedule(range(20), [10]))
        assert judge_by_recording(case, schedules=every_schedule(range(20), [10])) == verdict
    assert verdict.ruling is Ruling.NOISE
    assert verdict.schedule is not None
    assert verdict.first.startswith(
        f"seed {verdict.schedule.seed}, parallelism 10, plan by file: validate v1: diagnostics.detail:"
    )


def test_a_race_names_the_parallelism_that_shows_it(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Narrow(error("Bad", "very"))):
        verdict = judge_by_recording(case, schedules=every_schedule([5, 6], PARALLELISMS))
    assert (verdict.ruling, verdict.schedule) == (Ruling.NOISE, Schedule(5, 1))
    assert [place for place, _ in verdict.differences] == ["validate v1", "step 1 (validate v1)"]


def test_what_is_wrong_in_every_schedule_is_no_race(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Canned(warning("Bad", "very"))):
        assert judge_by_recording(case, schedules=every_schedule(range(3), PARALLELISMS)).ruling is Ruling.DIFFERS


def test_a_case_that_cannot_be_read_is_told_as_such(case: Path) -> None:
    (case / "golden.json").unlink()
    verdict = judge_by_recording(case)
    assert verdict.ruling is Ruling.CRASH
    assert "golden.json: missing" in verdict.first


def test_a_prior_state_that_is_no_text_is_told_as_such(case: Path) -> None:
    (case / "prior").write_bytes(b"\xff\xfe")
    (case / "case.yaml").write_text("description: x\nprior_state: prior\nsteps: [{op: validate, config: v1}]\n")
    verdict = judge_engines(case, ["legacy"])
    assert not verdict.of
    assert "prior: cannot be read: 'utf-8' codec" in verdict.invalid


def test_the_list_of_agreeing_cases_only_grows(tmp_path: Path, case: Path) -> None:
    (tmp_path / "agreeing.txt").write_text("area/other\n")
    assert case == tmp_path / "area" / "case"
    record_agreeing([tmp_path], ["area/case", "area/elsewhere"])
    assert agreeing(tmp_path) == {"area/case", "area/other"}
    record_agreeing([tmp_path], [])
    assert agreeing(tmp_path) == {"area/case", "area/other"}


def test_engines_are_held_against_each_other(case: Path) -> None:
    """Without a recording, this is the only comparison."""
    (case / "golden.json").unlink()
    verdict = judge_engines(case, ["legacy", "new"])
    assert not verdict.is_recorded
    assert [name for name, _ in verdict.all] == ["legacy", "new", "new against legacy"]
    assert {found.ruling for _, found in verdict.all} == {Ruling.EQUAL}


def test_a_configuration_that_a_step_validates_is_not_asked_about_twice(case: Path) -> None:
    """Exceptions: the recording has a separate validation, or the step differs from a plain validation because of
    faults or variables."""
    read = read_case(case)
    assert [*configurations_to_validate(read, None)] == []
    assert [*configurations_to_validate(read, {"validate": {"v1": {}}})] == ["v1"]
    assert [*configurations_to_validate(replace(read, faults=(Fault(1, None, FaultKind.ERROR),)), None)] == ["v1"]
    with_values = replace(read, steps=(Step("validate", "v1", variables="{}"), Step("plan", "v1")))
    assert [*configurations_to_validate(with_values, None)] == ["v1"]


def test_an_engine_that_differs_is_told_with_its_first_difference(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    """The candidate is made to fail where the baseline succeeds."""

    async def fails(_session: object) -> list[Diagnostic]:
        return [error("Bad", "very")]

    (case / "golden.json").unlink()
    (case / "v1" / "main.tf").write_text("")
    monkeypatch.setattr("new_engine.api.validate_configuration", fails)
    verdict = judge_engines(case, ["legacy", "new"])
    assert verdict.of["legacy"].ruling is Ruling.EQUAL
    assert verdict.between["new"].ruling is Ruling.DIFFERS
    assert verdict.between["new"].first == "step 1 (validate v1): ok: expected true, got false"
