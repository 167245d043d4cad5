"""Compares the observation of a step with its recording, or with another observation.

Everything a recording fixes must be equal, except: - the order of diagnostics and of most lists of a plan or state has
no meaning: they are compared as multisets or by key; - events must be the same ones, in any order that respects every
recorded pair; - the `detail` of diagnostics is compared separately, since it is prose: the same mistake in other words
is a smaller difference than another mistake; - fields the recording itself calls unstable are left out.

Two observations are compared more strictly: nothing is unstable, and the order in documents counts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from harness.observe.json_trees import as_items, as_number, as_object, as_objects, as_texts
from harness.observe.rules import RuleName
from harness.play.story_runner import END
from shared_nodes.values.json import JsonWriter, Tree, dumps, loads

__all__ = [
    "Difference",
    "DifferenceKind",
    "compare_observations",
    "compare_places",
    "compare_step",
    "compare_with_binary",
    "keyed",
    "unmet",
]

ANY: Final = "*"
"""Replaces any name in a shape."""

_ABSENT: Final = "(absent)"
_QUOTED: Final = re.compile(r'"[^"]*"')
_LONGEST_SHOWN: Final = 2000


class DifferenceKind(StrEnum):
    """How two outcomes differ."""

    VALUE = "value"
    TYPE = "type"
    """A number where there should be a text, one object where there should be a list, ..."""

    MISSING = "missing"
    SURPLUS = "surplus"
    ITEMS = "items"
    """A list in which some items are missing and others are surplus."""

    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two outcomes differ. `field` begins with a field of the observation and continues to the exact place;
    `shape` is the same without names and indices, so that one bug has one shape in every case."""

    field: str
    expected: str
    got: str
    is_detail: bool = False
    shape: str = ""
    kind: DifferenceKind = DifferenceKind.VALUE

    def __str__(self) -> str:
        return f"{self.field}: expected {self.expected}, got {self.got}"


_DOCUMENTS: Final = ("ok", "plan", "plan_summary", "apply_summary", "state", "story")
_SUMMARIES: Final = ("plan_summary", "apply_summary")
_PROVIDER_DATA: Final = "provider_data"
_UNRECORDED: Final = (_PROVIDER_DATA, "over_limit")
"""Fields that no recording has. Engines are compared in them."""
_EVENTS: Final = ("plan_events", "events")
_CALLS: Final = ("plan_calls", "calls")
_ACTIONS: Final = ("create", "update", "delete", "read")
_INVENTORY: Final = "inventory"
_FIRST_STEP: Final = re.compile(r"[.\[]")
_ORDER: Final = (
    *("ok", "diagnostics", "plan", "plan_summary", "plan_events", "plan_calls"),
    *("apply_summary", "events", "calls", "state", _PROVIDER_DATA, "inventory", "story", "over_limit"),
)
"""The order of the fields in a step. Differences are reported in it, since the first is often the cause of the
others."""


def compare_places(
    expected: Mapping[str, Mapping[str, Tree]],
    got: Mapping[str, Mapping[str, Tree]],
    compare: Callable[[Mapping[str, Tree], Mapping[str, Tree]], list[Difference]],
) -> list[tuple[str, Difference]]:
    """Return all differences, each with its place: places of `expected` in their order, then those that only `got` has.
    A place that one of them did not reach is a difference."""
    found: list[tuple[str, Difference]] = []
    for place in {**expected, **got}:
        if place in expected and place in got:
            found.extend((place, difference) for difference in compare(expected[place], got[place]))
        else:
            kind = DifferenceKind.MISSING if place in expected else DifferenceKind.SURPLUS
            wanted, actual = (_COMES if place in side else _NEVER_COMES for side in (expected, got))
            found.append((place, Difference(_WAY, wanted, actual, shape=_WAY, kind=kind)))
    return found


_WAY: Final = "way"
_COMES: Final = "the story comes here"
_NEVER_COMES: Final = "the story never comes here"


def unmet(observations: Mapping[str, Mapping[str, Tree]]) -> list[tuple[str, Difference]]:
    """Return a difference if the story did not end successfully."""
    story = as_object(observations.get(END, {}).get("story"))
    if "problem" not in story:
        return []
    shape = f"{END}.{story['ended_by']}"
    return [(END, Difference(END, "a story that succeeds", str(story["problem"]), shape=shape))]


