"""Recordings of several products beside one case: which are found, and which engines are compared with them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from harness.case.case import read_case, read_golden
from harness.case.recordings import is_foreign, is_recording, other_flavours, recorded_flavour, recording_file
from harness.case.unit import Unit, UnitKind, find_units, select_units
from harness.execute.judge import judge_unit
from harness.play.run_spec import RunSpec

TERRAFORM, OPENTOFU = "terraform-1.11", "opentofu-1.12"
BOTH = ("legacy", "new")
OUTPUT = 'output "o" {\n  value = true || null\n}\n'
"""OpenTofu does not look at the right operand; Terraform rejects it."""


def recording(engine: str | None, *, ok: bool) -> str:
    detail = "Error during operation: argument must not be null."
    found = {"phase": "validate", "severity": "error", "summary": "Operation failed", "detail": detail}
    where = {"range": {"filename": "main.tf", "start": {"line": 2, "column": 11}}}
    step = {"op": "validate", "config": "v1", "ok": ok, "diagnostics": [] if ok else [{**found, **where}]}
    return json.dumps({**({} if engine is None else {"engine": engine}), "validate": {}, "steps": [step]})


@pytest.fixture
def case(tmp_path: Path) -> Path:
    directory = tmp_path / "area" / "case"
    (directory / "v1").mkdir(parents=True)
    (directory / "v1" / "main.tf").write_text(OUTPUT)
    (directory / "case.yaml").write_text("description: x\nsteps: [{op: validate, config: v1}]\n")
    return directory


def write(case: Path, name: str, engine: str | None, *, ok: bool) -> None:
    (case / name).write_text(recording(engine, ok=ok))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("golden.json", True),
        ("golden.opentofu.json", True),
        ("golden.opentofu-1.12.json", True),
        ("golden.yaml", False),
        ("goldenest.json", False),
        ("v1.json", False),
    ],
)
def test_recordings_are_known_by_their_names(name: str, expected: bool) -> None:
    assert is_recording(name) == expected


@pytest.mark.parametrize(
    ("engine", "flavour"),
    [("terraform 1.11.4", TERRAFORM), ("opentofu 1.12.6", OPENTOFU), ("opentofu 1.13.0-dev with A=1", OPENTOFU)],
)
def test_a_case_is_about_the_product_that_was_recorded(case: Path, engine: str, flavour: str) -> None:
    write(case, "golden.json", engine, ok=True)
    assert recorded_flavour(case) == flavour
    assert (read_case(case).flavour, read_case(case).own_flavour) == (flavour, flavour)


def test_a_recording_that_names_no_system_says_nothing_about_the_product(case: Path) -> None:
    write(case, "golden.json", None, ok=True)
    assert recorded_flavour(case) is None
    assert read_case(case).flavour == TERRAFORM
    assert read_golden(read_case(case)) is not None


def test_a_case_that_names_its_flavour_keeps_it(case: Path) -> None:
    (case / "case.yaml").write_text("description: x\nflavour: opentofu\nsteps: [{op: validate, config: v1}]\n")
    assert read_case(case, TERRAFORM).flavour == OPENTOFU


def test_each_recording_makes_a_unit_unless_a_flavour_is_asked_for(case: Path) -> None:
    write(case, "golden.json", "terraform 1.11.4", ok=False)
    write(case, "golden.opentofu.json", "opentofu 1.12.6", ok=True)
    write(case, "golden.something-else.json", "something 1.0.0", ok=True)
    assert other_flavours(case) == [OPENTOFU]
    assert [unit.identifier for unit in find_units([case])] == ["area/case", f"area/case@{OPENTOFU}"]
    assert [unit.identifier for unit in find_units([case], OPENTOFU)] == ["area/case"]
    assert {path.name for path in read_case(case).files} == {"case.yaml", "main.tf"}


def test_a_case_that_only_other_systems_were_recorded_of_follows_their_product(case: Path) -> None:
    write(case, "golden.main.json", "opentofu 1.13.0-dev", ok=True)
    assert is_foreign(case)
    assert read_case(case).flavour == OPENTOFU
    assert read_golden(read_case(case)) is None
    write(case, "golden.opentofu.json", "opentofu 1.12.6", ok=True)
    assert not is_foreign(case)
    assert read_case(case).flavour == TERRAFORM


def test_cases_for_recorded_engines_are_left_out_among_others(case: Path) -> None:
    other = case.parent.parent / "elsewhere" / "ours"
    shutil.copytree(case, other)
    write(case, "golden.main.json", "opentofu 1.13.0-dev", ok=True)
    among = select_units([case.parent.parent])
    assert ([unit.path for unit in among.units], among.left_out) == ([other], [case])
    for paths in ([case], [case.parent], [case.parent.parent, case]):
        assert case in [unit.path for unit in select_units(paths).units], "a path that has nothing else asks for them"
    asked = select_units([case.parent.parent], systems=["main"])
    assert ([unit.path for unit in asked.units], asked.left_out) == ([case, other], [])
    assert select_units([case.parent.parent], systems=["another"]).left_out == [case]


def test_cases_without_a_recording_belong_to_the_recorded_ones_beside_them(case: Path) -> None:
    beside, elsewhere = case.parent / "unrecorded", case.parent.parent / "elsewhere" / "unrecorded"
    shutil.copytree(case, beside)
    shutil.copytree(case, elsewhere)
    write(case, "golden.main.json", "opentofu 1.13.0-dev", ok=True)
    assert select_units([case.parent.parent]).left_out == [case, beside]
    assert select_units([case.parent]).left_out == []
    write(beside, "golden.opentofu.json", "opentofu 1.12.6", ok=True)
    assert select_units([case.parent.parent]).left_out == [case], "the directory is also one of ours"


def test_each_flavour_is_compared_with_its_own_recording(case: Path) -> None:
    write(case, "golden.json", "terraform 1.11.4", ok=False)
    write(case, "golden.opentofu.json", "opentofu 1.12.6", ok=True)
    results = [judge_unit(unit, RunSpec(BOTH)) for unit in find_units([case])]
    assert [result.flavour for result in results] == [TERRAFORM, OPENTOFU]
    assert [result.agrees for result in results] == [BOTH, BOTH]


def test_another_products_recording_is_used_only_if_asked_for(case: Path) -> None:
    write(case, "golden.json", "terraform 1.11.4", ok=False)
    unit = Unit(UnitKind.CASE, case)
    alone = judge_unit(unit, RunSpec(BOTH, flavour=OPENTOFU))
    assert (alone.is_recorded, alone.findings) == (False, ())
    compared = judge_unit(unit, RunSpec(BOTH, flavour=OPENTOFU, against=TERRAFORM))
    assert compared.is_recorded
    assert {finding.against for finding in compared.findings} == {("recorded",)}


def test_a_new_recording_gets_a_name_of_its_own_beside_that_of_another_product(case: Path) -> None:
    assert recording_file(case, OPENTOFU, TERRAFORM).name == "golden.opentofu.json"
    assert recording_file(case, TERRAFORM, TERRAFORM).name == "golden.json"
    write(case, "golden.json", "opentofu 1.12.6", ok=True)
    assert recording_file(case, OPENTOFU, OPENTOFU).name == "golden.json"
    assert recording_file(case, TERRAFORM, OPENTOFU).name == "golden.terraform.json"
    write(case, "golden.terraform-1.11.json", "terraform 1.11.4", ok=False)
    assert recording_file(case, TERRAFORM, OPENTOFU).name == "golden.terraform-1.11.json"
