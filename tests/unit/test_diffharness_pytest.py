"""`pytest corpus/`: cases are tests where a project asks for it, and failures are one screen each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from diffharness_pytest import CaseFailure, judge_case, read_project

CASE: Final = "description: a case\nsteps: [{op: apply, config: v1}]\n"
DIFFERENT: Final = '{"steps": [{"op": "apply", "config": "v1", "ok": false, "diagnostics": []}]}'
COMMAND: Final = 'resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = "touch TRACE"\n  }\n}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("equal", "different"):
        (tmp_path / "area" / name / "v1").mkdir(parents=True)
        (tmp_path / "area" / name / "case.yaml").write_text(CASE)
        (tmp_path / "area" / name / "v1" / "main.tf").write_text('output "a" {\n  value = 1\n}\n')
    (tmp_path / "area" / "different" / "golden.json").write_text(DIFFERENT)
    (tmp_path / "pyproject.toml").write_text("[tool.diffharness]\n")
    return tmp_path


def run_pytest(directory: Path, *arguments: str) -> str:
    """Return what pytest prints there, in a process of its own that does not share our settings."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", *arguments]
    answer = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, timeout=120)
    return answer.stdout + answer.stderr


def test_cases_are_tests_with_readable_failures(project: Path) -> None:
    text = run_pytest(project, "area")
    assert "1 failed, 1 passed" in text
    assert "area/different: only-baseline-fails" in text
    assert "again      diffharness run" in text
    assert "Traceback" not in text
    assert ".py" not in text


def test_a_project_that_does_not_ask_for_it_has_no_cases(project: Path) -> None:
    """Any project may have a file called case.yaml."""
    (project / "pyproject.toml").unlink()
    assert "no tests ran" in run_pytest(project, "area")
    assert "1 failed, 1 passed" in run_pytest(project, "-p", "diffharness_pytest", "area")


def test_packages_of_the_project_with_our_names_are_not_imported(project: Path) -> None:
    for name in ("harness", "reports", "shared_nodes"):
        (project / name).mkdir()
        (project / name / "__init__.py").write_text("raise SystemExit('the wrong package')\n")
    assert "1 passed" in run_pytest(project, "area/equal")


def test_a_package_with_our_name_that_is_already_imported_is_one_message(project: Path) -> None:
    (project / "harness").mkdir()
    (project / "harness" / "__init__.py").write_text("")
    (project / "conftest.py").write_text("import harness\n")
    text = run_pytest(project, "area/equal")
    assert "harness was imported from" in text
    assert "Traceback" not in text


def write_settings(project: Path, settings: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.diffharness]\n{settings}\n")


def test_what_the_project_documents_passes_until_it_is_out_of_date(project: Path) -> None:
    write_settings(project, 'engines = ["legacy"]\nknown = "known.yaml"')
    entry = "- {id: K1, class: bug, reason: r, link: l, case: area/different, match: {shape: '*', against: recorded}}\n"
    (project / "known.yaml").write_text(entry)
    case = project / "area" / "different"
    (result,), complaints = judge_case(case, project)
    assert (result.engines, {found.known for found in result.findings}, complaints) == (("legacy",), {"K1"}, [])
    (project / "known.yaml").write_text(entry.replace("'*'", "nothing"))
    read_project.cache_clear()
    assert "known.yaml:1: K1: its case area/different does not show it" in judge_case(case, project)[1][-1]


def test_a_mistake_in_the_settings_is_one_message(project: Path) -> None:
    write_settings(project, "engins = []")
    with pytest.raises(CaseFailure, match=r"tool\.diffharness\.engins: unknown key"):
        judge_case(project / "area" / "equal", project)


def test_commands_and_binaries_run_only_where_the_project_says_so(project: Path) -> None:
    case, trace = project / "area" / "equal", project / "trace"
    (case / "v1" / "main.tf").write_text(COMMAND.replace("TRACE", str(trace)))
    assert judge_case(case, project)[1] == []
    assert not trace.exists()
    write_settings(project, 'engines = ["/bin/true", "legacy"]')
    read_project.cache_clear()
    with pytest.raises(CaseFailure, match="/bin/true is a real program"):
        judge_case(case, project)
    write_settings(project, 'trusted = ["area"]')
    read_project.cache_clear()
    assert judge_case(case, project)[1] == []
    assert trace.exists()


def test_the_plugin_imports_nothing_of_ours_before_there_is_a_case() -> None:
    program = (
        "import sys, pytest, diffharness_pytest\n"
        "ours = ('shared_nodes', 'legacy_engine', 'new_engine', 'reports', 'harness')\n"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] in ours))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert answer.stdout.strip() == "[]"


def test_a_case_for_recorded_engines_is_skipped_unless_the_project_names_one(project: Path) -> None:
    (project / "area" / "different" / "golden.json").rename(project / "area" / "different" / "golden.real.json")
    assert "1 passed, 1 skipped" in run_pytest(project, "area")
    write_settings(project, 'engines = ["recorded:real", "legacy"]')
    read_project.cache_clear()
    (result,), complaints = judge_case(project / "area" / "different", project)
    assert (len(complaints), result.findings[0].signature.ruling) == (1, "only-baseline-fails")


def test_every_recorded_product_is_part_of_the_test(project: Path) -> None:
    case = project / "area" / "equal"
    (case / "golden.opentofu.json").write_text(DIFFERENT)
    read_project.cache_clear()
    results, complaints = judge_case(case, project)
    assert [result.flavour for result in results] == ["terraform-1.11", "opentofu-1.12"]
    assert [complaint.partition("\n")[0] for complaint in complaints] == [
        "area/equal@opentofu-1.12: only-baseline-fails"
    ]
