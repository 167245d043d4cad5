"""`diffharness run` and `diffharness report`: what is run, kept, resumed and rejected."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.case.unit import Unit
from harness.cli import commands
from harness.execute.execution import ExecutionOptions
from harness.execute.execution import execute as really_execute
from harness.execute.journal import JOURNAL_FILE, read_run
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.play.run_spec import RunSpec

MakeCase = Callable[[str, str], Path]

USUAL = ("--engines", "legacy,moody")


@pytest.fixture
def cases(make_case: MakeCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six cases, of which two differ and one crashes. Runs are kept in a temporary directory."""
    for number, mood in enumerate(["", "warns a", "raises", "", "", "warns b"]):
        make_case(f"case{number}", mood)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "cases"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(commands, [str(argument) for argument in arguments])


def found_in(*directories: str | Path) -> tuple[CaseResult, ...]:
    return tuple(result.stable for result in read_run([Path(directory) for directory in directories]).results)


def test_a_run_is_kept_and_reported_again_without_running(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run("run", cases, *USUAL, "--jobs", "1", "--json", "first.json", "--junit", "j.xml", "--markdown", "m.md")
    assert first.exit_code == 3, "one case has crashed"
    assert Path("j.xml").read_text().startswith("<?xml")
    assert Path("m.md").read_text()
    assert Path(".diffharness/runs/latest").resolve().parent == Path(".diffharness/runs").resolve()
    monkeypatch.setattr("harness.execute.judge.judge_runner", None)
    again = run("report", "latest", "--json", "again.json")
    assert again.exit_code == 3
    assert json.loads(Path("again.json").read_text()) == json.loads(Path("first.json").read_text())


def test_processes_shards_and_a_second_time_come_to_the_same(cases: Path) -> None:
    run("run", cases, *USUAL, "--jobs", "1", "--out", "alone", "--json", "alone.json")
    run("run", cases, *USUAL, "--jobs", "1", "--out", "twice", "--json", "twice.json")
    assert Path("alone.json").read_bytes() == Path("twice.json").read_bytes()
    run("run", cases, *USUAL, "--jobs", "2", "--out", "two", "--chunk-size", "3", "--json", "two.json")
    assert Path("two.json").read_bytes() == Path("alone.json").read_bytes()
    for number in (1, 2, 3):
        run("run", cases, *USUAL, "--jobs", "1", "--shard", f"{number}/3", "--out", f"shard{number}")
    assert len(found_in("alone")) == 6
    assert found_in("two") == found_in("alone")
    shards = [f"shard{number}" for number in (3, 1, 2)]
    assert found_in(*shards) == found_in("alone")
    assert run("report", *shards, "--json", "merged.json").exit_code == 3
    assert Path("merged.json").read_bytes() == Path("alone.json").read_bytes()


def test_a_run_ends_with_the_path_of_its_page(cases: Path) -> None:
    answer = run("run", cases, *USUAL, "--jobs", "1").stdout
    page = Path(answer.splitlines()[-1].removeprefix("Report: "))
    assert page.parent.parent == Path(".diffharness/runs")
    assert "No earlier run was compared" in page.read_text()
    elsewhere = run("run", cases, *USUAL, "--jobs", "1", "--html", "here.html", "--sarif", "s.json").stdout
    assert elsewhere.endswith("\nReport: here.html\n")
    assert "Nothing has changed" in Path("here.html").read_text(), "since the run before"
    assert json.loads(Path("s.json").read_text())["version"] == "2.1.0"


def test_a_run_of_other_cases_is_compared_with_nothing(cases: Path) -> None:
    run("run", cases / "moods" / "case0", *USUAL, "--jobs", "1")
    run("run", cases / "moods" / "case1", *USUAL, "--jobs", "1", "--html", "page.html")
    assert "No earlier run was compared" in Path("page.html").read_text()


def test_a_page_is_made_again_from_shards_and_against_an_earlier_run(cases: Path) -> None:
    run("run", cases / "moods" / "case1", *USUAL, "--jobs", "1", "--out", "before")
    for number in (1, 2):
        run("run", cases, *USUAL, "--jobs", "1", "--shard", f"{number}/2", "--out", f"shard{number}")
    answer = run("report", "shard1", "shard2", "--against", "before", "--html", "page.html")
    assert answer.exit_code == 3
    text = Path("page.html").read_text()
    assert "5 cases added" in text
    assert run("report", "shard2", "shard1", "--against", "before", "--html", "again.html").exit_code == 3
    assert Path("again.html").read_text() == text


def execute_until(number: int) -> Callable[..., bool]:
    def execute(
        units: list[Unit],
        settings: RunSpec,
        how: ExecutionOptions,
        on_result: Callable[[CaseResult], bool],
        on_chunk: Callable[[], None],
    ) -> bool:
        seen: list[CaseResult] = []

        def interrupting(result: CaseResult) -> bool:
            seen.append(result)
            is_fine = on_result(result)
            if len(seen) == number:
                raise KeyboardInterrupt
            return is_fine

        return really_execute(units, settings, how, interrupting, on_chunk)

    return execute


def test_an_interrupted_run_keeps_what_is_done_and_is_gone_on_with(
    cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("run", cases, *USUAL, "--jobs", "1", "--out", "whole")
    monkeypatch.setattr("harness.cli.run.execute", execute_until(2))
    stopped = run("run", cases, *USUAL, "--jobs", "1", "--out", "part")
    assert (stopped.exit_code, len(found_in("part"))) == (130, 2)
    assert "continue with --resume part" in stopped.stderr
    monkeypatch.setattr("harness.cli.run.execute", really_execute)
    assert run("run", cases, *USUAL, "--jobs", "1", "--resume", "part").exit_code == 3
    assert found_in("part") == found_in("whole")
    lines = (Path("part") / JOURNAL_FILE).read_text().splitlines()
    assert len(lines) == 6, "nothing was run twice"


def test_a_killed_run_is_gone_on_with_and_leaves_nothing_lying_about(
    cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    run("run", cases, *USUAL, "--jobs", "1", "--out", "whole", "--json", "whole.json")
    command = [sys.executable, "-c", "from harness.cli import main; main()", "run", str(cases), *USUAL]
    for length in (1, 3):
        out = Path(f"killed{length}")
        with subprocess.Popen([*command, "--jobs", "2", "--out", str(out)], stdout=subprocess.DEVNULL) as process:
            journal = out / JOURNAL_FILE
            while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") >= length):
                time.sleep(0.005)
            os.kill(process.pid, signal.SIGKILL)
        resumed = run("run", cases, *USUAL, "--jobs", "2", "--resume", str(out), "--json", f"{out}.json")
        assert resumed.exit_code == 3, resumed.output
        assert found_in(out) == found_in("whole")
        assert Path(f"{out}.json").read_bytes() == Path("whole.json").read_bytes()
    deadline_s = time.monotonic() + 60
    while any(scratch.iterdir()) and time.monotonic() < deadline_s:
        time.sleep(0.01)
    assert not list(scratch.iterdir()), "workers of a killed run end, and clear up"


def test_fail_fast_ends_with_what_was_found_until_then(cases: Path) -> None:
    result = run("run", cases, *USUAL, "--jobs", "1", "--fail-fast", "--out", "fast")
    assert (result.exit_code, len(found_in("fast"))) == (1, 2)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--shard", "3/2"], "3/2 is not I/N"),
        (["--shard", "x"], "x is not I/N"),
        (["--resume", "nowhere"], "there is no run nowhere"),
        (["--runner", "local", "--memory", "100"], "the local runner has none"),
        (["--scheduler", "tcp://x:1"], "add --runner dask"),
        (["--engines", ","], "name at least one engine"),
        (["--engines", "nobody"], "no engine named nobody"),
        (["--change", "C99"], "no engine here can change C99"),
    ],
)
def test_wrong_usage_is_one_message(cases: Path, arguments: list[str], answer: str) -> None:
    result = run("run", cases, *arguments)
    assert result.exit_code == 2
    assert answer in " ".join(result.stderr.replace("│", " ").split())
    assert not Path(".diffharness").exists(), "nothing is begun"


def test_a_run_is_gone_on_with_only_as_it_was_begun(cases: Path) -> None:
    run("run", cases, *USUAL, "--jobs", "1", "--out", "first")
    other = run("run", cases, *USUAL, "--jobs", "1", "--resume", "first", "--seed", "7")
    assert other.exit_code == 1
    assert "cannot be resumed" in other.stderr
    assert run("run", cases, *USUAL, "--jobs", "1", "--out", "first").exit_code == 1
    assert "choose another --out" in run("run", cases, *USUAL, "--jobs", "1", "--out", "first").stderr


def test_two_cases_of_one_name_get_longer_names(cases: Path) -> None:
    twin = cases.parent / "more" / "moods" / "case0"
    twin.parent.mkdir(parents=True)
    twin.symlink_to(cases / "moods" / "case0")
    run("run", cases, twin / "case.yaml", *USUAL, "--json", "twins.json")
    names = [result["identifier"] for result in json.loads(Path("twins.json").read_text())["results"]]
    assert len(names) == len(set(names))
    assert {f"{cases.name}/moods/case0", "more/moods/case0"} <= set(names)
    assert "moods/case1" in names, "others keep their names"


def test_one_case_by_its_directory_by_its_file_and_from_inside(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = cases / "moods" / "case0"
    for number, path in enumerate([case, case / "case.yaml"]):
        assert run("run", path, *USUAL, "--jobs", "1", "--out", f"one{number}").exit_code == 0
        assert [result.identifier for result in found_in(f"one{number}")] == ["moods/case0"]
    out = Path("inside").absolute()
    monkeypatch.chdir(case)
    assert run("run", ".", *USUAL, "--jobs", "1", "--out", out).exit_code == 0
    assert [result.identifier for result in found_in(out)] == ["moods/case0"]


def test_a_report_against_an_earlier_run_tells_what_is_new_and_what_is_gone(cases: Path) -> None:
    run("run", cases, *USUAL, "--jobs", "1", "--out", "before")
    (cases / "moods" / "case2" / "v1" / "mood.txt").write_text("")
    (cases / "moods" / "case3" / "v1" / "mood.txt").write_text("warns c")
    run("run", cases, *USUAL, "--jobs", "1", "--out", "now")
    answer = run("report", "now", "--against", "before").stdout
    assert "gone: moody: run crash: RuntimeError" in answer
    assert "1 case worse: moods/case3" in answer
    assert "1 case better: moods/case2" in answer
    assert "Nothing has changed" in run("report", "now", "--against", "now").stdout


@pytest.fixture
def varying_case(make_case: MakeCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_case("uncertain", "varies")


@pytest.mark.parametrize(
    ("engines", "options", "ruling"),
    [
        ("legacy,moody", ["--schedules", "2"], "flaky"),
        ("moody,legacy", [], "noise"),
        ("legacy,moody", ["--seed", "4", "--handover", "memory", "--schedules", "2"], "flaky"),
    ],
)
def test_the_command_of_what_varies_shows_it_again(
    varying_case: Path, engines: str, options: list[str], ruling: str
) -> None:
    run("run", varying_case, "--engines", engines, "--jobs", "1", *options, "--json", "first.json")
    group = next(one for one in json.loads(Path("first.json").read_text())["groups"] if one["ruling"] == ruling)
    program, *copied = shlex.split(group["reproduce"])
    assert program == "diffharness"
    run(*copied, "--jobs", "1", "--json", "again.json")
    assert group["digest"] in [one["digest"] for one in json.loads(Path("again.json").read_text())["groups"]]


def test_a_replay_of_what_varies_is_in_the_way_that_differed(varying_case: Path) -> None:
    run("run", varying_case, *USUAL, "--jobs", "1", "--schedules", "2", "--parallelism", "3", "--out", "kept")
    assert "with seed 1, parallelism 3, plan by file" in run("replay", "kept:moods/uncertain").stderr


def test_the_cluster_comes_to_the_same(cases: Path) -> None:
    run("run", cases, *USUAL, "--jobs", "1", "--out", "alone")
    assert run("run", cases, *USUAL, "--jobs", "1", "--runner", "dask", "--out", "dask").exit_code == 3
    assert found_in("dask") == found_in("alone")


def test_without_dask_the_message_says_what_to_install(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("run", cases, *USUAL, "--runner", "dask")
    assert result.exit_code == 1
    assert "pip install 'diffharness[dask]'" in result.stderr


def test_results_of_a_run_are_counted_once(cases: Path) -> None:
    run("run", cases, *USUAL, "--jobs", "1", "--out", "counted")
    whole: Run = read_run([Path("counted")])
    assert sum(whole.rulings.values()) == whole.planned == 6
