"""Test files are read by validation as the products read them.

`validated_tests/` has configurations with test files, and what `validate -json` of the real binary reported about each.
`main.tf` is beside all of them, unless they have their own. The products report several arguments that are unsupported
in one block in another order each time, so the order is not compared.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from harness.engines.registry import engine_named
from harness.engines.scheduling import run_deterministically
from harness.engines.session import EngineSession
from shared_nodes.flavour import FLAVOURS, OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics_view import diagnostic_to_json
from shared_nodes.lang.file_names import test_file_names as file_names
from shared_nodes.plan.options import Options
from shared_nodes.world import World

_HERE: Final = Path(__file__).parent / "validated_tests"
_FILES: Final = {"terraform-1.11": "terraform.json", "opentofu-1.12": "opentofu.json"}
TERRAFORM: Final = shutil.which("terraform")


def recorded(name: str) -> list[dict[str, Any]]:
    document = json.loads((_HERE / name).read_text(encoding="utf-8"))
    common = {"main.tf": document["main.tf"]}
    return [{**each, "files": {**common, **each["files"]}} for each in document["answers"]]


CASES: Final = [(flavour, each) for flavour, name in _FILES.items() for each in recorded(name)]


def describe(value: Any) -> str:
    return value if isinstance(value, str) else str([text[:60] for name, text in value["files"].items()][-1:])


def write(files: dict[str, str], directory: Path) -> None:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")


def without_excerpts(diagnostics: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: part for name, part in each.items() if name != "snippet"} for each in diagnostics]


def in_order(diagnostics: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(each, sort_keys=True) for each in diagnostics)


def validate(directory: Path, flavour: Flavour, engine: str = "new") -> list[dict[str, Any]]:
    session = EngineSession(engine_named(engine), World.real(directory), flavour)
    found = run_deterministically(0, session.validate, Options())
    return without_excerpts([dict(diagnostic_to_json(each)) for each in found])


@pytest.mark.parametrize(("flavour", "answer"), CASES, ids=describe)
def test_validation_reports_what_was_recorded(flavour: str, answer: dict[str, Any], tmp_path: Path) -> None:
    write(answer["files"], tmp_path)
    assert in_order(validate(tmp_path, FLAVOURS[flavour])) == in_order(answer["diagnostics"])


@pytest.mark.terraform
@pytest.mark.skipif(TERRAFORM is None, reason="no terraform on PATH")
@pytest.mark.parametrize("answer", recorded("terraform.json")[::24], ids=describe)
def test_the_recordings_are_those_of_the_real_binary(answer: dict[str, Any], tmp_path: Path) -> None:
    write(answer["files"], tmp_path)
    environment = {name: value for name, value in os.environ.items() if name != "TF_CLI_CONFIG_FILE"}
    if len(answer["files"]) > 2:
        subprocess.run([str(TERRAFORM), "init"], cwd=tmp_path, env=environment, capture_output=True, check=False)
    command = [str(TERRAFORM), "validate", "-json"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert in_order(without_excerpts(json.loads(ran.stdout)["diagnostics"])) == in_order(answer["diagnostics"])


def test_both_engines_read_tests_alike(tmp_path: Path) -> None:
    write({"main.tf": "", "t.tftest.hcl": 'run "a" {\n  nope = 1\n}\n'}, tmp_path)
    legacy, new = (validate(tmp_path, TERRAFORM_1_11, name) for name in ("legacy", "new"))
    assert legacy == new
    assert [each["summary"] for each in legacy] == ["Unsupported argument"]


def test_which_files_are_tests() -> None:
    names = [
        "b.tftest.hcl",
        "a.tftest.json",
        ".x.tftest.hcl",
        "c.tftest.hcl~",
        "d.tofutest.hcl",
        "d.tftest.hcl",
        "e.tf",
    ]
    assert file_names(names, TERRAFORM_1_11) == ["a.tftest.json", "b.tftest.hcl", "d.tftest.hcl"]
    assert file_names(names, OPENTOFU_1_12) == ["a.tftest.json", "b.tftest.hcl", "d.tofutest.hcl"]
