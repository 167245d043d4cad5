"""Compares the events and provider calls of a step: the same ones, in any order that respects every recorded pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from harness.compare.diagnostics import NOTHING_MORE
from harness.compare.difference import Difference, DifferenceKind
from harness.compare.documents import ABSENT
from harness.compare.roles import Roles
from harness.observe.json_trees import as_items, as_number, as_object
from shared_nodes.values.json import JsonWriter, Tree, loads

__all__ = ["compare_events", "without_order"]

_ACTIONS: Final = ("create", "update", "delete", "read")


def without_order(events: Tree) -> Tree:
    """Return events in the form of a recording, with no order among them: that a single run had one order does not mean
    that it had to."""
    return None if events is None else {"items": events, "before": []}


def compare_events(name: str, expected: Tree, got: Tree, roles: Roles) -> list[Difference]:
    """Compare recorded events with those of a run. There is one difference for each kind of event that is missing or
    surplus, or else one for the first violation of the recorded order."""
    if expected is None or got is None:
        kind = DifferenceKind.SURPLUS if expected is None else DifferenceKind.MISSING
        presence = Difference(name, _presence(expected), _presence(got), shape=name, kind=kind)
        return [] if expected is got else [presence]
    recorded = as_object(expected)
    text = JsonWriter(escape_html=False).text
    items = [text(item) for item in as_items(recorded["items"])]
    actual = [text(item) for item in as_items(got)]
    wanted, found = Counter(items), Counter(actual)
    if wanted != found:
        missing, surplus = (wanted - found).elements(), (found - wanted).elements()
        return [
            *_listed(name, missing, roles, DifferenceKind.MISSING),
            *_listed(name, surplus, roles, DifferenceKind.SURPLUS),
        ]
    return _order_violations(name, items, _predecessors(as_items(recorded["before"])), actual)


def _listed(name: str, events: Iterable[str], roles: Roles, kind: DifferenceKind) -> list[Difference]:
    """Return one difference for each kind of event and role of its object, with all such events in it."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for event in sorted(events):
        address = _address(event)
        groups[_event_shape(event), roles.role_of(address) if address else ""].append(event)
    found = []
    for (shape, role), alike in groups.items():
        texts = (", ".join(alike), NOTHING_MORE)
        pair = texts if kind is DifferenceKind.MISSING else texts[::-1]
        objects = tuple(dict.fromkeys(filter(None, map(_address, alike))))
        found.append(Difference(name, *pair, shape=f"{name}[{shape}]", kind=kind, role=role, objects=objects))
    return found


def _address(text: str) -> str:
    """Return the address of the object of an event. Provider calls name a type, not an address: for them it is
    empty."""
    item = as_items(loads(text))
    address = item[1] if len(item) > 1 else None
    return address if isinstance(address, str) and "." in address else ""


def _event_shape(text: str) -> str:
    """Return an event by its kind alone: `["apply_start", address, "create"]` is `apply_start create`, and a call
    `["plan", type, name]` is `plan`."""
    item = as_items(loads(text))
    return " ".join([str(item[0]), *(str(action) for action in item[2:3] if action in _ACTIONS)])


def _presence(events: Tree) -> str:
    return ABSENT if events is None else "events"


def _predecessors(pairs: Iterable[Tree]) -> dict[int, list[int]]:
    result: dict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        first, second = (as_number(index) for index in as_items(pair))
        result[second].append(first)
    return result


def _order_violations(
    name: str, items: Sequence[str], predecessors: Mapping[int, Sequence[int]], actual: Sequence[str]
) -> list[Difference]:
    """Assign each event to a position of the recorded order whose predecessors have all been assigned. Of several equal
    events the first free position is taken: they differ in nothing but their position."""
    places: dict[str, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        places[item].append(index)
    taken: set[int] = set()
    for event in actual:
        free = [index for index in places[event] if index not in taken]
        ready = next((index for index in free if taken.issuperset(predecessors.get(index, ()))), None)
        if ready is None:
            missing = next(first for first in predecessors[free[0]] if first not in taken)
            shape = f"{name}.order[{_event_shape(items[missing])} before {_event_shape(event)}]"
            wanted = f"{items[missing]} before {event}"
            return [Difference(f"{name}.order", wanted, "the other way round", shape=shape, kind=DifferenceKind.ORDER)]
        taken.add(ready)
    return []
