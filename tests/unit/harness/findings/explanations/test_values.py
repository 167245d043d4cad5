"""Differences of values: one leaf at a time, described by its kind."""

from __future__ import annotations

from harness.findings.explanations.differing_values import ABSENT, SENSITIVE, UNKNOWN, Unequal, differing_values
from shared_nodes.values.json import JsonNumber, Tree


def plan(address: str, **change: Tree) -> dict[str, Tree]:
    return {"plan": {"resource_changes": [{"address": address, "change": {**change}}]}}


def compare_changes(left: dict[str, Tree], right: dict[str, Tree]) -> list[Unequal]:
    return differing_values("plan", plan("t.a", **left), plan("t.a", **right))


def below(*path: str) -> tuple[str, ...]:
    return ("resource_changes", "t.a", "change", "after", *path)


def test_all_leaves_that_differ_are_told_in_order() -> None:
    left: dict[str, Tree] = {"after": {"b": "1", "a": True, "same": "x", "list": ["p", "q"]}}
    right: dict[str, Tree] = {"after": {"b": JsonNumber("1"), "a": None, "same": "x", "list": ["p", "r"]}}
    assert compare_changes(left, right) == [
        Unequal(below("a"), "true", "null"),
        Unequal(below("b"), '"1"', "1"),
        Unequal(below("list", "1"), '"q"', '"r"'),
    ]


def test_unknown_is_told_in_the_place_of_the_value() -> None:
    left: dict[str, Tree] = {"after": {"id": "known"}, "after_unknown": {}}
    right: dict[str, Tree] = {"after": {}, "after_unknown": {"id": True}}
    assert compare_changes(left, right) == [Unequal(below("id"), '"known"', UNKNOWN)]


def test_sensitive_values_differ_without_being_told() -> None:
    left: dict[str, Tree] = {"after": {"p": "one"}, "after_sensitive": {"p": True}}
    right: dict[str, Tree] = {"after": {"p": "two"}, "after_sensitive": {"p": True}}
    assert compare_changes(left, right) == [Unequal(below("p"), SENSITIVE, SENSITIVE)]


def test_sensitive_on_one_side_only() -> None:
    left: dict[str, Tree] = {"after": {"p": "one"}, "after_sensitive": {"p": True}}
    right: dict[str, Tree] = {"after": {"p": "one"}, "after_sensitive": {}}
    assert compare_changes(left, right) == [Unequal(below("p"), SENSITIVE, '"one"')]


def test_something_that_is_not_there() -> None:
    assert compare_changes({"after": {"x": "1", "y": "2"}}, {"after": {"x": "1"}}) == [
        Unequal(below("y"), '"2"', ABSENT)
    ]


def test_lists_are_compared_by_what_their_items_are_about() -> None:
    one, other = (plan(address, after={"x": "1"})["plan"] for address in ("t.a", "t.b"))
    assert isinstance(one, dict)
    assert isinstance(other, dict)
    both = [*_changes(one), *_changes(other)]
    assert (
        differing_values("plan", {"plan": {"resource_changes": both}}, {"plan": {"resource_changes": both[::-1]}}) == []
    )


def _changes(tree: dict[str, Tree]) -> list[Tree]:
    found = tree["resource_changes"]
    assert isinstance(found, list)
    return found


def test_work_is_bounded() -> None:
    """If two documents differ everywhere, only the first parts are compared, and some differences are reported."""
    sides: list[dict[str, Tree]] = [
        {"plan": {f"n{number:06}": {"x": f"{side}{number}"} for number in range(50_000)}} for side in "ab"
    ]
    found = differing_values("plan", *sides)
    assert found[0] == Unequal(("n000000", "x"), '"a0"', '"b0"')
    assert 1_000 < len(found) < 10_000
    huge: list[dict[str, Tree]] = [{"plan": [f"{side}{number}" for number in range(50_000)]} for side in "ab"]
    assert len(differing_values("plan", *huge)) == 1


def test_a_part_that_one_side_lacks_is_shown_as_its_document_has_it() -> None:
    """It was once encoded twice: every text in it had two pairs of quotes."""
    left: dict[str, Tree] = {"after": {"input": {"a": ["x", None, True]}}}
    (found,) = compare_changes(left, {"after": {}})
    assert (found.expected, found.got) == ('{"a":["x",null,true]}', ABSENT)
