"""Verdicts on cases, with engines made for it: one that answers as recorded, one that does not, one that crashes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.scenarios import judge
from harness.scenarios.judge import Agreement, judge_case
from harness.scenarios.ledger import agreeing, record_agreeing
from shared_nodes.diagnostics import Diagnostic, error, warning
from shared_nodes.engine import EngineRequest, ValidateResult


class Canned:
    """An engine that has the same to say about every configuration."""

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


@contextmanager
def engine(monkeypatch: pytest.MonkeyPatch, made: Any) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setattr(judge, "engine_named", lambda _name: made)
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
        verdict = judge_case(case)
    assert (verdict.identifier, verdict.agreement, verdict.differences) == ("area/case", Agreement.AGREES, ())


def test_other_words_are_a_difference_in_details(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Canned(error("Bad", "a little"))):
        assert judge_case(case).agreement is Agreement.DETAILS


def test_the_first_difference_tells_step_and_field(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Canned(warning("Bad", "very"))):
        verdict = judge_case(case)
    assert verdict.agreement is Agreement.DIFFERS
    assert verdict.first == "validate v1: ok: expected false, got true"
    assert [step for step, _ in verdict.differences] == ["validate v1"] * 2 + ["step 1 (validate v1)"] * 2


def test_a_crash_is_a_verdict_with_its_cause(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    with engine(monkeypatch, Crashing()):
        verdict = judge_case(case)
    assert (verdict.agreement, verdict.first) == (Agreement.CRASHED, "RuntimeError: lost my way")


def test_a_hang_ends(monkeypatch: pytest.MonkeyPatch, case: Path) -> None:
    monkeypatch.setattr(judge, "PATIENCE_S", 0.3)
    with engine(monkeypatch, Hanging()):
        verdict = judge_case(case)
    assert verdict.agreement is Agreement.CRASHED
    assert "no end after" in verdict.first


def test_a_case_that_cannot_be_read_is_told_as_such(case: Path) -> None:
    (case / "golden.json").unlink()
    verdict = judge_case(case)
    assert verdict.agreement is Agreement.CRASHED
    assert "golden.json: missing" in verdict.first


def test_the_list_of_agreeing_cases_only_grows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, case: Path) -> None:
    (tmp_path / "agreeing.txt").write_text("area/other\n")
    with engine(monkeypatch, Canned(error("Bad", "very"))):
        record_agreeing([tmp_path], [judge_case(case)])
    assert agreeing(tmp_path) == {"area/case", "area/other"}
    with engine(monkeypatch, Canned()):
        record_agreeing([tmp_path], [judge_case(case)])
    assert agreeing(tmp_path) == {"area/case", "area/other"}
