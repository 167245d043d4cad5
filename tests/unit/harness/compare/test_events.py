"""Events of a step: every kind that only one side has is a difference of its own."""

from __future__ import annotations

from harness.compare.events import compare_events, without_order
from harness.compare.roles import Roles
from shared_nodes.values.json import JsonNumber, Tree

ROLES = Roles({("t.a", ""): "create", ("t.b", ""): "create", ("t.c", ""): "update"}, {("t.a", ""): "create"})
START_A: Tree = ["apply_start", "t.a", "create"]
START_B: Tree = ["apply_start", "t.b", "create"]
READ_C: Tree = ["refresh_start", "t.c"]


def found(expected: list[Tree], got: list[Tree]) -> list[tuple[str, str, str, tuple[str, ...]]]:
    differences = compare_events("events", without_order(expected), got, ROLES)
    return [(each.shape, str(each.kind), each.role, each.objects) for each in differences]


def test_missing_and_surplus_kinds_are_differences_each() -> None:
    assert found([START_A, READ_C], []) == [
        ("events[apply_start create]", "missing", "create", ("t.a",)),
        ("events[refresh_start]", "missing", "update > none", ("t.c",)),
    ]
    assert found([], [START_A]) == [("events[apply_start create]", "surplus", "create", ("t.a",))]


def test_events_of_one_kind_and_role_are_one_difference() -> None:
    roles = Roles({("t.a", ""): "create", ("t.b", ""): "create"}, {("t.a", ""): "create", ("t.b", ""): "create"})
    (one,) = compare_events("events", without_order([START_A, START_B]), [], roles)
    assert one.objects == ("t.a", "t.b")


def test_calls_have_no_object() -> None:
    assert found([["plan", "t", "a"]], []) == [("events[plan]", "missing", "", ())]


def test_any_order_is_right_if_none_was_recorded() -> None:
    assert found([START_A, START_B], [START_B, START_A]) == []


def test_a_recorded_order_is_kept() -> None:
    recorded: Tree = {"items": [START_A, START_B], "before": [[JsonNumber("0"), JsonNumber("1")]]}
    (violation,) = compare_events("events", recorded, [START_B, START_A], ROLES)
    assert violation.shape == "events.order[apply_start create before apply_start create]"
