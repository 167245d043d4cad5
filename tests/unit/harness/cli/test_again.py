"""The command that is printed with a finding runs as printed, and shows the same finding."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import commands
from harness.cli.support.repeating import with_repeated_options
from harness.findings.reproduction import reproduction
from harness.play.run_spec import RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from tests.fake_binary import write_program
from tests.sample_runs import finding, result
from tests.unit.harness.findings.patched import write_case

MAIN = """variable "password" {
  default   = "correct horse"
  sensitive = true
}
resource "terraform_data" "a" {
  input = var.password
}
"""
OWN = """resource "aws_instance" "a" {
  ami = "x"
}
variable "password" {
  default   = "correct horse"
  sensitive = true
}
resource "aws_instance" "b" {
  ami = var.password
}
"""
FAKE = """
import json, os, sys
arguments = sys.argv[1:]
if "TOFU_X_EXPERIMENTAL_RUNTIME" in os.environ and arguments[0] == "plan":
    print("[WARN]  Using plan implementation from the experimental language runtime", file=sys.stderr)
if arguments[0] == "version":
    print("OpenTofu v1.12.6")
elif arguments[0] == "validate":
    warnings = [{"severity": "warning", "summary": "New", "detail": ""}]
    found = warnings if "TOFU_X_EXPERIMENTAL_RUNTIME" in os.environ else []
    print(json.dumps({"valid": True, "diagnostics": found}))
elif arguments[0] == "plan":
    print("{}")
"""


@pytest.fixture
def fake_tofu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Path(write_program(tmp_path / "bin" / "tofu", FAKE))
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(commands, [str(argument) for argument in arguments])


def run_with_json(arguments: list[str]) -> tuple[dict[str, list[str]], Result]:
    """Return the command of each group, by digest, and what was printed."""
    file = Path("run.json")
    file.unlink(missing_ok=True)
    done = run("run", *arguments, "--json", file, "--jobs", 1)
    assert file.exists(), done.output
    groups = json.loads(file.read_text())["groups"]
    return {group["digest"]: shlex.split(group["reproduce"]) for group in groups}, done


def check_again(*options: str) -> None:
    first, done = run_with_json(["area/case", *options])
    assert first, done.output
    for digest, command in first.items():
        assert shlex.join(command) in done.output
        assert command[:2] == ["diffharness", "run"]
        again, _ = run_with_json(command[2:])
        assert digest in again, command


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "options",
    [
        ("--mutant", "B13"),
        ("--mutant", "B13", "--flavour", "opentofu"),
        ("--mutant", "B13", "--flavour", "terraform", "--timeout", "5.5"),
        ("--mutant", "B13", "--seed", "3", "--parallelism", "2", "--handover", "process"),
        ("--mutant", "B13", "--engines", "new,legacy", "--schedules", "2"),
    ],
    ids=" ".join,
)
def test_a_mutant_is_shown_again(here: Path, options: tuple[str, ...]) -> None:
    write_case(here, "steps: [{op: apply, config: v1}]", {"v1/main.tf": MAIN})
    check_again(*options)


def test_a_change_is_shown_again(corpus: Path, here: Path) -> None:
    (here / "area").mkdir()
    (here / "area" / "case").symlink_to(corpus / "intended-changes" / "C07", target_is_directory=True)
    check_again("--change", "C07")


def test_permissive_providers_are_shown_again(here: Path) -> None:
    write_case(here, "steps: [{op: apply, config: v1}]", {"v1/main.tf": OWN})
    check_again("--permissive", "hashicorp/aws", "--mutant", "B13")


@pytest.mark.usefixtures("fake_tofu")
def test_binaries_are_shown_again(here: Path) -> None:
    write_case(here, "steps: [{op: validate, config: v1}]", {"v1/main.tf": MAIN})
    check_again("--engines", "tofu,tofu-experimental", "--allow-exec")


@pytest.mark.usefixtures("fake_tofu")
def test_a_project_that_trusts_the_case_needs_no_option(here: Path) -> None:
    (here / "pyproject.toml").write_text('[tool.diffharness]\ntrusted = ["area"]\n')
    write_case(here, "steps: [{op: validate, config: v1}]", {"v1/main.tf": MAIN})
    first, _ = run_with_json(["area/case", "--engines", "tofu,tofu-experimental"])
    assert first
    assert not [command for command in first.values() if "--allow-exec" in command]
    check_again("--engines", "tofu,tofu-experimental")


@pytest.mark.usefixtures("fake_tofu")
def test_explain_prints_a_command_that_runs(here: Path) -> None:
    write_case(here, "steps: [{op: validate, config: v1}]", {"v1/main.tf": MAIN})
    done = run("explain", "area/case", "--engines", "tofu,tofu-experimental", "--allow-exec")
    line = next(line for line in done.output.splitlines() if line.startswith("again "))
    again, _ = run_with_json(shlex.split(line)[3:])
    assert again


def test_every_circumstance_is_part_of_the_command() -> None:
    spec = RunSpec(
        ("legacy", "new"),
        (Schedule(4, 1, PlanTransfer.MEMORY),),
        "terraform-1.11",
        "opentofu-1.12",
        (Path("/"),),
        timeout_s=90,
    )
    found = with_repeated_options(result("a/x", finding()), spec, ("--known", "my known.yaml", "--memory", "512"))
    assert reproduction(found) == (
        "diffharness run corpus/a/x --engines legacy,new --seed 4 --parallelism 1 --handover memory --flavour "
        "terraform-1.11 --against opentofu-1.12 --timeout 90 --allow-exec --known 'my known.yaml' --memory 512"
    )


def test_what_is_usual_is_not_part_of_the_command() -> None:
    found = with_repeated_options(result("a/x", finding()), RunSpec(("legacy", "new"), trusted=(Path("/home/me"),)))
    assert reproduction(found) == "diffharness run corpus/a/x --engines legacy,new"


def test_known_divergences_of_the_command_line_are_repeated(here: Path) -> None:
    write_case(here, "steps: [{op: apply, config: v1}]", {"v1/main.tf": MAIN})
    (here / "known.yaml").write_text("[]\n")
    first, _ = run_with_json(["area/case", "--mutant", "B13", "--known", "known.yaml"])
    assert all(command[-2:] == ["--known", "known.yaml"] for command in first.values())
    check_again("--mutant", "B13", "--known", "known.yaml")


@pytest.mark.usefixtures("fake_tofu")
def test_explain_says_that_a_binary_has_no_graph(here: Path) -> None:
    write_case(here, "steps: [{op: apply, config: v1}]", {"v1/main.tf": 'output "o" {\n  value = 1\n}\n'})
    output = run("explain", "area/case", "--engines", "tofu,legacy", "--allow-exec", "--graphs").output
    assert "tofu: no graph: none was observed." in output
    assert "legacy: no graph" not in output
