"""What stories have shown, and which features to try more often.

Behaviours are read from the baseline's observations: kinds of plans, pairs of actions on an object and its dependent,
kinds of edges in the order of effects, and diagnostics. Features of stories that showed new behaviour get a higher
weight, as do features that were hardly used. Features that only repeat known behaviour get a lower one.

Weights depend on the outcomes so far and on nothing else. They change between batches, not within one: a campaign on
eight cores therefore runs the same stories as one on a single core.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final, cast

from harness.generate.choices import NEUTRAL
from harness.observe.json_trees import as_number, as_object, as_objects, as_texts
from harness.play.case_runner import Observations
from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["PAIRED", "Coverage", "find_behaviours"]

PAIRED: Final = ("create", "update", "delete", "delete, create", "create, delete", "forget", "no-op", "read")
"""Actions on either side of a dependency: rows and columns of the table of pairs."""

_NAMES: Final = re.compile(r'"[^"]*"|[\w.\[\]-]*\d[\w.\[\]-]*')
_LEAST: Final = 40
_MOST: Final = 400


@record(frozen=False)
class Coverage:
    """`seen` counts stories per behaviour, `used` per feature."""

    seen: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)
    credit: Counter[str] = field(default_factory=Counter)
    stories: int = 0

    def learn(self, features: Iterable[str], behaviours: Iterable[str]) -> int:
        """Record a story and return the number of new behaviours."""
        features, behaviours = sorted(features), set(behaviours)
        new = sum(one not in self.seen for one in behaviours)
        self.stories += 1
        self.seen.update(behaviours)
        self.used.update(features)
        for feature in features:
            self.credit[feature] += min(new, 5)
        return new

    def weights(self) -> dict[str, int]:
        """Return a weight per feature, in per cent. Credit is the average number of new behaviours of stories with the
        feature, relative to that of all features. Features used in few stories get a bonus."""
        if not self.stories:
            return {}
        usual = sum(self.credit.values()) / max(1, sum(self.used.values()))
        found: dict[str, int] = {}
        for feature, uses in self.used.items():
            fertility = (self.credit[feature] / uses + 0.1) / (usual + 0.1)
            rarity = (self.stories / (20 * uses)) ** 0.5
            found[feature] = int(max(_LEAST, min(_MOST, NEUTRAL * fertility * max(0.6, min(3.0, rarity)))))
        return found

    def pairs(self) -> dict[tuple[str, str], int]:
        """Return counts by the action on the dependency and the action on its dependent."""
        found: dict[tuple[str, str], int] = {}
        for key, count in self.seen.items():
            kind, _, rest = key.partition(": ")
            if kind == "pair":
                first, _, second = rest.partition(" <- ")
                found[first, second] = count
        return found


def find_behaviours(observations: Observations) -> set[str]:
    """Return the behaviours of one run, without names, numbers or values."""
    behaviours: set[str] = set()
    before: Mapping[str, list[str]] = {}
    for observation in observations.values():
        behaviours |= {f"diagnostic: {one}" for one in _describe_diagnostics(observation)}
        plan = cast("dict[str, Tree] | None", observation.get("plan"))
        actions = _find_actions(plan)
        if actions:
            reasons = sorted({f"{action} {reason}".strip() for action, reason in actions.values()})
            behaviours.add("plan: " + "; ".join(reasons))
            behaviours |= {f"change: {one}" for one in reasons}
        after = _find_dependencies(observation.get("state")) if observation.get("state") is not None else before
        behaviours |= {f"pair: {one}" for one in _find_pairs(actions, {**before, **after})}
        behaviours |= {f"edge: {one}" for one in _describe_edges(observation.get("order"))}
        before = after
    return behaviours


def _describe_diagnostics(observation: Mapping[str, Tree]) -> Iterator[str]:
    for one in as_objects(observation.get("diagnostics")):
        yield f"{one['phase']} {one['severity']} {_NAMES.sub('*', str(one['summary']))}"


def _find_actions(plan: Mapping[str, Tree] | None) -> dict[str, tuple[str, str]]:
    """Return what happens to each object, and why."""
    found: dict[str, tuple[str, str]] = {}
    for one in as_objects((plan or {}).get("resource_changes")):
        change = cast("dict[str, list[str]]", one["change"])
        moved = " moved" if "previous_address" in one else ""
        imported = " imported" if "importing" in change else ""
        found[str(one["address"])] = ", ".join(change["actions"]), f"{one.get('action_reason', '')}{moved}{imported}"
    return found


def _find_dependencies(state: Tree) -> dict[str, list[str]]:
    """Return the dependencies of each resource, as addresses without keys."""
    found: dict[str, list[str]] = {}
    for resource in as_objects(as_object(state)["resources"]):
        module = f"{resource['module']}." if "module" in resource else ""
        address = _without_keys(f"{module}{resource['type']}.{resource['name']}")
        for instance in as_objects(resource["instances"]):
            found.setdefault(address, []).extend(as_texts(instance.get("dependencies")))
    return found


def _find_pairs(actions: Mapping[str, tuple[str, str]], dependencies: Mapping[str, list[str]]) -> Iterator[str]:
    by_resource: dict[str, set[str]] = {}
    for address, (action, _) in actions.items():
        by_resource.setdefault(_without_keys(address), set()).add(action)
    for dependent, names in dependencies.items():
        for dependency in names:
            for first in by_resource.get(dependency, ()):
                for second in by_resource.get(dependent, ()):
                    yield f"{first} <- {second}"


def _without_keys(address: str) -> str:
    return re.sub(r"\[[^\]]*\]", "", address)


def _describe_edges(order: Tree) -> Iterator[str]:
    """Yield the edges of the order of effects, described by the verbs at both ends."""
    tree = cast("dict[str, list[list[Tree]]] | None", order) or {}
    effects = tree.get("effects") or []
    for pair in tree.get("before") or []:
        first, second = (effects[as_number(number)] for number in pair)
        yield f"{first[1]} then {second[1]}"
