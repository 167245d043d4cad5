"""Lists and sets built from elements whose values, but not static types, are certain.

The original gives such a collection the type of its elements, which can be more specific than what the function
declares: a null or an unknown of dynamic type takes the type of its siblings. Elements of different types make it
panic, with a message that prints their types in its own notation. Users can see both, so both are reproduced.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared_nodes.lang.function import PanicError
from shared_nodes.values.sets import set_of
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, CollectionType, ObjectType, Primitive, TupleType, Type
from shared_nodes.values.value import Value, list_of, null, unknown

__all__ = ["list_from", "panic_type_text", "set_from"]


def list_from(elements: Sequence[Value], when_empty: Type) -> Value:
    """The list of these elements. `when_empty` is the element type of an empty list."""
    element = _common_type("list", elements, when_empty)
    return list_of(element, [_as_type(member, element) for member in elements])


def set_from(elements: Sequence[Value], when_empty: Type) -> Value:
    element = _common_type("set", elements, when_empty)
    return set_of(element, [_as_type(member, element) for member in elements])


def _common_type(kind: str, elements: Sequence[Value], when_empty: Type) -> Type:
    if not elements:
        return when_empty
    common: Type = DYNAMIC
    for member in elements:
        if common is DYNAMIC:
            common = member.type
        elif member.type is not DYNAMIC and member.type != common:
            first, second = panic_type_text(common), panic_type_text(member.type)
            raise PanicError(f"inconsistent {kind} element types ({first} then {second})")
    return common


def _as_type(member: Value, element: Type) -> Value:
    """Give a null or unknown of dynamic type the element type of the collection."""
    if member.type is not DYNAMIC or element is DYNAMIC:
        return member
    typed = null(element) if member.is_null else unknown(element)
    return typed.with_marks(member.marks)


_PRIMITIVE_NAMES = {"string": "String", "number": "Number", "bool": "Bool", "dynamic": "DynamicPseudoType"}


def panic_type_text(ty: Type) -> str:
    """The type as the original's panics print it: `cty.List(cty.String)`."""
    match ty:
        case Primitive():
            return f"cty.{_PRIMITIVE_NAMES[ty.name]}"
        case CollectionType():
            return f"cty.{ty.kind.capitalize()}({panic_type_text(ty.element)})"
        case TupleType():
            if not ty.elements:
                return "cty.EmptyTuple"
            return f"cty.Tuple([]cty.Type{{{', '.join(map(panic_type_text, ty.elements))}}})"
        case ObjectType():
            if not ty.attributes:
                return "cty.EmptyObject"
            attributes = [f"{quoted(name)}:{panic_type_text(attribute)}" for name, attribute in ty.attributes.items()]
            return f"cty.Object(map[string]cty.Type{{{', '.join(attributes)}}})"
    raise AssertionError(ty)
