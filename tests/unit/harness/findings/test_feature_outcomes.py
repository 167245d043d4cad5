"""The table of features: each case has one outcome, by its heaviest findings, documented or not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.findings.feature_outcomes import Outcome, count_features, outcome_of
from harness.findings.finding import Finding, Standing
from harness.findings.signature import Ruling
from tests.sample_runs import finding, result

CANDIDATES = ("new",)


def with_role(role: str, shape: str = "plan.resource_changes.*", **other: Any) -> Finding:
    found = finding(shape, **other)
    return replace(found, signature=replace(found.signature, role=role))


CRASH = finding("KeyError in x.py:f", Ruling.CRASH)
CANDIDATE_FAILS = finding("diagnostics[error: No]", Ruling.ONLY_CANDIDATE_FAILS)
BASELINE_FAILS = finding("diagnostics[error: No]", Ruling.ONLY_BASELINE_FAILS)


@pytest.mark.parametrize(
    ("findings", "outcome"),
    [
        ([], Outcome.SAME),
        ([finding("events.x"), finding("diagnostics[error: No]", is_detail=True)], Outcome.SAME),
        ([finding("diagnostics[warning: Hm]")], Outcome.WRONG),
        ([finding("state.x", known="K1")], Outcome.WRONG),
        ([CANDIDATE_FAILS, finding("state.x")], Outcome.ERROR),
        ([BASELINE_FAILS], Outcome.IGNORED),
        ([BASELINE_FAILS, CANDIDATE_FAILS], Outcome.ERROR),
        ([with_role("create > none")], Outcome.IGNORED),
        ([with_role("replace, create first > no-op"), with_role("create > update")], Outcome.IGNORED),
        ([with_role("create > update")], Outcome.WRONG),
        ([with_role("none > create")], Outcome.WRONG),
        ([with_role("read > none")], Outcome.WRONG),
        ([with_role("create > none", "state.x")], Outcome.WRONG),
        ([CANDIDATE_FAILS, CRASH], Outcome.CRASH),
        ([finding("hang", Ruling.HANG)], Outcome.CRASH),
        ([finding("state.x"), with_role("create > none", standing=Standing.FOLLOWS)], Outcome.WRONG),
        ([with_role("create > none", standing=Standing.FOLLOWS)], Outcome.IGNORED),
    ],
)
def test_the_heaviest_finding_decides(findings: list[Finding], outcome: Outcome) -> None:
    assert outcome_of(result("a/one", *findings), CANDIDATES) is outcome


def test_a_case_without_a_comparison_has_no_outcome() -> None:
    baseline = replace(CRASH, signature=replace(CRASH.signature, subject="legacy"))
    noise = replace(baseline, signature=replace(baseline.signature, ruling=Ruling.NOISE))
    for case in (
        result("a/skipped", not_run={"new": "no"}),
        result("a/foreign", engines=("language",)),
        result("a/broken", baseline),
        result("a/noise", noise),
    ):
        assert outcome_of(case, CANDIDATES) is None


def test_features_and_tags_of_three_cases_are_listed_worst_first() -> None:
    cases = [
        result("a/1", features=("moved block", "count"), tags=("tricky",)),
        result("a/2", CRASH, features=("moved block", "count")),
        result("a/3", BASELINE_FAILS, features=("moved block",), tags=("moved block", "tricky")),
        result("a/4", features=("count",)),
        result("a/5", CRASH, features=("count",), not_run={"new": "no"}),
    ]
    moved, count = count_features(cases, CANDIDATES)
    assert (moved.name, moved.cases, list(moved.counts.values())) == ("moved block", 3, [1, 0, 1, 0, 1])
    assert (count.name, count.cases, list(count.counts.values())) == ("count", 3, [2, 0, 0, 0, 1])
    assert [str(outcome) for outcome in moved.counts] == ["same", "error", "ignored", "wrong", "crash"]


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from([CRASH, CANDIDATE_FAILS, BASELINE_FAILS, finding(), finding("events.x")])),
            st.lists(st.sampled_from("abc"), max_size=3),
        ),
        max_size=12,
    )
)
def test_outcomes_of_a_feature_add_up_to_its_cases(cases: list[tuple[list[Finding], list[str]]]) -> None:
    results = [result(f"a/{at}", *found, tags=tuple(tags)) for at, (found, tags) in enumerate(cases)]
    rows = count_features(results, CANDIDATES)
    assert all(row.cases == sum(row.counts.values()) for row in rows)
    expected = {name: sum(name in tags for _, tags in cases) for name in "abc"}
    assert {row.name: row.cases for row in rows} == {name: count for name, count in expected.items() if count >= 3}
