"""What plans intend for objects."""

from __future__ import annotations

import pytest

from harness.compare.roles import roles_between
from shared_nodes.values.json import Tree


def plan(*actions: str, **other: Tree) -> dict[str, Tree]:
    change: dict[str, Tree] = {"actions": list(actions), **({"importing": {}} if "importing" in other else {})}
    if "importing" in other:
        change["importing"] = other.pop("importing")
    return {"plan": {"resource_changes": [{"address": "t.a", "change": change, **other}]}}


EMPTY: dict[str, Tree] = {"plan": {"resource_changes": []}}


@pytest.mark.parametrize(
    ("role", "entry"),
    [
        ("create", plan("create")),
        ("replace", plan("delete", "create")),
        ("replace, create first", plan("create", "delete")),
        ("replace tainted", plan("delete", "create", action_reason="replace_because_tainted")),
        ("move, update", plan("update", previous_address="t.b")),
        ("import, no-op", plan("no-op", importing={"id": "x"})),
    ],
)
def test_one_intention(role: str, entry: dict[str, Tree]) -> None:
    assert roles_between(entry, entry).role_of("t.a") == role


def test_two_intentions_are_both_named_the_baselines_first() -> None:
    assert roles_between(plan("update"), plan("delete", "create")).role_of("t.a") == "update > replace"
    assert roles_between(plan("create"), EMPTY).role_of("t.a") == "create > none"


def test_a_plan_may_leave_out_what_does_not_change() -> None:
    assert roles_between(plan("no-op"), EMPTY).role_of("t.a") == "no-op"
    assert roles_between(EMPTY, plan("no-op")).role_of("t.a") == "none"


def test_deposed_objects_have_roles_of_their_own() -> None:
    roles = roles_between(plan("delete", deposed="aa"), plan("delete", deposed="aa"))
    assert (roles.role_of("t.a", "aa"), roles.role_of("t.a")) == ("delete deposed", "none")


def test_without_a_plan_there_is_no_role() -> None:
    assert roles_between({}, plan("create")).role_of("t.a") == ""
