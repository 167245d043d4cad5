"""Causes over many runs: which are left, which are gone, and which were not looked for."""

from __future__ import annotations

from dataclasses import replace

from harness.findings.run import Run
from harness.findings.trend import point_of, trend_of
from tests.sample_runs import finding, result, run_of


def started(run: Run, hour: int) -> Run:
    return replace(run, header={"started": f"2026-11-18T{hour:02}:00:00+00:00", "commit": "abc"})


BOTH = started(run_of(result("a/one", finding("plan.x")), result("b/two", finding("state.y"))), 1)
ONE = started(run_of(result("a/one", finding("plan.x")), result("b/two")), 2)
SMALL = started(run_of(result("a/one")), 3)


def test_a_cause_is_gone_only_where_a_case_that_showed_it_was_run_again() -> None:
    """Runs are ordered by their start, whatever their names."""
    trend = trend_of([point_of("c", ONE), point_of("a", SMALL), point_of("b", BOTH)])
    assert [point.name for point in trend.points] == ["b", "c", "a"]
    counts = {row.cause.signatures[0].shape: (row.counts, row.is_present, row.first) for row in trend.rows}
    assert counts == {"plan.x": ((1, 1, 0), False, 0), "state.y": ((1, 0, None), False, 0)}


def test_causes_that_are_left_come_first() -> None:
    late = started(run_of(result("a/one"), result("b/two"), result("c/new", finding("events.z"))), 4)
    trend = trend_of([point_of("1", BOTH), point_of("2", late)])
    assert [(row.cause.signatures[0].shape, row.counts) for row in trend.rows] == [
        ("events.z", (None, 1)),
        ("plan.x", (1, 0)),
        ("state.y", (1, 0)),
    ]
    assert [(point.affected, point.undocumented) for point in trend.points] == [(2, 2), (1, 1)]


def test_a_cause_that_was_documented_since_is_the_same_one() -> None:
    known = started(run_of(result("a/one", finding("plan.x", known="K1")), classes={"K1": "bug"}), 5)
    (row,) = trend_of([point_of("1", ONE), point_of("2", known)]).rows
    assert (row.cause.identifier, row.counts) == ("K1", (1, 1))
