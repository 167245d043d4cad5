"""What `run` and `explain` answer about configurations of other people, and about what is not a case."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.case.unit import find_units, select_units
from harness.cli import commands
from harness.compare.ruling import Ruling
from harness.execute.judge import judge_unit
from harness.play.run_spec import RunSpec

RESOURCE = 'resource "terraform_data" "a" {\n}\n'
DOCUMENTS_OF_POLICIES = """
resource "terraform_data" "policy" {
  input = {
    resources = ["a", "b"]
    instances = [{ objects = ["x"] }]
    checks    = [1, 2]
    password  = sensitive({ resources = ["x"] })
  }
}

resource "terraform_data" "user" {
  depends_on = [terraform_data.policy]
  input      = { resources = [terraform_data.policy.id], after_sensitive = sensitive(["x"]) }
}
"""


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(file: Path, text: str = RESOURCE) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file.parent


def run(*arguments: str) -> Result:
    return CliRunner().invoke(commands, [*arguments])


def run_cases(*arguments: str) -> Result:
    return run("run", "--jobs", "1", "--runner", "local", *arguments)


def test_a_difference_is_found_whatever_users_call_their_lists(directory: Path) -> None:
    place = write(directory / "area" / "policies" / "main.tf", DOCUMENTS_OF_POLICIES)
    unit = find_units([place])[0]
    assert judge_unit(unit, RunSpec(("legacy", "new"))).ruling is Ruling.EQUAL
    result = judge_unit(unit, RunSpec(("legacy", "new"), mutant="M01"))
    assert result.ruling is Ruling.DIFFERS
    assert {finding.signature.shape for finding in result.findings} == {"state.resources.*.instances.*.dependencies"}


def test_an_invalid_case_is_reported_once_with_file_and_line() -> None:
    for name in ("one", "two"):
        write(Path("cases") / name / "case.yaml", "steps:\n  - plan: [\n")
    write(Path("cases/three/case.yaml"), "description: x\nstepz: []\n")
    answer = run_cases("cases", "--json", "run.json")
    assert answer.exit_code == 2
    document = json.loads(Path("run.json").read_text())
    assert [(group["subject"], len(group["cases"])) for group in document["groups"]] == [("case", 2), ("case", 1)]
    assert document["cases"]["rulings"]["invalid-case"] == 3
    findings = {result["identifier"]: result["findings"] for result in document["results"]}
    assert [finding["field"] for finding in findings["cases/one"]] == ["cases/one/case.yaml:3"]
    assert "stepz: unknown key in the case; did you mean steps?" in findings["cases/three"][0]["got"]


def test_a_run_in_which_nothing_could_be_run_is_no_success() -> None:
    write(Path("area/cloud/main.tf"), 'resource "aws_thing" "a" {\n}\n')
    answer = run_cases("area")
    assert (answer.exit_code, "legacy cannot run the only case" in answer.output) == (2, True)
    write(Path("area/good/main.tf"))
    assert run_cases("area").exit_code == 0
    assert run_cases("area", "--expect-success").exit_code == 1
    assert run("report", "latest").exit_code == 1


def test_without_a_workflow_there_are_no_words_of_one() -> None:
    write(Path("area/fails/main.tf"), 'output "o" {\n  value = tonumber("x")\n}\n')
    for answer in (run_cases("area"), run("explain", "area/fails")):
        assert answer.exit_code == 0
        assert 'on main.tf line 2, in output "o":\n   2:   value = tonumber("x")' in answer.output
        assert not [word for word in ("task", "transition", "unhandled") if word in answer.output]


def test_an_explanation_shows_the_errors_that_engines_report_alike_once() -> None:
    write(
        Path("area/case/v1/main.tf"), 'variable "pin" {\n  sensitive = true\n}\noutput "o" {\n  value = nothing.x\n}\n'
    )
    step = "  - {op: plan, config: v1, vars: {pin: swordfish}}\n"
    write(Path("area/case/case.yaml"), f"description: Fails twice.\nsteps:\n{step}{step}")
    answer = run("explain", "area/case")
    assert answer.exit_code == 0
    assert answer.output.count("Error: Reference to undeclared resource") == 1
    assert '      on main.tf line 5, in output "o":\n       5:   value = nothing.x' in answer.output
    assert "step 2 (plan v1): failed, with the errors of validate v1" in answer.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rnu"], "No such command 'rnu'. Did you mean run?"),
        (["explain", "empty"], "empty: neither a case.yaml nor a configuration (*.tf, *.tofu) is here"),
        (["shrink", "empty"], "empty: neither a case.yaml nor a configuration (*.tf, *.tofu) is here"),
        (["explain", "b"], "case.yaml:2: stepz: unknown key in the case; did you mean steps?"),
        (["replay", "b"], "case.yaml:2: stepz: unknown key in the case; did you mean steps?"),
        (
            ["run", "a", "--engines", "legacy,legacy"],
            "legacy is named twice; --schedules compares an engine with itself",
        ),
    ],
)
def test_mistakes_are_named(arguments: list[str], said: str) -> None:
    Path("empty").mkdir()
    write(Path("a/main.tf"))
    write(Path("b/case.yaml"), "description: x\nstepz: []\n")
    answer = run(*arguments)
    assert answer.exit_code == 2
    assert said in answer.output


def test_a_case_at_a_path_of_one_part_has_an_area(directory: Path) -> None:
    write(Path("one/case.yaml"), "description: x\nsteps: [{op: validate, config: v1}]\n")
    write(Path("one/v1/main.tf"))
    assert [unit.identifier for unit in find_units([Path("one")])] == [f"{directory.name}/one"]
    selected = select_units([Path("one")]).units
    assert [unit.identifier for unit in selected] == [f"{directory.name}/one"], "its configurations are no cases"


def test_files_are_written_though_the_reader_of_the_output_is_gone() -> None:
    write(Path("area/good/main.tf"))
    command = [sys.executable, "-c", "from harness.cli import main; main()"]
    arguments = ["run", "area", "--jobs", "1", "--runner", "local", "--json", "run.json", "--junit", "run.xml"]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(120) == 0
    assert {file.name for file in Path().glob("run.*")} == {"run.json", "run.xml"}


def test_only_runs_of_the_same_cases_in_the_same_way_are_compared() -> None:
    for name in ("a", "b"):
        write(Path(name) / "examples" / "complete" / "main.tf", DOCUMENTS_OF_POLICIES)

    def is_compared(*arguments: str) -> bool:
        run_cases(*arguments, "--html", "page.html")
        return "Since the run" in Path("page.html").read_text()

    assert not is_compared("a")
    assert not is_compared("b"), "another repository with a case of the same name"
    assert not is_compared("b", "--mutant", "M01"), "a broken engine"
    assert not is_compared("b")
    assert is_compared("b")


def test_an_entry_of_the_page_fits_the_list_of_the_project(directory: Path) -> None:
    """It names the case by its path from where the run was started, which may be above the list."""
    from harness.findings.known_divergences import parse_known

    write(directory / "corpus" / "area" / "case" / "main.tf")
    entry = (
        "- id: D-1\n  class: bug\n  reason: x\n  link: y\n  case: corpus/area/case\n"
        "  match: {subject: new, operation: plan, ruling: differs, shape: plan, kind: value}\n"
    )
    known = parse_known(entry, directory / "corpus" / "known.yaml")
    assert [each.case for each in known.entries] == ["area/case"]
