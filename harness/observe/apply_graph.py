"""The order of effects that a binary guarantees, read off the apply graph it draws for a plan.

A node is an effect if the plan changes the object that the node is named after; which effect it is, the plan says. All
other nodes only pass the order on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from harness.observe.drawn_graph import read_drawn_graph
from harness.observe.json_trees import JsonObject, as_object, as_objects, as_texts
from harness.observe.observation import observed_order
from shared_nodes.operations.graph import components
from shared_nodes.plan.order import NEW, Effect, effect_order
from shared_nodes.values.json import Tree

__all__ = ["order_of_apply_graph", "planned_actions"]

_REMOVING: Final = re.compile(r"(?P<address>.+) \((?P<verb>destroy|forget)(?: deposed (?P<key>\S+))?\)")


def order_of_apply_graph(text: str, plan: Mapping[str, Tree]) -> JsonObject | None:
    """Return the effects of a plan and the pairs that its apply graph orders, in the form of `observed_order`. None if
    the text is no graph without cycles."""
    graph = read_drawn_graph(text)
    actions = planned_actions(plan)
    effects = {node: effect for node in graph if (effect := _effect(node, actions)) is not None}
    in_order: list[str] = []
    for component in components(graph, graph.__getitem__):
        if len(component) > 1:
            return None
        in_order += component
    return observed_order(effect_order(effects, effects, in_order, graph.__getitem__)) if graph else None


def planned_actions(plan: Mapping[str, Tree]) -> dict[tuple[str, str], list[str]]:
    """Return what is planned for each object, by its address and deposed key, which is empty for the current object."""
    return {
        (str(change.get("address", "")), str(change.get("deposed", ""))): as_texts(
            as_object(change.get("change")).get("actions")
        )
        for change in as_objects(plan.get("resource_changes"))
    }


def _effect(node: str, actions: Mapping[tuple[str, str], Iterable[str]]) -> Effect | None:
    removing = _REMOVING.fullmatch(node)
    if removing is None:
        verbs = [verb for verb in actions.get((node, ""), ()) if verb not in ("delete", "forget")]
        return Effect(node, verbs[0]) if verbs else None
    address, key = removing["address"], removing["key"] or ""
    verb = "delete" if removing["verb"] == "destroy" else "forget"
    if key and (address, key) not in actions:
        key = NEW
    return Effect(address, verb, key) if any(known == address for known, _ in actions) else None
