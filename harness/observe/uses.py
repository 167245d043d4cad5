"""Which objects of an order of effects use which, so that a lost order can be named by what it was for: an object may
have to go before what it uses, or after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from harness.observe.evaluation import References
from harness.observe.instance_keys import without_keys
from harness.observe.json_trees import JsonObject, as_items, as_objects, as_texts
from shared_nodes.values.json import Tree

__all__ = ["USES", "add_uses"]

USES = "uses"


def add_uses(order: JsonObject, references: References, states: Iterable[Mapping[str, Tree]]) -> JsonObject:
    """Add to an order, for each resource in it, which other resources in it that one uses: because the configuration
    refers to them, or because the state has recorded so; directly or through others."""
    direct = {resource: set(block.all) for resource, block in references.items()}
    for state in states:
        for resource, recorded in _recorded(state):
            direct.setdefault(resource, set()).update(recorded)
    named = sorted({without_keys(as_texts(effect)[0]) for effect in as_items(order["effects"])})
    uses: dict[str, Tree] = {
        resource: [*sorted(found)]
        for resource in named
        if (found := _reached(direct, resource) & {*named} - {resource})
    }
    return {**order, USES: uses} if uses else order


def _reached(direct: Mapping[str, Iterable[str]], start: str) -> set[str]:
    found: set[str] = set()
    pending = [start]
    while pending:
        for other in direct.get(pending.pop(), ()):
            if other not in found:
                found.add(other)
                pending.append(other)
    return found


def _recorded(state: Mapping[str, Tree]) -> Iterable[tuple[str, set[str]]]:
    """Return the dependencies that a state has recorded. The new runtime of OpenTofu has a list of its own."""
    for entry in as_objects(state.get("resources")):
        module = f"{entry['module']}." if entry.get("module") else ""
        mode = "data." if entry.get("mode") == "data" else ""
        name = without_keys(f"{module}{mode}{entry.get('type')}.{entry.get('name')}")
        for instance in as_objects(entry.get("instances")):
            listed = [*as_texts(instance.get("dependencies")), *as_texts(instance.get("depends_on"))]
            yield name, set(map(without_keys, listed))
