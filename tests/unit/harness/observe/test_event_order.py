"""The order of effects that recorded events prove."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.observe.event_order import order_of_events
from shared_nodes.values.json import JsonNumber, Tree

A, B, C = "t.a", "t.b", "t.c"


def events(*items: list[str | None], before: list[tuple[int, int]]) -> Tree:
    pairs: list[Tree] = [[JsonNumber(str(first)), JsonNumber(str(second))] for first, second in before]
    return {"items": [[*item] for item in items], "before": pairs}


def effects(address: str, verb: str, *extra: str, end: str = "complete") -> list[list[str | None]]:
    return [["apply_start", address, verb, *extra], [f"apply_{end}", address, verb, *extra]]


def named(order: Any) -> tuple[list[str], list[tuple[str, str]]]:
    names = [" ".join(effect) for effect in order["effects"]]
    return names, [(names[int(first.text)], names[int(second.text)]) for first, second in order["before"]]


def test_an_effect_comes_before_another_if_it_ends_before_the_other_begins() -> None:
    found = order_of_events(
        events(*effects(A, "create"), *effects(B, "update"), *effects(C, "read"), before=[(0, 1), (1, 2), (2, 3)])
    )
    assert named(found) == (["t.a create", "t.b update", "t.c read"], [("t.a create", "t.b update")])


def test_that_one_begins_before_another_says_nothing() -> None:
    found = order_of_events(events(*effects(A, "create"), *effects(B, "create"), before=[(0, 1), (0, 2), (2, 3)]))
    assert named(found)[1] == []


def test_pairs_that_follow_from_others_are_left_out() -> None:
    chain = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (1, 4)]
    found = order_of_events(events(*effects(A, "create"), *effects(B, "create"), *effects(C, "create"), before=chain))
    assert named(found)[1] == [("t.a create", "t.b create"), ("t.b create", "t.c create")]


def test_a_failure_ends_an_effect_and_a_lost_end_does_not_lose_the_order() -> None:
    failed = events(*effects(A, "delete", "1", end="errored"), *effects(B, "create"), before=[(0, 1), (1, 2), (2, 3)])
    assert named(order_of_events(failed))[1] == [("t.a delete", "t.b create")]
    lost = events(["apply_start", A, "delete", "1"], *effects(B, "create"), before=[(0, 1), (1, 2)])
    assert named(order_of_events(lost))[1] == [("t.a delete", "t.b create")]


def test_provisioners_and_refreshes_are_no_effects() -> None:
    others: list[list[str | None]] = [["provision_start", A, "local-exec"], ["refresh_start", A, None]]
    assert named(order_of_events(events(*others, before=[(0, 1)]))) == ([], [])


def change(address: str, actions: list[str], identifier: str, deposed: str | None = None) -> Tree:
    return {
        "address": address,
        "change": {"actions": [*actions], "before": {"id": identifier}},
        **({} if deposed is None else {"deposed": deposed}),
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([change(A, ["delete"], "1")], "t.a delete"),
        ([change(A, ["delete", "create"], "1")], "t.a delete"),
        ([change(A, ["create", "delete"], "1")], "t.a delete new"),
        ([change(A, ["no-op"], "2"), change(A, ["delete"], "1", "0d0d0d0d")], "t.a delete 0d0d0d0d"),
        ([change(B, ["create", "delete"], "1")], "t.a delete"),
    ],
    ids=["removed", "deleted first", "created first", "deposed before", "another address"],
)
def test_the_plan_says_which_object_is_deleted(changes: list[Tree], expected: str) -> None:
    found = order_of_events(events(*effects(A, "delete", "1"), before=[(0, 1)]), {"resource_changes": changes})
    assert named(found)[0] == [expected]


@pytest.mark.parametrize("nothing", [None, {}, {"items": [], "before": []}])
def test_where_nothing_happened_nothing_is_ordered(nothing: Tree) -> None:
    assert order_of_events(nothing) == {"effects": [], "before": [], "happened": True}


@given(st.data(), st.integers(min_value=0, max_value=7))
def test_the_closure_of_the_order_is_exactly_what_the_events_force(data: st.DataObject, count: int) -> None:
    """Effects are numbered so that each may only wait for those with lower numbers."""
    edges = [pair for pair in combinations(range(count), 2) if data.draw(st.booleans())]
    items = [item for number in range(count) for item in effects(f"t.x{number}", "create")]
    within = [(2 * number, 2 * number + 1) for number in range(count)]
    found: Any = order_of_events(events(*items, before=[*within, *((2 * a + 1, 2 * b) for a, b in edges)]))
    listed = {(int(first.text), int(second.text)) for first, second in found["before"]}
    assert _closure(listed, count) == _closure(set(edges), count)
    assert all(_closure(listed - {pair}, count) != _closure(listed, count) for pair in listed)


def _closure(pairs: set[tuple[int, int]], count: int) -> set[tuple[int, int]]:
    closed = set(pairs)
    for _ in range(count):
        closed |= {(first, last) for first, middle in closed for start, last in closed if middle == start}
    return closed