def compare_step(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], applied: Counter[str] | None = None
) -> list[Difference]:
    """Return all differences of a step from its recording, one per field, in the order of the fields. A recording may
    leave out events where there were none. `applied` counts the rules without which something would have differed."""
    unstable = as_texts(expected.get("unstable"))
    got = _with_recorded_counts(expected, got)
    expected, got = (_without_schema_readers(side, applied) for side in (expected, got))
    _count_rules(expected, got, applied, unstable)
    found = _compare_diagnostics(expected, got)
    for name in _DOCUMENTS:
        if name not in unstable and expected.get(name, _ABSENT) != got.get(name, _ABSENT):
            wanted, actual = (keyed(side.get(name, _ABSENT)) for side in (expected, got))
            different = _first(_walk(wanted, actual, name))
            found.extend(different)
            if applied is not None and not different:
                applied[RuleName.UNORDERED_LISTS] += 1
    for name in _EVENTS:
        is_left_out = name not in expected and not got.get(name)
        if name not in unstable and not is_left_out:
            found.extend(_compare_events(name, expected.get(name), got.get(name)))
    if _INVENTORY in expected:
        found.extend(_compare_cloud(expected, got, unstable))
    return _in_order(found)


_SCHEMA_READER: Final = re.compile(
    r"^failed to read (?:provider configuration schema for|schema for .+? in) (\S+)(?=: failed to instantiate )"
)


def _without_schema_readers(observation: Mapping[str, Tree], applied: Counter[str] | None) -> Mapping[str, Tree]:
    """Leave out which part of a graph asked first for the schema of a provider that is missing."""
    diagnostics = as_objects(observation.get("diagnostics"))
    renamed: list[Tree] = [
        {**item, "summary": _SCHEMA_READER.sub(r"failed to read a schema of \1", str(item.get("summary", "")))}
        for item in diagnostics
    ]
    changed = sum(one != other for one, other in zip(renamed, diagnostics, strict=True))
    if not changed:
        return observation
    if applied is not None:
        applied[RuleName.SCHEMA_READERS] += changed
    return {**observation, "diagnostics": renamed}


def _with_recorded_counts(expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> Mapping[str, Tree]:
    """Return the observation with only those counts of its summaries that the recording has: older recordings of
    OpenTofu do not count what was forgotten."""
    summaries: dict[str, Tree] = {}
    for name in _SUMMARIES:
        wanted, actual = expected.get(name), got.get(name)
        if isinstance(wanted, dict) and isinstance(actual, dict) and not actual.keys() <= wanted.keys():
            summaries[name] = {key: count for key, count in actual.items() if key in wanted}
    return {**got, **summaries} if summaries else got


def compare_observations(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], applied: Counter[str] | None = None
) -> list[Difference]:
    """Return all differences of two observations of one step, one per field, in the order of the fields. Events are
    equal in any order: that a single run had one order does not mean that it had to."""
    _count_rules(expected, got, applied)
    found = _compare_diagnostics(expected, got)
    for name in (*_DOCUMENTS, *_UNRECORDED):
        found.extend(_compare_exactly(name, expected.get(name, _ABSENT), got.get(name, _ABSENT)))
    for name in _EVENTS:
        wanted = expected.get(name)
        unordered: Tree = None if wanted is None else {"items": wanted, "before": []}
        found.extend(_compare_events(name, unordered, got.get(name)))
    found.extend(_compare_cloud(expected, got))
    return _in_order(found)


def compare_with_binary(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], applied: Counter[str] | None = None
) -> list[Difference]:
    """Compare two observations of one step, at least one of them of a binary. A binary writes some lists in another
    order each time: they are compared like those of a recording, and what a recording calls unstable is left out.
    Versions of schemas are compared, other private data of providers is not."""
    events: dict[str, Tree] = {}
    for name in _EVENTS:
        items = expected.get(name)
        events[name] = None if items is None else {"items": items, "before": []}
    wanted, actual = (keyed(_without_private(side)) for side in (expected, got))
    versions = _first(_walk(wanted, actual, _PROVIDER_DATA))
    return _in_order([*compare_step({**expected, **events}, got, applied), *versions])


def _without_private(observation: Mapping[str, Tree]) -> Tree:
    data = observation.get(_PROVIDER_DATA)
    if not isinstance(data, dict):
        return None
    kept: list[Tree] = [
        {name: part for name, part in instance.items() if name != "private"}
        for instance in as_objects(data["instances"])
    ]
    return {"instances": kept}


