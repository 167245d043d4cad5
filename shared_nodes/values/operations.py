"""Operators of the language on values, with unknowns and marks; also index, membership and length.

Operands already have the type of the operator: the caller converts them, since it knows which operand to report. A null
operand is an `OperationError`, and so is a result that does not exist, such as zero times infinity. An unknown operand
makes the result unknown but not null. Bounds of unknown numbers decide comparisons (`x > 3` for an x between 5 and 10);
they are treated as exclusive, so `x > 5` stays unknown there. Arithmetic discards bounds: `x + 0 > 3` is unknown.

Logical operators do not short-circuit here: `false && unknown` is unknown. In flavours where one operand can decide the
result, the evaluator drops the other one before it calls these functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared_nodes.values import number as numbers
from shared_nodes.values.equality import UNKNOWN_BOOL, equals
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import NegativeInfinity, NumberError, PositiveInfinity
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.types import (
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
)
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    FALSE,
    NULL,
    TRUE,
    Unknown,
    Value,
    boolean,
    integer,
    unknown,
)

__all__ = [
    "OperationError",
    "add",
    "attribute",
    "divide",
    "greater_or_equal",
    "greater_than",
    "has_index",
    "index",
    "length",
    "less_or_equal",
    "less_than",
    "logical_and",
    "logical_not",
    "logical_or",
    "modulo",
    "multiply",
    "negate",
    "subtract",
]

NULL_OPERAND: Final = "argument must not be null"

LARGEST_LENGTH: Final = 2**63 - 1
"""The upper bound of a length about which nothing is known: the largest integer of the original's platform."""

_UNKNOWN_NUMBER: Final = unknown(NUMBER, NOT_NULL)


