"""What reproduces a case, as text for a clipboard: a shell makes its files from it, and runs the engine alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cli.reproduce.copied import reproduction_texts
from harness.findings.result import CaseResult
from tests.fake_binary import write_program
from tests.sample_runs import finding, result

MAIN = "END_OF_FILE\n# ' $(touch taken)\nlocals {}"


def case(**other: object) -> CaseResult:
    files = {"case.yaml": "description: d\ntags: []\nsteps:\n- {op: apply, config: v1}\n", "v1/main.tf": MAIN}
    evidence = json.dumps({"files": files, "courses": {"tofu": {"step 1 (apply v1)": {"op": "apply"}}}})
    found = result(
        "a/it's", finding(), engines=("tofu", "tofu-experimental"), flavour="opentofu-1.12", evidence=evidence
    )
    return replace(found, path="corpus/a/it's", **other)  # type: ignore[arg-type]


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
def test_a_shell_writes_the_files_and_runs_both_engines(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    write_program(
        programs / "tofu", 'import os, sys\nprint(os.environ.get("TOFU_X_EXPERIMENTAL_RUNTIME"), sys.argv[1])'
    )
    facts = {"version of tofu-experimental": "opentofu 1.13.0-dev with TOFU_X_EXPERIMENTAL_RUNTIME=1"}
    text = reproduction_texts(facts)(case())
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh"], input=text, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (tmp_path / "reproduce-it's" / "main.tf").read_text() == f"{MAIN}\n"
    assert not list(tmp_path.rglob("taken"))
    assert [line for line in done.stdout.splitlines() if line.startswith(("None", "1 "))] == [
        *("None plan", "None apply"),
        *("1 plan", "1 apply"),
    ]


def test_a_case_that_cannot_be_read_has_no_text() -> None:
    texts = reproduction_texts({})
    assert texts(case(evidence="")) == ""
    assert texts(case(evidence=json.dumps({"files": {"case.yaml": "steps: 1"}}))) == ""
