"""Which failures a run survives, and what it retries."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import TracebackType

import pytest

from harness.case.prelude import Prelude
from harness.case.unit import Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.engine_settings import EngineSettings
from harness.execute import execution, process
from harness.execute.execution import ExecutionOptions, RunnerName, execute
from harness.execute.runner import LostUnit, Runner, UnitOutcome
from harness.execute.wire import settings_from_json, settings_to_json, to_line, unit_from_json, unit_to_json
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from harness.simulation.permissive.permissive_files import PermissiveFiles

MakeCase = Callable[[str, str], Path]
Results = dict[str, CaseResult]

BOTH = RunSpec(("legacy", "moody"), timeout_s=3.0)


def execute_cases(cases: Sequence[Path], settings: RunSpec, how: ExecutionOptions) -> Results:
    results: Results = {}

    def keep(result: CaseResult) -> bool:
        results[result.identifier.partition("/")[2]] = result
        return result.ruling is Ruling.EQUAL

    execute([Unit(UnitKind.CASE, case) for case in cases], settings, how, keep)
    return results


def test_every_misbehaving_case_has_its_result_and_all_others_have_theirs(make_case: MakeCase) -> None:
    moods = {
        "endless": "loops",
        "hungry": "eats",
        "starving": "starves",
        "bursting": "bursts",
        "lethal": "dies",
        "raising": "raises",
        "good": "",
        "talking": "prints",
    }
    cases = [make_case(name, mood) for name, mood in moods.items()]
    how = ExecutionOptions(RunnerName.PROCESS, jobs=2, retries=1, backoff_s=0.01, memory_mb=700)
    results = execute_cases(cases, BOTH, how)
    assert {name: result.ruling for name, result in results.items()} == {
        "endless": Ruling.HANG,
        "hungry": Ruling.OVER_BUDGET,
        "starving": Ruling.OVER_BUDGET,
        "bursting": Ruling.OVER_BUDGET,
        "lethal": Ruling.CRASH,
        "raising": Ruling.CRASH,
        "good": Ruling.EQUAL,
        "talking": Ruling.EQUAL,
    }
    broken = [result.findings[0] for name, result in sorted(results.items()) if result.findings]
    assert {finding.signature.subject for finding in broken} == {"moody"}
    assert results["lethal"].findings[0].got == "the process ended with no answer: killed by SIGKILL"
    assert {name: result.attempts for name, result in results.items() if result.attempts > 1} == {"lethal": 2}


def test_code_that_hears_no_signal_is_given_up_on(make_case: MakeCase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_WORKER_GRACE_S", 0.5)
    results = execute_cases(
        [make_case("deaf", "deaf"), make_case("good", "")], BOTH, ExecutionOptions(RunnerName.PROCESS)
    )
    finding = results["deaf"].findings[0]
    assert (finding.signature.ruling, finding.signature.subject) == (Ruling.HANG, "moody")
    assert finding.got == "3 s were not enough, see --timeout"
    assert results["good"].ruling is Ruling.EQUAL


def test_a_lost_worker_is_tried_again_and_leaves_no_trace_in_the_result(make_case: MakeCase, tmp_path: Path) -> None:
    case = make_case("accident", f"dies-once {tmp_path / 'was_here'}")
    how = ExecutionOptions(RunnerName.PROCESS, retries=1, backoff_s=0.01)
    (first,) = execute_cases([case], BOTH, how).values()
    assert (first.ruling, first.attempts) == (Ruling.EQUAL, 2)
    (second,) = execute_cases([case], BOTH, how).values()
    assert second.attempts == 1
    assert second.stable == first.stable


@pytest.mark.parametrize("mood", ["warns x", "raises", ""])
def test_workers_come_to_the_same_results_as_this_process(make_case: MakeCase, mood: str) -> None:
    case = make_case("same", mood)
    here, there = (
        execute_cases([case], BOTH, ExecutionOptions(runner)) for runner in (RunnerName.LOCAL, RunnerName.PROCESS)
    )
    assert here["same"].stable == there["same"].stable


def test_modules_of_the_user_do_not_shadow_those_of_workers(
    make_case: MakeCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = tmp_path / "user"
    for package in ("harness", "reports", "click"):
        (directory / package).mkdir(parents=True)
        (directory / package / "__init__.py").write_text("raise RuntimeError('a module of the user was imported')\n")
    case = make_case("shadowed", "")
    monkeypatch.chdir(directory)
    monkeypatch.setenv("PYTHONPATH", str(directory), prepend=os.pathsep)
    how = ExecutionOptions(RunnerName.PROCESS, retries=0)
    assert execute_cases([case], BOTH, how)["shadowed"].ruling is Ruling.EQUAL


def test_what_the_baseline_does_differently_by_itself_is_noise(make_case: MakeCase) -> None:
    settings = RunSpec(("moody", "legacy"), baseline_schedules=(Schedule(seed=1),))
    result = execute_cases([make_case("uncertain", "varies")], settings, ExecutionOptions())["uncertain"]
    noise = [finding for finding in result.findings if finding.signature.subject == "moody"]
    assert [finding.signature.ruling for finding in noise] == [Ruling.NOISE] * len(noise)
    assert noise


def test_a_mistake_of_the_harness_is_the_result_of_one_case(
    make_case: MakeCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistaken(*_arguments: object) -> CaseResult:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr("harness.execute.judge.judge_runner", mistaken)
    result = execute_cases([make_case("any", "")], BOTH, ExecutionOptions())["any"]
    finding = result.findings[0]
    assert (finding.signature.subject, finding.signature.ruling) == ("harness", Ruling.CRASH)
    assert finding.got == "ZeroDivisionError: a mistake"
    assert "in mistaken" in result.trace


def test_settings_and_units_cross_to_another_process_unchanged() -> None:
    schedule = Schedule(3, 2, PlanTransfer.PROCESS)
    settings = RunSpec(
        ("x", "y"),
        (schedule,),
        "opentofu-1.12",
        "terraform-1.11",
        (Path("/a"),),
        frozenset("C"),
        (Schedule(4),),
        1.5,
        ("a/b",),
        "M01",
        Prelude("builtin", "terraform {}"),
        3,
        {"x": EngineSettings({"A": "b"}, "debug", 2.5)},
        True,
        (Path("/b"),),
        {"team/net/aws": "/c"},
        (("var", "a=b"), ("var_file", "/d")),
        True,
        PermissiveFiles("/e", "/f"),
    )
    assert all(getattr(settings, name.name) != name.default for name in fields(RunSpec)), "one for every field"
    assert settings_from_json(json.loads(to_line(settings_to_json(settings)))) == settings
    unit = Unit(UnitKind.EXPRESSIONS, Path("a\udcff/b"), "terraform-1.11", "c/a/b", "upstream")
    assert unit_from_json(json.loads(to_line(unit_to_json(unit)))) == unit


@dataclass
class Forgetful(Runner):
    """Loses some units a given number of times."""

    losses: dict[str, int]
    asked: list[list[str]] = field(default_factory=list)

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None, /
    ) -> None:
        return None

    def judge(self, units: Sequence[Unit]) -> Iterator[UnitOutcome]:
        self.asked.append([unit.path.name for unit in units])
        for unit in units:
            if self.losses.get(unit.path.name, 0) > 0:
                self.losses[unit.path.name] -= 1
                yield unit, LostUnit("gone")
            else:
                yield unit, CaseResult(unit.identifier, str(unit.path), "a")


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr("harness.execute.execution.time.sleep", found.append)
    return found


def run_forgetful(monkeypatch: pytest.MonkeyPatch, runner: Forgetful, how: ExecutionOptions, names: str) -> Results:
    monkeypatch.setattr(execution, "_make_runner", lambda _settings, _how: runner)
    return execute_cases([Path("a", name) for name in names], RunSpec(("legacy",)), how)


def test_retries_are_for_what_was_lost_alone_and_wait_longer_each_time(
    monkeypatch: pytest.MonkeyPatch, pauses: list[float]
) -> None:
    runner = Forgetful({"b": 1, "c": 3})
    results = run_forgetful(monkeypatch, runner, ExecutionOptions(retries=2, backoff_s=1.0), "abcd")
    assert runner.asked == [["a", "b", "c", "d"], ["b", "c"], ["c"]]
    assert pauses == [1.0, 2.0]
    assert {name: result.attempts for name, result in results.items()} == {"a": 1, "b": 2, "c": 3, "d": 1}
    assert results["c"].ruling is Ruling.CRASH


def test_a_chunk_is_done_before_the_next_begins(monkeypatch: pytest.MonkeyPatch, pauses: list[float]) -> None:
    runner = Forgetful({"a": 1})
    run_forgetful(monkeypatch, runner, ExecutionOptions(chunk_size=2), "abc")
    assert runner.asked == [["a", "b"], ["a"], ["c"]]
    assert len(pauses) == 1


def test_fail_fast_begins_nothing_after_the_first_failure(monkeypatch: pytest.MonkeyPatch, pauses: list[float]) -> None:
    runner = Forgetful({"b": 9})
    how = ExecutionOptions(chunk_size=2, retries=0, fail_fast=True)
    assert set(run_forgetful(monkeypatch, runner, how, "abcd")) == {"a", "b"}
    assert runner.asked == [["a", "b"]]
    assert not pauses


def test_memory_is_limited_alike_in_both_engines(tmp_path: Path) -> None:
    """The promise engine wraps what breaks in it."""
    case = tmp_path / "cases" / "doubling"
    (case / "v1").mkdir(parents=True)
    (case / "case.yaml").write_text("description: doubling\nsteps: [{op: plan, config: v1}]\n")
    doubled = "".join(f'  l{number + 1} = "${{local.l{number}}}${{local.l{number}}}"\n' for number in range(36))
    (case / "v1" / "main.tf").write_text(
        f'locals {{\n  l0 = "x"\n{doubled}}}\noutput "o" {{\n  value = local.l36\n}}\n'
    )
    how = ExecutionOptions(RunnerName.PROCESS, memory_mb=512)
    result = execute_cases([case], RunSpec(("legacy", "new")), how)["doubling"]
    rulings = {finding.signature.subject: finding.signature.ruling for finding in result.findings}
    assert rulings == dict.fromkeys(("legacy", "new"), Ruling.OVER_BUDGET)
