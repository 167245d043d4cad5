"""Functions on maps and objects: keys lookup merge transpose values zipmap.

A map results in a list or a map of one element type, an object in a tuple or an object, part by part. All functions but
transpose leave the marks of the elements in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.construction import panic_type_text
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.redaction import quote_unless_secret
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import NO_MARKS
from shared_nodes.values.paths import IndexStep, path_text
from shared_nodes.values.text import quoted
from shared_nodes.values.types import (
    DYNAMIC,
    STRING,
    ListType,
    MapType,
    ObjectType,
    TupleType,
    Type,
    friendly_name,
)
from shared_nodes.values.value import NULL, Value, integer, list_of, map_of, object_of, string, tuple_of, unknown

__all__ = ["functions"]

_STRINGS: Final = ListType(STRING)
_MAP_OF_STRINGS: Final = MapType(_STRINGS)


# keys, values


def _keys_type(arguments: Arguments) -> Type:
    ty = arguments[0].type
    if isinstance(ty, MapType):
        return _STRINGS
    if isinstance(ty, ObjectType):
        return TupleType([STRING] * len(ty.attributes))
    raise ArgumentError(0, "must have map or object type")


def _keys(arguments: Arguments, return_type: Type) -> Value:
    """Return the keys. Those of an object are known from its type, even if the object is unknown."""
    source = arguments[0]
    if isinstance(source.type, ObjectType):
        keys = tuple_of(map(string, source.type.attributes))
    elif source.is_known:
        keys = list_of(STRING, map(string, source.payload))
    else:
        keys = unknown(return_type)
    return keys.with_marks(source.marks)


def _values_type(arguments: Arguments) -> Type:
    ty = arguments[0].type
    if isinstance(ty, MapType):
        return ListType(ty.element)
    if isinstance(ty, ObjectType):
        return TupleType(ty.attributes.values())
    raise FunctionError("values() requires a map as the first argument")


def _values(arguments: Arguments, return_type: Type) -> Value:
    source = arguments[0]
    return Value(return_type, tuple(source.payload.values()), source.marks)


# lookup


def _lookup_type(arguments: Arguments) -> Type:
    if len(arguments) > 3:
        raise FunctionError(f"lookup() takes two or three arguments, got {len(arguments)}")
    ty = arguments[0].type
    if isinstance(ty, ObjectType):
        return _attribute_or_default_type(arguments, ty)
    if not isinstance(ty, MapType):
        raise ArgumentError(0, "lookup() requires a map as the first argument")
    if len(arguments) == 3:
        try:
            convert(arguments[2], ty.element)
        except ConversionError as failure:
            message = "the default value must have the same type as the map elements"
            raise ArgumentError(2, message) from failure
    return ty.element


def _attribute_or_default_type(arguments: Arguments, ty: ObjectType) -> Type:
    """The type of the attribute or default. The key is part of the type check, so errors name it, sensitive or not."""
    key = arguments[1]
    if not key.is_known:
        return DYNAMIC
    if key.payload in ty.attributes:
        return ty.attributes[key.payload]
    if len(arguments) == 3:
        return arguments[2].type
    raise ArgumentError(0, f"the given object has no attribute {quoted(key.payload)}")


def _lookup(flavour: Flavour, arguments: Arguments, return_type: Type) -> Value:
    """Look up a key. The result has the marks of the map, the key and the element found, but not of an unused
    default."""
    source, key, *default = arguments
    marks = source.marks | key.marks
    if not source.is_known or not key.is_known:
        return unknown(return_type).with_marks(marks)
    found: Value | None = source.payload.get(key.payload)
    if found is not None:
        return found.with_marks(marks)
    if default:
        return convert(default[0], return_type).with_marks(marks)
    raise FunctionError(f"lookup failed to find key {quote_unless_secret(key.payload, key.marks, flavour)}")


# merge


def _merge_type(arguments: Arguments) -> Type:
    """The type of a merge: the common type if all are equal, otherwise an object, which requires known keys.

    An argument of dynamic type, such as a literal null, ends the check: arguments after it need not even be maps. See
    `_entries` for the consequences.
    """
    attributes: dict[str, Type] = {}
    attributes_known = True
    for argument in arguments:
        ty = argument.type
        if ty is DYNAMIC:
            return DYNAMIC
        if isinstance(ty, ObjectType):
            attributes |= {} if argument.is_null else ty.attributes
        elif not isinstance(ty, MapType):
            raise FunctionError(f"arguments must be maps or objects, got {quoted(friendly_name(ty))}")
        elif not argument.is_known:
            attributes_known = False
        elif not argument.is_null:
            attributes |= dict.fromkeys(argument.payload, ty.element)
    if arguments and all(argument.type == arguments[0].type for argument in arguments):
        return arguments[0].type
    return ObjectType(attributes) if attributes_known else DYNAMIC


def _merge(arguments: Arguments, return_type: Type) -> Value:
    merged: dict[str, Value] = {}
    marks = NO_MARKS
    for argument in arguments:
        if not argument.is_null:
            merged.update(_entries(argument))
            marks |= argument.marks
    if isinstance(return_type, MapType):
        return map_of(return_type.element, merged).with_marks(marks)
    if isinstance(return_type, ObjectType) and not merged and return_type.attributes:
        missing = quoted(next(iter(return_type.attributes)))
        raise PanicError(
            f"returned value cty.EmptyObjectVal does not conform to expected return type "
            f"{panic_type_text(return_type)}: missing required attribute {missing}"
        )
    return object_of(merged).with_marks(marks)


def _entries(argument: Value) -> Iterator[tuple[str, Value]]:
    """Keys and elements of any value that has both, including a set of strings: each string is its own key."""
    if isinstance(argument.payload, dict):
        yield from argument.payload.items()
        return
    if not isinstance(argument.payload, tuple):
        raise PanicError("attempt to iterate on non-collection, non-tuple type")
    for key, element in argument.elements():
        if key.type is not STRING or not key.is_known:
            raise PanicError("not a string")
        if key.payload is NULL:
            raise PanicError("value is null")
        yield key.payload, element


# transpose


def _transpose(flavour: Flavour) -> Function:
    def transpose(arguments: Arguments, return_type: Type) -> Value:
        source = arguments[0]
        if not source.is_wholly_known:
            return unknown(return_type)
        keys_by_string: dict[str, list[Value]] = {}
        for key, strings in source.payload.items():
            if strings.is_null:
                raise _null_inside(flavour, "list", key)
            for position, text in enumerate(strings.payload):
                if text.is_null:
                    raise _null_inside(flavour, "string", key, position)
                keys_by_string.setdefault(text.payload, []).append(string(key))
        return map_of(_STRINGS, {text: list_of(STRING, keys) for text, keys in keys_by_string.items()})

    return Function("transpose", (Parameter("values", _MAP_OF_STRINGS),), _MAP_OF_STRINGS, transpose)


def _null_inside(flavour: Flavour, noun: str, key: str, position: int | None = None) -> FunctionError:
    if not flavour.transpose_locates_nulls:
        container = "input" if position is None else "input list"
        return FunctionError(f"{container} must not contain null {noun}")
    path = (IndexStep(string(key)),) if position is None else (IndexStep(string(key)), IndexStep(integer(position)))
    return ArgumentError(0, f"cannot use null {noun} for {path_text(path)}")


# zipmap


def _zipmap_type(arguments: Arguments) -> Type:
    """The type of the result. For a tuple of values the keys become attribute names, so they are checked and shown."""
    keys, values = arguments
    if isinstance(values.type, ListType):
        return MapType(values.type.element)
    if not isinstance(values.type, TupleType):
        raise FunctionError("values argument must be a list or tuple value")
    if not keys.is_wholly_known:
        return DYNAMIC
    _check_counts(len(keys.payload), len(values.type.elements))
    for position, key in enumerate(keys.payload):
        if key.is_null:
            raise FunctionError(f"keys list has null value at index {position}")
    names = [key.payload for key in keys.payload]
    return ObjectType(dict(zip(names, values.type.elements, strict=True)))


def _check_counts(keys: int, values: int) -> None:
    if keys != values:
        raise FunctionError(f"number of keys ({keys}) does not match number of values ({values})")


def _zipmap(arguments: Arguments, return_type: Type) -> Value:
    """Build the map. Marks of the keys move to the whole, since a key cannot carry any."""
    keys, values = arguments
    marks = keys.marks | values.marks
    if not keys.is_wholly_known:
        return unknown(return_type).with_marks(marks)
    _check_counts(len(keys.payload), len(values.payload))
    zipped: dict[str, Value] = {}
    for key, value in zip(keys.payload, values.payload, strict=True):
        if key.is_null:
            raise PanicError("value is null")
        zipped[key.payload] = value
        marks |= key.marks
    if isinstance(return_type, MapType):
        return map_of(return_type.element, zipped).with_marks(marks)
    return object_of(zipped).with_marks(marks)


def functions(context: FunctionContext) -> tuple[Function, ...]:
    anything = Parameter("default", allow_null=True, allow_unknown=True, allow_dynamic=True, allow_marked=True)
    sees_unknowns = not context.flavour.unknown_arguments_lose_marks
    return (
        Function("keys", (Parameter("inputMap", allow_unknown=True, allow_marked=True),), _keys_type, _keys),
        Function(
            "lookup",
            (
                Parameter("inputMap", allow_unknown=sees_unknowns, allow_marked=True),
                Parameter("key", STRING, allow_unknown=sees_unknowns, allow_marked=True),
            ),
            _lookup_type,
            partial(_lookup, context.flavour),
            variadic=anything,
            refinement=None,
        ),
        Function(
            "merge",
            (),
            _merge_type,
            _merge,
            variadic=Parameter("maps", allow_null=True, allow_dynamic=True, allow_marked=True),
        ),
        _transpose(context.flavour),
        Function("values", (Parameter("mapping", allow_marked=True),), _values_type, _values),
        Function(
            "zipmap",
            (Parameter("keys", _STRINGS, allow_marked=True), Parameter("values", allow_marked=True)),
            _zipmap_type,
            _zipmap,
        ),
    )
