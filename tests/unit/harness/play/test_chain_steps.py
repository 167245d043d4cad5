"""Each engine of a chain continues what the one before it has left, and nothing else of that one shows."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from harness.case.case import read_case
from harness.cli import commands
from harness.compare.ruling import Ruling
from harness.engines.registry import DEFAULT_ENGINES
from harness.mutants.activation import apply_mutants
from harness.observe.json_trees import as_objects
from harness.play.case_runner import prepare_runner
from harness.play.schedule import PlanTransfer, Schedule
from shared_nodes.values.json import loads
from tests.fake_binary import make_binary, written_by
from tests.judging import judge_engines
from tests.unit.harness.play.stories import cases_with_several_steps, write_steps, write_story

VERSIONS: Final = {
    "v1": 'resource "terraform_data" "a" {\n  triggers_replace = 1\n}\n',
    "v2": 'resource "terraform_data" "a" {\n  triggers_replace = 2\n}\n',
}


@pytest.fixture
def case(tmp_path: Path) -> Path:
    return write_steps(
        tmp_path / "area" / "case", VERSIONS, ("apply", "v1"), ("apply", "v2"), ("apply", "v1"), ("plan", "v1")
    )


@pytest.mark.parametrize("path", cases_with_several_steps(8), ids=lambda path: f"{path.parent.name}/{path.name}")
@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_a_chain_of_one_engine_does_what_the_engine_does(path: Path, engine: str) -> None:
    chain = f"{engine}>{engine}>{engine}"
    verdict = judge_engines(path, [engine, chain])
    assert verdict.between[chain].ruling is Ruling.EQUAL, verdict.between[chain].first


@pytest.mark.parametrize("handover", PlanTransfer)
def test_the_engines_of_a_chain_agree_where_they_agree_alone(case: Path, handover: PlanTransfer) -> None:
    """Ids go on from one engine to the next: a replacement would otherwise get the id of what it replaces."""
    chain = "legacy>new>legacy"
    verdict = judge_engines(case, ["legacy", chain], [Schedule(handover=handover)])
    assert verdict.between[chain].ruling is Ruling.EQUAL, verdict.between[chain].first
    assert "<id terraform_data.a #3>" in str(verdict.observations[chain]["step 3 (apply v1)"])


def test_each_step_is_done_by_its_engine(case: Path) -> None:
    """The mutant refreshes nothing, which shows exactly where the new engine plans."""
    with apply_mutants("M11"):
        verdict = judge_engines(case, ["legacy", "legacy>new>legacy", "legacy>legacy>new"])
    places = {
        name: list(dict.fromkeys(place for place, _ in found.differences)) for name, found in verdict.between.items()
    }
    assert places == {
        "legacy>new>legacy": ["step 2 (apply v2)"],
        "legacy>legacy>new": ["step 3 (apply v1)", "step 4 (plan v1)"],
    }


def test_what_a_chain_does_is_no_consequence(case: Path) -> None:
    """How an engine continues the state of another is what a chain is run for."""
    with apply_mutants("M11"):
        verdict = judge_engines(case, ["legacy", "legacy>new>legacy"])
    assert verdict.between["legacy>new>legacy"].ruling is Ruling.DIFFERS
    assert verdict.resynchronised == {}


def test_a_validation_is_no_link(tmp_path: Path) -> None:
    case = write_steps(tmp_path, VERSIONS, ("apply", "v1"), ("validate", "v1"), ("apply", "v2"))
    with apply_mutants("M11"):
        verdict = judge_engines(case, ["legacy", "legacy>new"])
    assert {place for place, _ in verdict.between["legacy>new"].differences} == {"step 3 (apply v2)"}


def test_the_operations_of_a_story_are_its_steps(tmp_path: Path) -> None:
    tasks = "tasks:\n  a: {action: apply, next: [{do: b}]}\n  b: {action: apply}\n"
    case = write_story(tmp_path, tasks, **VERSIONS)
    with apply_mutants("M11"):
        verdict = judge_engines(case, ["legacy", "legacy>new"])
    assert {place for place, _ in verdict.between["legacy>new"].differences} == {"task b #1 (apply v1)"}


@pytest.mark.parametrize("handover", PlanTransfer)
def test_a_plan_of_the_new_engine_is_applied_by_the_old_one(case: Path, handover: PlanTransfer) -> None:
    chain = "new+legacy>new+legacy"
    verdict = judge_engines(case, ["legacy", chain], [Schedule(handover=handover)])
    assert verdict.between[chain].ruling is Ruling.EQUAL, verdict.between[chain].first


def test_the_new_engine_refuses_a_plan_without_its_graph(case: Path) -> None:
    chain = "legacy+new>legacy"
    verdict = judge_engines(case, ["legacy", chain])
    found = as_objects(verdict.observations[chain]["step 1 (apply v1)"]["diagnostics"])
    assert [each["summary"] for each in found] == ["Invalid execution graph in plan file"]
    assert verdict.observations[chain]["step 2 (apply v2)"]["ok"] is True


def test_intended_changes_are_adopted_by_the_engines_that_know_them(case: Path) -> None:
    chain = "legacy>new>legacy"
    verdict = judge_engines(case, ["legacy", chain], changes=frozenset({"C05"}))
    assert verdict.observations[chain]["step 1 (apply v1)"]["ok"] is True
    assert verdict.observations[chain]["step 3 (apply v1)"]["ok"] is True


# Binaries


def test_binaries_pass_their_states_and_plans_on(tmp_path: Path, case: Path) -> None:
    one, two = (make_binary(tmp_path, name) for name in "12")
    chain = f"{one}>{one}+{two}>{two}"
    verdict = judge_engines(case, [one, chain])
    written = [written_by(step) for place, step in verdict.observations[chain].items() if "(apply" in place]
    assert written == ["1+1", "1+1 1+2", "1+1 1+2 2+2"]


def test_a_binary_continues_the_state_of_ours(tmp_path: Path) -> None:
    case = write_steps(tmp_path / "area" / "case", VERSIONS, ("apply", "v1"), ("apply", "v1"))
    (case / "v1" / "main.tf").write_text('output "by" {\n  value = "ours"\n}\n')
    binary = make_binary(tmp_path, "1")
    with prepare_runner(read_case(case)) as (runner, _recording):
        observed = runner.run(f"legacy>{binary}", Schedule(), 60)
    assert [written_by(observed[place]) for place in observed if "apply" in place] == ["ours", "ours 1+1"]


@pytest.mark.terraform
def test_terraform_and_ours_continue_each_others_states(case: Path) -> None:
    chain = "terraform>legacy>terraform"
    verdict = judge_engines(case, ["terraform", chain])
    assert verdict.between[chain].ruling is Ruling.EQUAL, verdict.between[chain].first


# The command line


def run(*arguments: object) -> Any:
    return CliRunner().invoke(commands, ["run", "--jobs", "1", *map(str, arguments)])


def test_a_chain_is_one_more_engine_of_a_run(case: Path, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    options = ("--out", tmp_path / "out", "--json", file)
    result = run(case, "--engines", "legacy", "--handover-state", "legacy,new,legacy", *options)
    assert result.exit_code == 0, result.output
    document = loads(file.read_text())
    assert isinstance(document, dict)
    assert document["engines"] == ["legacy", "legacy>new>legacy"]


def test_the_command_that_reproduces_a_chain_runs_as_printed(case: Path, tmp_path: Path) -> None:
    result = run(case, "--engines", "legacy", "--handover-state", "legacy+new", "--out", tmp_path / "out")
    assert result.exit_code == 1
    again = next(line for line in result.output.splitlines() if line.startswith("again "))
    printed = again.partition("diffharness run ")[2]
    repeated = run(*shlex.split(printed), "--out", tmp_path / "again")
    assert repeated.exit_code == 1
    assert again in repeated.output


@pytest.mark.parametrize(
    ("text", "reason"),
    [("legacy", "is one engine"), ("legacy>nwe", "no engine named nwe"), ("legacy+/bin/true", "cannot read a plan of")],
)
def test_a_wrong_chain_is_one_message(case: Path, text: str, reason: str) -> None:
    result = run(case, "--handover-state", text)
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())
