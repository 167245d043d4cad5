"""What was compared in a case, in numbers: of a case in which engines agree nothing else is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from harness.compare.verdict import RECORDED, CaseVerdict
from harness.observe.json_trees import as_items, as_object, as_objects
from shared_nodes.values.json import Tree

__all__ = ["count_compared"]

_LISTS: Final = {"diagnostics": "diagnostics", "plan_events": "plan events", "events": "events", "inventory": "cloud"}
_CALLS: Final = {"plan_calls": "plan calls", "calls": "calls"}


def count_compared(verdict: CaseVerdict) -> dict[str, dict[str, int]]:
    """Return how many things of each kind were compared at each place, by the observations of the baseline; or, if it
    came to no end, by the recording."""
    seen = verdict.observations.get(verdict.baseline) or verdict.observations.get(RECORDED, {})
    return {place: _count(observation) for place, observation in seen.items()}


def _count(observation: Mapping[str, Tree]) -> dict[str, int]:
    counts = {words: len(as_items(observation.get(name))) for name, words in _LISTS.items() if name in observation}
    for name, words in _CALLS.items():
        if name in observation:
            counts[words] = len(as_items(as_object(observation.get(name)).get("items")))
    if "plan" in observation:
        plan = as_object(observation.get("plan"))
        counts["planned objects"] = len(as_items(plan.get("resource_changes")))
        counts["planned outputs"] = len(as_object(plan.get("output_changes")))
    if "state" in observation:
        resources = as_objects(as_object(observation.get("state")).get("resources"))
        counts["objects in the state"] = sum(len(as_items(each.get("instances"))) for each in resources)
    if "order" in observation:
        counts["effects in order"] = len(as_items(as_object(observation.get("order")).get("effects")))
    return counts
