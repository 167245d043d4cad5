"""Whatever a case consists of, it has a result, the cases beside it are judged, and the run ends with a report."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

from harness.case.plain_directory import read_plain_directory
from harness.case.unit import Unit, UnitKind, find_units
from harness.compare.ruling import Ruling
from harness.execute.execution import ExecutionOptions, RunnerName, execute
from harness.execute.journal import read_run
from harness.execute.local import judge_safely
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec
from tests.odd_cases import (
    ODD_CASES,
    ODD_CONFIGURATIONS,
    ODD_EXPRESSIONS,
    write_good_case,
    write_odd_case,
    write_odd_configuration,
    write_odd_expressions,
)

SPEC: Final = RunSpec(("legacy", "new"), timeout_s=8)
GOOD: Final = {"good/first", "good/second"}
ODD: Final = {
    *(f"odd/{name}" for name in ODD_CASES),
    *(f"plain/{name}" for name in ODD_CONFIGURATIONS),
    *(f"expressions/{name}" for name in ODD_EXPRESSIONS),
}
COMMAND: Final = [sys.executable, "-c", "from diffharness_command import main; main()"]
MOST_KB: Final = 300_000
MEASURED: Final = """
import atexit, re
from pathlib import Path
status = Path("/proc/self/status")
atexit.register(lambda: Path("peak").write_text(re.search("VmHWM:(.*)kB", status.read_text())[1]))
from diffharness_command import main
main()
"""
"""The command, and what it leaves in the file `peak`: the kilobytes that the process itself has needed at most."""


@pytest.fixture
def in_time() -> Iterator[None]:
    """Fail instead of waiting for ever in `open`."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError("the case was waited for")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("name", ODD_CASES)
def test_an_odd_case_is_invalid(name: str, tmp_path: Path) -> None:
    case = tmp_path / "odd" / name
    write_odd_case(name, case)
    result = judge_safely(Unit(UnitKind.CASE, case), SPEC)
    assert [finding.signature.ruling for finding in result.findings] == [Ruling.INVALID_CASE]


@pytest.mark.parametrize("name", ["case-outside", "golden-outside", "state-outside", "main-outside"])
def test_a_link_to_the_outside_is_refused_before_anything_of_it_is_read(name: str, tmp_path: Path) -> None:
    """A message once named lines and keys of the file."""
    write_odd_case(name, tmp_path / "odd" / "case")
    result = judge_safely(Unit(UnitKind.CASE, tmp_path / "odd" / "case"), SPEC)
    assert "a link that does not lead to a file of the case" in result.findings[0].got


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("name", ODD_CONFIGURATIONS)
def test_an_odd_configuration_is_invalid(name: str, tmp_path: Path) -> None:
    """Its recordings and tapes were once opened whatever they were."""
    directory = tmp_path / "odd" / name
    write_odd_configuration(name, directory)
    result = judge_safely(Unit(UnitKind.CASE, directory), SPEC)
    assert [finding.signature.ruling for finding in result.findings] == [Ruling.INVALID_CASE]


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("name", ODD_EXPRESSIONS)
def test_an_odd_file_of_expressions_is_invalid(name: str, tmp_path: Path) -> None:
    """It was once taken for a bug of the harness, and one could name any file as its context."""
    file = write_odd_expressions(name, tmp_path / name)
    result = judge_safely(Unit(UnitKind.EXPRESSIONS, file), SPEC)
    assert [finding.signature.ruling for finding in result.findings] == [Ruling.INVALID_CASE]


@pytest.mark.usefixtures("in_time")
def test_a_module_is_searched_for_in_time(tmp_path: Path) -> None:
    """Each line was once searched to the end of the file."""
    write_odd_configuration("golden-pipe", tmp_path / "odd")
    (tmp_path / "odd" / "main.tf").write_text("\n" * 1_000_000 + "locals {}\n")
    read_plain_directory(tmp_path / "odd")


def test_a_case_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    """Before anything of it is parsed: parsing it all would take until the end of the time."""
    write_odd_case("description-60-mb", tmp_path / "odd" / "case")
    result = judge_safely(Unit(UnitKind.CASE, tmp_path / "odd" / "case"), SPEC)
    assert "larger than 256000 bytes" in result.findings[0].got


def test_a_run_of_all_odd_cases_ends_with_a_report(tmp_path: Path) -> None:
    """The good cases are equal, and a resumed run comes to the same."""
    for name in ODD_CASES:
        write_odd_case(name, tmp_path / "cases" / "odd" / name)
    for name in ODD_CONFIGURATIONS:
        write_odd_configuration(name, tmp_path / "cases" / "plain" / name)
    for name in ODD_EXPRESSIONS:
        write_odd_expressions(name, tmp_path / "cases" / "lines" / name)
    for name in ("first", "second"):
        write_good_case(tmp_path / "cases" / "good" / name)
    usual = ["run", "cases", "--jobs", "2", "--timeout", "8", "--memory", "1024"]
    first = _run([*usual, "--out", "kept", "--json", "first.json"], tmp_path)
    assert (first.returncode, first.stderr.count("crashed")) == (2, 0), first.stderr
    assert int((tmp_path / "peak").read_text()) < MOST_KB
    assert (tmp_path / "kept" / "report.html").stat().st_size > 10_000
    rulings = {result.identifier: result.ruling for result in read_run([tmp_path / "kept"]).results}
    assert {name.partition("@")[0] for name in rulings} == ODD | GOOD
    assert {name for name, ruling in rulings.items() if ruling is Ruling.EQUAL} == GOOD
    again = _run([*usual, "--resume", "kept", "--json", "again.json"], tmp_path)
    assert again.returncode == 2
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "first.json").read_bytes()


def _run(arguments: list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", MEASURED, *arguments],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def test_the_process_that_leads_a_run_opens_no_file_of_a_case(
    tmp_path: Path, make_case: Callable[[str, str], Path]
) -> None:
    """Opening is noticed here once the units are found, and not in the workers. One case is lost with its worker."""
    write_good_case(tmp_path / "cases" / "moods" / "good")
    (tmp_path / "cases" / "moods" / "good" / "v1" / "mood.txt").write_text("")
    write_odd_case("case-pipe", tmp_path / "cases" / "moods" / "pipe")
    make_case("lost", "dies")
    units = find_units([tmp_path / "cases"])
    opened: list[str] = []

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and str(arguments[0]).startswith(str(tmp_path)) and is_watching:
            opened.append(str(arguments[0]))

    is_watching = True
    sys.addaudithook(watch)
    results: list[CaseResult] = []

    def keep(result: CaseResult) -> bool:
        results.append(result)
        return True

    try:
        execute(
            units, replace(SPEC, engines=("legacy", "moody")), ExecutionOptions(RunnerName.PROCESS, retries=0), keep
        )
    finally:
        is_watching = False
    rulings = {result.identifier: result.ruling for result in results}
    assert rulings == {
        "moods/good": Ruling.EQUAL,
        "moods/lost": Ruling.CRASH,
        "moods/pipe": Ruling.INVALID_CASE,
    }
    assert opened == []
