"""The order of effects that recorded events state."""

from __future__ import annotations

from harness.observe.event_order import order_of_events
from shared_nodes.values.json import Tree, loads


def recorded(text: str) -> dict[str, Tree]:
    tree = loads(text)
    assert isinstance(tree, dict)
    return tree


EVENTS = recorded("""{
  "items": [["apply_start", "box.a", "create"], ["provision_start", "box.a", "local-exec"],
            ["apply_complete", "box.a", "create", "a2"], ["apply_start", "box.a", "delete", "a1"],
            ["apply_complete", "box.a", "delete", "a1"], ["apply_start", "box.b", "update"]],
  "before": [[0, 1], [1, 2], [2, 3], [3, 4]]
}""")


def test_an_effect_is_before_another_if_it_ends_before_that_begins() -> None:
    """Provisioners are part of the effect around them. What never ended is no effect of which anything is known."""
    plan = recorded(
        """{"resource_changes": [
            {"address": "box.a", "change": {"actions": ["create", "delete"], "before": {"id": "a1"}}}]}"""
    )
    assert order_of_events(EVENTS, plan) == recorded(
        '{"effects": [["box.a", "create"], ["box.a", "delete", "new"]], "before": [[0, 1]]}'
    )


def test_deposed_objects_are_known_by_their_identifiers() -> None:
    plan = recorded(
        """{"resource_changes": [
            {"address": "box.a", "change": {"actions": ["create"]}},
            {"address": "box.a", "deposed": "0a0b0c0d", "change": {"actions": ["delete"], "before": {"id": "a1"}}}]}"""
    )
    assert order_of_events(EVENTS, plan)["effects"] == [["box.a", "create"], ["box.a", "delete", "0a0b0c0d"]]


def test_without_events_there_is_no_effect() -> None:
    assert order_of_events({}, {}) == {"effects": [], "before": []}