def _count_rules(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], applied: Counter[str] | None, unstable: Sequence[str] = ()
) -> None:
    """Count the rules that disregard an order, or a field. An order counts wherever there is one to disregard: whether
    two runs happened to have the same would be another number each time where real processes take part."""
    if applied is None:
        return
    applied.update([RuleName.UNSTABLE_FIELDS] * len(unstable))
    if any(len(as_items(side.get("diagnostics"))) > 1 for side in (expected, got)):
        applied[RuleName.DIAGNOSTIC_ORDER] += 1
    for name in (*_EVENTS, *_CALLS):
        wanted, actual = _items(expected.get(name)), _items(got.get(name))
        if name not in unstable and any(isinstance(items, list) and len(items) > 1 for items in (wanted, actual)):
            applied[RuleName.EVENT_ORDER] += 1


def _items(events: Tree) -> Tree:
    return events.get("items") if isinstance(events, dict) else events


def _compare_cloud(
    expected: Mapping[str, Tree], got: Mapping[str, Tree], unstable: Sequence[str] = ()
) -> Iterable[Difference]:
    """Compare the simulated cloud and the calls to it. Most recordings were made without one."""
    for name in _CALLS:
        if name not in unstable:
            wanted, actual = expected.get(name), got.get(name)
            unordered: Tree = {"items": wanted["items"], "before": []} if isinstance(wanted, dict) else None
            yield from _compare_events(name, unordered, actual["items"] if isinstance(actual, dict) else None)
    if _INVENTORY not in unstable:
        yield from _compare_exactly(_INVENTORY, expected.get(_INVENTORY, _ABSENT), got.get(_INVENTORY, _ABSENT))


def _in_order(found: Iterable[Difference]) -> list[Difference]:
    return sorted(found, key=lambda difference: _ORDER.index(_FIRST_STEP.split(difference.field, maxsplit=1)[0]))


# Values


def _first(differences: Iterable[Difference]) -> list[Difference]:
    for difference in differences:
        return [difference]
    return []


def _compare_exactly(name: str, expected: Tree, got: Tree) -> list[Difference]:
    """Compare for equality first, which is fast and usual. A difference is reported by address, if possible, not by
    index."""
    if expected == got:
        return []
    return _first(_walk(keyed(expected), keyed(got), name)) or _first(_walk(expected, got, name))


def _walk(expected: Tree, got: Tree, path: str, shape: str = "", parent: str = "") -> Iterable[Difference]:
    """`parent` is the field that contains these members. It determines whether their keys are ours or the user's."""
    shape = shape or path
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in [*expected, *(key for key in got if key not in expected)]:
            part = ANY if parent in _NAMING else key
            below = _field_below(parent, key)
            pair = (expected.get(key, _ABSENT), got.get(key, _ABSENT))
            yield from _walk(*pair, f"{path}.{key}", f"{shape}.{part}", below)
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (left, right) in enumerate(zip(expected, got, strict=True)):
            yield from _walk(left, right, f"{path}[{index}]", f"{shape}[]", parent)
    elif expected.__class__ is not got.__class__ or expected != got:
        yield Difference(path, _shown(expected), _shown(got), shape=shape, kind=_kind(expected, got))


def _field_below(parent: str, key: str) -> str:
    """An entry of a keyed list has our fields; below an attribute of a resource everything is the user's."""
    if parent in _KEYS:
        return ""
    if parent in ("outputs", "output_changes"):
        return _OUTPUT
    if parent in (*_OPAQUE, _USERS) or (parent == _OUTPUT and key in _VALUES):
        return _USERS
    return key if key in (*_KEYS, *_OPAQUE) else ""


def _kind(expected: Tree, got: Tree) -> DifferenceKind:
    if expected == _ABSENT:
        return DifferenceKind.SURPLUS
    if got == _ABSENT:
        return DifferenceKind.MISSING
    return DifferenceKind.VALUE if expected.__class__ is got.__class__ else DifferenceKind.TYPE


def _shown(tree: Tree) -> str:
    text = tree if tree == _ABSENT else dumps(tree, escape_html=False)
    assert isinstance(text, str)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "resource_changes": ("address", "deposed"),
    "resource_drift": ("address", "deposed"),
    "relevant_attributes": ("resource", "attribute"),
    "checks": ("address",),
    "resources": ("module", "mode", "type", "name"),
    "instances": ("index_key", "deposed", "address"),
    "check_results": ("object_kind", "config_addr"),
    "objects": ("object_addr",),
}
"""Lists whose order has no meaning, with the keys that identify their items."""

_SORTED: Final = ("dependencies", "sensitive_attributes", "replace_paths")
_OPAQUE: Final = ("attributes", "before", "after", "after_unknown", "outputs", "output_changes")
"""Fields with values of the user: nothing in them is reordered."""

