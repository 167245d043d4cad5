"""`diffharness fuzz`: output, files, exit codes, and reproducible results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import harness.generate.campaign as campaigns
from harness.cli.fuzz import fuzz
from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.signature import Signature


def test_the_command_writes_what_it_found_and_says_how_much_it_did(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    arguments = ["--examples", "3", "--profile", "small", "--schedules", "1", "--json", str(file)]
    result = CliRunner().invoke(fuzz, [*arguments, "--save", str(tmp_path / "saved")])
    assert result.exit_code == 0, result.output
    assert "3 stories of" in result.output
    document = json.loads(file.read_text())
    assert document["stories"] == 3
    assert document["signatures"] == []
    assert document["canary"] == "found"
    assert 0 <= document["valid_share"] <= 1
    assert document["stories_per_second"] > 0
    assert document["seed"] == 0
    assert isinstance(document["commit"], str)
    assert not (tmp_path / "saved").exists()


_VARYING = ("seconds", "stories_per_second")
_FUZZ = "import sys; from harness.cli.fuzz import fuzz; sys.exit(fuzz())"


def _run_in_process(directory: Path, *, jobs: int, hash_seed: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Run a campaign in a process with its own hash seed, which changes the order of sets. Return JSON and files."""
    directory.mkdir()
    arguments = ["--examples", "6", "--profile", "small", "--schedules", "1", "--seed", "4", "--mutant", "M01"]
    options = ["--jobs", str(jobs), "--no-shrink", "--save", str(directory / "saved"), "--json", "found.json"]
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-c", _FUZZ, *arguments, *options]
    completed = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    assert completed.returncode == 1, completed.stderr
    document = json.loads((directory / "found.json").read_text())
    files = {path.relative_to(directory).as_posix(): path for path in (directory / "saved").rglob("*")}
    return document, {name: path.read_bytes() for name, path in sorted(files.items()) if path.is_file()}


def test_a_seed_decides_about_everything_that_is_written_whatever_the_processes_and_the_order_of_sets(
    tmp_path: Path,
) -> None:
    one, saved = _run_in_process(tmp_path / "one", jobs=1, hash_seed=1)
    two, saved_too = _run_in_process(tmp_path / "two", jobs=2, hash_seed=2)
    assert one["signatures"]
    assert {**one, **dict.fromkeys(_VARYING)} == {**two, **dict.fromkeys(_VARYING)}
    assert saved == saved_too
    assert saved


def test_what_is_documented_is_counted_by_class_and_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signature = Signature("new", "plan", Ruling.DIFFERS, "plan.resource_changes", "value")
    monkeypatch.setattr(campaigns, "findings_of", lambda _verdict: [Finding(signature, ("legacy",), "", "", "", "")])
    (tmp_path / "case").mkdir()
    known = tmp_path / "known.yaml"
    known.write_text(
        "- {id: odd, class: bug, reason: to be repaired, link: none, case: case, match: {shape: plan.resource_changes}}"
    )
    arguments = ["--examples", "2", "--profile", "small", "--schedules", "1", "--json", str(tmp_path / "found.json")]
    documented = CliRunner().invoke(fuzz, [*arguments, "--known", str(known), "--save", str(tmp_path / "saved")])
    assert "known: bug in 2 stories" in documented.output
    assert "0 signatures in 0 stories" in documented.output
    assert json.loads((tmp_path / "found.json").read_text())["known"] == {"bug": 2}
    assert not (tmp_path / "saved").exists()
    assert documented.exit_code == 0
    assert CliRunner().invoke(fuzz, arguments).exit_code == 1


def test_a_list_of_known_divergences_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    known = tmp_path / "known.yaml"
    known.write_text("id: odd")
    result = CliRunner().invoke(fuzz, ["--examples", "1", "--known", str(known)])
    assert result.exit_code == 1
    assert f"{known}:1: must be a list of entries" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--examples", "1", "--minutes", "1"], "not both"),
        (["--engines", "legacy,nobody"], "nobody"),
        (["--profile", "nonsense"], "nonsense"),
    ],
)
def test_wrong_usage_is_told(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(fuzz, arguments)
    assert result.exit_code == 2
    assert message in result.output
