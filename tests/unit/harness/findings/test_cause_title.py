"""Titles of causes: one sentence that a maintainer understands without the signature."""

from __future__ import annotations

import pytest

from harness.compare.ruling import Ruling
from harness.findings.cause_title import title_of
from harness.findings.finding import Finding
from tests.unit.harness.findings.sample_results import finding


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (finding("crash[panic: lost in f]", ruling=Ruling.CRASH, kind="surplus"), "new crashes: panic: lost in f"),
        (
            finding("crash[panic: lost in f]", ruling=Ruling.CRASH, kind="missing"),
            "The baseline crashes, new does not: panic: lost in f",
        ),
        (
            finding("diagnostics[error: Bad]", kind="missing", ruling=Ruling.ONLY_BASELINE_FAILS),
            'new does not report the error "Bad", and succeeds where the baseline fails',
        ),
        (
            finding("plan.resource_changes.*.change.actions[]", role="update > replace"),
            "The baseline plans to update an object, new to replace it",
        ),
        (
            finding("plan.resource_changes.*", role="no-op > create"),
            "The baseline plans no change for an object, new to create it",
        ),
    ],
)
def test_the_heaviest_finding_in_words(found: Finding, words: str) -> None:
    assert title_of(found) == words


def test_the_feature_that_predicts_it_comes_first() -> None:
    crash = finding("crash[lost]", ruling=Ruling.CRASH)
    assert title_of(crash, ("moved block",)) == "With a moved block: new crashes: lost"
    assert title_of(crash, ("argument count",)) == "With `argument count`: new crashes: lost"


def test_a_recorded_engine_has_its_own_name() -> None:
    assert title_of(finding("crash[lost]", "recorded:old", ruling=Ruling.CRASH)) == "old crashes: lost"


def test_long_titles_are_cut() -> None:
    title = title_of(finding(f"crash[{'x' * 500}]", ruling=Ruling.CRASH))
    assert (len(title), title[-3:]) == (160, "...")
