"""The address of an object is found by what was planned for it."""

from __future__ import annotations

from harness.play.planned_owners import PlannedOwners
from shared_nodes.values.json import Tree
from shared_nodes.values.types import STRING
from shared_nodes.values.value import NULL_DYNAMIC, Value, object_of, string, unknown


def _change(address: str, after: Tree, unknown_parts: Tree, *actions: str) -> Tree:
    change: Tree = {"actions": [*actions], "after": after, "after_unknown": unknown_parts}
    return {"address": address, "mode": "managed", "type": address.partition(".")[0], "change": change}


def _owners(*changes: Tree) -> PlannedOwners:
    owners = PlannedOwners()
    owners.learn({"resource_changes": [*changes]})
    return owners


def _object(**parts: str | None) -> Value:
    return object_of({name: unknown(STRING) if text is None else string(text) for name, text in parts.items()})


def test_known_attributes_decide_and_unknown_ones_may_have_become_known() -> None:
    owners = _owners(
        _change("x.a", {"name": "a"}, {"id": True, "value": True}, "create"),
        _change("x.b", {"name": "b", "value": "v"}, {"id": True}, "create"),
    )
    assert owners.owner_of("x", _object(id=None, name="b", value="v")) == "x.b"
    assert owners.owner_of("x", _object(id=None, name="a", value="came later")) == "x.a"


def test_the_change_that_says_most_is_taken() -> None:
    vague = _change("x.vague", {"name": "a"}, {"value": True}, "create")
    exact = _change("x.exact", {"name": "a", "value": "v"}, {}, "create")
    assert _owners(vague, exact).owner_of("x", _object(name="a", value="v")) == "x.exact"


def test_each_change_is_made_once_and_nothing_else_has_an_owner() -> None:
    owners = _owners(
        _change("x.a[0]", {"name": "a"}, {}, "delete", "create"),
        _change("x.a[1]", {"name": "a"}, {}, "create"),
        _change("x.gone", {"name": "gone"}, {}, "no-op"),
    )
    made = _object(name="a")
    assert [owners.owner_of("x", made) for _ in range(3)] == ["x.a[0]", "x.a[1]", ""]
    assert owners.owner_of("x", _object(name="gone")) == owners.owner_of("y", made) == ""
    assert owners.owner_of("x", NULL_DYNAMIC) == ""


def test_a_new_plan_replaces_the_one_before() -> None:
    owners = _owners(_change("x.a", {"name": "a"}, {}, "create"))
    owners.learn({})
    assert owners.owner_of("x", _object(name="a")) == ""
