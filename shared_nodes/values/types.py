"""The types of the language, as immutable structural values.

Two types are equal if they have the same structure; nothing is nominal. `DYNAMIC` means both "not known yet" (the type
of an unconstrained unknown) and "anything" (in a constraint), exactly as in the original. Object types may have
optional attributes, but only in constraints, never as the type of a value.

Hashes and whether a type contains dynamic parts are computed once, since types are dictionary keys on the hot path of
conversion and unification.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from shared_nodes.values.text import normalise

__all__ = [
    "BOOL",
    "DYNAMIC",
    "NUMBER",
    "STRING",
    "CollectionType",
    "ListType",
    "MapType",
    "ObjectType",
    "Primitive",
    "SetType",
    "TupleType",
    "Type",
    "contains_dynamic",
    "friendly_name",
    "friendly_name_for_constraint",
    "without_optional_attributes",
]


class Type:
    """Base class of all types. Compare types with `==`; test for a kind with `isinstance`."""

    __slots__ = ("_dynamic", "_hash", "_optional")

    _hash: int
    _dynamic: bool
    _optional: bool

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return type_text(self)


class Primitive(Type):
    """string, number, bool, or the dynamic type. Exactly four instances exist, so equality is identity."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self._dynamic = name == "dynamic"
        self._optional = False

    # Identity comparison, implemented in C: nearly all types are built of these.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _primitive, (self.name,)


STRING: Final = Primitive("string")
NUMBER: Final = Primitive("number")
BOOL: Final = Primitive("bool")
DYNAMIC: Final = Primitive("dynamic")

_PRIMITIVES: Final = {ty.name: ty for ty in (STRING, NUMBER, BOOL, DYNAMIC)}


def _primitive(name: str) -> Primitive:
    return _PRIMITIVES[name]


class CollectionType(Type):
    """A list, set or map: any number of elements of one type."""

    __slots__ = ("element",)

    kind: str = ""

    def __init__(self, element: Type) -> None:
        self.element: Final = element
        self._hash = hash((self.kind, element))
        self._dynamic = element._dynamic
        self._optional = element._optional

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self.element == other.element)

    def __hash__(self) -> int:
        return self._hash


class ListType(CollectionType):
    __slots__ = ()
    kind = "list"


class SetType(CollectionType):
    __slots__ = ()
    kind = "set"


class MapType(CollectionType):
    __slots__ = ()
    kind = "map"


class TupleType(Type):
    __slots__ = ("elements",)

    def __init__(self, elements: Iterable[Type]) -> None:
        self.elements: Final = tuple(elements)
        self._hash = hash(("tuple", self.elements))
        self._dynamic = any(element._dynamic for element in self.elements)
        self._optional = any(element._optional for element in self.elements)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, TupleType) and self.elements == other.elements)

    def __hash__(self) -> int:
        return self._hash


class ObjectType(Type):
    """Named attributes, in byte order of their normalised names."""

    __slots__ = ("attributes", "optional")

    def __init__(self, attributes: Mapping[str, Type], optional: Iterable[str] = ()) -> None:
        if not "".join(attributes).isascii():
            attributes = {normalise(name): ty for name, ty in attributes.items()}
        self.attributes: Final[Mapping[str, Type]] = {name: attributes[name] for name in sorted(attributes)}
        self.optional: Final = frozenset(map(normalise, optional))
        self._hash = hash(("object", tuple(self.attributes.items()), self.optional))
        self._dynamic = any(attribute._dynamic for attribute in self.attributes.values())
        self._optional = bool(self.optional) or any(attribute._optional for attribute in self.attributes.values())

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, ObjectType) and self.attributes == other.attributes and self.optional == other.optional
        )

    def __hash__(self) -> int:
        return self._hash


def type_text(ty: Type) -> str:
    """The type in constraint syntax: `map(object({ a = string }))`."""
    match ty:
        case Primitive():
            return "any" if ty is DYNAMIC else ty.name
        case CollectionType():
            return f"{ty.kind}({type_text(ty.element)})"
        case TupleType():
            return f"tuple([{', '.join(map(type_text, ty.elements))}])"
        case ObjectType():
            parts = []
            for name, attribute in ty.attributes.items():
                text = type_text(attribute)
                parts.append(f"{name} = " + (f"optional({text})" if name in ty.optional else text))
            return f"object({{{', '.join(parts)}}})"
    raise AssertionError(ty)


def friendly_name(ty: Type) -> str:
    """The name used in messages for the type of a value: `list of string`."""
    match ty:
        case Primitive():
            return ty.name
        case CollectionType():
            return f"{ty.kind} of {friendly_name(ty.element)}"
        case TupleType():
            return "tuple"
    return "object"


def friendly_name_for_constraint(ty: Type) -> str:
    """The name used in messages for a required type: `list of any single type`."""
    match ty:
        case Primitive():
            return "any type" if ty is DYNAMIC else ty.name
        case CollectionType():
            inner = "any single type" if ty.element is DYNAMIC else friendly_name_for_constraint(ty.element)
            return f"{ty.kind} of {inner}"
        case TupleType():
            return "tuple"
    return "object"


def contains_dynamic(ty: Type) -> bool:
    """Whether the type is dynamic or has a dynamic part. Computed at construction, since conversion needs it
    constantly."""
    return ty._dynamic


def without_optional_attributes(ty: Type) -> Type:
    """The type of a value converted to the constraint `ty`: the same structure, with no optional attributes."""
    if not ty._optional:
        return ty
    match ty:
        case CollectionType():
            return type(ty)(without_optional_attributes(ty.element))
        case TupleType():
            return TupleType(map(without_optional_attributes, ty.elements))
        case ObjectType():
            return ObjectType({name: without_optional_attributes(a) for name, a in ty.attributes.items()})
    return ty
