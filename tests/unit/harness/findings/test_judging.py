"""Judging a run again: another list counts, and nothing of the one before."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.compare.ruling import Ruling
from harness.findings.judging import judge_again
from harness.findings.known_divergences import KnownDivergences, parse_known
from harness.findings.run import Run
from tests.unit.harness.findings.sample_results import finding, following, result

LIST: Final = """
- {id: values, class: bug, title: other values, reason: wrong, case: area/one, match: {subject: new, shape: state.x}}
"""


@pytest.fixture
def known(tmp_path: Path) -> KnownDivergences:
    (tmp_path / "area" / "one").mkdir(parents=True)
    return parse_known(LIST, tmp_path / "known.yaml")


def run_of(*results: object, **other: object) -> Run:
    return Run({}, ("legacy", "new"), results, planned=len(results), **other)  # type: ignore[arg-type]


def test_findings_get_the_entries_of_the_new_list_and_lose_those_of_the_old(known: KnownDivergences) -> None:
    before = run_of(result("area/one", finding("state.x"), finding("state.y", known="old")), classes={"old": "change"})
    after = judge_again(before, known)
    assert [found.known for found in after.results[0].findings] == ["values", ""]
    assert (after.classes, after.titles) == ({"values": "bug"}, {"values": "other values"})
    assert after.results[0].ruling is Ruling.DIFFERS
    assert after.exit_status == 1


def test_a_run_with_nothing_but_documented_findings_ends_well(known: KnownDivergences) -> None:
    reason = finding("state.x")
    before = run_of(result("area/one", following("apply_summary", reason), reason), result("area/two"))
    assert before.exit_status == 1
    after = judge_again(before, known)
    assert [found.known for found in after.results[0].findings] == ["values", "values"]
    assert (after.exit_status, [cause.identifier for cause in after.causes]) == (0, ["values"])


def test_an_entry_that_its_case_does_not_show_any_more_is_stale(known: KnownDivergences) -> None:
    after = judge_again(run_of(result("area/one"), result("area/two", finding("state.x"))), known)
    assert [(stale.entry, "name area/two instead" in stale.problem) for stale in after.stale] == [("values", True)]
    assert after.exit_status == 1


def test_the_empty_list_documents_nothing(known: KnownDivergences) -> None:
    before = run_of(result("area/one", finding("state.x")))
    assert judge_again(judge_again(before, known), KnownDivergences()) == before


def test_judging_twice_by_one_list_changes_nothing(known: KnownDivergences) -> None:
    once = judge_again(run_of(result("area/one", finding("state.x"), finding("state.y"))), known)
    assert judge_again(once, known) == once
