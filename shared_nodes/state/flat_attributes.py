"""Attributes of states before version 4 as values: texts by dotted name, read by the type that the schema has now.

Terraform reads them only to show an object that no provider has upgraded yet, and its mistakes are kept: an attribute
without a text is null, elements are counted by the text `NAME.#` and those beyond the count ignored, but of a set and a
map all elements are read, whatever the count says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from shared_nodes.pattern import pattern
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.json import JsonError
from shared_nodes.values.sets import set_of
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, ListType, MapType, ObjectType, SetType, TupleType, Type
from shared_nodes.values.value import Value, list_of, map_of, null, object_of, string, tuple_of

__all__ = ["value_from_flat"]

_UNKNOWN: Final = "74D93920-ED26-11E3-AC10-0800200C9A66"
"""The text that stood for an unknown value. It is shown as null."""

_COUNT: Final = pattern(r"\+?0*([0-9]{1,6})")
"""A number of elements. Terraform crashes for one below zero, and for one that its memory cannot hold."""


def value_from_flat(texts: Mapping[str, str], ty: ObjectType) -> Value:
    """Return the object. Raises JsonError if a text does not fit its type."""
    return _object(texts, "", ty)


def _object(texts: Mapping[str, str], prefix: str, ty: ObjectType) -> Value:
    return object_of({name: _part(texts, f"{prefix}{name}", part) for name, part in ty.attributes.items()})


def _part(texts: Mapping[str, str], name: str, ty: Type) -> Value:
    """Return the part of this name. Everything below it has a name that continues with a dot."""
    below = f"{name}."
    if ty is DYNAMIC:
        raise JsonError("cannot decode dynamic from flatmap")
    match ty:
        case ObjectType():
            return _object(texts, below, ty)
        case TupleType():
            return tuple_of(_part(texts, f"{below}{position}", part) for position, part in enumerate(ty.elements))
        case ListType():
            return _list(texts, below, ty)
        case SetType():
            elements = (_part(texts, f"{below}{key}", ty.element) for key in _keys(texts, below, "#", ty.element))
            return null(ty) if _is_absent(texts, f"{below}#") else set_of(ty.element, elements)
        case MapType():
            keys = _keys(texts, below, "%", ty.element)
            found = {key: _part(texts, f"{below}{key}", ty.element) for key in keys}
            return null(ty) if _is_absent(texts, f"{below}%") else map_of(ty.element, found)
    return _scalar(texts, name, ty)


def _is_absent(texts: Mapping[str, str], name: str) -> bool:
    return texts.get(name, _UNKNOWN) == _UNKNOWN


def _keys(texts: Mapping[str, str], prefix: str, count: str, element: Type) -> Iterable[str]:
    """Return the keys of the elements: all that follows the prefix, or its first part where elements have parts."""
    names = [name.removeprefix(prefix) for name in texts if name.startswith(prefix)]
    has_parts = isinstance(element, ObjectType | TupleType | ListType | SetType | MapType)
    return sorted({name.partition(".")[0] if has_parts else name for name in names if name != count})


def _list(texts: Mapping[str, str], prefix: str, ty: ListType) -> Value:
    if _is_absent(texts, f"{prefix}#"):
        return null(ty)
    count = texts[f"{prefix}#"]
    match = _COUNT.fullmatch(count)
    if match is None:
        problem = f"strconv.Atoi: parsing {quoted(count)}: invalid syntax"
        raise JsonError(f"invalid count value for {quoted(prefix)} in state: {problem}")
    return list_of(ty.element, (_part(texts, f"{prefix}{position}", ty.element) for position in range(int(match[1]))))


def _scalar(texts: Mapping[str, str], name: str, ty: Type) -> Value:
    if _is_absent(texts, name):
        return null(ty)
    try:
        return convert(string(texts[name]), ty)
    except ConversionError as problem:
        raise JsonError(f"invalid value for {quoted(name)} in state: {problem}") from problem
