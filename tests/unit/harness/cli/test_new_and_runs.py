"""`diffharness new` makes cases, `diffharness runs` lists runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from harness.case.case import read_case
from harness.cli import commands


def diffharness(*arguments: str) -> Result:
    return CliRunner().invoke(commands, list(arguments), catch_exceptions=False)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "main.tf").write_text('resource "terraform_data" "a" {}\n')
    (tmp_path / "two" / "network").mkdir(parents=True)
    (tmp_path / "two" / "main.tf").write_text('module "n" {\n  source = "./network"\n}\n')
    (tmp_path / "two" / "network" / "main.tf").write_text('resource "terraform_data" "n" {}\n')
    (tmp_path / "two" / "terraform.tfstate").write_text("private")
    (tmp_path / "two" / ".terraform").mkdir()
    return tmp_path


def test_a_new_case_has_a_version_for_each_directory_and_can_be_run(here: Path) -> None:
    made = diffharness("new", "cases/area/both", "one", "two", "--tag", "mine", "--description", 'It: "is" so')
    assert made.exit_code == 0, made.output
    assert "diffharness record cases/area/both" in made.output
    case = read_case(here / "cases" / "area" / "both")
    assert (case.description, case.tags) == ('It: "is" so', ("mine",))
    assert [(step.operation, step.config) for step in case.steps] == [
        *[("plan", "v1"), ("apply", "v1"), ("plan", "v1")],
        *[("plan", "v2"), ("apply", "v2"), ("plan", "v2"), ("destroy", "v2")],
    ]
    files = {path.relative_to(case.directory).as_posix() for path in case.directory.rglob("*") if path.is_file()}
    assert files == {"case.yaml", "v1/main.tf", "v2/main.tf", "v2/network/main.tf"}
    ran = diffharness("run", "cases", "--jobs", "1", "-q")
    assert (ran.exit_code, "1 equal" in ran.output) == (0, True)


def test_modules_outside_keep_their_place_beside_the_configuration(here: Path) -> None:
    (here / "live").mkdir()
    (here / "live" / "main.tf").write_text('module "n" {\n  source = "../two/network"\n}\n')
    refused = diffharness("new", "case", "live")
    assert refused.exit_code == 2
    assert f"add --include {here}/two/network" in refused.output
    assert not (here / "case").exists()
    assert diffharness("new", "case", "live", "--include", "two").exit_code == 0
    assert read_case(here / "case").configurations == ["v1/live"]
    assert (here / "case" / "v1" / "two" / "network" / "main.tf").exists()


def test_a_case_may_be_inside_of_its_configuration_and_holds_no_other_case(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here / "two")
    assert diffharness("new", "cases/area/first", ".").exit_code == 0
    assert diffharness("new", "cases/area/second", ".").exit_code == 0
    for name in ("first", "second"):
        case = here / "two" / "cases" / "area" / name
        files = {path.relative_to(case).as_posix() for path in case.rglob("*") if path.is_file()}
        assert files == {"case.yaml", "v1/main.tf", "v1/network/main.tf"}
        assert not (case / "v1" / "cases").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("one", "two"), 2, "one exists already"),
        (("case", "empty"), 2, "empty holds no configuration"),
        (("case", "absent"), 2, "does not exist"),
        (("case",), 2, "Missing argument 'DIR...'"),
        (("one/main.tf/case", "two"), 1, "cannot write one/main.tf/case"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(
    here: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    (here / "empty").mkdir()
    before = sorted(here.rglob("*"))
    result = diffharness("new", *arguments)
    assert (result.exit_code, message in result.output) == (status, True), result.output
    assert sorted(here.rglob("*")) == before


def listed(*options: str) -> list[dict[str, Any]]:
    document: list[dict[str, Any]] = json.loads(diffharness("runs", "--json", "-", *options).stdout)
    return document


@pytest.mark.usefixtures("here")
def test_runs_are_listed_newest_first_with_verdicts_and_size() -> None:
    assert "There is no run here yet" in diffharness("runs").output
    assert listed() == []
    for path in ("one", "two"):
        assert diffharness("run", path, "--jobs", "1").exit_code == 0
    assert diffharness("run", "one", "--jobs", "1", "--out", "elsewhere").exit_code == 0
    found = listed()
    assert [(each["latest"], each["complete"], each["rulings"]) for each in found] == [
        (True, True, {"equal": 1}),
        (False, True, {"equal": 1}),
    ]
    assert all(each["size_b"] > 0 and each["engines"] == ["legacy", "new"] for each in found)
    text = diffharness("runs", "--last", "1").output
    assert f"{found[0]['name']} (latest)" in text
    assert "and 1 older ones: --last 2 lists all" in text
    assert diffharness("report", found[1]["name"]).exit_code == 0


def test_interrupted_and_damaged_runs_are_listed_as_such(here: Path) -> None:
    for path in ("one", "two"):
        assert diffharness("run", path, "--jobs", "1").exit_code == 0
    newest, oldest = (here / ".diffharness" / "runs" / each["name"] for each in listed())
    (newest / "journal.jsonl").write_bytes(b"")
    (oldest / "run.json").write_text("{")
    text = diffharness("runs").output
    assert "nothing was run;" in text
    assert "cannot be read: " in text
    found = {each["name"]: each for each in listed()}
    assert not any(each["complete"] for each in found.values())
    assert "not the header of a run" in found[oldest.name]["problem"]
