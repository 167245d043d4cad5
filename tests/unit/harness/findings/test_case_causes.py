"""Causes in a case: each finding belongs to the cause that it shows, or from which it follows."""

from __future__ import annotations

from harness.findings.burn_down import ClassCount, burn_down
from harness.findings.case_causes import assign_causes, causes_by_case, example_of
from harness.findings.cause_title import title_of
from harness.findings.finding import Finding, Standing
from harness.findings.run import Run, Stale
from harness.findings.run_comparison import compare_runs
from harness.findings.signature import Ruling
from tests.sample_runs import finding, result, run_of


def following(shape: str, reason: Finding) -> Finding:
    return finding(shape, standing=Standing.FOLLOWS, follows=(reason.signature.digest,))


ERROR = finding("diagnostics[error: No]", Ruling.ONLY_CANDIDATE_FAILS)
VALUE = finding("state.x")
AFTER = following("plan.y", ERROR)
LATER = following("state.z", AFTER)
RUN = run_of(
    result("a/both", ERROR, AFTER, LATER, VALUE),
    result("a/one", ERROR, AFTER),
    result("a/other", VALUE),
    result("a/known", finding("events.e", known="K1"), following("events.f", finding("gone"))),
    classes={"K1": "wording", "K2": "bug", "K3": "bug"},
    stale=(Stale("K2", "known.yaml:3", "gone"),),
)


def names(run: Run, case: str) -> list[str]:
    causes = causes_by_case(run.causes)[case]
    (found,) = (each for each in run.results if each.identifier == case)
    return [cause.title if cause else "" for cause in assign_causes(found, causes)]


def test_findings_belong_to_what_they_show_or_follow_from() -> None:
    error, value = title_of(ERROR), title_of(VALUE)
    assert [cause.title for cause in RUN.causes[:2]] == [error, value]
    assert names(RUN, "a/both") == [error, error, error, value]
    assert names(RUN, "a/one") == [error, error]
    assert names(RUN, "a/known") == [title_of(finding("events.e")), ""], "a reason that was not kept is no cause"


def test_a_cause_shows_in_a_case_by_its_own_finding() -> None:
    causes = causes_by_case(RUN.causes)["a/both"]
    both = next(each for each in RUN.results if each.identifier == "a/both")
    assert [example_of(both, cause, causes) for cause in causes] == [ERROR, VALUE]


def test_a_documented_signature_is_its_entry_only_where_it_is_documented() -> None:
    run = run_of(result("a/new", VALUE), result("a/known", finding("state.x", known="K1")), classes={"K1": "bug"})
    assert {case: [cause.known for cause in causes] for case, causes in causes_by_case(run.causes).items()} == {
        "a/new": [""],
        "a/known": ["K1"],
    }


def test_documented_causes_are_present_or_gone_or_were_not_looked_for() -> None:
    counted = burn_down(RUN)
    assert counted.classes == (ClassCount("bug", 2, 0, 1, 0), ClassCount("wording", 1, 1, 0, 1))
    assert (counted.new, counted.new_cases) == (2, 3)
    assert not counted.is_empty
    assert burn_down(run_of(result("a/one", ERROR), classes={"K3": "bug"})).is_empty


def test_an_entry_that_other_cases_show_is_present_although_it_is_out_of_date() -> None:
    run = run_of(result("a/b", finding(known="K1")), classes={"K1": "bug"}, stale=(Stale("K1", "x:1", "elsewhere"),))
    assert burn_down(run).classes == (ClassCount("bug", 1, 1, 0, 1),)


# Two runs


def identifiers(run: Run) -> list[str]:
    return [cause.identifier for cause in run.causes]


def test_causes_of_two_runs_are_compared_by_identifier() -> None:
    before, now = run_of(result("a/one", ERROR)), run_of(result("a/one", VALUE))
    since = compare_runs(before, now)
    assert [cause.identifier for cause in since.new_causes] == identifiers(now)
    assert [cause.identifier for cause in since.gone_causes] == identifiers(before)
    same = compare_runs(before, run_of(result("a/one", ERROR), result("a/two", ERROR)))
    assert (same.new_causes, same.gone_causes) == ((), ())


def test_a_cause_is_gone_only_if_one_of_its_cases_was_run_again() -> None:
    assert compare_runs(run_of(result("a/one", ERROR)), run_of(result("a/two"))).gone_causes == ()


def test_a_cause_that_was_documented_since_is_neither_new_nor_gone() -> None:
    documented = run_of(result("a/one", finding("state.x", known="K1")), classes={"K1": "bug"})
    since = compare_runs(run_of(result("a/one", VALUE)), documented)
    assert (since.new_causes, since.gone_causes) == ((), ())


def test_a_known_signature_that_shows_elsewhere_undocumented_is_a_new_cause() -> None:
    known = result("a/one", finding("state.x", known="K1"))
    before, now = (run_of(*cases, classes={"K1": "bug"}) for cases in ([known], [known, result("a/two", VALUE)]))
    assert [cause.cases for cause in compare_runs(before, now).new_causes] == [("a/two",)]
