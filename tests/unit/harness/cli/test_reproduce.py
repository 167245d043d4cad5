"""`reproduce` writes a directory from which someone else can repeat a finding: completely or not at all, from a run of
the case or from what a run has kept, and without a secret."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import commands
from tests.fake_binary import write_program
from tests.unit.harness.findings.patched import write_case

FIELDS = [
    "OpenTofu Version",
    "OpenTofu Configuration Files",
    "Debug Output",
    "Expected Behavior",
    "Actual Behavior",
    "Steps to Reproduce",
    "Additional Context",
    "References",
]
STEPS = """flavour: opentofu
steps:
  - {op: apply, config: v1, vars: {word: one}}
  - {op: apply, config: v1, vars: {word: two}, target: [terraform_data.a]}"""
MAIN = """variable "word" {}
variable "password" {
  default   = "correct horse"
  sensitive = true
}
resource "terraform_data" "a" {
  input            = var.word
  triggers_replace = var.word
}
resource "terraform_data" "b" {
  input = [terraform_data.a.id, var.password]
}
"""
MUTANT = "B13"

FAKE = """
import json, os, sys
arguments = sys.argv[1:]
new = os.environ.get("TOFU_X_EXPERIMENTAL_RUNTIME") == "1"
if "TOFU_X_EXPERIMENTAL_RUNTIME" in os.environ and arguments[0] == "plan":
    print("[WARN]  Using plan implementation from the experimental language runtime", file=sys.stderr)
if arguments[0] == "version":
    print("OpenTofu v1.12.6")
elif arguments[0] == "validate":
    print(json.dumps({"valid": True, "diagnostics": []}))
elif arguments[0] == "plan" and "-json" not in arguments:
    print("planned by the", "new" if new else "old", "runtime", *arguments)
    sys.exit(new)
elif arguments[0] == "plan" and new:
    problem = {"severity": "error", "summary": "Too new", "detail": "It is too new."}
    problem["range"] = {"filename": "main.tf", "start": {"line": 1, "column": 1}}
    print(json.dumps({"type": "diagnostic", "diagnostic": problem}))
    sys.exit(1)
elif arguments[0] == "plan":
    print(json.dumps({"type": "change_summary", "changes": {"add": 0, "change": 0, "remove": 0, "operation": "plan"}}))
elif arguments[0] == "crash":
    os.abort()
"""


STUB = """echo "ran $1 $2 $3 in ${PWD##*/}: $(cat main.tf)"
echo "$(cat terraform.tfstate 2>/dev/null) $3" > terraform.tfstate
"""
"""A program that shows which configuration it finds, and leaves a state."""


@pytest.fixture
def stub(tmp_path: Path) -> str:
    return write_program(tmp_path / "stub", STUB, "/bin/sh")


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_case(tmp_path, STEPS, {"v1/main.tf": MAIN}).relative_to(tmp_path)


@pytest.fixture
def fake_tofu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program on the PATH whose new runtime refuses every plan."""
    program = Path(write_program(tmp_path / "bin" / "tofu", FAKE))
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return program


def run(*arguments: object) -> Result:
    return CliRunner().invoke(commands, [str(argument) for argument in arguments])


def reproduce(*arguments: object) -> Result:
    result = run("reproduce", *arguments)
    assert result.exit_code == 0, result.output
    return result


def sections(report: str) -> dict[str, str]:
    parts = report.split("\n### ")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def files_of(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


def run_script(directory: Path, *engine: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(directory / "commands.sh"), *engine],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "CHECKPOINT_DISABLE": "1", **environment},
    )


def test_a_finding_of_our_engines_has_everything_a_form_asks_for(case: Path) -> None:
    output = reproduce(case, "--mutant", MUTANT, "--out", "out").output
    out = Path("out")
    assert "new: apply" in output
    assert files_of(out) >= {
        *("report.md", "commands.sh", "versions.txt", "main.tf"),
        *("variables/01-apply-v1.tfvars.json", "variables/02-apply-v1.tfvars.json"),
        *(f"outputs/{engine}/0{number}-apply-v1.txt" for engine in ("legacy", "new") for number in (1, 2)),
        *(f"outputs/{engine}/0{number}-apply-v1.state.json" for engine in ("legacy", "new") for number in (1, 2)),
    }
    report = sections((out / "report.md").read_text())
    assert list(report) == FIELDS
    assert all(text.strip() for text in report.values())
    assert "legacy: diffharness" in report["OpenTofu Version"]
    assert "diffharness engine new plan ." in report["Steps to Reproduce"]
    assert "will be created" in (out / "outputs" / "legacy" / "01-apply-v1.txt").read_text()
    assert json.loads((out / "outputs" / "legacy" / "01-apply-v1.state.json").read_text())["resources"]


def test_sensitive_values_are_nowhere(case: Path) -> None:
    reproduce(case, "--mutant", MUTANT, "--out", "out")
    texts = {name: (Path("out") / name).read_text() for name in files_of(Path("out"))}
    assert not [name for name, text in texts.items() if "correct horse" in text]
    assert "(sensitive value)" in texts["main.tf"]
    assert "Sensitive values have been replaced" in texts["report.md"]


