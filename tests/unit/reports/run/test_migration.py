"""The page on the state of a migration: every section counts what the run has, and depends on nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from harness.cli.report import report
from harness.cli.support.migration import render_migration
from harness.compare.ruling import Ruling
from harness.execute.journal import RunHeader, RunJournal
from harness.findings.run import Run, Stale
from harness.findings.upstream import Flag, UnknownTest, Upstream
from reports.run.migration import migration_page
from tests.sample_runs import finding, result, run_of

UPSTREAM: Final = Upstream(
    "Tofu",
    "1.2",
    "May",
    (
        Flag("FeatureMoved", "missing", "Moved blocks."),
        Flag("FeatureGone", "missing", "Something done.", is_done=True),
        Flag("FlagUnknown", "unknown", "Why is not known."),
    ),
    (
        UnknownTest("TestMoved", "fails", ("FeatureMoved", "N2"), "moved/b"),
        UnknownTest("TestEqual", "passes", (), "", "Both do the same."),
        UnknownTest("TestLater", "artefact", ("D1",), "discoveries/later"),
        UnknownTest("TestOther", "fails", ("N2",), "discoveries/n02"),
        UnknownTest("TestElse", "fails", ("FeatureGone",), "other/new"),
    ),
)
NOT_RUN: Final = {"legacy": "no recording", "new": "no recording"}
RUN: Final = run_of(
    result("moved/a"),
    result("moved/b", finding(known="FeatureMoved"), finding("state.x", known="FeatureMoved-state")),
    result("moved/c", finding("state.x", known="FeatureMoved-state")),
    result("discoveries/n02", finding("crash[panic: a|b]", Ruling.CRASH, known="D1-crash"), tags=("N2", "FeatureGone")),
    result("discoveries/later", tags=("D1",), not_run=NOT_RUN, equal=()),
    result("other/new", finding("diagnostics[error: <x>]")),
    stale=(Stale("D9-gone", "known.yaml:9", "take it out"),),
    classes={
        "FeatureMoved": "missing",
        "FeatureMoved-state": "missing",
        "D1-crash": "bug",
        "D9-gone": "bug",
        "C01": "change",
    },
    titles={"D1-crash": "`a = [b|c]` crashes [always]"},
)


def _page(run: Run = RUN) -> str:
    return migration_page(run, UPSTREAM, Path("corpus"), Path("docs/state.md"))


def _section(title: str, page: str | None = None) -> str:
    return (page or _page()).split(f"## {title}\n")[1].split("\n## ")[0]


def test_the_page_says_what_was_run_and_how_to_repeat_it() -> None:
    head = _page().split("\n## ")[0]
    assert head.startswith("# The state of Tofu's migration to its new runtime\n")
    assert "- recorded: Tofu 1.2, in May\n" in head
    assert "- 6 stories, of which 5 are recorded under both\n" in head
    assert "    diffharness run corpus --engines legacy,new \\\n        --migration docs/state.md\n" in head


def test_the_outcomes_add_up() -> None:
    section = _section("Summary")
    assert "do the same in 1 of 5 stories, they differ in 3," in section
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]
    assert sum(int(row[1]) for row in rows) == len(RUN.results)
    assert [row[0] for row in rows][-1] == "| not compared"


def test_causes_are_listed_heaviest_first_with_their_flags() -> None:
    rows = [line for line in _section("Causes").splitlines() if line.startswith("| `")]
    assert rows[0] == (
        r"| `D1-crash` | bug | crash | `a = [b\|c]` crashes \[always\] | 1 "
        "| [discoveries/n02](../corpus/discoveries/n02) | none yet |"
    )
    assert "| `FeatureMoved-state` | missing |" in "".join(rows)
    assert sum(row.endswith("| `FeatureMoved` |") for row in rows) == 2
    new = next(row for row in rows if "| new |" in row)
    assert r"\<x\>" in new
    assert new.endswith("| [other/new](../corpus/other/new) | none yet |")


def test_the_burn_down_leaves_out_what_the_run_says_nothing_about() -> None:
    section = _section("Burn-down")
    assert "| bug | 1 | 1 | 1 |\n| missing | 2 | 0 | 2 |\n" in section
    assert "change" not in section
    assert "- known and present: 3\n- known and gone: 1 (`D9-gone`)\n- new: 1, in 1 story\n" in section


def test_flags_are_recounted_by_all_their_causes() -> None:
    section = _section("Tofu's flags, recounted by output")
    shown, hidden = section.split("Flags that no story shows: 1.")
    assert "| `FeatureMoved` | missing | open | Moved blocks. |  | 2 | [moved/" in shown
    assert "| `FeatureGone` | missing | done | Something done. | `N2` |\n" in hidden
    assert "FlagUnknown" not in section


def test_discoveries_are_in_the_order_of_their_numbers() -> None:
    rows = [line for line in _section("Discoveries").splitlines() if line.startswith("| `")]
    link = "[discoveries/{0}](../corpus/discoveries/{0})"
    assert rows == [
        f"| `D1` | it protects something | {link.format('later')} | not recorded | none yet | `D1-crash` | bug | 1 |",
        f"| `N2` | it protects something | {link.format('n02')} | crash | `FeatureGone` | as `D1-crash` |  |  |",
    ]


def test_each_unknown_test_has_what_its_story_shows() -> None:
    section = _section("Tests flagged Unknown")
    assert "5 tests of Tofu" in section
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [
        "| `TestMoved` | fails | `FeatureMoved`, `N2` | [moved/b](../corpus/moved/b) "
        "| `FeatureMoved-state`, `FeatureMoved` |",
        "| `TestEqual` | passes | none | none: Both do the same. |  |",
        "| `TestLater` | artefact | `D1` | [discoveries/later](../corpus/discoveries/later) | not recorded |",
        "| `TestOther` | fails | `N2` | [discoveries/n02](../corpus/discoveries/n02) | as `D1-crash` |",
        "| `TestElse` | fails | `FeatureGone` | [other/new](../corpus/other/new) | none |",
    ]


def test_the_page_is_the_same_at_any_time_and_on_any_machine() -> None:
    slower = tuple(replace(each, elapsed_s={"legacy": 9.0}, attempts=2) for each in RUN.results)
    assert _page(replace(RUN, results=slower, header={"started": "later", "jobs": "64"})) == _page()


def test_a_run_without_upstream_is_refused_with_one_message(tmp_path: Path) -> None:
    header = RunHeader(("moved/a",), ("legacy", "new"), {}, total=1)
    journal = RunJournal.create(tmp_path / "run", header)
    journal.append(result("moved/a", path=str(tmp_path / "moved" / "a")))
    journal.end(1.0, ())
    journal.close()
    arguments = [str(tmp_path / "run"), "--migration", str(tmp_path / "page.md")]
    answer = CliRunner().invoke(report, arguments)
    assert answer.exit_code == 1
    assert "there is no upstream.yaml above the cases of the run" in answer.output
    assert not (tmp_path / "page.md").exists()


@pytest.mark.parametrize("depth", ["", "corpus"])
def test_upstream_is_found_above_the_cases(tmp_path: Path, depth: str) -> None:
    place = tmp_path / depth
    place.mkdir(exist_ok=True)
    (place / "upstream.yaml").write_text("{project: Tofu, build: '1', recorded: May, flags: []}", encoding="utf-8")
    run = run_of(result("moved/a", path=str(tmp_path / "corpus" / "moved" / "a")))
    assert f"diffharness run {place.as_posix()} " in render_migration(run, tmp_path / "page.md")
