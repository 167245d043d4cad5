"""The order of effects that a binary guarantees, read off the apply graph it draws for a plan.

A node is an effect if the plan changes the object that the node is named after; which effect it is, the plan says. All
other nodes only pass the order on.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

from harness.observe.drawn_graph import read_drawn_graph
from harness.observe.instance_keys import without_keys
from harness.observe.json_trees import JsonObject, as_object, as_objects, as_texts
from harness.observe.observation import observed_order
from shared_nodes.operations.graph import components
from shared_nodes.plan.order import NEW, Effect, effect_order
from shared_nodes.values.json import Tree

__all__ = ["order_of_apply_graph", "waiting_path"]

_REMOVING: Final = re.compile(r"(?P<address>.+) \((?P<verb>destroy|forget)(?: deposed (?P<key>.+))?\)")
_DATA: Final = re.compile(r"(?:module\.[^.]+\.)*data\.[^.]+\.[^.]+")
"""What a state holds of data is dropped by an effect of its own, although no plan lists that."""


def order_of_apply_graph(text: str, plan: Mapping[str, Tree]) -> JsonObject | None:
    """Return the effects of a plan and the pairs that its apply graph orders, in the form of `observed_order`. None if
    the text is no graph without cycles."""
    graph = read_drawn_graph(text)
    effects = _effects(graph, plan)
    in_order: list[str] = []
    for component in components(graph, graph.__getitem__):
        if len(component) > 1:
            return None
        in_order += component
    return observed_order(effect_order(effects, effects, in_order, graph.__getitem__)) if graph else None


def waiting_path(text: str, plan: Mapping[str, Tree], first: Effect, second: Effect) -> list[str]:
    """Return the nodes by which the second effect comes to wait for the first, itself first, by the shortest way. Empty
    if the graph does not order them."""
    graph = read_drawn_graph(text)
    nodes = {effect: node for node, effect in _effects(graph, plan).items()}
    if first not in nodes or second not in nodes:
        return []
    paths: deque[list[str]] = deque([[nodes[second]]])
    seen = {nodes[second]}
    while paths:
        path = paths.popleft()
        if path[-1] == nodes[first]:
            return path
        following = [node for node in graph[path[-1]] if node not in seen]
        seen.update(following)
        paths.extend([*path, node] for node in following)
    return []


def _effects(graph: Iterable[str], plan: Mapping[str, Tree]) -> dict[str, Effect]:
    actions = _planned_actions(plan)
    return {node: effect for node in graph if (effect := _effect(node, actions)) is not None}


def _planned_actions(plan: Mapping[str, Tree]) -> dict[tuple[str, str], list[str]]:
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
    is_known = any(known == address for known, _ in actions) or _DATA.match(without_keys(address)) is not None
    return Effect(address, verb, key) if is_known else None
