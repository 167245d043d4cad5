"""`engine validate --json` reports what `terraform validate -json` does, excerpts included."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

CORPUS: Final = Path(__file__).parents[4] / "corpus" / "regressions"
CONFIGURATIONS: Final = (
    ("modules/invalid-hosts-of-registries/v1", "legacy"),
    ("providers/names-in-provider-meta/v4", "new"),
    ("syntax/byte-order-marks/v3", "legacy"),
    ("syntax/count-and-other-meta-attributes/v1", "new"),
    ("syntax/dynamic-blocks-of-unknown-types/v2", "legacy"),
    ("syntax/json-places-of-mistakes/v2", "new"),
    ("syntax/overridden-bodies-are-not-checked/v5", "legacy"),
    ("syntax/overridden-bodies-are-not-checked/v6", "new"),
    ("syntax/two-cloud-blocks-in-an-override/v1", "legacy"),
)
"""Each with an engine: that both report the same is what the corpus shows. It has no excerpts, which are compared
here."""

COMMAND: Final = [sys.executable, "-c", "from harness.cli import main; main()", "engine"]


def diagnostics(command: list[str], directory: Path) -> list[str]:
    environment = {name: text for name, text in os.environ.items() if not name.startswith("TF_")}
    done = subprocess.run(
        command, cwd=directory, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    found: list[dict[str, Any]] = json.loads(done.stdout)["diagnostics"]
    return sorted(json.dumps(each, sort_keys=True) for each in found)


@pytest.mark.terraform
@pytest.mark.parametrize(("name", "engine"), CONFIGURATIONS)
def test_an_engine_reports_what_terraform_does(name: str, engine: str, tmp_path: Path) -> None:
    directory = tmp_path / "configuration"
    shutil.copytree(CORPUS / name, directory)
    subprocess.run(
        ["terraform", "init", "-backend=false"], cwd=directory, capture_output=True, timeout=120, check=False
    )
    wanted = diagnostics(["terraform", "validate", "-json"], directory)
    assert diagnostics([*COMMAND, engine, "validate", ".", "--json"], directory) == wanted


def test_excerpts_of_json_files_show_the_line_and_the_block(tmp_path: Path) -> None:
    shutil.copytree(CORPUS / "syntax/json-places-of-mistakes/v2", tmp_path / "v2")
    done = subprocess.run(
        [*COMMAND, "legacy", "validate", "v2", "--json"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    found = {each["summary"]: each["snippet"] for each in json.loads(done.stdout)["diagnostics"]}
    undeclared = found["Reference to undeclared resource"]
    assert undeclared["context"] == "resource.terraform_data.b"
    assert undeclared["code"] == '        "input": "x${terraform_data.nope.id}y",'