_OUTPUT: Final = "(an output)"
_USERS: Final = "(the user's)"
_VALUES: Final = ("before", "after", "after_unknown", "value", "type")
_NAMING: Final = frozenset({*_KEYS, "outputs", "output_changes", _USERS})
"""Fields whose members are named by the user or by their position, so that the names say nothing about a bug."""


def keyed(tree: Tree) -> Tree:
    """Return the tree with lists whose order has no meaning turned into objects, and others sorted."""
    if isinstance(tree, list):
        return [keyed(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    return {name: item if name in _OPAQUE else _keyed_field(name, item) for name, item in tree.items()}


def _keyed_field(name: str, item: Tree) -> Tree:
    if not isinstance(item, list):
        return keyed(item)
    if name in _SORTED:
        return sorted(item, key=dumps)
    if name not in _KEYS:
        return keyed(item)
    result: dict[str, Tree] = {}
    for position, part in enumerate(as_objects(item)):
        present = [part[key] for key in _KEYS[name] if key in part]
        key = " ".join(value if isinstance(value, str) else dumps(value) for value in present)
        result[key if key not in result else f"{key} (entry {position})"] = keyed(part)
    return result


# Diagnostics


def _compare_diagnostics(expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> list[Difference]:
    wanted, actual = (as_objects(side.get("diagnostics")) for side in (expected, got))
    without_detail = _multiset_difference(
        [_text_of(item, with_detail=False) for item in wanted], [_text_of(item, with_detail=False) for item in actual]
    )
    if without_detail is not None:
        return [without_detail.between("diagnostics", _diagnostic_shape)]
    whole = _multiset_difference(list(map(_text_of, wanted)), list(map(_text_of, actual)))
    return [] if whole is None else [replace(whole.between("diagnostics.detail", _diagnostic_shape), is_detail=True)]


def _text_of(diagnostic: Mapping[str, Tree], *, with_detail: bool = True) -> str:
    kept = {key: diagnostic[key] for key in sorted(diagnostic) if with_detail or key != "detail"}
    return dumps(kept, escape_html=False)


def _diagnostic_shape(text: str) -> str:
    """Return a diagnostic without what depends on the configuration: names, and the members of a cycle."""
    diagnostic = as_object(loads(text))
    summary = _QUOTED.sub(ANY, str(diagnostic.get("summary"))).partition(": ")[0]
    return f"{diagnostic.get('severity')}: {summary}"


@dataclass(frozen=True, slots=True)
class _Unequal:
    """The texts that only one of two multisets has."""

    missing: Counter[str]
    surplus: Counter[str]

    def between(self, field: str, describe: Callable[[str], str]) -> Difference:
        kind = (
            DifferenceKind.ITEMS
            if self.missing and self.surplus
            else DifferenceKind.MISSING
            if self.missing
            else DifferenceKind.SURPLUS
        )
        first = [describe(min(side)) for side in (self.missing, self.surplus) if side]
        shape = f"{field}[{' / '.join(dict.fromkeys(first))}]"
        return Difference(field, _listed(self.missing), _listed(self.surplus), shape=shape, kind=kind)


def _multiset_difference(expected: Sequence[str], got: Sequence[str]) -> _Unequal | None:
    """Return None if they are equal."""
    missing, surplus = Counter(expected) - Counter(got), Counter(got) - Counter(expected)
    return _Unequal(missing, surplus) if missing or surplus else None


def _listed(texts: Counter[str]) -> str:
    return ", ".join(sorted(texts.elements())) or "nothing more"


# Events


def _compare_events(name: str, expected: Tree, got: Tree) -> list[Difference]:
    if expected is None or got is None:
        kind = DifferenceKind.SURPLUS if expected is None else DifferenceKind.MISSING
        presence = Difference(name, _presence(expected), _presence(got), shape=name, kind=kind)
        return [] if expected is got else [presence]
    recorded = as_object(expected)
    text = JsonWriter(escape_html=False).text
    items = [text(item) for item in as_items(recorded["items"])]
    actual = [text(item) for item in as_items(got)]
    differing = _multiset_difference(items, actual)
    if differing is not None:
        return [differing.between(name, _event_shape)]
    return _order_violations(name, items, _predecessors(as_items(recorded["before"])), actual)


def _event_shape(text: str) -> str:
    """Return an event by its kind alone: `["apply_start", address, "create"]` is `apply_start create`, and a call
    `["plan", type, name]` is `plan`."""
    item = as_items(loads(text))
    return " ".join([str(item[0]), *(str(action) for action in item[2:3] if action in _ACTIONS)])


def _presence(events: Tree) -> str:
    return _ABSENT if events is None else "events"


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
