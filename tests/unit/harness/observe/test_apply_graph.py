"""The order of effects of an apply graph that a binary draws, and the way by which one effect waits for another."""

from __future__ import annotations

from harness.observe.apply_graph import order_of_apply_graph, waiting_path
from harness.observe.drawn_graph import read_drawn_graph
from shared_nodes.plan.order import Effect
from shared_nodes.values.json import JsonNumber, Tree

DRAWN = r"""
digraph {
	subgraph "root" {
		"[root] box.a" [label = "box.a", shape = "box"]
		"[root] box.a (destroy deposed 0a0b0c0d)" [label = "box.a", shape = "box"]
		"[root] box.a (expand)" [label = "box.a", shape = "box"]
		"[root] box.b[\"x\"]" [label = "box.b", shape = "box"]
		"[root] box.b (expand)" [label = "box.b", shape = "box"]
		"[root] output.o (destroy)" [label = "output.o", shape = "note"]
		"[root] box.a" -> "[root] box.a (expand)"
		"[root] box.b (expand)" -> "[root] box.a"
		"[root] box.b[\"x\"]" -> "[root] box.b (expand)"
		"[root] box.a (destroy deposed 0a0b0c0d)" -> "[root] box.b[\"x\"]"
		"[root] data.box.d (destroy)" -> "[root] box.a"
	}
}
"""


def planned(address: str, *actions: str, **more: Tree) -> dict[str, Tree]:
    return {"address": address, "change": {"actions": [*actions]}, **more}


PLAN: dict[str, Tree] = {"resource_changes": [planned("box.a", "create", "delete"), planned('box.b["x"]', "update")]}
NEW_KEY = Effect("box.a", "delete", "new")


def number(value: int) -> JsonNumber:
    return JsonNumber(str(value))


def test_effects_are_nodes_that_the_plan_changes() -> None:
    """An output is no object. The plan lists no data that are dropped from the state, and the graph does."""
    assert order_of_apply_graph(DRAWN, PLAN) == {
        "effects": [
            ["box.a", "create"],
            ["box.a", "delete", "new"],
            ['box.b["x"]', "update"],
            ["data.box.d", "delete"],
        ],
        "before": [[number(2), number(1)], [number(0), number(2)], [number(0), number(3)]],
    }


def test_key_of_an_object_that_was_deposed_before_is_kept() -> None:
    plan: dict[str, Tree] = {
        "resource_changes": [planned("box.a", "no-op"), planned("box.a", "delete", deposed="0a0b0c0d")]
    }
    found = order_of_apply_graph(DRAWN, plan)
    assert found is not None
    assert found["effects"] == [["box.a", "delete", "0a0b0c0d"], ["box.a", "no-op"], ["data.box.d", "delete"]]


def test_forgetting_is_an_effect() -> None:
    text = '"[root] box.a (forget)" [x]\n"[root] box.b" -> "[root] box.a (forget)"'
    plan: dict[str, Tree] = {"resource_changes": [planned("box.a", "forget"), planned("box.b", "create")]}
    assert order_of_apply_graph(text, plan) == {
        "effects": [["box.a", "forget"], ["box.b", "create"]],
        "before": [[number(0), number(1)]],
    }


def test_what_is_no_graph_or_has_a_cycle_has_no_order() -> None:
    assert order_of_apply_graph("Error: no such plan", PLAN) is None
    assert order_of_apply_graph('"box.a" -> "box.b"\n"box.b" -> "box.a"', PLAN) is None


def test_names_of_nodes_are_unquoted() -> None:
    assert read_drawn_graph(DRAWN)['box.b["x"]'] == ("box.b (expand)",)


def test_the_shortest_way_is_shown() -> None:
    assert waiting_path(DRAWN, PLAN, Effect("box.a", "create"), NEW_KEY) == [
        "box.a (destroy deposed 0a0b0c0d)",
        'box.b["x"]',
        "box.b (expand)",
        "box.a",
    ]
    assert waiting_path(DRAWN, PLAN, NEW_KEY, Effect("box.a", "create")) == []
    assert waiting_path(DRAWN, PLAN, Effect("box.z", "create"), NEW_KEY) == []