def test_the_commands_of_our_engines_run_by_themselves(case: Path) -> None:
    reproduce(case, "--out", "out")
    command = Path(sys.executable).with_name("diffharness")
    done = run_script(Path("out"), "legacy", PROGRAM=str(command))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("exit code 0") == 4
    assert "1 added, 0 changed, 1 destroyed" in done.stdout
    assert run_script(Path("out"), "neither").returncode == 2


def test_a_run_is_enough_and_nothing_is_run(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("run", case, "--mutant", MUTANT, "--out", "kept").exit_code == 1
    reproduce(case, "--mutant", MUTANT, "--out", "live")
    shutil.rmtree(case)
    monkeypatch.setattr("harness.cli.reproduce.command.replay", None)
    reproduce(case, "--run", "kept", "--out", "out")
    assert files_of(Path("out")) == files_of(Path("live"))
    for name in files_of(Path("out")) - {"report.md"}:
        assert (Path("out") / name).read_text() == (Path("live") / name).read_text(), name
    assert (Path("out") / "report.md").read_text() == (Path("live") / "report.md").read_text()


def test_what_a_run_has_not_kept_is_one_message(case: Path) -> None:
    assert run("run", case, "--out", "kept").exit_code == 0
    result = run("reproduce", case, "--run", "kept")
    assert result.exit_code == 2
    assert "has kept nothing of" in result.output
    assert "omit --run" in result.output
    assert "has no case other/case" in run("reproduce", "other/case", "--run", "kept").output


def test_a_directory_that_is_not_empty_is_left_alone(case: Path) -> None:
    Path("out").mkdir()
    Path("out", "mine.txt").write_text("mine")
    result = run("reproduce", case, "--out", "out")
    assert result.exit_code == 2
    assert "out already exists and is not empty" in result.output
    assert files_of(Path("out")) == {"mine.txt"}
    Path("out", "mine.txt").unlink()
    reproduce(case, "--out", "out")


def test_nothing_is_left_of_an_attempt_that_failed(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("harness.cli.reproduce.command.os.rename", refuse)
    result = run("reproduce", case, "--out", "deep/out")
    assert result.exit_code == 1
    assert "No space left on device" in result.output
    assert not list(Path("deep").iterdir())


def test_one_finding_of_several(case: Path) -> None:
    everything = json.loads(run("explain", case, "--json").output)
    assert not everything["result"].get("findings")
    output = run("reproduce", case, "--signature", "0123456789", "--out", "out").output
    assert "has no finding 0123456789; there is none" in output
    assert not Path("out").exists()


def test_versions_of_a_configuration_keep_their_directories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stub: str
) -> None:
    monkeypatch.chdir(tmp_path)
    steps = "steps: [{op: plan, config: v1}, {op: plan, config: v2}]\nprior_state: before.tfstate"
    state = '{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": []}'
    case = write_case(tmp_path, steps, {"v1/main.tf": "# one", "v2/main.tf": "# two", "before.tfstate": state})
    reproduce(case, "--out", "out")
    assert {"v1/main.tf", "v2/main.tf", "prior.tfstate"} <= files_of(Path("out"))
    done = run_script(Path("out"), "new", PROGRAM=stub)
    assert done.stdout.index("in configuration: # one") < done.stdout.index("in configuration: # two")
    left = Path("out", "work", "new", "configuration", "terraform.tfstate").read_text()
    assert left == f"{state} plan plan\n", "the second step begins with the state of the first"


def test_a_configuration_whose_files_have_our_names_is_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    case = write_case(tmp_path, "steps: [{op: plan, config: v1}]", {"v1/main.tf": "", "v1/report.md": "mine"})
    reproduce(case, "--out", "out")
    assert Path("out", "configuration", "report.md").read_text() == "mine"
    assert "### " in Path("out", "report.md").read_text()


def test_a_plain_configuration_with_modules_next_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stub: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "app": 'module "n" {\n  source = "../net"\n}\n',
        "net": 'output "o" {\n  value = 1\n}\n',
    }.items():
        (tmp_path / "here" / name).mkdir(parents=True)
        (tmp_path / "here" / name / "main.tf").write_text(text)
    reproduce("here/app", "--include", "here", "--out", "out")
    assert {"app/main.tf", "net/main.tf"} <= files_of(Path("out"))
    done = run_script(Path("out"), PROGRAM=stub)
    assert done.stdout.count('in app: module "n"') == 7
    assert Path("out", "work", "new", "configuration", "app", "terraform.tfstate").exists()


def test_a_simulated_cloud_is_part_of_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    main = """terraform {
  required_providers {
    sim = {
      source = "dh.test/diffharness/sim"
    }
  }
}
resource "sim_thing" "a" {
  name = "a"
}
"""
    steps = "steps: [{op: apply, config: v1}]\nfaults: [{step: 0, name: a, verb: create, kind: error}]"
    case = write_case(tmp_path, steps, {"v1/main.tf": main})
    reproduce(case, "--out", "out")
    script = Path("out", "commands.sh").read_text()
    assert "--case ../../../case.yaml --step 0 --cloud ../cloud.json" in script
    assert "provider serve" not in script
    done = run_script(Path("out"), "legacy", PROGRAM=str(Path(sys.executable).with_name("diffharness")))
    assert [line for line in done.stdout.splitlines() if "exit code" in line] == ["exit code 0", "exit code 1"]
    assert "step 1 (apply v1)" in done.stdout


