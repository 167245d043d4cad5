"""Compares documents of an observation, such as plans and states, and names each difference by its exact place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from harness.compare.difference import Difference, DifferenceKind
from harness.compare.roles import Roles, instance_address, resource_address
from harness.observe.json_trees import as_object, as_objects
from shared_nodes.values.json import Tree, dumps

__all__ = ["ABSENT", "compare_documents", "compare_exactly", "keyed"]

ABSENT: Final = "(absent)"
_ANY: Final = "*"
"""Replaces any name in a shape."""

_LONGEST_SHOWN: Final = 2000

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

_SORTED: Final = ("dependencies", "depends_on", "sensitive_attributes", "replace_paths")
_OPAQUE: Final = ("attributes", "before", "after", "after_unknown", "outputs", "output_changes")
"""Fields with values of the user: nothing in them is reordered."""

_OUTPUT: Final = "(an output)"
_USERS: Final = "(the user's)"
_VALUES: Final = ("before", "after", "after_unknown", "value", "type")
_NAMING: Final = frozenset({*_KEYS, "outputs", "output_changes", _USERS})
"""Fields whose members are named by the user or by their position, so that the names say nothing about a bug."""


def compare_documents(name: str, expected: Tree, got: Tree, roles: Roles) -> Iterable[Difference]:
    """Return every difference of two documents, in the order of the expected one. Lists whose order has no meaning are
    compared by the keys of their items."""
    return _walk(keyed(expected), keyed(got), _Place(name, name, "", roles))


def compare_exactly(name: str, expected: Tree, got: Tree, roles: Roles) -> list[Difference]:
    """Compare for equality first, which is fast and usual. Differences are reported by address, if possible, and
    otherwise by index: then they are in the order of a list alone."""
    if expected == got:
        return []
    by_address = list(compare_documents(name, expected, got, roles))
    return by_address or list(_walk(expected, got, _Place(name, name, "", roles)))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a walk through two documents is."""

    path: str
    shape: str
    parent: str
    """The field that contains these members. It determines whether their keys are ours or the user's."""

    roles: Roles
    address: str = ""
    deposed: str = ""

    @property
    def role(self) -> str:
        return self.roles.role_of(self.address, self.deposed) if self.address else ""

    def at_key(self, key: str, entry: Tree) -> _Place:
        """Return the place of a member. Below a name of the user's, all further names are the user's as well: they add
        nothing to the shape."""
        shape = self.shape if self._is_deep else f"{self.shape}.{_ANY if self.parent in _NAMING else key}"
        below = replace(self, path=f"{self.path}.{key}", shape=shape, parent=_field_below(self.parent, key))
        return _at_object(below, self.parent, as_object(entry))

    @property
    def _is_deep(self) -> bool:
        return self.parent == _USERS and self.shape.endswith(_ANY)

    def at_index(self, index: int) -> _Place:
        shape = self.shape if self.parent == _USERS else f"{self.shape}[]"
        return replace(self, path=f"{self.path}[{index}]", shape=shape)


def _at_object(place: _Place, parent: str, entry: Mapping[str, Tree]) -> _Place:
    """Return the place with the address of the object that the member of a list is about."""
    deposed = str(entry.get("deposed", ""))
    match parent:
        case "resource_changes" | "resource_drift":
            return replace(place, address=str(entry.get("address", "")), deposed=deposed)
        case "resources":
            return replace(place, address=resource_address(entry))
        case "instances" if place.address:
            return replace(place, address=instance_address(place.address, entry), deposed=deposed)
    return place


def _walk(expected: Tree, got: Tree, place: _Place) -> Iterable[Difference]:
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in [*expected, *(key for key in got if key not in expected)]:
            pair = (expected.get(key, ABSENT), got.get(key, ABSENT))
            if pair[0] != pair[1] or pair[0].__class__ is not pair[1].__class__:
                yield from _walk(*pair, place.at_key(key, pair[1] if pair[0] == ABSENT else pair[0]))
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
    if expected == ABSENT:
        return DifferenceKind.SURPLUS
    if got == ABSENT:
        return DifferenceKind.MISSING
    return DifferenceKind.VALUE if expected.__class__ is got.__class__ else DifferenceKind.TYPE


def _shown(tree: Tree) -> str:
    text = tree if tree == ABSENT else dumps(tree, escape_html=False)
    assert isinstance(text, str)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


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
