"""The GitHub action and the container file do what they promise, as far as that shows without either."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

ROOT: Final = Path(__file__).parent.parent.parent.parent
ACTION: Final[dict[str, Any]] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
_HOST: Final = re.compile(r"\b[\w-]+(\.[\w-]+)*\.(io|com|org|dev|net)\b")

_PROGRAM: Final = """#!/bin/bash
printf '%s\\n' "$@" > "$RUNNER_TEMP/arguments"
while [ $# -gt 0 ]; do
  if [ "$1" = --markdown ]; then echo "# what differs" > "$2"; fi
  shift
done
exit $STATUS
"""


def run_step(directory: Path, status: int, **inputs: str) -> tuple[int, list[str], str, dict[str, str]]:
    """Run the step that runs diffharness, with a program in its place. Return the exit code, the arguments, the summary
    of the job, and the outputs."""
    program = directory / "diffharness" / "bin" / "diffharness"
    program.parent.mkdir(parents=True)
    program.write_text(_PROGRAM)
    program.chmod(0o755)
    (step,) = [each for each in ACTION["runs"]["steps"] if each.get("id") == "run"]
    given = {name: str(spec.get("default", "")) for name, spec in ACTION["inputs"].items()} | inputs
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) }}", lambda match: given[match[1]], text)
        for name, text in step["env"].items()
    }
    environment |= {"RUNNER_TEMP": str(directory), "STATUS": str(status), "PATH": os.environ["PATH"]}
    environment |= {"GITHUB_OUTPUT": str(directory / "output"), "GITHUB_STEP_SUMMARY": str(directory / "summary")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    ran = subprocess.run(command, env=environment, cwd=directory, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    outputs = dict(line.split("=", 1) for line in (directory / "output").read_text().splitlines())
    arguments = (directory / "arguments").read_text().splitlines()
    return ran.returncode, arguments, (directory / "summary").read_text(), outputs


@pytest.mark.parametrize("status", [0, 1, 3])
def test_the_summary_of_the_job_has_the_markdown_whatever_the_outcome(tmp_path: Path, status: int) -> None:
    code, arguments, summary, outputs = run_step(tmp_path, status, paths="cases")
    assert (code, outputs["exit-code"]) == (status, str(status))
    assert summary == "# what differs\n"
    assert arguments[:4] == ["run", "cases", "--engines", "legacy,new"]
    assert Path(outputs["results"], "summary.md").exists()


def test_paths_and_arguments_stay_words_and_are_never_code(tmp_path: Path) -> None:
    given = {"paths": "one two\nthree", "arguments": "-k\na or b\n--tag\n$(touch broken)\n"}
    _, arguments, _, _ = run_step(tmp_path, 0, **given)
    assert arguments[1:4] == ["one", "two", "three"]
    assert arguments[-4:] == ["-k", "a or b", "--tag", "$(touch broken)"]
    assert not (tmp_path / "broken").exists()


def test_inputs_reach_scripts_through_the_environment_only() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]


@pytest.mark.parametrize("name", ["action.yml", "Containerfile", ".containerignore"])
def test_no_registry_is_named(name: str) -> None:
    assert _HOST.search((ROOT / name).read_text(encoding="utf-8")) is None
