"""Stored objects: the JSON files in which tfcoremock keeps what exists, which people can read and edit.

A value is written with its kind: `{"string": "a"}`, `{"list": [{"number": "1"}]}`. Numbers are texts. Null attributes
are omitted, and an omitted attribute is read as null. A null inside a list cannot be distinguished from an empty value
there; this quirk is kept, since the format has no other representation.
"""

from __future__ import annotations

import os
from typing import Final

from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.json import JsonError, Tree, dumps, loads
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, ObjectType, SetType, Type
from shared_nodes.values.value import Value, boolean, list_of, map_of, null, number, object_of, string
from shared_nodes.world import Files

__all__ = ["Objects", "object_from_tree", "tree_from_object", "value_from_tree"]

_VALUES: Final = "values"
_ENCODING: Final = "utf-8"


# Values


def tree_from_object(value: Value) -> dict[str, Tree]:
    """Encode an object. Unknown attributes are omitted, like null ones."""
    present = {name: part for name, part in value.payload.items() if part.is_known and not part.is_null}
    return {name: _tree(present[name]) for name in sorted(present)}


def _tree(value: Value) -> Tree:
    ty, payload = value.type, value.payload
    absent = value.is_null or not value.is_known
    if isinstance(ty, ListType | SetType):
        elements: list[Tree] = [] if absent else [_tree(element) for element in payload]
        return {"list" if isinstance(ty, ListType) else "set": elements}
    if isinstance(ty, MapType):
        return {"map": {} if absent else {key: _tree(element) for key, element in payload.items()}}
    if isinstance(ty, ObjectType):
        return {"object": {} if absent else tree_from_object(value)}
    if absent:
        return {}
    if ty is NUMBER:
        return {"number": numbers.short_text(value.payload)}
    return {"boolean" if ty is BOOL else "string": payload}


def object_from_tree(tree: Tree, ty: ObjectType) -> Value:
    """Decode an object. Names that the type does not have are ignored, because files outlive the types they were
    written for."""
    if not isinstance(tree, dict):
        raise JsonError("an object is required")
    parts = {name: value_from_tree(tree.get(name, {}), wanted) for name, wanted in ty.attributes.items()}
    return object_of(parts)


def value_from_tree(tree: Tree, ty: Type) -> Value:
    """Decode a value. Only the entry for the type's kind counts."""
    if not isinstance(tree, dict):
        raise JsonError('a value is an object such as {"string": "a"}')
    if isinstance(ty, ObjectType):
        return null(ty) if tree.get("object") is None else object_from_tree(tree["object"], ty)
    if isinstance(ty, MapType):
        found = tree.get("map")
        if found is None:
            return null(ty)
        if not isinstance(found, dict):
            raise JsonError("a map is an object of values")
        return map_of(ty.element, {key: value_from_tree(part, ty.element) for key, part in found.items()})
    if isinstance(ty, ListType | SetType):
        return _sequence_from_tree(tree, ty)
    return _scalar_from_tree(tree, ty)


def _sequence_from_tree(tree: dict[str, Tree], ty: ListType | SetType) -> Value:
    kind = "list" if isinstance(ty, ListType) else "set"
    found = tree.get(kind)
    if found is None:
        return null(ty)
    if not isinstance(found, list):
        raise JsonError(f"a {kind} is an array of values")
    elements = [value_from_tree(part, ty.element) for part in found]
    return list_of(ty.element, elements) if isinstance(ty, ListType) else set_of(ty.element, elements)


def _scalar_from_tree(tree: dict[str, Tree], ty: Type) -> Value:
    kind = "boolean" if ty is BOOL else "number" if ty is NUMBER else "string"
    found = tree.get(kind)
    if found is None:
        return null(ty)
    if ty is BOOL and isinstance(found, bool):
        return boolean(found)
    if ty is STRING and isinstance(found, str):
        return string(found)
    parsed = numbers.parse(found) if ty is NUMBER and isinstance(found, str) else None
    if parsed is None:
        raise JsonError("a number is the text of a number" if ty is NUMBER else f"a {kind} is required")
    return number(parsed)


# Files


@record
class Objects:
    """The stored objects. Failures raise OSError, or JsonError for files with invalid content."""

    files: Files
    resource_directory: str = "terraform.resource"
    data_directory: str = "terraform.data"
    removes_empty_directory: bool = True

    def place(self, identifier: str) -> str:
        return os.path.join(self.resource_directory, f"{identifier}.json")

    def data_place(self, identifier: str) -> str:
        return os.path.join(self.data_directory, f"{identifier}.json")

    def read(self, place: str, ty: ObjectType) -> Value:
        content = self.files.read_bytes(place)
        try:
            tree = loads(content.decode(_ENCODING))
        except UnicodeDecodeError as problem:
            raise JsonError(f"{place} is not text in {_ENCODING}") from problem
        if not isinstance(tree, dict):
            raise JsonError(f"{place} must be an object with the key {_VALUES}")
        return object_from_tree(tree.get(_VALUES, {}), ty)

    def create(self, place: str, value: Value) -> None:
        """Store a new object. Raises FileExistsError if there already is one, since it belongs to another resource."""
        located = self.files.locate(place)
        os.makedirs(self.files.locate(self.resource_directory), mode=0o700, exist_ok=True)
        with located.open("x", encoding=_ENCODING) as file:
            file.write(_text(value))

    def update(self, place: str, value: Value) -> None:
        located = self.files.locate(place)
        os.stat(located)
        located.write_text(_text(value), encoding=_ENCODING)

    def delete(self, place: str) -> None:
        os.remove(self.files.locate(place))
        directory = self.files.locate(self.resource_directory)
        if self.removes_empty_directory and not os.listdir(directory):
            os.rmdir(directory)


def _text(value: Value) -> str:
    return dumps({_VALUES: tree_from_object(value)}, indent=2)
