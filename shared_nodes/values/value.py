"""Values: a type, a payload and marks.

The payload is `NULL`, an `Unknown` with its refinement, or known content:

    string  str (normal form C)       list, tuple, set   tuple of Value (a set's in iteration order)
    number  gmpy2.mpfr                map, object        dict of str to Value, in key order
    bool    bool

Values are immutable: the type checker treats every attribute as final, because guards at run time would triple the cost
of the most frequent allocation of the program. Elements of lists, tuples, maps and objects have their own marks and may
be unknown or null; a collection with unknown elements is itself known. Sets cannot hold marked elements: `sets.set_of`
moves the marks of the members to the set.

Outside this package, construct values with the functions below and `set_of`, which maintain these invariants, and never
with `Value(...)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Final

from shared_nodes.values import number as numbers
from shared_nodes.values.marks import NO_MARKS, Marks
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import LITERAL_PRECISION, NumberTooLargeError, number_text
from shared_nodes.values.refinement import NOT_NULL, UNREFINED, Refinement
from shared_nodes.values.text import normalise, quoted
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
    type_text,
)

__all__ = [
    "DYNAMIC_UNKNOWN",
    "EMPTY_OBJECT",
    "EMPTY_TUPLE",
    "FALSE",
    "NULL",
    "NULL_DYNAMIC",
    "TRUE",
    "Unknown",
    "Value",
    "boolean",
    "integer",
    "list_of",
    "map_of",
    "null",
    "number",
    "object_of",
    "refine",
    "string",
    "tuple_of",
    "unknown",
    "value_text",
]


class _Null:
    __slots__ = ()

    def __repr__(self) -> str:
        return "NULL"

    def __reduce__(self) -> str:
        return "NULL"


NULL: Final = _Null()


class Unknown:
    """The payload of a value that is not known yet."""

    __slots__ = ("refinement",)

    def __init__(self, refinement: Refinement) -> None:
        self.refinement: Final = refinement

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unknown) and self.refinement == other.refinement

    def __hash__(self) -> int:
        return hash(self.refinement)


_UNREFINED_PAYLOAD: Final = Unknown(UNREFINED)
_NOT_NULL_PAYLOAD: Final = Unknown(NOT_NULL)


class Value:
    __slots__ = ("marks", "payload", "type")

    def __init__(self, type: Type, payload: Any, marks: Marks = NO_MARKS) -> None:
        self.type: Final = type
        self.payload: Final = payload
        self.marks: Final = marks

    @property
    def is_null(self) -> bool:
        return self.payload is NULL

    @property
    def is_known(self) -> bool:
        return self.payload.__class__ is not Unknown

    @property
    def refinement(self) -> Refinement:
        """What is known about an unknown value; `UNREFINED` for a known one."""
        return self.payload.refinement if self.payload.__class__ is Unknown else UNREFINED

    @property
    def is_wholly_known(self) -> bool:
        """Whether the value and everything inside it are known."""
        payload = self.payload
        if payload.__class__ is Unknown:
            return False
        if payload.__class__ is tuple:
            return all(element.is_wholly_known for element in payload)
        if payload.__class__ is dict:
            return all(element.is_wholly_known for element in payload.values())
        return True

    def has_mark(self, mark: object) -> bool:
        return mark in self.marks

    def with_marks(self, marks: Marks) -> Value:
        """The value with these marks in addition to its own."""
        if not marks or marks <= self.marks:
            return self
        return Value(self.type, self.payload, self.marks | marks)

    def mark(self, mark: object) -> Value:
        return self.with_marks(frozenset((mark,)))

    def without_marks(self) -> Value:
        """The value without its own marks. Marks of its elements are kept."""
        return Value(self.type, self.payload) if self.marks else self

    def unmark_deep(self) -> tuple[Value, Marks]:
        """The value without any marks, its own or inside, and the union of all marks removed."""
        collected = self.deep_marks()
        return (self, NO_MARKS) if not collected else (self._strip(), collected)

    def deep_marks(self) -> Marks:
        """All marks of the value and its parts. Most values have none, so no set is built until a mark is found."""
        payload = self.payload
        if payload.__class__ is dict:
            payload = payload.values()
        elif payload.__class__ is not tuple:
            return self.marks
        marks = self.marks
        for part in payload:
            kind = part.payload.__class__
            found = part.deep_marks() if kind is tuple or kind is dict else part.marks
            if found:
                marks = marks | found
        return marks

    def _strip(self) -> Value:
        payload = self.payload
        if payload.__class__ is tuple:
            payload = tuple([element._strip() for element in payload])
        elif payload.__class__ is dict:
            payload = {key: element._strip() for key, element in payload.items()}
        return Value(self.type, payload)

    def elements(self) -> Iterator[tuple[Value, Value]]:
        """(key, element) pairs, in iteration order, of a known, non-null, iterable value.

        Keys are numbers for sequences, strings for maps and objects, and the element itself for sets. The marks of the
        value are not added.
        """
        payload = self.payload
        if payload.__class__ is dict:
            return ((string(key), element) for key, element in payload.items())
        if isinstance(self.type, SetType):
            return ((element, element) for element in payload)
        return ((integer(index), element) for index, element in enumerate(payload))

    def __eq__(self, other: object) -> bool:
        """Whether type, content and marks are identical: equality of representations, for tests and change detection.

        The `==` of the language, which handles unknowns, is `equality.equals`.
        """
        if self is other:
            return True
        if not isinstance(other, Value):
            return NotImplemented
        return (
            self.type == other.type
            and self.marks == other.marks
            and self.payload.__class__ is other.payload.__class__
            and bool(self.payload == other.payload)
        )

    def __hash__(self) -> int:
        payload = self.payload
        return hash((self.type, tuple(payload.items()) if payload.__class__ is dict else payload))

    def __repr__(self) -> str:
        from shared_nodes.values.value import value_text

        return value_text(self)


TRUE: Final = Value(BOOL, True)
FALSE: Final = Value(BOOL, False)
DYNAMIC_UNKNOWN: Final = Value(DYNAMIC, _UNREFINED_PAYLOAD)
NULL_DYNAMIC: Final = Value(DYNAMIC, NULL)
EMPTY_TUPLE: Final = Value(TupleType(()), ())
EMPTY_OBJECT: Final = Value(ObjectType({}), {})


def string(text: str) -> Value:
    return Value(STRING, normalise(text))


def boolean(truth: bool) -> Value:
    return TRUE if truth else FALSE


def number(payload: mpfr) -> Value:
    return Value(NUMBER, payload)


def integer(whole: int) -> Value:
    """A whole number as functions produce it: with 64 bits, or more if needed."""
    return _small_integer(whole) if 0 <= whole < 1024 else Value(NUMBER, numbers.from_int(whole))


@cache
def _small_integer(whole: int) -> Value:
    """Indices and lengths are needed very often."""
    return Value(NUMBER, numbers.from_int(whole))


def null(type: Type) -> Value:
    return Value(type, NULL)


def unknown(type: Type, refinement: Refinement = UNREFINED) -> Value:
    """An unknown value. A refinement that leaves a single possibility gives that known value instead."""
    if type is DYNAMIC:
        return DYNAMIC_UNKNOWN
    if refinement is UNREFINED:
        return Value(type, _UNREFINED_PAYLOAD)
    if refinement is NOT_NULL:
        return Value(type, _NOT_NULL_PAYLOAD)
    return _collapse(type, refinement) or Value(type, Unknown(refinement))


def refine(value: Value, refinement: Refinement) -> Value:
    """Narrow an unknown value. Known values and unknowns of dynamic type are returned unchanged."""
    payload = value.payload
    if payload.__class__ is not Unknown or value.type is DYNAMIC:
        return value
    if payload.refinement is UNREFINED:
        return unknown(value.type, refinement).with_marks(value.marks)
    return unknown(value.type, payload.refinement.narrow(refinement)).with_marks(value.marks)


def _collapse(type: Type, refinement: Refinement) -> Value | None:
    """The only value that the refinement admits, if there is exactly one. Its elements may be unknown."""
    if not refinement.not_null:
        return None
    if type is NUMBER and refinement.lower is not None and refinement.lower == refinement.upper:
        return Value(NUMBER, refinement.lower) if refinement.lower_inclusive and refinement.upper_inclusive else None
    length = refinement.min_length
    if length != refinement.max_length:
        return None
    if isinstance(type, ListType):
        return Value(type, (unknown(type.element),) * length)
    if isinstance(type, SetType) and length <= 1:
        return Value(type, (unknown(type.element),) * length)
    if isinstance(type, MapType) and length == 0:
        return Value(type, {})
    return None


def list_of(element: Type, elements: Iterable[Value]) -> Value:
    return Value(ListType(element), tuple(elements))


def tuple_of(elements: Iterable[Value]) -> Value:
    payload = tuple(elements)
    types = tuple([e.type for e in payload])
    return Value(_tuple_type(types) if len(types) <= _REMEMBERED_PARTS else TupleType(types), payload)


def map_of(element: Type, elements: Mapping[str, Value]) -> Value:
    return Value(MapType(element), _sorted_by_key(elements))


def object_of(attributes: Mapping[str, Value]) -> Value:
    payload = _sorted_by_key(attributes)
    types = tuple([value.type for value in payload.values()])
    if len(types) <= _REMEMBERED_PARTS:
        return Value(_object_type(tuple(payload), types), payload)
    return Value(ObjectType(dict(zip(payload, types, strict=True))), payload)


_REMEMBERED_PARTS: Final = 64
"""Types of tuples and objects up to this size are cached. A loop creates the same type repeatedly, and identical
objects compare at once."""


@lru_cache(maxsize=4096)
def _object_type(names: tuple[str, ...], types: tuple[Type, ...]) -> ObjectType:
    return ObjectType(dict(zip(names, types, strict=True)))


@lru_cache(maxsize=4096)
def _tuple_type(types: tuple[Type, ...]) -> TupleType:
    return TupleType(types)


def _sorted_by_key(elements: Mapping[str, Value]) -> dict[str, Value]:
    """Sort by key, with keys in normal form. (Code point order equals byte order for valid text.)"""
    if not "".join(elements).isascii():
        elements = {normalise(key): value for key, value in elements.items()}
    return {key: elements[key] for key in sorted(elements)}


# Text form


def value_text(value: Value) -> str:
    """A readable text of the value, for tests, logs and reports.

    It looks like the language and is complete: two values have the same text only if they are identical.

        "a"  5  true  [1, "a"]  {a = 1}  tolist([1])  toset(["a"])  tomap({a = 1})
        tolist(string, [])                 an empty collection names its element type
        null(string)  unknown(string, not null, prefix "x")
        sensitive("a")                     marks by name, nested in alphabetical order
        5@64                               a number whose precision is not that of a literal
    """
    text = _unmarked_text(value)
    for name in sorted(map(str, map(repr, value.marks)), reverse=True):
        text = f"{name}({text})"
    return text


def _unmarked_text(value: Value) -> str:
    payload = value.payload
    if payload is NULL:
        return f"null({type_text(value.type)})"
    if payload.__class__ is Unknown:
        return f"unknown({', '.join([type_text(value.type), *_refinement_texts(payload.refinement)])})"
    if payload.__class__ is str:
        return quoted(payload)
    if payload.__class__ is bool:
        return "true" if payload else "false"
    if payload.__class__ is dict:
        parts = ", ".join(f"{_key_text(key)} = {value_text(part)}" for key, part in payload.items())
        return _add_collection_type(value, "{" + parts + "}")
    if payload.__class__ is tuple:
        return _add_collection_type(value, "[" + ", ".join(map(value_text, payload)) + "]")
    return _number_text(payload)


def _add_collection_type(value: Value, content: str) -> str:
    """Wrap the content of a collection in its constructor, which names the element type if no element shows it."""
    ty = value.type
    if not isinstance(ty, CollectionType):
        return content
    shown = value.payload and ty.element is not DYNAMIC
    return f"to{ty.kind}({content})" if shown else f"to{ty.kind}({type_text(ty.element)}, {content})"


def _key_text(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else quoted(key)


def _number_text(payload: mpfr) -> str:
    try:
        text = number_text(payload)
    except NumberTooLargeError:
        text = str(payload)
    return text if payload.precision == LITERAL_PRECISION else f"{text}@{payload.precision}"


def _refinement_texts(refinement: Refinement) -> list[str]:
    parts = ["not null"] if refinement.not_null else []
    if refinement.lower is not None:
        parts.append(f"{'>=' if refinement.lower_inclusive else '>'} {_number_text(refinement.lower)}")
    if refinement.upper is not None:
        parts.append(f"{'<=' if refinement.upper_inclusive else '<'} {_number_text(refinement.upper)}")
    if refinement.prefix:
        parts.append(f"prefix {quoted(refinement.prefix)}")
    if refinement.min_length or refinement.max_length is not None:
        parts.append(
            f"length {refinement.min_length}..{'' if refinement.max_length is None else refinement.max_length}"
        )
    return parts
