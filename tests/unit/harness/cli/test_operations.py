"""Operations on the command line: what is printed, saved and returned."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from harness.cli import main; main()", "engine", "legacy"]


def engine(*arguments: str | Path, directory: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False, cwd=directory
    )


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "main.tf").write_text(
        'variable "n" {\n  default = 1\n}\n'
        'resource "terraform_data" "a" {\n  count = var.n\n  input = "i${count.index}"\n}\n'
        'output "o" {\n  value = terraform_data.a[*].output\n}\n'
    )
    return tmp_path


def test_validate_says_what_is_wrong_and_fails(module: Path) -> None:
    assert engine("validate", module).stdout == "Success! The configuration is valid.\n"
    (module / "more.tf").write_text("locals {\n  x = var.missing\n}\n")
    result = engine("validate", module, "--json")
    assert result.returncode == 1
    outcome = json.loads(result.stdout)
    assert (outcome["ok"], outcome["diagnostics"][0]["summary"]) == (False, "Reference to undeclared input variable")
    assert outcome["diagnostics"][0]["range"]["start"]["line"] == 2


def test_plan_changes_nothing_and_apply_saves(module: Path) -> None:
    result = engine("plan", module, "--plan-json", module / "plan.json", "--events", module / "events")
    assert result.returncode == 0
    assert "  # terraform_data.a[0] will be created\n" in result.stdout
    assert "Plan: 1 to add, 0 to change, 0 to destroy.\n" in result.stdout
    assert not (module / "terraform.tfstate").exists()
    assert json.loads((module / "plan.json").read_text())["format_version"] == "1.2"
    types = [json.loads(line)["type"] for line in (module / "events").read_text().splitlines()]
    assert types == ["version", "planned_change", "change_summary", "outputs"]

    result = engine("apply", module)
    assert result.returncode == 0
    assert "terraform_data.a[0]: Creating...\n" in result.stdout
    assert "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.\n\nOutputs:\n\no = [\n" in result.stdout
    assert json.loads((module / "terraform.tfstate").read_text())["serial"] >= 1
    assert "No changes. Your infrastructure matches the configuration." in engine("plan", module).stdout


@pytest.mark.parametrize(("flavour", "command"), [("terraform", "terraform"), ("opentofu", "tofu")])
def test_without_configuration_only_destroying_is_planned(module: Path, flavour: str, command: str) -> None:
    chosen = ("--flavour", flavour)
    assert engine("apply", module, *chosen).returncode == 0
    (module / "main.tf").unlink()
    assert engine("validate", module, *chosen).returncode == 0
    details = {
        name: json.loads(engine(name, module, "--json", *chosen).stdout)["diagnostics"][0]["detail"]
        for name in ("plan", "apply")
    }
    assert details["plan"].startswith("Plan requires configuration to be present. Planning without a configuration")
    assert details["apply"].endswith(f"If you would like to destroy everything, run '{command} destroy' instead.")
    assert engine("plan", module, "--destroy", "--out", module / "p", *chosen).returncode == 0
    result = engine("apply", "p", *chosen, directory=module)
    assert (result.returncode, "1 destroyed" in result.stdout) == (0, True)


def test_a_saved_plan_is_applied_once_and_with_its_own_variables(module: Path) -> None:
    assert engine("plan", module, "--var", "n=2", "--out", module / "p").returncode == 0
    assert "Plan: 2 to add" in engine("show", module / "p").stdout
    document = json.loads(engine("show", module / "p", "--json").stdout)
    assert [change["address"] for change in document["resource_changes"]] == [
        "terraform_data.a[0]",
        "terraform_data.a[1]",
    ]
    result = engine("apply", "p", directory=module)
    assert (result.returncode, "Resources: 2 added" in result.stdout) == (0, True)
    again = engine("apply", "p", "--json", directory=module)
    assert again.returncode == 1
    assert json.loads(again.stdout)["diagnostics"][0]["summary"] == "Saved plan is stale"


def test_destroy_leaves_nothing(module: Path) -> None:
    state = module / "other.tfstate"
    assert engine("apply", module, "--state", state).returncode == 0
    result = engine("destroy", module, "--state", state)
    assert (result.returncode, "Destroy complete! Resources: 1 destroyed.\n" in result.stdout) == (0, True)
    assert json.loads(engine("show", state, "--json").stdout) == {
        "format_version": "1.0",
        "terraform_version": "1.11.4",
    }
    assert not (module / "terraform.tfstate").exists()


def test_a_failed_apply_keeps_what_was_done(module: Path) -> None:
    (module / "more.tf").write_text(
        'resource "terraform_data" "b" {\n  input = terraform_data.a[0].id\n'
        '  provisioner "local-exec" {\n    command = "exit 3"\n  }\n}\n'
    )
    result = engine("apply", module)
    assert result.returncode == 1
    assert "Error: local-exec provisioner error" in result.stderr
    assert "Apply complete" not in result.stdout
    shown = engine("show", module / "terraform.tfstate").stdout
    assert shown.startswith('# terraform_data.a[0]:\nresource "terraform_data" "a" {\n')
    assert '# terraform_data.b: (tainted)\nresource "terraform_data" "b" {\n' in shown
    assert shown.endswith('\n\n\nOutputs:\n\no = [\n    "i0",\n]\n')


def test_the_first_interrupt_waits_and_saves(module: Path) -> None:
    (module / "more.tf").write_text(
        'resource "terraform_data" "slow" {\n'
        '  provisioner "local-exec" {\n    command = "touch begun; sleep 1"\n  }\n}\n'
        'resource "terraform_data" "next" {\n  input = terraform_data.slow.id\n}\n'
    )
    process = subprocess.Popen(
        [*COMMAND, "apply", str(module)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not (module / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Interrupt received" in errors
    shown = engine("show", module / "terraform.tfstate").stdout
    assert "terraform_data.slow" in shown
    assert "terraform_data.next" not in shown


def test_graphs_in_three_forms(module: Path) -> None:
    text = engine("graph", module, "--format", "text").stdout
    assert 'terraform_data.a (expand)\n  provider["terraform.io/builtin/terraform"]\n  var.n\n' in text
    assert engine("graph", module).stdout.startswith("digraph {\n")
    assert engine("graph", module, "--operation", "apply", "--format", "svg").stdout.startswith("<svg ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--destroy", "--refresh-only"],
        ["--no-refresh", "--refresh-only"],
        ["--replace", "a.b", "--destroy"],
        ["--var", "n"],
        ["--parallelism", "0"],
        ["--nonsense"],
    ],
)
def test_combinations_without_sense_are_wrong_usage(module: Path, arguments: list[str]) -> None:
    result = engine("plan", module, *arguments)
    assert (result.returncode, result.stdout) == (2, "")


def test_a_variables_file_that_is_not_there_is_named(module: Path) -> None:
    result = engine("plan", module, "--var-file", "gone.tfvars")
    assert result.returncode == 1
    assert "cannot read gone.tfvars" in result.stderr


def summaries(module: Path, *arguments: str) -> list[str]:
    outcome: dict[str, list[dict[str, str]]] = json.loads(engine(*arguments, module, "--json").stdout)
    return sorted(diagnostic["summary"] for diagnostic in outcome["diagnostics"])


CHECKS = """
resource "terraform_data" "r" {
  depends_on = ["terraform_data.a"]
}
check "known" {
  assert {
    condition     = var.n == 2
    error_message = "n is not 2"
  }
}
check "later" {
  assert {
    condition     = terraform_data.r.id == ""
    error_message = "there is an id"
  }
}
check "data" {
  data "terraform_remote_state" "gone" {
    backend = "local"
    config  = { path = "gone.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.gone.outputs != null
    error_message = "no outputs"
  }
}
"""


def test_what_checks_say_while_planning_is_not_repeated_where_they_run_again_at_once(module: Path) -> None:
    (module / "more.tf").write_text(CHECKS)
    failed = ["Check block assertion failed", "Quoted references are deprecated", "Unable to find remote state"]
    assert summaries(module, "plan") == sorted([*failed, "Check block assertion known after apply"])
    assert summaries(module, "apply") == sorted([*failed, "Check block assertion failed"])


def test_warnings_of_a_plan_that_is_applied_at_once_come_at_the_end(module: Path) -> None:
    (module / "more.tf").write_text(CHECKS)
    engine("apply", module, "--events", module / "events")
    types = [json.loads(line)["type"] for line in (module / "events").read_text().splitlines()]
    assert types.index("diagnostic") > types.index("apply_complete")
    assert types[-2:] == ["change_summary", "outputs"]


def test_people_see_similar_warnings_once(module: Path) -> None:
    quoted = 'resource "terraform_data" "{}" {{\n  depends_on = ["terraform_data.a"]\n}}\n'
    (module / "more.tf").write_text("".join(map(quoted.format, "xyz")))
    shown = engine("plan", module).stderr
    assert shown.count("Warning: Quoted references are deprecated") == 1
    assert "(and 2 more similar warnings elsewhere)" in shown
    assert len(summaries(module, "plan")) == 3


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["--var", "n=2", "--var-file", "three"], 3),
        (["--var-file", "three", "--var", "n=2"], 2),
        (["--var=n=2", "--var-file=three", "--var=n=4", "--var-file=five"], 5),
        (["--var-file", "three", "--var-file", "five", "--var", "n=4"], 4),
    ],
)
def test_of_values_given_for_one_variable_the_last_counts(module: Path, arguments: list[str], value: int) -> None:
    for name, number in (("three", 3), ("five", 5)):
        (module / name).write_text(f"n = {number}\n")
    shown = engine("plan", ".", *arguments, directory=module).stdout
    assert f"Plan: {value} to add" in shown
    graph = engine("graph", ".", *arguments, directory=module)
    assert graph.returncode == 0


STATE = """{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [
  {"mode": "data", "type": "terraform_remote_state", "name": "d",
   "provider": "provider[\\"terraform.io/builtin/terraform\\"]",
   "instances": [{"schema_version": %s, "attributes": %s}]}]}"""


@pytest.mark.parametrize(
    ("version", "attributes", "reason"),
    [
        (0, '{"backend": "local", "bogus": 1}', 'unsupported attribute "bogus"'),
        (0, "[1]", "missing expected {"),
        (3, "{}", "schema version 3 for data.terraform_remote_state.d in state does not match version 0"),
    ],
)
def test_a_plan_that_keeps_what_nobody_can_read_is_drawn_but_not_published(
    module: Path, version: int, attributes: str, reason: str
) -> None:
    """Destroying everything without a refresh never reads the stored results of data sources."""
    (module / "terraform.tfstate").write_text(STATE % (version, attributes))
    result = engine("plan", module, "--destroy", "--no-refresh", "--plan-json", module / "plan.json")
    assert (result.returncode, "No objects need to be destroyed." in result.stdout) == (0, True)
    assert f"Failed to marshal plan to json: error marshaling prior state: {reason}" in result.stderr
    assert not (module / "plan.json").exists()


def test_infinity_cannot_be_shown_and_crashes_nothing(module: Path) -> None:
    (module / "more.tf").write_text('output "infinite" {\n  value = 1 / 0\n}\n')
    result = engine("plan", module, "--out", module / "p")
    assert "Failed to marshal plan to json: cannot serialize infinity as JSON" in result.stdout
    assert (result.returncode, "Failed to write plan file" in result.stderr) == (1, True)
    result = engine("apply", module)
    assert (result.returncode, "Failed to serialize state" in result.stderr) == (1, True)


def test_an_ephemeral_argument_that_shows_only_while_applying_cannot_be_stored(module: Path) -> None:
    """Planning does not detect the ephemeral value, because it is not known before apply whether the condition
    holds."""
    (module / "more.tf").write_text(
        'variable "e" {\n  default = "other.tfstate"\n  ephemeral = true\n}\n'
        'data "terraform_remote_state" "d" {\n  backend = "local"\n'
        '  config = { path = one([for x in [var.e] : x if terraform_data.a[0].output == "i0"]) }\n}\n'
    )
    (module / "other.tfstate").write_text('{"version": 4, "serial": 1, "lineage": "x", "outputs": {}}')
    outcome = json.loads(engine("apply", ".", "--json", directory=module).stdout)
    (problem,) = outcome["diagnostics"]
    assert problem["summary"] == (
        "failed to encode data.terraform_remote_state.d in state: .config.path: cannot serialize value marked as "
        "cty.NewValueMarks(marks.Ephemeral) for inclusion in a state snapshot (this is a bug in Terraform)"
    )
    assert not {"address", "range"} & problem.keys()


@pytest.mark.parametrize(("flavour", "is_advised"), [("terraform", False), ("opentofu", True)])
def test_a_saved_plan_advises_to_apply_it_only_if_there_is_something_to_apply(
    module: Path, flavour: str, is_advised: bool
) -> None:
    """Refreshing leaves an output that is no longer declared as it is. Only one product says that such a plan cannot
    be applied."""
    saved = module / "plan"
    assert "Saved the plan to:" in engine("plan", module, "--out", saved, "--flavour", flavour).stdout
    assert engine("apply", module, "--flavour", flavour).returncode == 0
    assert "Saved the plan to:" not in engine("plan", module, "--out", saved, "--flavour", flavour).stdout
    main = module / "main.tf"
    main.write_text(main.read_text().partition('output "o"')[0])
    result = engine("plan", module, "--refresh-only", "--out", saved, "--flavour", flavour)
    assert (result.returncode, "Saved the plan to:" in result.stdout) == (0, is_advised)


@pytest.mark.parametrize(
    ("block", "operation", "summary"),
    [
        ('backend "s3" {}', "apply", 'Backend initialization required, please run "terraform init"'),
        ('backend "s3" {}', "destroy", 'Backend initialization required, please run "terraform init"'),
        (
            "cloud {}",
            "plan",
            'HCP Terraform or Terraform Enterprise initialization required: please run "terraform init"',
        ),
    ],
)
def test_a_state_that_is_kept_elsewhere_is_not_replaced_by_a_file(
    module: Path, block: str, operation: str, summary: str
) -> None:
    """Without its state, everything would be created once more. With a state that is given, its place is known."""
    (module / "backend.tf").write_text(f"terraform {{\n  {block}\n}}\n")
    result = engine(operation, module)
    assert (result.returncode, f"Error: {summary}" in result.stderr.replace("\n│ ", " ")) == (1, True)
    assert "--state FILE" in result.stderr
    assert not list(module.glob("*.tfstate*"))
    assert engine("plan", module, "--state", module / "given.tfstate").returncode == 0


def test_a_local_backend_says_where_the_state_is(module: Path) -> None:
    (module / "backend.tf").write_text('terraform {\n  backend "local" {\n    path = "states/kept.tfstate"\n  }\n}\n')
    (module / "states").mkdir()
    assert engine("apply", ".", directory=module).returncode == 0
    assert [file.name for file in module.rglob("*.tfstate")] == ["kept.tfstate"]
    assert "No changes." in engine("plan", ".", directory=module).stdout
    assert engine("state", "list", directory=module).stdout == "terraform_data.a[0]\n"
    assert "# terraform_data.a[0]:" in engine("show", directory=module).stdout


def test_show_without_a_name_shows_the_state_and_options_may_have_one_dash(tmp_path: Path) -> None:
    assert engine("show", directory=tmp_path).stdout == "No state.\n"
    assert engine("show", "-json", directory=tmp_path).stdout == '{"format_version":"1.0"}\n'
    (tmp_path / "main.tf").write_text('variable "n" {}\noutput "o" {\n  value = var.n\n}\n')
    assert json.loads(engine("validate", "-json", tmp_path).stdout)["ok"]
    assert engine("plan", tmp_path, "-var", "n=1", "-out=planned", directory=tmp_path).returncode == 0
    assert "+ o = " in engine("show", "planned", directory=tmp_path).stdout
