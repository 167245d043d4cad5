"""The `==` of the language: no conversion, three results (true, false, unknown), marks of both sides on the result.

Values of different types are unequal, except that nulls of all types are equal to each other. If one side is unknown
the result can still be false: when the types can never agree, or when the refinement of the unknown excludes the other
side. It is never true.

Inside containers, the first pair in iteration order that is not known to be equal decides: `[unknown, 1] == [x, 2]` is
unknown, `[1, unknown] == [2, x]` is false.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import NumberTooLargeError, is_whole, number_text
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.set_key import set_key
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    STRING,
    CollectionType,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
    contains_dynamic,
)
from shared_nodes.values.value import FALSE, NULL, TRUE, Unknown, Value, unknown

__all__ = ["UNKNOWN_BOOL", "conforms", "equals", "excludes", "numbers_equal"]

UNKNOWN_BOOL: Final = unknown(BOOL, NOT_NULL)
"""The result of every predicate that cannot be decided yet."""


def equals(left: Value, right: Value) -> Value:
    marks = left.deep_marks() | right.deep_marks()
    result = _equals_before_types_settle(left, right) or _equals(left, right)
    return result.with_marks(marks) if marks else result


def _equals_before_types_settle(left: Value, right: Value) -> Value | None:
    """The result for known values that contain a part of unknown type; None for all others.

    Such a part may become anything, so nothing else is compared, not even parts that clearly differ. Only types that
    can never agree decide the result.
    """
    if not (contains_dynamic(left.type) or contains_dynamic(right.type)):
        return None
    if left.payload is NULL or right.payload is NULL or not left.is_known or not right.is_known:
        return None
    if _has_settled_type(left) and _has_settled_type(right):
        return None
    possible = conforms(left.type, right.type) or conforms(right.type, left.type)
    return UNKNOWN_BOOL if possible else FALSE


def _has_settled_type(value: Value) -> bool:
    if not contains_dynamic(value.type):
        return True
    payload = value.payload
    if payload.__class__ is tuple:
        return all(map(_has_settled_type, payload))
    if payload.__class__ is dict:
        return all(map(_has_settled_type, payload.values()))
    return payload is NULL


def _equals(left: Value, right: Value) -> Value:
    """Compare values whose marks have been collected and whose types are settled."""
    left_payload, right_payload = left.payload, right.payload
    kind = left_payload.__class__
    if kind is Unknown or right_payload.__class__ is Unknown:
        return _equals_with_unknown(left, right)
    if left_payload is NULL or right_payload is NULL:
        return TRUE if left_payload is right_payload else FALSE
    if left.type is not right.type and left.type != right.type:
        return FALSE
    if kind is str or kind is bool:
        return TRUE if left_payload == right_payload else FALSE
    if kind is dict:
        return _equal_by_key(left_payload, right_payload)
    if kind is not tuple:
        return TRUE if numbers_equal(left_payload, right_payload) else FALSE
    if left.type.__class__ is SetType:
        return _equal_sets(left_payload, right_payload)
    if len(left_payload) != len(right_payload):
        return FALSE
    return _all_equal(zip(left_payload, right_payload, strict=True))


def _all_equal(pairs: Iterable[tuple[Value, Value]]) -> Value:
    for left, right in pairs:
        result = _equals(left, right)
        if result is not TRUE:
            return result
    return TRUE


def _equal_by_key(left: dict[str, Value], right: dict[str, Value]) -> Value:
    if len(left) != len(right):
        return FALSE
    for key, element in left.items():
        if key not in right:
            return FALSE
        result = _equals(element, right[key])
        if result is not TRUE:
            return result
    return TRUE


def _equal_sets(left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
    """Compare two sets. An unknown element leaves the result open; one with an unknown *inside* is in no other set.

    Sets of strings are compared in order. Elements of other sets are looked up by key, which distinguishes `0` from
    `-0`.
    """
    if any(element.payload.__class__ is Unknown for element in (*left, *right)):
        return UNKNOWN_BOOL
    if len(left) != len(right):
        return FALSE
    if left and left[0].type is STRING:
        return _all_equal(zip(left, right, strict=True))
    by_key: dict[str, list[Value]] = {}
    for element in right:
        by_key.setdefault(set_key(element), []).append(element)
    for element in left:
        if not any(_equals(element, other) is TRUE for other in by_key.get(set_key(element), ())):
            return FALSE
    return TRUE


def _equals_with_unknown(left: Value, right: Value) -> Value:
    if (left.payload is NULL and right.refinement.not_null) or (right.payload is NULL and left.refinement.not_null):
        return FALSE
    if not left.is_known and not right.is_known:
        return UNKNOWN_BOOL
    known, other = (left, right) if left.is_known else (right, left)
    if known.payload is NULL:
        return UNKNOWN_BOOL
    if excludes(other, known):
        return FALSE
    return UNKNOWN_BOOL


def excludes(unknown_value: Value, known: Value) -> bool:
    """Whether the unknown can never become this known, non-null value."""
    if not conforms(known.type, unknown_value.type):
        return True
    refinement = unknown_value.refinement
    payload = known.payload
    if payload.__class__ is str:
        return not payload.startswith(refinement.prefix)
    if isinstance(known.type, CollectionType):
        return _length_excluded(known, refinement)
    if isinstance(payload, mpfr):
        return _number_excluded(payload, refinement)
    return False


def _number_excluded(number: mpfr, refinement: Refinement) -> bool:
    lower, upper = refinement.lower, refinement.upper
    if lower is not None and not number > lower and not (refinement.lower_inclusive and numbers_equal(number, lower)):
        return True
    return (
        upper is not None and not number < upper and not (refinement.upper_inclusive and numbers_equal(number, upper))
    )


def _length_excluded(collection: Value, refinement: Refinement) -> bool:
    """Whether no possible length satisfies the refinement.

    A set with unknown elements may shrink, down to one element, if they turn out to be equal.
    """
    most = least = len(collection.payload)
    if least > 1 and isinstance(collection.type, SetType) and not collection.is_wholly_known:
        least = 1
    return most < refinement.min_length or (refinement.max_length is not None and least > refinement.max_length)


def numbers_equal(left: mpfr, right: mpfr) -> bool:
    """Compare whole numbers by value and all others by their text form.

    The text depends on the precision, so the quotient of two 64-bit numbers equals the literal it prints as, although
    their bits differ: numbers are the same if they would be stored the same.
    """
    if left == right and left.precision == right.precision:
        return True
    if is_whole(left) or is_whole(right):
        return bool(left == right)
    if abs(float(left) - float(right)) > _CLEARLY_APART * abs(float(left)):
        return False
    try:
        return number_text(left) == number_text(right)
    except NumberTooLargeError:
        return bool(left == right)


_CLEARLY_APART: Final = 1e-6
"""Relative distance beyond which two numbers cannot have the same text at any precision in use."""


def conforms(given: Type, wanted: Type) -> bool:
    """Whether a type equals `wanted`, where dynamic parts of `wanted` match any type."""
    if wanted is DYNAMIC or given == wanted:
        return True
    if isinstance(wanted, ListType | SetType | MapType):
        return type(given) is type(wanted) and conforms(given.element, wanted.element)
    if isinstance(wanted, TupleType):
        return (
            isinstance(given, TupleType)
            and len(given.elements) == len(wanted.elements)
            and all(map(conforms, given.elements, wanted.elements))
        )
    if isinstance(wanted, ObjectType):
        return (
            isinstance(given, ObjectType)
            and given.attributes.keys() == wanted.attributes.keys()
            and all(conforms(ty, wanted.attributes[name]) for name, ty in given.attributes.items())
        )
    return False
