"""The recorded runtimes of OpenTofu: the whole corpus of them can be read, and a few stories show what they are for."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from harness.case.case import find_cases, read_case
from harness.case.recordings import recorded_systems
from harness.case.unit import select_units
from harness.cli.run import run
from harness.compare.ruling import Ruling
from harness.execute.journal import read_run
from harness.findings.upstream import read_upstream
from harness.play.case_runner import prepare_runner
from reports.run.migration import migration_page
from tests.judging import judge_engines

ROOT: Final = Path(__file__).parents[2]
CORPUS: Final = ROOT / "corpus"
MIGRATION: Final = CORPUS / "opentofu-migration"
RECORDED: Final = find_cases([MIGRATION / "scenarios", MIGRATION / "providers"])
OLD, NEW, DIRECT = (f"recorded:opentofu-main{suffix}" for suffix in ("", "-new", "-new-direct"))
STORIES: Final = {
    "scenarios/outputs_locals/output-type-change": Ruling.EQUAL,
    "scenarios/moved/move-module": Ruling.DIFFERS,
    "scenarios/modules/depends-on-in-nested-module": Ruling.DIFFERS,
    "providers/data/read_at_plan": Ruling.DIFFERS,
}


def test_every_story_has_the_recordings_of_both_runtimes() -> None:
    assert len(RECORDED) == 556
    assert [case for case in RECORDED if not {"opentofu-main", "opentofu-main-new"} <= {*recorded_systems(case)}] == []
    assert sum((case / "golden.opentofu-main-new-direct.json").exists() for case in RECORDED) == 79


def test_no_two_stories_have_the_same_name() -> None:
    names = [f"{case.parent.name}/{case.name}" for case in find_cases([MIGRATION])]
    assert len(names) == len(set(names))


def test_a_run_of_the_whole_corpus_leaves_them_out() -> None:
    found = select_units([CORPUS])
    assert found.left_out == find_cases([MIGRATION])
    assert not any(unit.path.is_relative_to(MIGRATION) for unit in found.units)


@pytest.mark.parametrize("name", STORIES)
def test_the_runtimes_are_compared_without_running(name: str) -> None:
    verdict = judge_engines(MIGRATION / name, [OLD, NEW], may_execute=False)
    assert verdict.between[NEW].ruling is STORIES[name], verdict.between[NEW].first
    assert not verdict.is_recorded


@pytest.mark.parametrize("name", STORIES)
def test_the_old_runtime_did_what_the_baseline_does(name: str) -> None:
    verdict = judge_engines(MIGRATION / name, [OLD, "legacy"]).between["legacy"]
    assert [str(found) for _, found in verdict.differences] == []


def test_crashes_failed_inits_and_graphs_are_part_of_the_observations() -> None:
    case = read_case(MIGRATION / "scenarios" / "modules" / "depends-on-in-nested-module")
    with prepare_runner(case) as (runner, _):
        old, new = (list(runner.read_recorded_run(engine).values())[-1] for engine in (OLD, NEW))
    assert {"init", "execution_graph"} <= {*new}
    assert {"order"} <= {*old} & {*new}


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("destroy_order/delete-before-update-of-dependency", "constraints[delete before update of what it uses]"),
        ("create_before_destroy/remove-dependency-cbd", "constraints[update before delete of what it uses]"),
        ("create_before_destroy/mixed-chain", "cycle[evaluation]"),
    ],
)
def test_an_order_that_the_new_runtime_lost_is_found_without_running(name: str, shape: str) -> None:
    verdict = judge_engines(MIGRATION / "scenarios" / name, [OLD, NEW]).between[NEW]
    assert shape in {found.shape for _, found in verdict.differences}


def test_a_story_without_a_direct_run_is_not_run() -> None:
    verdict = judge_engines(MIGRATION / "providers" / "data" / "read_at_plan", [OLD, DIRECT])
    assert verdict.of[DIRECT].reason == "the case has no recording of opentofu-main-new-direct"


def test_the_command_reports_the_differences(tmp_path: Path) -> None:
    paths = [str(MIGRATION / name) for name in STORIES]
    arguments = [*paths, "--engines", f"{OLD},{NEW}", "--jobs", "1", "--out", str(tmp_path / "run")]
    answer = CliRunner().invoke(run, arguments)
    assert answer.exit_code == 0, answer.output
    assert "4 cases: 1 equal, 3 equal but for documented divergences" in answer.output


def test_a_case_that_lost_an_order_is_named_and_still_differs(tmp_path: Path) -> None:
    """Whatever else is documented about it: the entry of a lost order names the cause and accepts nothing."""
    names = ["destroy_order/delete-before-update-of-dependency", "create_before_destroy/remove-dependency-cbd"]
    paths = [str(MIGRATION / "scenarios" / name) for name in names]
    arguments = [*paths, "--engines", f"{OLD},{NEW}", "--jobs", "1", "--out", str(tmp_path / "run")]
    answer = CliRunner().invoke(run, arguments)
    assert answer.exit_code == 1, answer.output
    assert "2 cases: 2 differs" in answer.output
    assert "D27-delete-before-update-of-dependency" in answer.output
    assert "D28-cbd-of-removed-objects" in answer.output


def test_the_page_on_the_state_of_the_migration_and_the_readme_are_up_to_date(tmp_path: Path) -> None:
    """They are made of a whole run, from the directory of the project: links and commands have relative paths."""
    corpus, page, out = Path("corpus/opentofu-migration"), Path("docs/opentofu-migration.md"), tmp_path / "run"
    with chdir(ROOT):
        answer = CliRunner().invoke(run, [str(corpus), "--engines", f"{OLD},{NEW}", "--jobs", "2", "--out", str(out)])
        assert "Report: " in answer.output, answer.output
        whole = read_run([out])
        expected = migration_page(whole, read_upstream(corpus / "upstream.yaml"), corpus, page)
        assert page.read_text(encoding="utf-8") == expected, "make migration renews it"
        section = Path("README.md").read_text(encoding="utf-8").split("## The state of ")[1].split("\n## ")[0]
    shown = [line for line in section.splitlines() if line.startswith("      ")]
    printed = tuple(f"    {line}" for line in answer.output.splitlines())
    assert len(shown) == 5
    assert f"with {sum(not result.not_run for result in whole.results)} stories is recorded" in section
    assert [line for line in shown if not any(other.startswith(line.removesuffix("...")) for other in printed)] == []