class OperationError(Exception):
    """The operation has no result. The message has no final period."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message: Final = message


def _arithmetic(compute: Callable[[mpfr, mpfr], mpfr]) -> Callable[[Value, Value], Value]:
    def operator(left: Value, right: Value) -> Value:
        marks = left.marks | right.marks
        if left.payload is NULL or right.payload is NULL:
            raise OperationError(NULL_OPERAND)
        if left.payload.__class__ is Unknown or right.payload.__class__ is Unknown:
            return _UNKNOWN_NUMBER.with_marks(marks)
        try:
            return Value(NUMBER, compute(left.payload, right.payload), marks)
        except NumberError as failure:
            raise OperationError(str(failure)) from failure

    return operator


add: Final = _arithmetic(numbers.add)
subtract: Final = _arithmetic(numbers.subtract)
multiply: Final = _arithmetic(numbers.multiply)
divide: Final = _arithmetic(numbers.divide)
modulo: Final = _arithmetic(numbers.modulo)


def negate(operand: Value) -> Value:
    if operand.payload is NULL:
        raise OperationError(NULL_OPERAND)
    if operand.payload.__class__ is Unknown:
        return _UNKNOWN_NUMBER.with_marks(operand.marks)
    return Value(NUMBER, numbers.negate(operand.payload), operand.marks)


def _span(value: Value) -> tuple[mpfr, mpfr]:
    """The least and the greatest number that the value can be."""
    payload = value.payload
    if payload.__class__ is not Unknown:
        return payload, payload
    refinement = payload.refinement
    lower, upper = refinement.lower, refinement.upper
    return NegativeInfinity if lower is None else lower, PositiveInfinity if upper is None else upper


def _is_less(left: Value, right: Value) -> Value:
    if left.payload.__class__ is not Unknown and right.payload.__class__ is not Unknown:
        return boolean(left.payload < right.payload)
    (left_least, left_most), (right_least, right_most) = _span(left), _span(right)
    if left_most < right_least:
        return TRUE
    if left_least > right_most:
        return FALSE
    return UNKNOWN_BOOL


def _comparison(compare: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    def operator(left: Value, right: Value) -> Value:
        if left.payload is NULL or right.payload is NULL:
            raise OperationError(NULL_OPERAND)
        return compare(left.without_marks(), right.without_marks()).with_marks(left.marks | right.marks)

    return operator


def _any_true(first: Value, second: Value) -> Value:
    if first is TRUE or second is TRUE:
        return TRUE
    return FALSE if first is FALSE and second is FALSE else UNKNOWN_BOOL


less_than: Final = _comparison(_is_less)
greater_than: Final = _comparison(lambda left, right: _is_less(right, left))
less_or_equal: Final = _comparison(lambda left, right: _any_true(_is_less(left, right), equals(left, right)))
greater_or_equal: Final = _comparison(lambda left, right: _any_true(_is_less(right, left), equals(left, right)))


def logical_not(operand: Value) -> Value:
    if operand.payload is NULL:
        raise OperationError(NULL_OPERAND)
    if operand.payload.__class__ is Unknown:
        return UNKNOWN_BOOL.with_marks(operand.marks)
    return boolean(not operand.payload).with_marks(operand.marks)


def _logic(combine: Callable[[bool, bool], bool]) -> Callable[[Value, Value], Value]:
    def operator(left: Value, right: Value) -> Value:
        marks = left.marks | right.marks
        if left.payload is NULL or right.payload is NULL:
            raise OperationError(NULL_OPERAND)
        if left.payload.__class__ is Unknown or right.payload.__class__ is Unknown:
            return UNKNOWN_BOOL.with_marks(marks)
        return boolean(combine(left.payload, right.payload)).with_marks(marks)

    return operator


logical_and: Final = _logic(lambda left, right: left and right)
logical_or: Final = _logic(lambda left, right: left or right)


def attribute(value: Value, name: str) -> Value:
    """An attribute of a non-null object. The attribute of an unknown object is unknown."""
    if value.type is DYNAMIC:
        return DYNAMIC_UNKNOWN.with_marks(value.marks)
    assert isinstance(value.type, ObjectType)
    if value.payload.__class__ is Unknown:
        return unknown(value.type.attributes[name]).with_marks(value.marks)
    found: Value = value.payload[name]
    return found.with_marks(value.marks)


def index(collection: Value, key: Value) -> Value:
    """The element of a list, tuple or map at a key of the right type that `has_index` does not rule out.

    The marks of the collection and of the key are added to the element.
    """
    return _element(collection, key).with_marks(collection.marks | key.marks)


def _element(collection: Value, key: Value) -> Value:
    ty = collection.type
    known_collection, known_key = collection.is_known, key.is_known
    if isinstance(ty, MapType | ListType):
        if not (known_collection and known_key):
            return unknown(ty.element)
    elif not isinstance(ty, TupleType) or not known_key:
        return DYNAMIC_UNKNOWN
    elif not known_collection:
        return unknown(ty.elements[numbers.to_int(key.payload)])
    position = key.payload if isinstance(ty, MapType) else numbers.to_int(key.payload)
    found: Value = collection.payload[position]
    return found


def has_index(collection: Value, key: Value) -> Value:
    """Whether a list, tuple or map has an element at the key. A key of the wrong type finds none."""
    return _has_element(collection, key).with_marks(collection.marks | key.marks)


def _has_element(collection: Value, key: Value) -> Value:
    ty = collection.type
    if ty is DYNAMIC or key.type is DYNAMIC:
        return UNKNOWN_BOOL
    if key.type is not (STRING if isinstance(ty, MapType) else NUMBER):
        return FALSE
    if not key.is_known or (not collection.is_known and not isinstance(ty, TupleType)):
        return UNKNOWN_BOOL
    if isinstance(ty, MapType):
        return boolean(key.payload in collection.payload)
    count = len(ty.elements) if isinstance(ty, TupleType) else len(collection.payload)
    return boolean(numbers.is_whole(key.payload) and 0 <= key.payload < count)


def length(collection: Value) -> Value:
    """The number of elements or attributes of a non-null collection, tuple or object.

    A set that contains unknowns may lose elements when they become known, but never all of them.
    """
    return _length(collection).with_marks(collection.marks)


def _length(collection: Value) -> Value:
    ty = collection.type
    if isinstance(ty, TupleType):
        return integer(len(ty.elements))
    if isinstance(ty, ObjectType):
        return integer(len(ty.attributes))
    if not collection.is_known:
        refinement = collection.refinement
        most = LARGEST_LENGTH if refinement.max_length is None else refinement.max_length
        return _number_between(refinement.min_length, most)
    count = len(collection.payload)
    if count > 1 and isinstance(ty, SetType) and not collection.is_wholly_known:
        return _number_between(1, count)
    return integer(count)


def _number_between(least: int, most: int) -> Value:
    lower, upper = numbers.from_int(least), numbers.from_int(most)
    return unknown(NUMBER, Refinement(not_null=True, lower=lower, upper=upper))
