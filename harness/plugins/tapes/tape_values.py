"""Values on a tape: JSON that a person can read, from which every value comes back exactly.

The type of a value is known from the schema, so most of it is plain JSON. Members whose name begins with `$` say what
JSON has no form for; a name of the value itself that begins so gets another `$`.

    null                                    an absent attribute of an object is null, too
    {"$unknown": {"not_null": true}}        an unknown value with what is known about it
    {"$type": T, "$value": V}               where the schema leaves the type open, or the value has another one
    "Inf"                                   an infinite number
    {"$bytes": "..."}                       text that is not valid Unicode, and private data that is no text, in Base64

Numbers have the precision that they have after crossing the plugin protocol, and prefixes of unknown strings the length
that it allows: a tape that was recorded inside this process answers a binary, and the other way round.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

from harness.plugins.tapes.tape_error import TapeError
from shared_nodes.values import number as numbers
from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, type_from_json, type_to_json
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import NumberTooLargeError, number_text
from shared_nodes.values.refinement import UNREFINED, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.stored import stored
from shared_nodes.values.text import known_prefix
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
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

__all__ = [
    "BYTES",
    "TYPE",
    "UNKNOWN",
    "VALUE",
    "bytes_from_tree",
    "bytes_tree",
    "plain_name",
    "raw_tree",
    "value_from_tree",
    "value_tree",
]

UNKNOWN: Final = "$unknown"
TYPE: Final = "$type"
VALUE: Final = "$value"
BYTES: Final = "$bytes"
_BYTES_NAME: Final = "$bytes:"
_LONGEST_PREFIX_BYTES: Final = 256


# To a tape


def value_tree(value: Value, ty: Type) -> Tree:
    """Write a value for which the schema states this type. The value need not conform to it."""
    if value.deep_marks():
        raise TapeError("A value with marks cannot be written to a tape")
    try:
        return _write(stored(value), ty)
    except NumberTooLargeError as failure:
        raise TapeError("A number has too many digits to be written to a tape") from failure


def _write(value: Value, ty: Type) -> Tree:
    if not _is_read_by(value, ty):
        return {TYPE: type_to_json(value.type), VALUE: _write(value, value.type)}
    payload = value.payload
    if payload is NULL:
        return None
    if payload.__class__ is Unknown:
        return {UNKNOWN: _refinement_tree(payload.refinement)}
    if payload.__class__ is str:
        return _text_tree(payload)
    if payload.__class__ is bool:
        return bool(payload)
    if payload.__class__ is dict:
        return _write_parts(payload, ty)
    if payload.__class__ is tuple:
        types = ty.elements if isinstance(ty, TupleType) else [_element(ty)] * len(payload)
        return [_write(part, own) for part, own in zip(payload, types, strict=True)]
    return _number_tree(payload)


def _is_read_by(value: Value, ty: Type) -> bool:
    """Return whether the type of the value follows from the one in the schema, and from the types of its parts. Null
    and unknown values without a type get that of the schema, as they do on the wire."""
    payload = value.payload
    if value.type == ty or (value.type is DYNAMIC and ty is not DYNAMIC):
        return True
    if isinstance(ty, ObjectType) and isinstance(value.type, ObjectType) and payload.__class__ is dict:
        return ty.attributes.keys() == payload.keys()
    if isinstance(ty, TupleType) and isinstance(value.type, TupleType) and payload.__class__ is tuple:
        return len(ty.elements) == len(payload)
    return False


def _write_parts(parts: dict[str, Value], ty: Type) -> Tree:
    if not isinstance(ty, ObjectType):
        return {_name(name): _write(part, _element(ty)) for name, part in parts.items()}
    trees = {_name(name): _write(part, ty.attributes[name]) for name, part in parts.items()}
    return {name: tree for name, tree in trees.items() if tree is not None}


def _element(ty: Type) -> Type:
    assert isinstance(ty, CollectionType)
    return ty.element


def _number_tree(payload: mpfr) -> Tree:
    if numbers.is_infinite(payload):
        return "Inf" if payload > 0 else "-Inf"
    return JsonNumber(number_text(payload))


def _refinement_tree(refinement: Refinement) -> Tree:
    tree: dict[str, Tree] = {}
    if refinement.not_null:
        tree["not_null"] = True
    if refinement.prefix:
        prefix = refinement.prefix
        if len(prefix.encode("utf-8", "surrogatepass")) > _LONGEST_PREFIX_BYTES:
            prefix = known_prefix(prefix, _LONGEST_PREFIX_BYTES - 1)
        tree["prefix"] = _text_tree(prefix)
    if refinement.lower is not None:
        tree["at_least" if refinement.lower_inclusive else "above"] = _number_tree(refinement.lower)
    if refinement.upper is not None:
        tree["at_most" if refinement.upper_inclusive else "below"] = _number_tree(refinement.upper)
    if refinement.min_length:
        tree["min_length"] = JsonNumber(str(refinement.min_length))
    if refinement.max_length is not None:
        tree["max_length"] = JsonNumber(str(refinement.max_length))
    return tree


def _text_tree(text: str) -> Tree:
    return text if _is_unicode(text) else {BYTES: _encoded(text.encode("utf-8", "surrogatepass"))}


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _name(name: str) -> str:
    if not _is_unicode(name):
        return _BYTES_NAME + _encoded(name.encode("utf-8", "surrogatepass"))
    return f"${name}" if name.startswith("$") else name


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def bytes_tree(data: bytes) -> Tree:
    """Write private data: nearly always it is text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {BYTES: _encoded(data)}


