"""A recorded step in the form in which engines that run are observed, so that both can be compared.

Recordings hold events as a partial order, `{"items", "before"}`; observations hold them as a list. What a recording has
and an observation of ours has not, such as `unstable`, `crash`, `init` and `execution_graph`, stays as it is. What
was never recorded is left out of the other side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from harness.observe.evaluation import References
from harness.observe.json_trees import JsonObject, as_object
from harness.observe.step_order import order_of_step
from shared_nodes.values.json import Tree

__all__ = ["observe_recorded_step", "reduce_to_recorded", "without_init"]

_EVENTS: Final = ("plan_events", "events")
_SUMMARIES: Final = ("plan_summary", "apply_summary")
_INVENTORY: Final = "inventory"
_CLOUD: Final = ("plan_calls", "calls", _INVENTORY)
_UNRECORDED: Final = ("provider_data",)
_APPLYING: Final = ("apply", "destroy")
_SWITCHED: Final = " with "
"""Stands in the name of a release before the environment that selects another of its engines."""


def observe_recorded_step(
    step: Mapping[str, Tree], release: str, references: References | None = None, state: Tree = None
) -> JsonObject:
    """Return a step of a recording as an observation. `release` is the system as the recording names it, `references`
    are those of the configuration, and `state` is the state that the step began with."""
    listed: JsonObject = {
        name: events["items"] for name in _EVENTS if isinstance(events := step.get(name), dict) and "items" in events
    }
    order = _order(step, release, references or {}, as_object(state))
    return {**step, **listed} if order is None else {**step, **listed, "order": order}


def reduce_to_recorded(observation: Mapping[str, Tree], recorded: Mapping[str, Tree]) -> JsonObject:
    """Return the observation of an engine that ran, without what the recorded one cannot have: the data of providers,
    the simulated cloud where the system was recorded without one, and counts that the system did not print."""
    unknown = _UNRECORDED if _INVENTORY in recorded else (*_UNRECORDED, *_CLOUD)
    reduced = {name: part for name, part in observation.items() if name not in unknown}
    for name in _SUMMARIES:
        counts, wanted = reduced.get(name), recorded.get(name)
        if isinstance(counts, dict) and isinstance(wanted, dict):
            reduced[name] = {kind: count for kind, count in counts.items() if kind in wanted}
    return reduced


def without_init(observation: Mapping[str, Tree]) -> JsonObject:
    """Return the observation without the failure of `init`, which an engine in process does not have."""
    return {name: part for name, part in observation.items() if name != "init"}


def _order(
    step: Mapping[str, Tree], release: str, references: References, state: Mapping[str, Tree]
) -> JsonObject | None:
    """Return the order of effects; None if the recording does not prove one. The command that draws the graph of a plan
    draws that of the engine without switches, whichever engine made the plan: an engine with switches has an order only
    where its own execution graph was recorded."""
    proof = "execution_graph" if _SWITCHED in release else "events"
    if proof not in step or step.get("op") not in _APPLYING:
        return None
    return order_of_step(step, references, state)
