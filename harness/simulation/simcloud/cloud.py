"""The cloud: the things that exist in it, and its own rules.

It outlives every command of a case, so it can be written to JSON and read again. In addition to the things it stores
how often each name was created: identifiers are `<name>-<n>`, independent of who creates in which order, and never
reused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from harness.simulation.simcloud.objects import ObjectStore
from harness.simulation.simcloud.refusal import CloudRefusal
from harness.simulation.simcloud.thing import THING, known_text, thing_from_json, with_attributes
from shared_nodes.providers.schema import implied_type
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.json import JsonError, JsonNumber, Tree, value_to_json
from shared_nodes.values.stored import stored
from shared_nodes.values.value import Value, integer, string

__all__ = ["Cloud", "CloudRefusal", "cloud_from_json"]

_CASCADING: Final = "cascade-"


@record(frozen=False)
class Cloud:
    things: dict[str, Value] = field(default_factory=dict)
    """Live things by id; all of them known, complete and unmarked."""

    created: Counter[str] = field(default_factory=Counter)
    """How often each name was created."""

    objects: ObjectStore = field(default_factory=ObjectStore)
    """Everything else: the objects of simcloud's own types."""

    # Requests of providers

    def find(self, identifier: str | None) -> Value | None:
        return None if identifier is None else self.things.get(identifier)

    def create(self, wanted: Value, identifier: str | None = None) -> Value:
        """Create a thing. One made before any provider call (with an `identifier`) is counted like every other."""
        self._check_unique(wanted)
        name = known_text(wanted, "name") or ""
        self.created[name] += 1
        identifier = identifier or f"{name}-{self.created[name]}"
        attributes = {"id": string(identifier), "version": integer(1)}
        if known_text(wanted, "auto") is None:
            attributes["auto"] = string(f"auto-{name}")
        return self._store(with_attributes(wanted, attributes))

    def update(self, planned: Value) -> Value:
        """Replace the live thing by the planned one; only the version is counted by the cloud."""
        identifier = known_text(planned, "id")
        live = self.find(identifier)
        if live is None:
            raise CloudRefusal("Update refused", f'There is no thing "{identifier}".')
        version = numbers.to_int(live.payload["version"].payload)
        return self._store(with_attributes(planned, {"version": integer(version + 1)}))

    def delete(self, identifier: str | None) -> None:
        """Delete a thing. A thing with children cannot be deleted, unless its name says that its children are deleted
        with it."""
        live = self.find(identifier)
        if identifier is None or live is None:
            return
        children = self._children(identifier)
        if children and not (known_text(live, "name") or "").startswith(_CASCADING):
            raise CloudRefusal("Delete refused", f'Thing "{identifier}" is the parent of "{children[0]}".')
        self._remove_with_children(identifier)

    # Changes made outside of every provider

    def drift(self, name: str, attributes: Mapping[str, Tree]) -> None:
        for identifier in self._identifiers_of(name):
            self._store(thing_from_json(attributes, self.things.pop(identifier)))

    def vanish(self, name: str) -> None:
        for identifier in self._identifiers_of(name):
            del self.things[identifier]

    # Implementation

    def _store(self, thing: Value) -> Value:
        """Store a thing as it comes back over the wire: with the reduced precision of numbers, which an engine can
        observe."""
        transmitted = stored(thing)
        self.things[known_text(thing, "id") or ""] = transmitted
        return transmitted

    def _identifiers_of(self, name: str) -> list[str]:
        return [identifier for identifier, thing in self.things.items() if known_text(thing, "name") == name]

    def _children(self, identifier: str) -> list[str]:
        return sorted(child for child, thing in self.things.items() if known_text(thing, "parent") == identifier)

    def _remove_with_children(self, identifier: str) -> None:
        """Remove a thing and its descendants. Things may be their own ancestors, so what is already gone is skipped."""
        if self.things.pop(identifier, None) is not None:
            for child in self._children(identifier):
                self._remove_with_children(child)

    def _check_unique(self, wanted: Value) -> None:
        unique = known_text(wanted, "unique")
        if unique is None:
            return
        for identifier in sorted(self.things):
            if known_text(self.things[identifier], "unique") == unique:
                detail = f'The unique value "{unique}" is taken by thing "{identifier}".'
                raise CloudRefusal("Create refused", detail)

    # Between commands

    def inventory(self) -> list[Tree]:
        """Return all live things, complete, by id; then the objects of all other types, which include their type."""
        things = [value_to_json(self.things[identifier], implied_type(THING)) for identifier in sorted(self.things)]
        return [*things, *self.objects.inventory()]

    def copy(self) -> Cloud:
        """Return a cloud with the same content that changes on its own. What is in it never changes."""
        objects = ObjectStore(dict(self.objects.objects), Counter(self.objects.created))
        return Cloud(dict(self.things), Counter(self.created), objects)

    def to_json(self) -> dict[str, Tree]:
        counts: dict[str, Tree] = {name: JsonNumber(str(self.created[name])) for name in sorted(self.created)}
        tree: dict[str, Tree] = {"inventory": self.inventory(), "created": counts}
        return tree | ({"created_objects": self.objects.counts()} if self.objects.created else {})


def cloud_from_json(tree: Mapping[str, Tree]) -> Cloud:
    """Read a cloud. An inventory alone is enough: how often each name was created then follows from its identifiers, as
    far as they look like identifiers of this cloud. Raises JsonError for invalid input."""
    cloud = Cloud()
    inventory, created = tree.get("inventory"), tree.get("created", {})
    if not isinstance(inventory, list) or not all(isinstance(item, dict) for item in inventory):
        raise JsonError("a cloud needs an inventory, a list of things")
    items = [item for item in inventory if isinstance(item, dict)]
    for item in items:
        if "type" in item:
            continue
        thing = thing_from_json(item)
        identifier = known_text(thing, "id")
        if identifier is None:
            raise JsonError("a thing in the inventory has no id")
        cloud.things[identifier] = stored(thing)
        _count(cloud.created, identifier)
    cloud.objects.read((item for item in items if "type" in item), tree.get("created_objects", []))
    if not isinstance(created, dict):
        raise JsonError("created: must tell a number for each name")
    for name, count in created.items():
        if not isinstance(count, JsonNumber) or not count.text.isdigit():
            raise JsonError(f"created: {name}: must be a whole number")
        cloud.created[name] = max(cloud.created[name], int(count.text))
    return cloud


def _count(created: Counter[str], identifier: str) -> None:
    name, _, number = identifier.rpartition("-")
    if number.isdigit():
        created[name] = max(created[name], int(number))
