"""The order of effects that a recording proves by its events: which effect always comes before which.

The pairs of events that a recording lists were seen in every run and are forced by the dependency graph of that very
plan. An effect begins with `apply_start` and ends with `apply_complete` or `apply_errored`. One effect comes before
another if its end comes before the beginning of the other. The result has the form of an engine's own order
(`observation.py`), so that the two can be compared, with a mark: it lacks effects that the graph has and that did not
happen, because something failed before or there was nothing to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Final

from harness.observe.json_trees import JsonObject, as_items, as_number, as_object, as_objects
from shared_nodes.plan.order import NEW
from shared_nodes.record import record
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["HAPPENED", "order_of_events"]

HAPPENED: Final = "happened"
"""The mark of an order that has only effects that happened."""

_START: Final = "apply_start"
_ENDS: Final = ("apply_complete", "apply_errored")
_DELETE: Final = "delete"
_CREATE_FIRST: Final = ["create", "delete"]

_Effect = tuple[str, ...]
"""`(address, verb)`, and a deposed key where there is one."""


@record(frozen=False)
class _Span:
    """The events of one effect, by index. Two objects of one address may be deleted as one effect, where nothing says
    which of them is which; it then ends with the last of them."""

    starts: set[int] = field(default_factory=set)
    ends: set[int] = field(default_factory=set)

    @property
    def last(self) -> set[int]:
        """The end. An engine may lose it; the start stands for it then, since a graph orders whole operations."""
        return self.ends or self.starts


def order_of_events(events: Tree, plan: Tree = None) -> JsonObject:
    """Return the order of the effects in recorded `events` ({"items", "before"}): {"effects", "before", "happened"},
    with the pairs that no others imply. The plan says which of two objects of one address a deletion is about."""
    recorded = as_object(events)
    spans = _spans(as_items(recorded.get("items")), as_object(plan))
    effects = sorted(spans)
    later = _closure([(as_number(first), as_number(second)) for first, second in _pairs(recorded.get("before"))])
    after = {
        first: {
            second
            for second in effects
            if first != second and all(spans[second].starts <= later.get(end, set()) for end in spans[first].last)
        }
        for first in effects
    }
    places = {effect: place for place, effect in enumerate(effects)}
    before: list[Tree] = [
        [JsonNumber(str(places[first])), JsonNumber(str(places[second]))]
        for second in effects
        for first in effects
        if second in after[first] and not any(second in after[between] for between in after[first])
    ]
    return {"effects": [[*effect] for effect in effects], "before": before, HAPPENED: True}


def _spans(items: Iterable[Tree], plan: Mapping[str, Tree]) -> dict[_Effect, _Span]:
    changes = as_objects(plan.get("resource_changes"))
    spans: dict[_Effect, _Span] = {}
    for index, item in enumerate(items):
        kind, address, verb, *extra = (part if isinstance(part, str) else "" for part in as_items(item))
        if kind != _START and kind not in _ENDS:
            continue
        key = _deposed_key(changes, address, "".join(extra)) if verb == _DELETE else ""
        span = spans.setdefault((address, verb, key) if key else (address, verb), _Span())
        (span.starts if kind == _START else span.ends).add(index)
    return spans


def _deposed_key(changes: Iterable[Mapping[str, Tree]], address: str, identifier: str) -> str:
    """Return the key of the deposed object that is deleted; empty if it is the current one. Events name its id alone,
    so the plan decides: it lists each deposed object, and an object that is replaced by creating first is deposed by
    the apply itself."""
    for change in changes:
        if change.get("address") != address:
            continue
        planned = as_object(change.get("change"))
        if as_object(planned.get("before")).get("id") != identifier:
            continue
        if isinstance(key := change.get("deposed"), str):
            return key
        if planned.get("actions") == _CREATE_FIRST:
            return NEW
    return ""


def _pairs(before: Tree) -> list[tuple[Tree, Tree]]:
    return [(pair[0], pair[1]) for pair in map(as_items, as_items(before)) if len(pair) == 2]


def _closure(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Return everything that comes after each event. Not recursive, since a chain may be long."""
    direct: dict[int, set[int]] = {}
    for first, second in pairs:
        direct.setdefault(first, set()).add(second)
    later: dict[int, set[int]] = {}
    for event, nearest in direct.items():
        found: set[int] = set()
        pending = [*nearest]
        while pending:
            if (reached := pending.pop()) not in found:
                found.add(reached)
                pending.extend(direct.get(reached, ()))
        later[event] = found
    return later
