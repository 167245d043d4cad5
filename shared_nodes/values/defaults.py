"""Defaults of optional attributes, and how they complete a value before it is converted.

`variable "v" { type = object({ a = optional(string, "x") }) }` yields two things: a type in which `a` is optional, and
a parallel tree of defaults. Defaults are applied first and independently of conversion: they complete a value wherever
it resembles the type, and leave all errors to the conversion that follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert, unify
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import DYNAMIC, ListType, MapType, ObjectType, SetType, TupleType, Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, NULL, Unknown, Value, object_of, refine, tuple_of

__all__ = ["Defaults", "apply_defaults"]


@record
class Defaults:
    """The defaults of one part of a type and of the parts below it.

    `values` are the defaults of the attributes of an object type. `children` are keyed by attribute name for an object
    type, by position (`"0"`) for a tuple type, and by the empty string for the elements of a collection type.
    """

    type: Type
    values: Mapping[str, Value] = field(default_factory=dict)
    children: Mapping[str, Defaults] = field(default_factory=dict)

    def child(self, key: str | int) -> Defaults | None:
        """The defaults for a part of the *given* value, which need not be of the kind that the type requires."""
        if (isinstance(key, int) and isinstance(self.type, TupleType)) or (
            isinstance(key, str) and isinstance(self.type, ObjectType)
        ):
            return self.children.get(str(key))
        return self.children.get("")


def apply_defaults(value: Value, defaults: Defaults) -> Value:
    """The value with defaults in place of absent and null attributes. Null and unknown values are returned
    unchanged."""
    payload = value.payload
    if payload is NULL or payload.__class__ is Unknown or not (defaults.values or defaults.children):
        return value
    if payload.__class__ is tuple:
        return _complete_sequence(value, defaults).with_marks(value.marks)
    if payload.__class__ is dict:
        return _complete_attributes(value, defaults).with_marks(value.marks)
    return value


def _complete_part(value: Value, defaults: Defaults | None) -> Value:
    return value if defaults is None else apply_defaults(value, defaults)


def _complete_sequence(value: Value, defaults: Defaults) -> Value:
    """Complete every element. A list or set whose elements no longer unify becomes a tuple."""
    if not value.payload:
        return value.without_marks()
    elements = [_complete_part(element, defaults.child(index)) for index, element in enumerate(value.payload)]
    if not isinstance(value.type, TupleType):
        unified = _unify_values(elements)
        if unified is not None:
            element = unified[0].type
            return set_of(element, unified) if isinstance(value.type, SetType) else _list(element, unified)
    return tuple_of(elements)


def _list(element: Type, elements: Iterable[Value]) -> Value:
    return Value(ListType(element), tuple(elements))


def _complete_attributes(value: Value, defaults: Defaults) -> Value:
    attributes = {name: _complete_part(part, defaults.child(name)) for name, part in value.payload.items()}
    for name, default in defaults.values.items():
        if name not in attributes or attributes[name].is_null:
            child = defaults.children.get(name)
            attributes[name] = _complete_part(default, child)
        if not default.is_null:
            attributes[name] = refine(attributes[name], NOT_NULL)
    if isinstance(value.type, MapType):
        if not attributes:
            return value.without_marks()
        names = sorted(attributes)
        unified = _unify_values([attributes[name] for name in names])
        if unified is not None:
            return Value(MapType(unified[0].type), dict(zip(names, unified, strict=True)))
    return object_of(attributes)


def _unify_values(elements: list[Value]) -> list[Value] | None:
    """Convert all elements to one type, or return None. While the common type is unknown, every element is unknown."""
    common = unify([element.type for element in elements], unsafe=True)
    if common is None:
        return None
    if common is DYNAMIC and any(element.type is not DYNAMIC for element in elements):
        return [DYNAMIC_UNKNOWN] * len(elements)
    try:
        return [convert(element, common) for element in elements]
    except ConversionError:
        return None
