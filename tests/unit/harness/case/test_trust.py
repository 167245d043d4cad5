"""An untrusted case reads nothing outside its directory and runs nothing, and the result lists the simulated
commands."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from harness.case.case import CaseError, read_case
from harness.case.containment import require_contained
from harness.case.trust import refused_binaries
from harness.case.unit import Unit, UnitKind
from harness.cli import commands
from harness.configuration import Configuration, may_execute, trusted_directories
from harness.execute.case_judge import judge_runner
from harness.execute.judge import judge_unit
from harness.findings.result import CaseResult
from harness.play.case_runner import CaseRunner, prepare_runner
from harness.play.run_spec import RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from shared_nodes.processes import RecordedProcesses
from shared_nodes.values.json import dumps
from tests.judging import judge_engines

SECRET: Final = "TOP-SECRET-4711"
COMMAND: Final = """
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "touch {}"
  }
}
"""

MakeCase = Callable[..., Path]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside the case, in a directory that is also a module and has a state."""
    directory = tmp_path / "outside"
    directory.mkdir()
    (directory / "main.tf").write_text(f'output "x" {{\n  value = "{SECRET}"\n}}\n')
    (directory / "terraform.tfstate").write_text(
        json.dumps({"version": 4, "outputs": {"x": {"value": SECRET, "type": "string"}}, "resources": []})
    )
    file = directory / "secret.txt"
    file.write_text(SECRET)
    return file


@pytest.fixture
def make_case(tmp_path: Path) -> MakeCase:
    def make(configuration: str, steps: str = "[{op: apply, config: v1}]", more: str = "") -> Path:
        directory = tmp_path / "area" / "case"
        (directory / "v1").mkdir(parents=True)
        (directory / "case.yaml").write_text(f"description: of a stranger\nsteps: {steps}\n{more}")
        (directory / "v1" / "main.tf").write_text(configuration)
        return directory

    return make


def observe(case: Path, engine: str, scratch: Path) -> str:
    """Return everything that was observed in a case."""
    scratch.mkdir()
    read = read_case(case)
    observations = CaseRunner.of(read, scratch, read.configurations, RecordedProcesses()).run(engine, Schedule(), 60)
    return dumps({place: dict(each) for place, each in observations.items()}, escape_html=False)


def judge_case(case: Path, *trusted: Path, schedule: Schedule = Schedule()) -> CaseResult:
    return judge_unit(Unit(UnitKind.CASE, case), RunSpec(("legacy", "new"), (schedule,), trusted=trusted))


# Files

READS: Final = {
    "file": 'output "a" {{\n  value = file("{file}")\n}}',
    "file by way of parents": 'output "a" {{\n  value = file("{up}")\n}}',
    "templatefile": 'output "a" {{\n  value = templatefile("{file}", {{}})\n}}',
    "filebase64": 'output "a" {{\n  value = base64decode(filebase64("{file}"))\n}}',
    "fileset": 'output "a" {{\n  value = [for f in fileset("{directory}", "*") : file("{directory}/${{f}}")]\n}}',
    "pathexpand": 'output "a" {{\n  value = file(pathexpand("~/{up}"))\n}}',
    "module": 'module "m" {{\n  source = "{module}"\n}}\noutput "a" {{\n  value = module.m.x\n}}',
    "absolute module": 'module "m" {{\n  source = "{directory}"\n}}\noutput "a" {{\n  value = module.m.x\n}}',
    "remote state": (
        'data "terraform_remote_state" "s" {{\n  backend = "local"\n  config = {{ path = "{state}" }}\n}}\n'
        'output "a" {{\n  value = data.terraform_remote_state.s.outputs.x\n}}'
    ),
}


@pytest.mark.parametrize("engine", ["legacy", "new"])
@pytest.mark.parametrize("way_out", READS)
def test_no_expression_reads_outside_of_the_case(
    make_case: MakeCase, secret: Path, tmp_path: Path, way_out: str, engine: str
) -> None:
    up = "../" * 30
    text = READS[way_out].format(
        file=secret,
        directory=secret.parent,
        up=f"{up}{str(secret).lstrip('/')}",
        module=f"{up}{str(secret.parent).lstrip('/')}",
        state=secret.parent / "terraform.tfstate",
    )
    found = observe(make_case(text), engine, tmp_path / "scratch")
    assert SECRET not in found
    assert '"ok":false' in found, "the attempt must have failed, not have been passed over"


