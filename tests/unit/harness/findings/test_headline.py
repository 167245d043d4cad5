"""The verdict on a run in one sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.findings.headline import headline
from harness.findings.signature import Ruling
from tests.sample_runs import finding, result, run_of


def test_the_worst_comes_first_and_every_case_is_counted_once() -> None:
    run = run_of(
        result("a/crash", finding("crash", Ruling.CRASH)),
        result("a/fails", finding("diagnostics[error: x]", Ruling.ONLY_CANDIDATE_FAILS)),
        result("a/silent", finding("diagnostics[error: x]", Ruling.ONLY_BASELINE_FAILS)),
        result("a/other", finding()),
        result("a/other_too", finding()),
        result("a/equal"),
    )
    assert headline(run) == (
        "new crashes in 1 of 6 cases, fails in 1, leaves something out in 1 and does something else in 2"
    )


def test_what_could_not_be_compared_does_not_count() -> None:
    run = run_of(result("a/equal"), result("a/none", not_run={"new": "no provider"}), result("a/both"))
    assert headline(run) == "new behaves like legacy in all 2 cases"
    assert headline(run_of(result("a/none", not_run={"new": "no provider"}))) == (
        "new could not be compared with legacy in any case"
    )
    assert headline(run_of()) == "Nothing was run"


def test_a_baseline_that_breaks_is_named() -> None:
    broken = finding("crash", Ruling.CRASH)
    broken = replace(broken, signature=replace(broken.signature, subject="legacy"))
    assert headline(run_of(result("a/broken", broken), result("a/equal"))) == (
        "new behaves like legacy in the only case; legacy itself breaks or varies in 1 case"
    )


@pytest.mark.parametrize(
    ("subject", "ruling", "clause"),
    [
        ("harness", Ruling.CRASH, "the harness broke in 1 case"),
        ("legacy", Ruling.HANG, "the time limit was not enough for 1 case"),
        ("new", Ruling.HANG, "the time limit was not enough for 1 case"),
        ("legacy", Ruling.OVER_BUDGET, "the memory limit was not enough for 1 case"),
        ("new", Ruling.OVER_BUDGET, "the memory limit was not enough for 1 case"),
        ("harness", Ruling.OVER_BUDGET, "the memory limit was not enough for 1 case"),
        ("case", Ruling.INVALID_CASE, "1 case cannot be read"),
    ],
)
def test_no_engine_is_blamed_for_what_is_not_its_fault(subject: str, ruling: Ruling, clause: str) -> None:
    found = finding("x", ruling)
    found = replace(found, signature=replace(found.signature, subject=subject))
    run = run_of(result("a/one", found), result("a/equal"))
    assert headline(run) == f"new behaves like legacy in the only case; {clause}"
    assert run.exit_status == (2 if ruling is Ruling.INVALID_CASE else 3)


def test_a_run_in_which_nothing_could_be_run_is_no_success() -> None:
    run = run_of(result("a/one", not_run={"legacy": "no provider"}), result("a/two", not_run={"legacy": "no provider"}))
    assert headline(run) == "legacy can run none of 2 cases, so nothing was compared"
    assert run.exit_status == 2
    assert run_of(*run.results, result("a/equal")).exit_status == 0


def test_an_engine_alone_is_compared_with_recordings() -> None:
    alone = replace(run_of(result("a/equal")), engines=("new",))
    assert headline(alone) == "new does what was recorded"
    assert headline(replace(run_of(result("a/one", finding())), engines=("new",))) == (
        "new does something else than was recorded, or breaks, in 1 of 1 case"
    )