def raw_tree(tree: Tree) -> Tree:
    """Write JSON that has no schema, as an older version may have stored it. The order of members says nothing."""
    if isinstance(tree, dict):
        return {_name(name): raw_tree(tree[name]) for name in sorted(tree)}
    if isinstance(tree, list):
        return [raw_tree(part) for part in tree]
    return _text_tree(tree) if isinstance(tree, str) else tree


# From a tape


def value_from_tree(tree: Tree, ty: Type) -> Value:
    """Read what `value_tree` has written. TapeError says what is wrong with it."""
    if tree is None:
        return null(ty)
    if isinstance(tree, dict):
        if UNKNOWN in tree:
            return unknown(ty, _refinement(tree[UNKNOWN]))
        if TYPE in tree:
            return value_from_tree(tree.get(VALUE), _type(tree[TYPE]))
    if isinstance(ty, ObjectType):
        return _object(tree, ty)
    if isinstance(ty, MapType):
        return map_of(
            ty.element, {plain_name(name): value_from_tree(part, ty.element) for name, part in _members(tree)}
        )
    if isinstance(ty, TupleType):
        parts = _items(tree)
        if len(parts) != len(ty.elements):
            raise _not(tree, f"a tuple of {len(ty.elements)} elements")
        return tuple_of([value_from_tree(part, own) for part, own in zip(parts, ty.elements, strict=True)])
    if isinstance(ty, ListType | SetType):
        elements = [value_from_tree(part, ty.element) for part in _items(tree)]
        return list_of(ty.element, elements) if isinstance(ty, ListType) else set_of(ty.element, elements)
    return _scalar(tree, ty)


def _object(tree: Tree, ty: ObjectType) -> Value:
    members = {plain_name(name): part for name, part in _members(tree)}
    surplus = sorted(members.keys() - ty.attributes.keys())
    if surplus:
        raise TapeError(f"The schema on the tape has no attribute {surplus[0]}")
    return object_of({name: value_from_tree(members.get(name), own) for name, own in ty.attributes.items()})


def _scalar(tree: Tree, ty: Type) -> Value:
    if ty is STRING and (isinstance(tree, str) or (isinstance(tree, dict) and BYTES in tree)):
        return string(_text(tree))
    if ty is BOOL and isinstance(tree, bool):
        return boolean(tree)
    if ty is NUMBER and isinstance(tree, str | JsonNumber):
        return stored(number(_number(tree)))
    raise _not(tree, f"a value of type {type_to_json(ty)}")


def _number(tree: Tree) -> mpfr:
    text = tree.text if isinstance(tree, JsonNumber) else tree
    parsed = numbers.parse(text) if isinstance(text, str) else None
    if parsed is None:
        raise _not(tree, "a number")
    return parsed


def _refinement(tree: Tree) -> Refinement:
    parts = dict(_members(tree))
    if not parts:
        return UNREFINED
    known: dict[str, Any] = {}
    for name, part in parts.items():
        match name:
            case "not_null":
                known["not_null"] = part is True
            case "prefix":
                known["prefix"] = _text(part)
            case "at_least" | "above":
                known |= {"lower": _number(part), "lower_inclusive": name == "at_least"}
            case "at_most" | "below":
                known |= {"upper": _number(part), "upper_inclusive": name == "at_most"}
            case "min_length" | "max_length":
                known[name] = numbers.to_int(_number(part))
            case _:
                raise _not(name, "known about unknown values")
    return Refinement(**known)


def _text(tree: Tree) -> str:
    return tree if isinstance(tree, str) else _decoded(tree).decode("utf-8", "surrogatepass")


def plain_name(name: str) -> str:
    """Return the name of an attribute, or the key of a map, that a member of this name stands for."""
    if name.startswith(_BYTES_NAME):
        return _decoded({BYTES: name.removeprefix(_BYTES_NAME)}).decode("utf-8", "surrogatepass")
    return name[1:] if name.startswith("$") else name


def _decoded(tree: Tree) -> bytes:
    try:
        return base64.b64decode(str(dict(_members(tree))[BYTES]), validate=True)
    except (KeyError, binascii.Error) as failure:
        raise _not(tree, "Base64") from failure


def bytes_from_tree(tree: Tree) -> bytes:
    return tree.encode("utf-8") if isinstance(tree, str) else _decoded(tree)


def _type(tree: Tree) -> Type:
    try:
        return type_from_json(tree)
    except JsonError as failure:
        raise TapeError(f"A type on the tape is invalid: {failure.message}") from failure


def _members(tree: Tree) -> list[tuple[str, Tree]]:
    if not isinstance(tree, dict):
        raise _not(tree, "an object")
    return list(tree.items())


def _items(tree: Tree) -> list[Tree]:
    if not isinstance(tree, list):
        raise _not(tree, "a list")
    return tree


def _not(tree: Tree, wanted: str) -> TapeError:
    return TapeError(f"{dumps(tree, escape_html=False)} on the tape is not {wanted}")
