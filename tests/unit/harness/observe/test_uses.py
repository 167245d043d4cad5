"""Which objects of an order use which: by configuration, by state, and through others."""

from __future__ import annotations

from harness.observe.evaluation import BlockReferences
from harness.observe.json_trees import JsonObject
from harness.observe.uses import add_uses
from shared_nodes.values.json import Tree

ORDER: JsonObject = {"effects": [["box.a[0]", "update"], ["module.m[1].box.b", "delete"], ["box.c", "create"]]}
STATE: dict[str, Tree] = {
    "resources": [
        {
            "module": "module.m[1]",
            "mode": "managed",
            "type": "box",
            "name": "b",
            "instances": [{"dependencies": ["box.middle"], "depends_on": ["box.gone[0]"]}],
        }
    ]
}


def test_uses_are_followed_through_resources_that_do_not_change() -> None:
    references = {
        "box.middle": BlockReferences(values=frozenset(["box.a"])),
        "box.c": BlockReferences(unasked=frozenset(["box.c", "module.m.box.b"])),
    }
    assert add_uses(ORDER, references, [STATE])["uses"] == {
        "box.c": ["box.a", "module.m.box.b"],
        "module.m.box.b": ["box.a"],
    }


def test_an_order_of_unrelated_objects_stays_as_it_is() -> None:
    assert add_uses(ORDER, {}, [{}]) == ORDER
