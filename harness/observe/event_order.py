"""The order of effects that a recording states: which effect was always over before another began.

A recording has no graph, but the pairs of events that the graph forces. An effect begins with one event and ends with
another; effects that a failed apply never came to are missing.
"""

from __future__ import annotations

from collections.abc import Mapping

from harness.observe.json_trees import JsonObject, as_items, as_number, as_object, as_objects
from harness.observe.observation import observed_order
from shared_nodes.operations.graph import components
from shared_nodes.plan.order import NEW, Effect, effect_order
from shared_nodes.values.json import Tree

__all__ = ["order_of_events"]


def order_of_events(events: Mapping[str, Tree], plan: Mapping[str, Tree]) -> JsonObject:
    """Return the order that recorded events, with `items` and `before`, state for a plan, in the form of
    `observed_order`."""
    items = [as_items(item) for item in as_items(events.get("items"))]
    waits: dict[int, list[int]] = {number: [] for number in range(len(items))}
    for pair in as_items(events.get("before")):
        first, second = (as_number(number) for number in as_items(pair))
        waits[second].append(first)
    begins, ends = _effects(items, _deposed_keys(plan))
    in_order = [number for (number,) in components(waits, waits.__getitem__)]
    return observed_order(effect_order(begins, ends, in_order, waits.__getitem__))


def _effects(
    items: list[list[Tree]], keys: Mapping[tuple[str, Tree], str]
) -> tuple[dict[int, Effect], dict[int, Effect]]:
    """Return the effects that have ended, by the events with which they begin and end."""
    begun: dict[Effect, int] = {}
    ends: dict[int, Effect] = {}
    for number, (kind, address, action, *extra) in enumerate(items):
        if kind not in ("apply_start", "apply_complete", "apply_errored"):
            continue
        identifier = extra[0] if action == "delete" and extra else None
        effect = Effect(str(address), str(action), keys.get((str(address), identifier), ""))
        if kind == "apply_start":
            begun[effect] = number
        elif effect in begun:
            ends[number] = effect
    ended = set(ends.values())
    return {number: effect for effect, number in begun.items() if effect in ended}, ends


def _deposed_keys(plan: Mapping[str, Tree]) -> dict[tuple[str, Tree], str]:
    """Return the keys of objects that are deleted as deposed ones, by address and identifier. Events do not name
    them."""
    found: dict[tuple[str, Tree], str] = {}
    for entry in as_objects(plan.get("resource_changes")):
        change = as_object(entry.get("change"))
        place = str(entry.get("address", "")), as_object(change.get("before")).get("id")
        if "deposed" in entry:
            found[place] = str(entry["deposed"])
        elif change.get("actions") == ["create", "delete"]:
            found[place] = NEW
    return found