@pytest.mark.parametrize("name", ["v1/stolen.txt", "v1/stolen.auto.tfvars", "state.json", "v1/module"])
def test_a_link_out_of_the_case_is_refused(make_case: MakeCase, secret: Path, name: str) -> None:
    """Copying the case would copy the file that the link points to."""
    case = make_case('output "a" {\n  value = file("stolen.txt")\n}')
    (case / name).symlink_to(secret.parent if name.endswith("module") else secret)
    verdict = judge_engines(case, ["legacy"], may_execute=False)
    assert f"{name}: a link that does not lead to a file of the case" in verdict.invalid
    assert SECRET not in str(verdict)


@pytest.mark.parametrize("name", ["v1/back", "v1/gone"])
def test_a_link_in_circles_or_to_nowhere_is_refused(make_case: MakeCase, name: str) -> None:
    case = make_case("")
    (case / name).symlink_to(case if name.endswith("back") else case / "nowhere")
    with pytest.raises(CaseError, match=name):
        require_contained(case)


def test_a_link_to_a_file_of_the_case_is_that_file(make_case: MakeCase) -> None:
    case = make_case('output "a" {\n  value = file("link.txt")\n}')
    (case / "text.txt").write_text("inside")
    (case / "v1" / "link.txt").symlink_to("../text.txt")
    assert judge_case(case).equal == ("new",)


def test_a_pipe_is_refused_before_anybody_waits_for_it(make_case: MakeCase) -> None:
    case = make_case("")
    os.mkfifo(case / "v1" / "pipe.tf")
    with pytest.raises(CaseError, match="neither a file nor a directory"):
        require_contained(case)


@pytest.mark.parametrize(
    ("steps", "more"),
    [
        ("[{op: plan, config: v1}]", "prior_state: ../../outside/terraform.tfstate"),
        ("[{op: plan, config: ../../outside}]", ""),
    ],
)
def test_a_case_names_nothing_outside_of_it(make_case: MakeCase, secret: Path, steps: str, more: str) -> None:
    assert secret.exists()
    with pytest.raises(CaseError, match="is not in the directory of the case"):
        read_case(make_case("", steps, more))


