"""What the plans of a step intend for each object: the role that a difference is about.

A missing refresh of an object that is to be created is another bug than a missing refresh of one that is to be
destroyed, although both have the same shape. The role distinguishes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from harness.observe.json_trees import JsonObject, as_object, as_objects, as_texts
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps

__all__ = ["OTHERWISE", "Roles", "instance_address", "resource_address", "roles_between"]

NONE: Final = "none"
"""The role of an object that a plan does not mention."""

OTHERWISE: Final = " > "
"""Separates the intention of the baseline from that of the candidate, where they differ."""

_REPLACING: Final[Mapping[tuple[str, ...], str]] = {
    ("delete", "create"): "replace",
    ("create", "delete"): "replace, create first",
}
_REASONS: Final = {"replace_because_tainted": "replace tainted"}
_UNCHANGED: Final = (NONE, "no-op")
"""Engines may leave out objects that do not change: the absence of such an object is not another intention."""


@record
class Roles:
    """Intentions by address and deposed key, according to the baseline (or recording) and to the candidate. None if
    that side has no plan."""

    expected: Mapping[tuple[str, str], str] | None
    got: Mapping[tuple[str, str], str] | None

    def role_of(self, address: str, deposed: str = "") -> str:
        if self.expected is None or self.got is None:
            return ""
        wanted, actual = (side.get((address, deposed), NONE) for side in (self.expected, self.got))
        if wanted == actual or (wanted in _UNCHANGED and actual in _UNCHANGED):
            return wanted
        return f"{wanted}{OTHERWISE}{actual}"


def roles_between(expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> Roles:
    return Roles(_intentions(expected.get("plan")), _intentions(got.get("plan")))


def _intentions(plan: Tree) -> Mapping[tuple[str, str], str] | None:
    if not isinstance(plan, dict):
        return None
    changes = as_objects(plan.get("resource_changes"))
    return {(str(each.get("address")), str(each.get("deposed", ""))): _intention(each) for each in changes}


def _intention(entry: JsonObject) -> str:
    change = as_object(entry.get("change"))
    actions = tuple(as_texts(change.get("actions")))
    role = _REPLACING.get(actions, "+".join(actions))
    role = _REASONS.get(str(entry.get("action_reason")), role)
    if entry.get("deposed"):
        return f"{role} deposed"
    if change.get("importing"):
        return f"import, {role}"
    return f"move, {role}" if entry.get("previous_address") else role


def resource_address(entry: Mapping[str, Tree]) -> str:
    """Return the address of a resource in a state."""
    mode = "data." if entry.get("mode") == "data" else ""
    module = f"{entry['module']}." if entry.get("module") else ""
    return f"{module}{mode}{entry.get('type', '')}.{entry.get('name', '')}"


def instance_address(resource: str, entry: Mapping[str, Tree]) -> str:
    """Return the address of an instance in a state, in the resource with the given address."""
    key = entry.get("index_key")
    return resource if key is None else f"{resource}[{dumps(key, escape_html=False)}]"
