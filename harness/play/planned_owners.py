"""Finds the addresses of objects that a binary has its providers make, which it does not tell them.

Some simulated providers draw ids and values by the address of an object, so that they do not depend on the order of
calls. The plan that the binary has shown says what it will make at which address: the change that agrees best with a
call belongs to it, and no other call does. Objects that are planned alike in everything cannot be distinguished: they
get the addresses of each other as they happen to come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from harness.observe.json_trees import as_items, as_object, as_objects
from shared_nodes.record import record
from shared_nodes.values.json import Tree, value_to_json
from shared_nodes.values.value import Value

__all__ = ["PlannedOwners"]

_MAKING: Final = ("create", "update")


@record
class _Planned:
    address: str
    type_name: str
    known: Mapping[str, Tree]
    """The attributes that are wholly known."""

    def agreement(self, attributes: Mapping[str, Tree]) -> int:
        """Return how many attributes agree; -1 if one does not."""
        if any(name not in attributes or attributes[name] != value for name, value in self.known.items()):
            return -1
        return len(self.known)


@record(frozen=False)
class PlannedOwners:
    """The changes of one plan that have not been made yet."""

    _waiting: list[_Planned] = field(default_factory=list)

    def learn(self, plan: Mapping[str, Tree]) -> None:
        """Take the changes from a plan in its published form."""
        self._waiting = []
        for found in as_objects(plan.get("resource_changes")):
            change = as_object(found.get("change"))
            after = change.get("after")
            if found.get("mode") == "managed" and isinstance(after, dict) and _is_made(change):
                unknown = as_object(change.get("after_unknown"))
                known = {name: value for name, value in after.items() if not unknown.get(name)}
                self._waiting.append(_Planned(str(found.get("address")), str(found.get("type")), known))

    def owner_of(self, type_name: str, planned: Value) -> str:
        """Return the address of the object that is made now; empty if no planned change agrees with it."""
        if planned.is_null or not planned.is_known:
            return ""
        attributes = {name: value_to_json(part) for name, part in planned.payload.items() if part.is_wholly_known}
        ranked = [(one.agreement(attributes), one) for one in self._waiting if one.type_name == type_name]
        best = max((count for count, _ in ranked), default=-1)
        if best < 0:
            return ""
        owner = next(one for count, one in ranked if count == best)
        self._waiting.remove(owner)
        return owner.address


def _is_made(change: Mapping[str, Tree]) -> bool:
    return any(action in _MAKING for action in as_items(change.get("actions")))
