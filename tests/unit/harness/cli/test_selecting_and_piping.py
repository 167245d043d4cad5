"""What people expect of a test runner: selecting cases, exit codes, and documents on standard output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_COMMAND = [sys.executable, "-c", "from harness.cli import main; main()"]


def diffharness(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*_COMMAND, *arguments], capture_output=True, text=True, timeout=120, check=False, cwd=cwd)


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """Two areas of configurations, one of which shows the mutant M22."""
    triggered = (
        'resource "terraform_data" "a" {\n  input = timestamp()\n}\n'
        'resource "terraform_data" "b" {\n  lifecycle {\n    replace_triggered_by = [terraform_data.a]\n  }\n}\n'
    )
    for name, tags, text in (("plain/one", "[quick]", ""), ("plain/two", "[]", ""), ("odd/three", "[odd]", triggered)):
        place = tmp_path / "cases" / name / "v1"
        place.mkdir(parents=True)
        (place / "main.tf").write_text(text or 'output "o" {\n  value = 1\n}\n')
        steps = "steps:\n  - {op: apply, config: v1}\n  - {op: plan, config: v1}\n"
        (place.parent / "case.yaml").write_text(f"description: d\ntags: {tags}\n{steps}")
    return tmp_path


def document(result: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(result.stdout)


def run(cases: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return diffharness("run", "cases", "--jobs", "1", "--json", "-", *options, cwd=cases)


def names(result: subprocess.CompletedProcess[str]) -> list[str]:
    return [each["identifier"] for each in document(result)["results"]]


def test_options_select_and_the_document_alone_is_on_standard_output(cases: Path) -> None:
    one = run(cases, "-k", "one or three", "--area", "plain")
    assert names(one) == ["plain/one"]
    assert "selected 1 of 3 by -k 'one or three' --area plain" in one.stderr
    assert "Report: " in one.stderr
    assert names(run(cases, "--tag", "odd", "--tag", "quick")) == ["odd/three", "plain/one"]


def test_selecting_nothing_has_an_exit_code_of_its_own(cases: Path) -> None:
    result = run(cases, "-k", "nope", "--tag", "x")
    assert (result.returncode, result.stdout) == (5, "")
    assert "nothing selected: -k 'nope' --tag x matches none of the 3 cases below cases" in result.stderr
    assert not (cases / ".diffharness").exists()
    wrong = run(cases, "-k", "one and")
    assert wrong.returncode == 2
    assert "a word is missing at the end" in wrong.stderr


def test_last_failed_runs_what_failed_in_the_last_run_with_these_cases(cases: Path) -> None:
    first = run(cases, "--last-failed", "-q", "--mutant", "M22")
    assert "There is no earlier run" in first.stderr
    assert len(names(first)) == 3
    assert first.returncode == 1
    assert names(run(cases, "--last-failed", "--mutant", "M22")) == ["odd/three"]
    assert names(run(cases, "--last-failed")) == ["odd/three"]
    repaired = run(cases, "--last-failed", "-k", "three")
    assert names(repaired) == ["odd/three"]
    assert "Nothing failed in" in repaired.stderr
    refused = run(cases, "--last-failed", "--resume", "latest")
    assert refused.returncode == 2
    assert "omit --last-failed" in refused.stderr


def test_a_quiet_run_prints_what_is_wrong_and_the_end(cases: Path) -> None:
    quiet = diffharness("run", "cases", "--jobs", "1", "-q", "--durations", "2", cwd=cases)
    assert quiet.returncode == 0
    lines = quiet.stdout.strip().splitlines()
    assert lines[0] == "The slowest 2 of 3 cases:"
    assert len(lines[1:3]) == 2
    assert all(" s  " in line for line in lines[1:3])
    assert lines[4] == "new behaves like legacy in all 3 cases."
    assert "Report" not in quiet.stdout
    failing = diffharness("run", "cases", "--jobs", "1", "-q", "--mutant", "M22", cwd=cases)
    assert "The baseline plans to replace an object, new no change (odd/three)" in failing.stdout
    assert "Report: " in failing.stdout
    assert "area" not in failing.stdout


def leave_early(cases: Path, *options: str) -> tuple[int, str]:
    """Close standard output before anything is written. Return the exit code and what was written to standard error."""
    command = [*_COMMAND, "run", "cases", "--jobs", "1", *options]
    with subprocess.Popen(command, cwd=cases, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        return process.wait(120), errors


def test_a_reader_who_leaves_early_loses_no_file_and_changes_no_exit_code(cases: Path) -> None:
    files = ("--junit", "r.xml", "--json", "r.json", "--markdown", "r.md")
    assert leave_early(cases, "--mutant", "M22", *files) == (1, "")
    assert json.loads((cases / "r.json").read_text())["exit_status"] == 1
    assert (cases / "r.xml").read_text().endswith("</testsuites>\n")
    assert (cases / "r.md").exists()
    assert list((cases / ".diffharness" / "runs" / "latest").glob("report.html"))


def test_a_document_for_a_reader_who_left_is_no_crash(cases: Path) -> None:
    status, errors = leave_early(cases, "--json", "-")
    assert status == 0
    assert "Traceback" not in errors
    assert "behaves like legacy" in errors


def test_only_one_document_fits_standard_output(cases: Path) -> None:
    result = run(cases, "--junit", "-")
    assert result.returncode == 2
    assert "only one document can be written to standard output" in result.stderr
    assert result.stdout == ""


def test_a_file_that_cannot_be_written_hides_neither_the_others_nor_the_summary(cases: Path) -> None:
    result = run(cases, "--junit", "absent/r.xml", "--markdown", "r.md")
    assert result.returncode == 1
    assert "cannot write absent/r.xml" in result.stderr
    assert "behaves like legacy" in result.stderr
    assert len(names(result)) == 3
    assert (cases / "r.md").exists()


def test_a_report_on_a_run_can_be_piped_as_well(cases: Path) -> None:
    run(cases)
    result = diffharness("report", "latest", "-q", "--json", "-", cwd=cases)
    assert (result.returncode, len(names(result))) == (0, 3)


def test_fuzz_writes_every_format(tmp_path: Path) -> None:
    files = ("--junit", "f.xml", "--sarif", "f.json", "--markdown", "f.md", "--json", "-")
    options = ("--examples", "4", "--mutant", "M01", "--no-shrink", "--save", "found")
    result = diffharness("fuzz", *options, *files, cwd=tmp_path)
    assert document(result)["stories"] == 4
    assert "4 stories of" in result.stderr
    junit = (tmp_path / "f.xml").read_text()
    assert 'tests="4"' in junit
    assert "--examples 1 --save found" in junit
    assert "4 cases" in (tmp_path / "f.md").read_text()
    (sarif,) = json.loads((tmp_path / "f.json").read_text())["runs"]
    for found in sarif["results"]:
        for place in found["locations"]:
            if "physicalLocation" in place:
                assert (tmp_path / place["physicalLocation"]["artifactLocation"]["uri"]).is_file()