# Binaries


@pytest.mark.usefixtures("fake_tofu")
def test_two_runtimes_of_one_binary(case: Path) -> None:
    reproduce(case, "--engines", "tofu,tofu-experimental", "--allow-exec", "--out", "out")
    report = sections(Path("out", "report.md").read_text())
    assert list(report) == FIELDS
    assert "tofu: opentofu 1.12.6\n" in report["OpenTofu Version"]
    assert "selected by TOFU_X_EXPERIMENTAL_RUNTIME=1" in report["OpenTofu Version"]
    assert "step 1 (apply v1): succeeds" in report["Expected Behavior"]
    assert "step 1 (apply v1): fails" in report["Actual Behavior"]
    assert "Error: Too new\n\n  on main.tf line 1:\n   1: variable" in report["Actual Behavior"]
    assert "With the environment `TOFU_X_EXPERIMENTAL_RUNTIME=1`" in report["Steps to Reproduce"]
    assert "`tofu plan -input=false -no-color -var-file=" in report["Steps to Reproduce"]
    assert str(Path.cwd()) not in Path("out", "report.md").read_text() + Path("out", "commands.sh").read_text()


@pytest.mark.usefixtures("fake_tofu")
def test_the_script_selects_the_runtime(case: Path) -> None:
    reproduce(case, "--engines", "tofu,tofu-experimental", "--allow-exec", "--out", "out")
    new, old = run_script(Path("out")), run_script(Path("out"), "tofu", TOFU_X_EXPERIMENTAL_RUNTIME="1")
    assert "planned by the new runtime" in new.stdout
    assert "+ tofu apply" not in new.stdout
    assert "planned by the old runtime" in old.stdout
    assert "-target=terraform_data.a" in old.stdout
    assert "+ tofu apply -input=false" in old.stdout


@pytest.mark.usefixtures("fake_tofu")
def test_a_run_remembers_the_versions_of_binaries(case: Path, fake_tofu: Path) -> None:
    run("run", case, "--engines", "tofu,tofu-experimental", "--allow-exec", "--out", "kept")
    fake_tofu.unlink()
    reproduce(case, "--run", "kept", "--out", "out")
    versions = Path("out", "versions.txt").read_text()
    assert versions.splitlines()[1].startswith("tofu-experimental: opentofu 1.12.6, selected by TOFU_X_EXPERIMENTAL_RU")


def test_recorded_engines_have_the_commands_of_the_product(corpus: Path, tmp_path: Path) -> None:
    case = corpus / "opentofu-migration" / "scenarios" / "modules" / "same-source-twice"
    pair = "recorded:opentofu-main,recorded:opentofu-main-new"
    reproduce(case, "--engines", pair, "--out", tmp_path / "out")
    report = sections((tmp_path / "out" / "report.md").read_text())
    assert list(report) == FIELDS
    assert "opentofu-main-new: opentofu 1.13.0-dev, selected by TOFU_X_EXPERIMENTAL_RUNTIME=1" in report[FIELDS[0]]
    assert "step 1 (apply v1): comes to an end" in report["Expected Behavior"]
    assert (
        "step 1 (apply v1): crash: panic: cannot build resource instance object metadata" in report["Actual Behavior"]
    )
    assert "`tofu apply -input=false" in report["Steps to Reproduce"]
    assert "(init failed)" in (tmp_path / "out" / "outputs" / "opentofu-main-new" / "01-apply-v1.txt").read_text()


def test_a_binary_is_told_where_the_simulated_provider_is(corpus: Path, tmp_path: Path) -> None:
    """Its `init` would look for the provider in the registry."""
    case = corpus / "opentofu-migration" / "discoveries" / "n01_crash_with_blocks"
    reproduce(case, "--engines", "recorded:opentofu-main,recorded:opentofu-main-new", "--out", tmp_path / "out")
    assert "#   diffharness provider serve sim\n" in (tmp_path / "out" / "commands.sh").read_text()


@pytest.mark.terraform
def test_the_commands_of_the_real_binary_do_what_the_harness_saw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    case = write_case(tmp_path, STEPS.replace("flavour: opentofu\n", ""), {"v1/main.tf": MAIN})
    reproduce(case, "--engines", "terraform,legacy", "--allow-exec", "--out", "out")
    done = run_script(Path("out"), "terraform")
    assert done.stdout.count("exit code 0") == 4, done.stderr
    seen = Path("out", "outputs", "terraform", "02-apply-v1.txt").read_text()
    assert "1 added, 0 changed, 1 destroyed" in seen
    assert "1 added, 0 changed, 1 destroyed" in done.stdout
    assert "Plan: 1 to add, 0 to change, 1 to destroy." in seen
    assert "Plan: 1 to add, 0 to change, 1 to destroy." in done.stdout
