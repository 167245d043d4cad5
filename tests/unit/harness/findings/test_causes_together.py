"""Causes of a run: what is put together, and what never is."""

from __future__ import annotations

from dataclasses import replace

from harness.findings.causes import find_causes
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from tests.sample_runs import finding, result


def error(text: str, kind: str) -> Finding:
    found = finding(f"diagnostics[error: {text}]")
    return replace(found, signature=replace(found.signature, kind=kind), place=f"step {len(text)} (plan v1)")


def cases_of_causes(*results: CaseResult) -> list[tuple[str, ...]]:
    """The run has many other cases, in which nothing differs."""
    equal = [result(f"equal/{number}") for number in range(50)]
    return sorted(cause.cases for cause in find_causes([*results, *equal]))


def test_different_errors_that_an_engine_does_not_report_belong_to_what_they_show_with() -> None:
    """The engine ignores check blocks, and so detects no mistake in them."""
    warning = finding("diagnostics[warning: Check block assertion failed]")
    found = cases_of_causes(
        result("a/1", warning),
        result("a/2", warning, error("Invalid index", "missing")),
        result("a/3", warning, error("Cycle", "missing")),
    )
    assert found == [("a/1", "a/2", "a/3")]


def test_different_errors_that_an_engine_reports_are_different_causes() -> None:
    warning = finding("diagnostics[warning: Check block assertion failed]")
    found = cases_of_causes(
        result("a/1", warning),
        result("a/2", warning, error("Invalid index", "surplus")),
        result("a/3", warning, error("Cycle", "surplus")),
    )
    assert found == [("a/1", "a/2", "a/3"), ("a/2",), ("a/3",)]


def test_features_put_causes_together_and_tags_do_not() -> None:
    """The author of a tag may have had one cause in mind."""
    block = ("moved block",)
    one, other = result("a/1", finding("state.x")), result("a/2", finding("plan.y"))
    assert cases_of_causes(replace(one, features=block), replace(other, features=block)) == [("a/1", "a/2")]
    assert cases_of_causes(replace(one, tags=block), replace(other, tags=block)) == [("a/1",), ("a/2",)]
