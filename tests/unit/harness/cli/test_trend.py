"""`diffharness report --trend`: runs in a directory are read, and nothing is run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli.report import report
from harness.execute.journal import RunHeader, RunJournal
from tests.unit.harness.findings.sample_results import finding, result


def keep_run(
    name: str, hour: int, *shapes: str, engines: tuple[str, ...] = ("legacy", "new"), is_stopped: bool = False
) -> None:
    """Keep a run of two cases, each of which can show one difference. A run that is stopped does the first one."""
    shown = {"area/one": "state.x", "area/two": "plan.y"}
    results = [
        result(case, finding(shape), evidence="x") if shape in shapes else result(case) for case, shape in shown.items()
    ]
    facts = {"started": f"2026-11-18T{hour:02}:00:00+00:00"}
    journal = RunJournal.create(Path("runs") / name, RunHeader(tuple(shown), engines, {}, facts, total=2))
    for each in results[:1] if is_stopped else results:
        journal.append(each)
    if is_stopped:
        journal.close()
    else:
        journal.end(1.0, ())


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three runs of one corpus, one with other engines, a link, and a directory that is no run."""
    monkeypatch.chdir(tmp_path)
    keep_run("a", 3, "state.x")
    keep_run("b", 1, "state.x", "plan.y")
    keep_run("c", 2, "plan.y")
    keep_run("other", 0, "state.x", engines=("legacy", "terraform"))
    (tmp_path / "runs" / "latest").symlink_to("a")
    (tmp_path / "runs" / "notes").mkdir()
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(report, ["--trend", "runs", *words])


def test_causes_are_rows_and_runs_are_columns_in_the_order_of_their_start(here: Path) -> None:
    done = call("--json", "trend.json", "--markdown", "trend.md", "--html", "trend.html")
    assert done.exit_code == 0, done.output
    assert "left out: other: it has other engines than a" in done.output
    assert done.output.endswith("After 3 runs, 1 cause is left, and 1 is gone.\n")
    tree = json.loads((here / "trend.json").read_text())
    assert [(run["name"], run["causes"]) for run in tree["runs"]] == [("b", 2), ("c", 1), ("a", 1)]
    assert [(cause["counts"], cause["present"]) for cause in tree["causes"]] == [([1, 0, 1], True), ([1, 1, 0], False)]
    row = "| state | `In the state, new differs in x` | undocumented | 1 | gone | 1 |"
    assert row in (here / "trend.md").read_text()
    assert "After 3 runs, 1 cause is left, and 1 is gone – diffharness" in (here / "trend.html").read_text()


def test_a_run_that_was_stopped_is_marked(here: Path) -> None:
    """Its numbers are smaller, which would look like progress."""
    keep_run("d", 4, is_stopped=True)
    done = call("--json", "trend.json", "--markdown", "trend.md", "--html", "trend.html")
    note = "The last run was stopped: it lacks 1 of 2 cases."
    assert done.output.endswith(f"After 4 runs, no cause is left, and 2 are gone.\n{note}\n")
    heading = done.output.partition("state")[0]
    assert heading.count("stopped") == 1
    assert [run["never_run"] for run in json.loads((here / "trend.json").read_text())["runs"]] == [0, 0, 0, 1]
    assert f"**{note}**" in (here / "trend.md").read_text()
    page = (here / "trend.html").read_text()
    assert f'<p class="alarm">{note}</p>' in page
    assert page.count('<span class="under">stopped</span>') == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("a",), "name no RUN beside it"),
        (("--sarif", "x.sarif"), "--trend has no form for --sarif; choose --html, --json or --markdown"),
        (("--trend", "runs/notes"), "there is no run in runs/notes"),
    ],
)
def test_what_it_cannot_do_is_said(words: tuple[str, ...], message: str) -> None:
    done = call(*words)
    assert done.exit_code == 2
    assert message in done.output


def test_without_a_run_the_command_says_what_to_name() -> None:
    done = CliRunner().invoke(report, [])
    assert done.exit_code == 2
    assert "name a RUN, or a directory of runs with --trend" in done.output