def test_the_environment_of_the_user_does_not_show(
    make_case: MakeCase, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TF_VAR_password", SECRET)
    case = make_case('variable "password" {\n  default = "none"\n}\noutput "a" {\n  value = var.password\n}')
    assert SECRET not in observe(case, "legacy", tmp_path / "scratch")


# Commands


@pytest.mark.parametrize("handover", PlanTransfer)
def test_commands_are_pretended_unless_the_case_is_trusted(
    make_case: MakeCase, tmp_path: Path, handover: PlanTransfer
) -> None:
    trace = tmp_path / "trace"
    case = make_case(COMMAND.replace("{}", str(trace)))
    result = judge_case(case, schedule=Schedule(handover=handover))
    assert not trace.exists()
    assert result.faked == (f"/bin/sh -c 'touch {trace}'",)
    assert (result.equal, result.findings) == (("new",), ())
    assert judge_case(case, tmp_path, schedule=Schedule(handover=handover)).faked == ()
    assert trace.exists()


def test_commands_of_an_apply_that_was_killed_are_told_as_well(make_case: MakeCase, tmp_path: Path) -> None:
    """The second apply does not run them again."""
    trace = tmp_path / "trace"
    case = make_case(
        'terraform {\n  required_providers {\n    simcloud = { source = "dh.test/diffharness/simcloud" }\n  }\n}\n'
        + COMMAND.replace("{}", str(trace))
        + 'resource "simcloud_updated" "b" {\n  name = "b"\n  depends_on = [terraform_data.a]\n}\n'
    )
    killed = "action: crash-and-resume, input: {at: {verb: create, name: b}}"
    (case / "case.yaml").write_text(f"description: of a stranger\ntasks: {{a: {{{killed}}}}}\n")
    result = judge_case(case)
    assert result.findings == ()
    assert result.faked == (f"/bin/sh -c 'touch {trace}'",)
    assert not trace.exists()


def test_a_recording_says_nothing_about_commands_that_were_not_run(make_case: MakeCase) -> None:
    case = make_case(COMMAND.replace("{}", "x"))
    (case / "golden.json").write_text('{"steps": [{"op": "apply", "config": "v1", "ok": false, "diagnostics": []}]}')
    result = judge_case(case)
    assert (result.is_recorded, result.agrees, result.findings) == (False, (), ())
    assert judge_case(case, case).findings


def test_a_case_without_commands_needs_no_trust(make_case: MakeCase) -> None:
    case = make_case('output "a" {\n  value = 1\n}')
    assert judge_case(case).faked == ()


def test_a_binary_does_not_run_what_is_not_trusted(make_case: MakeCase, tmp_path: Path) -> None:
    case = make_case("")
    binary, trace = tmp_path / "terraform", tmp_path / "trace"
    binary.write_text(f"#!/bin/sh\ntouch {trace}\n")
    binary.chmod(0o755)
    result = judge_unit(Unit(UnitKind.CASE, case), RunSpec((str(binary), "legacy")))
    assert "not trusted" in result.not_run[str(binary)]
    assert not trace.exists()


# What is trusted


def test_trust_is_by_where_a_case_really_is(tmp_path: Path) -> None:
    inside, outside = tmp_path / "trusted" / "area", tmp_path / "other"
    inside.mkdir(parents=True)
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    trusted = trusted_directories(Configuration(trusted=(tmp_path / "trusted",)))
    assert may_execute(inside, trusted)
    assert not may_execute(outside, trusted)
    assert not may_execute(inside / "link", trusted)
    assert not may_execute(inside / ".." / ".." / "other", trusted)
    assert not may_execute(tmp_path / "trusted-not", trusted)
    assert may_execute(outside, trusted_directories(Configuration(), allow_exec=True))


def test_nothing_is_trusted_by_default(tmp_path: Path) -> None:
    assert trusted_directories(Configuration()) == ()
    assert not may_execute(tmp_path, RunSpec(("legacy",)).trusted)


def test_a_binary_is_refused_in_one_message(tmp_path: Path) -> None:
    message = refused_binaries(["legacy", "terraform"], [tmp_path], [])
    assert message is not None
    assert str(tmp_path) in message
    assert "--allow-exec" in message
    assert refused_binaries(["legacy", "new"], [tmp_path], []) is None
    assert refused_binaries(["terraform"], [tmp_path / "a"], [tmp_path]) is None


def test_what_runs_keep_is_no_part_of_the_case_they_were_started_in(tmp_path: Path) -> None:
    """The link `latest` points to a directory, and the case would be rejected because of it."""
    (tmp_path / "v1").mkdir()
    (tmp_path / "case.yaml").write_text("description: x\nsteps:\n  - {op: plan, config: v1}\n")
    (tmp_path / "v1" / "main.tf").write_text("")
    runs = tmp_path / ".diffharness" / "runs"
    (runs / "first").mkdir(parents=True)
    (runs / "first" / "run.json").write_text("{}")
    (runs / "latest").symlink_to("first")
    require_contained(tmp_path)
    assert [file.name for file in read_case(tmp_path).files] == ["case.yaml", "main.tf"]


def test_what_runs_keep_beside_a_configuration_is_not_copied_with_it(make_case: MakeCase, secret: Path) -> None:
    """It is not looked at, so a link in it may lead to any file."""
    case = make_case('output "a" {\n  value = try(file(".diffharness/link"), "none")\n}')
    (case / "v1" / ".diffharness").mkdir()
    (case / "v1" / ".diffharness" / "link").symlink_to(secret)
    os.mkfifo(case / "v1" / ".diffharness" / "pipe")
    verdict = judge_engines(case, ["legacy", "new"], may_execute=False)
    assert not verdict.invalid
    assert SECRET not in str(verdict)
    assert "none" in str(verdict.observations["legacy"])


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_file_that_is_exchanged_after_reading_the_case_is_not_followed(
    make_case: MakeCase, secret: Path, kind: str
) -> None:
    case = make_case("")

    def exchange(_engine: str, _schedule: object) -> None:
        file = case / "v1" / "text.txt"
        if not os.path.lexists(file):
            file.symlink_to(secret) if kind == "link" else os.mkfifo(file)

    with prepare_runner(read_case(case), may_execute=False) as (runner, recording):
        judge = partial(judge_runner, runner, RunSpec(("legacy", "new")), recording, exchange)
        with pytest.raises(CaseError, match=r"v1: cannot be read: .*(outside|not a regular file)"):
            judge()


@pytest.mark.parametrize(("path", "is_run"), [(".", False), ("..", False), ("area", True)])
def test_settings_that_are_part_of_what_is_run_trust_nothing(
    make_case: MakeCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, is_run: bool
) -> None:
    """The author of the cases has written them."""
    proof = tmp_path / "proof"
    make_case(COMMAND.replace("{}", str(proof)))
    (tmp_path / "pyproject.toml").write_text('[tool.diffharness]\ntrusted = ["/"]\n')
    monkeypatch.chdir(tmp_path if path != ".." else tmp_path / "area")
    done = CliRunner().invoke(commands, ["run", path, "--jobs", "1", "--out", str(tmp_path / "kept")])
    assert proof.exists() is is_run
    assert ("trusted has no effect" in done.output) is not is_run
