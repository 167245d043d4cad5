"""Values in a saved plan. Unlike published JSON, they can be read back unchanged, including unknown values and marks.

    null, true, "text"          themselves          ["list", [...]]         list, set or tuple
    12, 1.5                     a whole number, a fraction that a float holds exactly
    ["number", "0.1"]           any other number    ["map", {...}]          map or object
    ["unknown", {...}]          with its refinement ["marked", [...], V]    with the names of its marks
    ["typed", T, V]             where the type is not known from the context
    ["binary", "5", 9000000]    5 * 2**9000000, a number whose text would be too long

Numbers lose precision exactly as they do in the original's plan files (see `values.stored`).
"""

from __future__ import annotations

import re
from typing import Final

from shared_nodes.pattern import pattern
from shared_nodes.values import number as numbers
from shared_nodes.values.json import JsonError, JsonNumber, Tree, type_from_json, type_to_json
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE, Mark
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import number_text
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.stored import stored
from shared_nodes.values.types import (
    DYNAMIC,
    NUMBER,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from shared_nodes.values.value import (
    NULL,
    NULL_DYNAMIC,
    Unknown,
    Value,
    boolean,
    list_of,
    map_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)

__all__ = ["value_from_plan", "value_to_plan"]

_WHOLE: Final = pattern(r"-?[0-9]{1,200}", re.ASCII)
_MARKS: Final = {mark.name: mark for mark in (SENSITIVE, EPHEMERAL)}


def value_to_plan(value: Value) -> Tree:
    return ["typed", type_to_json(value.type), _encode(stored(value))]


def value_from_plan(tree: Tree) -> Value:
    """Decode a value. Raises JsonError for anything that `value_to_plan` cannot have written."""
    return _decode(tree, DYNAMIC)


def _encode(value: Value) -> Tree:
    """Encode a value whose type is known from the context."""
    if value.marks:
        names: list[Tree] = [*sorted(mark.name for mark in value.marks if isinstance(mark, Mark))]
        return ["marked", names, _encode(value.without_marks())]
    payload = value.payload
    if payload is NULL:
        return None
    if payload.__class__ is Unknown:
        return ["unknown", _refinement_to_plan(value.refinement)]
    if isinstance(payload, str | bool):
        return payload
    if payload.__class__ is dict:
        return ["map", {name: _part(part, value.type, name) for name, part in payload.items()}]
    if payload.__class__ is tuple:
        return ["list", [_part(part, value.type, position) for position, part in enumerate(payload)]]
    return _number_to_plan(payload)


def _part(value: Value, container: Type, key: str | int) -> Tree:
    """Encode an element. If the container leaves its type open, such as a list of anything, the type is included."""
    if _part_type(container, key) is DYNAMIC and value.type is not DYNAMIC:
        return value_to_plan(value)
    return _encode(value)


def _part_type(container: Type, key: str | int) -> Type:
    match container:
        case ObjectType():
            return container.attributes[str(key)]
        case TupleType():
            return container.elements[int(key)]
        case CollectionType():
            return container.element
    raise JsonError("a value without parts has parts")


def _number_to_plan(payload: mpfr) -> Tree:
    if numbers.is_infinite(payload):
        return ["number", "-Inf" if payload < 0 else "Inf"]
    if numbers.is_whole(payload) and abs(payload) < 2**63:
        return JsonNumber(str(numbers.to_int(payload)))
    as_float = float(payload)
    if numbers.from_float(as_float) == payload and not numbers.is_whole(payload):
        return JsonNumber(repr(as_float))
    try:
        return ["number", number_text(payload)]
    except numbers.NumberTooLargeError:
        mantissa, exponent = numbers.to_binary(payload)
        return ["binary", str(mantissa), JsonNumber(str(exponent))]


def _number_from_text(text: str) -> Value:
    parsed = numbers.parse(text)
    if parsed is None:
        raise JsonError("invalid number")
    return number(parsed)


def _number_from_binary(mantissa: str, exponent: str) -> Value:
    made = None
    if _WHOLE.fullmatch(mantissa) and _WHOLE.fullmatch(exponent):
        made = numbers.from_binary(int(mantissa), int(exponent))
    if made is None:
        raise JsonError("invalid number")
    return number(made)


def _decode(tree: Tree, ty: Type) -> Value:
    match tree:
        case None:
            return null(ty)
        case bool():
            return boolean(tree)
        case str():
            return string(tree)
        case JsonNumber(text):
            is_whole = text.lstrip("-").isdecimal()
            return number(numbers.from_int(int(text)) if is_whole else numbers.from_float(float(text)))
        case ["number", str(text)]:
            return _number_from_text(text)
        case ["binary", str(mantissa), JsonNumber(exponent)]:
            return _number_from_binary(mantissa, exponent)
        case ["typed", type_tree, inner]:
            actual = type_from_json(type_tree)
            return NULL_DYNAMIC if actual is DYNAMIC and inner is None else _decode(inner, actual)
        case ["marked", [*names], inner]:
            return _decode(inner, ty).with_marks(frozenset(_MARKS[str(name)] for name in names if name in _MARKS))
        case ["unknown", dict() as refinement]:
            return unknown(ty, _refinement_from_plan(refinement))
        case ["list", [*parts]]:
            return _sequence(parts, ty)
        case ["map", dict() as parts]:
            return _mapping(parts, ty)
    raise JsonError("invalid value")


def _sequence(parts: list[Tree], ty: Type) -> Value:
    if isinstance(ty, TupleType) and len(ty.elements) != len(parts):
        raise JsonError("invalid tuple")
    elements = [_decode(part, _part_type(ty, position)) for position, part in enumerate(parts)]
    match ty:
        case TupleType():
            return tuple_of(elements)
        case ListType():
            return list_of(ty.element, elements)
        case SetType():
            return set_of(ty.element, elements)
    raise JsonError("invalid list")


def _mapping(parts: dict[str, Tree], ty: Type) -> Value:
    if isinstance(ty, ObjectType) and ty.attributes.keys() != parts.keys():
        raise JsonError("invalid object")
    elements = {name: _decode(part, _part_type(ty, name)) for name, part in parts.items()}
    match ty:
        case ObjectType():
            return object_of(elements)
        case MapType():
            return map_of(ty.element, elements)
    raise JsonError("invalid map")


def _refinement_to_plan(refinement: Refinement) -> Tree:
    tree: dict[str, Tree] = {}
    if refinement.not_null:
        tree["not_null"] = True
    if refinement.lower is not None:
        tree["lower"] = [_number_to_plan(refinement.lower), refinement.lower_inclusive]
    if refinement.upper is not None:
        tree["upper"] = [_number_to_plan(refinement.upper), refinement.upper_inclusive]
    if refinement.prefix:
        tree["prefix"] = refinement.prefix
    if refinement.min_length:
        tree["min_length"] = JsonNumber(str(refinement.min_length))
    if refinement.max_length is not None:
        tree["max_length"] = JsonNumber(str(refinement.max_length))
    return tree


def _refinement_from_plan(tree: dict[str, Tree]) -> Refinement:
    lower, lower_inclusive = _decode_bound(tree.get("lower"))
    upper, upper_inclusive = _decode_bound(tree.get("upper"))
    least = _length(tree.get("min_length"))
    return Refinement(
        not_null=bool(tree.get("not_null")),
        lower=lower,
        lower_inclusive=lower_inclusive,
        upper=upper,
        upper_inclusive=upper_inclusive,
        prefix=str(tree.get("prefix", "")),
        min_length=0 if least is None else least,
        max_length=_length(tree.get("max_length")),
    )


def _decode_bound(tree: Tree) -> tuple[mpfr | None, bool]:
    match tree:
        case [bound, bool(inclusive)]:
            payload: mpfr = _decode(bound, NUMBER).payload
            return payload, inclusive
    return None, True


def _length(tree: Tree) -> int | None:
    return int(tree.text) if isinstance(tree, JsonNumber) else None
