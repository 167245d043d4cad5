"""The order of effects of a step that a real binary ran, from whatever is known of it: the execution graph that was
planned, the apply graph that was drawn, or the recorded order of events."""

from __future__ import annotations

from collections.abc import Mapping

from harness.observe.apply_graph import order_of_apply_graph
from harness.observe.evaluation import References
from harness.observe.event_order import order_of_events
from harness.observe.execution_graph import UnreadableGraph
from harness.observe.execution_order import order_of_execution_graph
from harness.observe.json_trees import JsonObject, as_object
from harness.observe.uses import add_uses
from shared_nodes.values.json import Tree

__all__ = ["order_of_step"]


def order_of_step(step: Mapping[str, Tree], references: References, state: Mapping[str, Tree]) -> JsonObject | None:
    """Return the order of an observed or recorded step, or None if nothing is known of it. `references` are those of
    its configuration, and `state` is the state that it began with."""
    order = _find_order(step, references)
    return None if order is None else add_uses(order, references, [state])


def _find_order(step: Mapping[str, Tree], references: References) -> JsonObject | None:
    """A drawn graph says nothing without the plan that it is of, which a binary cannot show if the state has objects
    that it cannot read."""
    plan = as_object(step.get("plan"))
    if isinstance(text := step.get("execution_graph"), str):
        order = order_of_execution_graph(text, references)
        return None if isinstance(order, UnreadableGraph) else order
    if isinstance(drawn := step.get("graph"), str):
        return order_of_apply_graph(drawn, plan) if plan else None
    events = step.get("events")
    return order_of_events(events, plan) if isinstance(events, dict) else None
