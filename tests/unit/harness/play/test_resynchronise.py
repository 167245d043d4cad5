"""A step can be run again from where another run was before it, and then shows nothing of the engine's own history."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from harness.case.case import read_case
from harness.compare.observations import compare_observations
from harness.engines.registry import DEFAULT_ENGINES
from harness.mutants.activation import apply_mutants
from harness.play import step_context
from harness.play.case_runner import CaseRunner, prepare_runner
from harness.play.checkpoint import Checkpoint
from harness.play.engine_runs import resynchronise
from harness.play.run_spec import RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from tests.fake_binary import make_binary, written_by
from tests.judging import judge_engines
from tests.unit.harness.play.stories import cases_with_several_steps, write_steps, write_story

SPEC: Final = RunSpec(DEFAULT_ENGINES)

MOVED: Final = {
    "v1": 'resource "terraform_data" "a" {}\n',
    "v2": 'resource "terraform_data" "b" {}\nmoved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n',
}
IGNORED: Final = {
    "v1": 'resource "terraform_data" "a" {\n  input = "x"\n}\n',
    "v2": 'resource "terraform_data" "a" {\n  input = "y"\n  lifecycle {\n    ignore_changes = [input]\n  }\n}\n',
}
TWO: Final = 'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {\n  input = terraform_data.a.id\n}\n'
CHAIN: Final = {"v1": TWO, "v2": f'{TWO}resource "terraform_data" "c" {{\n  input = terraform_data.b.id\n}}\n'}


@contextmanager
def runner_of(directory: Path) -> Iterator[CaseRunner]:
    with prepare_runner(read_case(directory)) as (runner, _recording):
        yield runner


@pytest.mark.parametrize("case", cases_with_several_steps(12), ids=lambda case: f"{case.parent.name}/{case.name}")
@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_an_engine_from_its_own_checkpoints_does_what_it_did(case: Path, engine: str) -> None:
    kept: dict[str, Checkpoint] = {}
    with runner_of(case) as runner:
        observed = runner.run(engine, Schedule(), 60, kept=kept)
        again = resynchronise(runner, engine, Schedule(), SPEC, kept)
    assert list(again) == list(kept)
    assert [found for place in kept for found in compare_observations(observed[place], again[place])] == []


@pytest.mark.parametrize("handover", PlanTransfer)
def test_ids_go_on_from_the_checkpoint(tmp_path: Path, handover: PlanTransfer) -> None:
    """A replacement would otherwise get the id of the object that it replaces."""
    text = 'resource "terraform_data" "a" {\n  triggers_replace = "%s"\n}\n'
    write_steps(tmp_path, {"v1": text % 1, "v2": text % 2}, ("apply", "v1"), ("apply", "v2"), ("apply", "v1"))
    kept: dict[str, Checkpoint] = {}
    with runner_of(tmp_path) as runner:
        observed = runner.run("legacy", Schedule(handover=handover), 60, kept=kept)
        again = resynchronise(runner, "new", Schedule(handover=handover), SPEC, kept)
    last = list(kept)[-1]
    assert "<id terraform_data.a #3>" in str(again[last]["state"])
    assert again[last]["state"] == observed[last]["state"]


def test_equal_runs_are_never_run_again(tmp_path: Path) -> None:
    case = write_steps(tmp_path, MOVED, ("apply", "v1"), ("apply", "v2"), ("plan", "v2"))
    runs: list[str] = []
    verdict = judge_engines(case, DEFAULT_ENGINES, before_run=lambda engine, _schedule: runs.append(engine))
    assert verdict.resynchronised == {}
    assert runs == [*DEFAULT_ENGINES]


def test_what_follows_from_another_state_is_a_consequence(tmp_path: Path) -> None:
    """Without moved blocks the object is replaced. From then on it has another id, and nothing else is wrong."""
    case = write_steps(tmp_path, MOVED, ("apply", "v1"), ("apply", "v2"), ("plan", "v2"))
    with apply_mutants("M15"):
        verdict = judge_engines(case, DEFAULT_ENGINES)
    against = verdict.between["new"]
    places = {place for place, _ in against.differences}
    assert places == {"step 2 (apply v2)", "step 3 (plan v2)"}
    assert {place for place, *_ in against.consequences} == {"step 3 (plan v2)"}
    assert list(verdict.resynchronised["new"]) == ["step 3 (plan v2)"]
    assert against.resynchronised_only == ()


def test_a_mistake_that_is_made_again_is_no_consequence(tmp_path: Path) -> None:
    """Dependencies are not recorded with a new object: neither with that of step 1 nor with that of step 2."""
    case = write_steps(tmp_path, CHAIN, ("apply", "v1"), ("apply", "v2"))
    with apply_mutants("M01"):
        verdict = judge_engines(case, DEFAULT_ENGINES)
    lost = [place for place, found in verdict.between["new"].differences if found.shape.endswith(".dependencies")]
    assert lost == ["step 1 (apply v1)", "step 2 (apply v2)"]
    assert list(verdict.resynchronised["new"]) == ["step 2 (apply v2)"]
    assert verdict.between["new"].consequences == frozenset()


def test_a_difference_that_history_hides_is_found(tmp_path: Path) -> None:
    """The change that had to be ignored has been made in step 2, so that step 3 has nothing to change."""
    case = write_steps(tmp_path, IGNORED, ("apply", "v1"), ("apply", "v2"), ("plan", "v2"))
    with apply_mutants("M25"):
        verdict = judge_engines(case, DEFAULT_ENGINES).between["new"]
    hidden = [(place, found.shape) for place, found in verdict.resynchronised_only]
    assert ("step 3 (plan v2)", "plan.resource_changes.*.change.actions[]") in hidden


def test_a_crash_from_the_state_of_the_baseline_is_contained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = write_steps(tmp_path, IGNORED, ("apply", "v1"), ("apply", "v2"), ("plan", "v2"))
    kept: dict[str, Checkpoint] = {}

    def refuse(_name: str) -> object:
        raise RuntimeError("no engine any more")

    with runner_of(case) as runner:
        runner.run("legacy", Schedule(), 60, kept=kept)
        with monkeypatch.context() as patched:
            patched.setattr(step_context, "engine_named", refuse)
            assert resynchronise(runner, "new", Schedule(), SPEC, kept) == {}
        assert list(resynchronise(runner, "new", Schedule(), SPEC, kept)) == list(kept)


def test_a_binary_begins_with_the_state_of_the_baseline(tmp_path: Path) -> None:
    case = write_steps(tmp_path / "area" / "case", {"v1": ""}, ("apply", "v1"), ("apply", "v1"))
    one, two = (make_binary(tmp_path, name) for name in "12")
    verdict = judge_engines(case, [one, two])
    last = "step 2 (apply v1)"
    assert written_by(verdict.observations[two][last]) == "2+2 2+2"
    assert list(verdict.resynchronised[two]) == [last]
    assert written_by(verdict.resynchronised[two][last]) == "1+1 2+2"


@pytest.mark.terraform
@pytest.mark.parametrize("engines", [("terraform", "new"), ("new", "terraform")])
def test_ours_and_a_binary_continue_each_others_states(tmp_path: Path, engines: tuple[str, str]) -> None:
    case = write_steps(tmp_path, MOVED, ("apply", "v1"), ("apply", "v2"), ("plan", "v2"))
    with apply_mutants("M15"):
        verdict = judge_engines(case, engines).between[engines[1]]
    assert {place for place, _ in verdict.differences} == {"step 2 (apply v2)", "step 3 (plan v2)"}
    assert {place for place, *_ in verdict.consequences} == {"step 3 (plan v2)"}


def test_a_story_with_tasks_keeps_no_checkpoints(tmp_path: Path) -> None:
    """Which task comes next depends on results, so that no place of one run need be one of the other."""
    case = write_story(tmp_path, "tasks:\n  a: {action: apply, next: [{do: b}]}\n  b: {action: plan}\n")
    kept: dict[str, Checkpoint] = {}
    with runner_of(case) as runner:
        runner.run("legacy", Schedule(), 60, kept=kept)
    assert kept == {}
