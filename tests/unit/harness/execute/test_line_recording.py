"""Lines of source that engines execute: what is seen, which cases are repeated, and when."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.case.unit import find_units
from harness.cli import commands
from harness.execute import line_recording
from harness.execute.execution import ExecutionOptions
from harness.execute.journal import read_run
from harness.execute.line_recording import record_lines
from harness.execute.line_tracer import trace_lines
from harness.execute.local import judge_safely
from harness.findings.executed_lines import bits_of
from harness.play.run_spec import RunSpec
from shared_nodes.record import record
from shared_nodes.values.json import dumps

MakeCase = Callable[[str, str], Path]


@pytest.fixture
def cases(make_case: MakeCase, tmp_path: Path) -> Path:
    for number in range(3):
        make_case(f"case{number}", "")
    return tmp_path / "cases"


@pytest.fixture
def _of_few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_recording, "_FEWEST", 2)


def test_lines_of_the_packages_are_seen_and_no_others() -> None:
    before = sys.gettrace()
    with trace_lines(["shared_nodes"]) as lines:
        dumps({"a": True})
    seen = dict(lines)
    dumps({"b": ["more"]})
    assert "shared_nodes/values/json.py" in seen
    assert all(file.startswith("shared_nodes/") for file in seen)
    assert dict(lines) == seen
    assert sys.gettrace() is before


def test_a_line_that_was_seen_before_is_seen_again() -> None:
    found = []
    for _ in range(2):
        with trace_lines(["shared_nodes"]) as lines:
            dumps({"a": True})
        found.append(list(bits_of(lines["shared_nodes/values/json.py"])))
    assert found[0] == found[1] != []


@pytest.mark.usefixtures("_of_few_cases")
def test_a_run_without_findings_records_none(cases: Path) -> None:
    units, spec = find_units([cases]), RunSpec(("legacy", "moody"))
    results = [judge_safely(unit, spec) for unit in units]
    assert record_lines(units, results, spec, ExecutionOptions()) is None


@pytest.mark.usefixtures("_of_few_cases")
def test_each_case_that_is_recorded_is_counted(make_case: MakeCase, cases: Path) -> None:
    for number in range(2):
        make_case(f"odd{number}", f"warns {number}")
    units, spec = find_units([cases]), RunSpec(("legacy", "moody"))
    results = [judge_safely(unit, spec) for unit in units]
    counted: list[tuple[int, int]] = []
    record_lines(units, results, spec, ExecutionOptions(), lambda done, total: counted.append((done, total)))
    assert counted == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


@pytest.mark.usefixtures("_of_few_cases")
def test_a_run_keeps_the_lines_of_its_cases(make_case: MakeCase, cases: Path, tmp_path: Path) -> None:
    for number in range(2):
        make_case(f"odd{number}", f"warns {number}")
    place = tmp_path / "run"
    arguments = ["run", str(cases), "--engines", "legacy,moody", "--jobs", "1", "--out", str(place)]
    assert CliRunner().invoke(commands, arguments).exit_code == 1
    run = read_run([place])
    assert run.lines is not None
    assert len(run.lines.cases) == 5
    assert any(feature.startswith("runs ") for cause in run.causes for feature in cause.features)
    (place / "end.json").unlink()
    content = (place / "lines.json").read_bytes()
    again = CliRunner().invoke(commands, [*arguments[:-2], "--resume", str(place)])
    assert again.exit_code == 1, again.output
    assert (place / "lines.json").read_bytes() == content
    assert read_run([place]).causes == run.causes


@pytest.mark.usefixtures("_of_few_cases")
def test_a_case_that_ends_its_process_is_not_repeated(make_case: MakeCase, cases: Path, tmp_path: Path) -> None:
    for number, mood in enumerate(["warns a", "warns b", "dies"]):
        make_case(f"odd{number}", mood)
    arguments = ["run", str(cases), "--engines", "legacy,moody", "--jobs", "1", "--runner", "process", "--retries", "1"]
    CliRunner().invoke(commands, [*arguments, "--out", str(tmp_path / "run")])
    lines = read_run([tmp_path / "run"]).lines
    assert lines is not None
    assert len(lines.cases) == 5


@pytest.mark.usefixtures("_of_few_cases")
def test_of_many_cases_some_are_recorded(
    make_case: MakeCase, cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_recording, "_MOST_SHOWING", 1)
    monkeypatch.setattr(line_recording, "_MOST_OTHERS", 2)
    for number in range(2):
        make_case(f"odd{number}", f"warns {number}")
    arguments = ["run", str(cases), "--engines", "legacy,moody", "--jobs", "1", "--out", str(tmp_path / "run")]
    CliRunner().invoke(commands, arguments)
    lines = read_run([tmp_path / "run"]).lines
    assert lines is not None
    assert lines.cases == ("moods/case0", "moods/case1", "moods/odd0")


def test_a_small_run_keeps_none(make_case: MakeCase, cases: Path, tmp_path: Path) -> None:
    for number in range(2):
        make_case(f"odd{number}", f"warns {number}")
    arguments = ["run", str(cases), "--engines", "legacy,moody", "--jobs", "1", "--out", str(tmp_path / "run")]
    CliRunner().invoke(commands, arguments)
    assert read_run([tmp_path / "run"]).lines is None


def test_what_records_do_in_their_first_call_is_not_recorded() -> None:
    @record
    class Fresh:
        name: str

    with trace_lines(["shared_nodes"]) as found:
        assert Fresh("a") == Fresh("a")
        dumps({})
    assert set(found) == {"shared_nodes/values/json.py"}
