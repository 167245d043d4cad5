"""Compares documents of an observation, such as plans and states, and names each difference by its exact place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Final

from harness.compare.difference import Difference, DifferenceKind
from harness.compare.roles import Roles, instance_address, resource_address
from harness.observe.document_layout import Layout, Part, layout_of
from harness.observe.json_trees import JsonObject, as_object, as_objects
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps

__all__ = ["ABSENT", "compare_documents", "compare_exactly", "keyed"]

ABSENT: Final = "(absent)"
_ANY: Final = "*"
"""Replaces any name in a shape."""

_LONGEST_SHOWN: Final = 2000


class _Nothing(Enum):
    """What one side has where only the other has something. No value of a user is mistaken for it."""

    NOTHING = "(absent)"


_NOTHING: Final = _Nothing.NOTHING
_Side = Tree | _Nothing


def compare_documents(name: str, expected: Tree, got: Tree, roles: Roles) -> Iterable[Difference]:
    """Return every difference of two documents, in the order of the expected one. Lists whose order has no meaning are
    compared by the keys of their items. `name` is the field of an observation; where one has none, it is `ABSENT`."""
    layout = layout_of(name)
    return _walk(_side(keyed(expected, layout)), _side(keyed(got, layout)), _Place(name, name, layout, roles))


def _side(document: Tree) -> _Side:
    return _NOTHING if document == ABSENT else document


def compare_exactly(name: str, expected: Tree, got: Tree, roles: Roles) -> list[Difference]:
    """Compare for equality first, which is fast and usual. Differences are reported by address, if possible, and
    otherwise by index: then they are in the order of a list alone."""
    if expected == got:
        return []
    by_address = list(compare_documents(name, expected, got, roles))
    return by_address or list(_walk(expected, got, _Place(name, name, layout_of(name), roles)))


@record
class _Place:
    """Where a walk through two documents is."""

    path: str
    shape: str
    layout: Layout
    """Determines whether the names of members are ours or the user's."""

    roles: Roles
    address: str = ""
    deposed: str = ""

    @property
    def role(self) -> str:
        return self.roles.role_of(self.address, self.deposed) if self.address else ""

    def at_key(self, key: str, entry: Tree) -> _Place:
        """Return the place of a member. Below a name of the user's, all further names are the user's as well: they add
        nothing to the shape."""
        is_deep = self._is_inside_value and self.shape.endswith(_ANY)
        shape = self.shape if is_deep else f"{self.shape}.{_ANY if self.layout.names_vary else key}"
        place = replace(self, path=f"{self.path}.{key}", shape=shape, layout=self.layout.at(key))
        return _at_object(place, as_object(entry))

    def at_index(self, index: int) -> _Place:
        shape = self.shape if self._is_inside_value else f"{self.shape}[]"
        return replace(self, path=f"{self.path}[{index}]", shape=shape, layout=self.layout.item)

    @property
    def _is_inside_value(self) -> bool:
        return self.layout.is_value and self.layout.names_vary


def _at_object(place: _Place, entry: Mapping[str, Tree]) -> _Place:
    """Return the place with the address of the object that is described there."""
    deposed = str(entry.get("deposed", ""))
    match place.layout.part:
        case Part.CHANGED_OBJECT:
            return replace(place, address=str(entry.get("address", "")), deposed=deposed)
        case Part.RESOURCE:
            return replace(place, address=resource_address(entry))
        case Part.INSTANCE if place.address:
            return replace(place, address=instance_address(place.address, entry), deposed=deposed)
    return place


def _walk(expected: _Side, got: _Side, place: _Place) -> Iterable[Difference]:
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in [*expected, *(key for key in got if key not in expected)]:
            pair = (expected.get(key, _NOTHING), got.get(key, _NOTHING))
            if pair[0] != pair[1] or pair[0].__class__ is not pair[1].__class__:
                yield from _walk(*pair, place.at_key(key, expected[key] if key in expected else got[key]))
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (left, right) in enumerate(zip(expected, got, strict=True)):
            yield from _walk(left, right, place.at_index(index))
    elif expected.__class__ is not got.__class__ or expected != got:
        yield Difference(
            place.path,
            _shown(expected),
            _shown(got),
            shape=place.shape,
            kind=_kind(expected, got),
            role=place.role,
            objects=(place.address,) if place.address else (),
        )


def _kind(expected: _Side, got: _Side) -> DifferenceKind:
    if expected is _NOTHING:
        return DifferenceKind.SURPLUS
    if got is _NOTHING:
        return DifferenceKind.MISSING
    return DifferenceKind.VALUE if expected.__class__ is got.__class__ else DifferenceKind.TYPE


def _shown(side: _Side) -> str:
    if isinstance(side, _Nothing):
        return ABSENT
    text = dumps(side, escape_html=False)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


def keyed(tree: Tree, layout: Layout) -> Tree:
    """Return the tree with lists whose order has no meaning turned into objects, and others sorted. `layout` says
    which these are."""
    if layout.is_value:
        return tree
    if isinstance(tree, dict):
        return {name: keyed(member, layout.at(name)) for name, member in tree.items()}
    if not isinstance(tree, list):
        return tree
    if layout.is_sorted:
        return sorted(tree, key=dumps)
    if layout.keys and all(isinstance(item, dict) for item in tree):
        return _by_keys(as_objects(tree), layout)
    return [keyed(item, layout.item) for item in tree]


def _by_keys(items: Iterable[JsonObject], layout: Layout) -> Tree:
    result: dict[str, Tree] = {}
    for position, item in enumerate(items):
        present = [item[key] for key in layout.keys if key in item]
        key = " ".join(value if isinstance(value, str) else dumps(value) for value in present)
        result[key if key not in result else f"{key} (entry {position})"] = keyed(item, layout.item)
    return result
