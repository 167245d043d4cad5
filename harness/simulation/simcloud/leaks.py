"""Compares what exists in the cloud with what a state contains.

Whatever an engine does, in the end the two must be equal: an object that no state contains costs money for ever, and an
object that exists only in a state cannot be used. The only exception are objects whose creation a fault kept from being
reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum

from harness.simulation.simcloud.objects import stored_type
from harness.simulation.simcloud.resource_types import RESOURCE_TYPES
from harness.simulation.simcloud.thing import THING_TYPE
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, State
from shared_nodes.values.json import Tree

__all__ = ["Leak", "LeakKind", "find_leaks"]


class LeakKind(StrEnum):
    """The kind of a discrepancy."""

    LEAKED = "leaked"
    """It exists, and no state contains it."""

    CREATED_TWICE = "created twice"
    """It exists, and no state contains it, but one contains an object of the same type and name: it was created again.
    """

    MISSING = "missing"
    """A state contains it, and it does not exist."""


@record(order=True)
class Leak:
    type_name: str
    identifier: str
    kind: LeakKind

    def __str__(self) -> str:
        return f"{self.type_name} {self.identifier} is {self.kind}"


def find_leaks(inventory: Iterable[Tree], state: State, excused: Collection[str] = ()) -> list[Leak]:
    """Return the discrepancies, sorted by type and id. `excused` are objects that no state can contain, as `type id`:
    those listed in the simulation's `lost`, and those that existed before the first run."""
    live = dict(_live_objects(inventory))
    known = set(_known_objects(state))
    names = {(type_name, live[type_name, identifier]) for type_name, identifier in known & live.keys()}
    found: list[Leak] = []
    for (type_name, identifier), name in live.items():
        if (type_name, identifier) not in known and f"{type_name} {identifier}" not in excused:
            twice = (type_name, name) in names
            found.append(Leak(type_name, identifier, LeakKind.CREATED_TWICE if twice else LeakKind.LEAKED))
    found += [Leak(*key, LeakKind.MISSING) for key in known - live.keys()]
    return sorted(found)


def _live_objects(inventory: Iterable[Tree]) -> Iterator[tuple[tuple[str, str], str]]:
    for item in inventory:
        assert isinstance(item, dict)
        content = item["object"] if "type" in item else item
        assert isinstance(content, dict)
        yield (str(item.get("type", THING_TYPE)), str(content["id"])), str(content.get("name"))


def _known_objects(state: State) -> Iterator[tuple[str, str]]:
    for address, instance in state.instances():
        type_name = address.resource.type
        if address.resource.mode is not ResourceMode.MANAGED:
            continue
        if type_name != THING_TYPE and type_name not in RESOURCE_TYPES:
            continue
        for known in (instance.current, *instance.deposed.values()):
            identifier = None if known is None else _identifier(known)
            if identifier is not None:
                yield type_name if type_name == THING_TYPE else stored_type(type_name), identifier


def _identifier(known: InstanceObject) -> str | None:
    attributes: Mapping[str, Tree] | None = known.stored if isinstance(known.stored, dict) else None
    if known.value is not None and not known.value.is_null:
        part = known.value.payload["id"]
        return part.payload if isinstance(part.payload, str) else None
    identifier = None if attributes is None else attributes.get("id")
    return identifier if isinstance(identifier, str) else None
