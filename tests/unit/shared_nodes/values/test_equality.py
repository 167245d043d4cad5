"""`==`, compared with answers recorded from Terraform 1.11.4, including what is known about unknowns during
planning."""

from __future__ import annotations

import pytest

from shared_nodes.values import number as numbers
from shared_nodes.values.equality import UNKNOWN_BOOL, equals
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, SetType, TupleType
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    EMPTY_TUPLE,
    FALSE,
    NULL_DYNAMIC,
    TRUE,
    Value,
    integer,
    list_of,
    map_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)

A, ONE, TWO = string("a"), integer(1), integer(2)
ID, MAYBE = unknown(STRING, NOT_NULL), unknown(STRING)
PREFIXED = unknown(STRING, Refinement(not_null=True, prefix="x-"))
FIVE_TO_TEN = unknown(NUMBER, Refinement(not_null=True, lower=numbers.from_int(5), upper=numbers.from_int(10)))


def literal(text: str) -> Value:
    payload = numbers.parse(text)
    assert payload is not None
    return number(payload)


def quotient(left: int, right: int) -> Value:
    return number(numbers.divide(numbers.from_int(left), numbers.from_int(right)))


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        (ONE, string("1"), FALSE),
        (tuple_of([ONE]), list_of(NUMBER, [ONE]), FALSE),
        (EMPTY_TUPLE, list_of(DYNAMIC, []), FALSE),
        (object_of({"a": ONE}), map_of(NUMBER, {"a": ONE}), FALSE),
        (NULL_DYNAMIC, null(STRING), TRUE),
        (null(NUMBER), null(STRING), TRUE),
        (tuple_of([NULL_DYNAMIC]), tuple_of([null(STRING)]), FALSE),
        (list_of(STRING, [null(STRING)]), list_of(STRING, [null(STRING)]), TRUE),
        (map_of(NUMBER, {"a": ONE}), map_of(NUMBER, {"b": ONE}), FALSE),
        (set_of(NUMBER, [ONE, TWO]), set_of(NUMBER, [TWO, ONE, TWO]), TRUE),
        (literal("0"), literal("-0"), TRUE),
        (set_of(NUMBER, [literal("0")]), set_of(NUMBER, [literal("-0")]), FALSE),
        (literal("1"), ONE, TRUE),
        (quotient(1, 3), literal("0.33333333333333333334"), TRUE),
        (quotient(1, 3), literal("0.33333333333333333333"), FALSE),
        (number(numbers.from_float(0.1)), literal("0.1"), TRUE),
        (number(numbers.PositiveInfinity), number(numbers.PositiveInfinity), TRUE),
        (number(numbers.PositiveInfinity), number(numbers.NegativeInfinity), FALSE),
        (literal("1e-99999999"), literal("2e-99999999"), FALSE),
    ],
)
def test_known_values(left: Value, right: Value, result: Value) -> None:
    assert equals(left, right) is result
    assert equals(right, left) is result


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        (ID, NULL_DYNAMIC, FALSE),
        (MAYBE, NULL_DYNAMIC, UNKNOWN_BOOL),
        (ID, ID, UNKNOWN_BOOL),
        (ID, unknown(NUMBER), UNKNOWN_BOOL),
        (ID, ONE, FALSE),
        (DYNAMIC_UNKNOWN, ONE, UNKNOWN_BOOL),
        (PREFIXED, string("y-1"), FALSE),
        (PREFIXED, string("x-1"), UNKNOWN_BOOL),
        (FIVE_TO_TEN, integer(4), FALSE),
        (FIVE_TO_TEN, integer(5), UNKNOWN_BOOL),
        (unknown(NUMBER, Refinement(lower=numbers.from_int(5), lower_inclusive=False)), integer(5), FALSE),
        (unknown(ListType(STRING), Refinement(min_length=2)), list_of(STRING, [A]), FALSE),
        (unknown(SetType(STRING), Refinement(max_length=1)), set_of(STRING, [A, ID]), UNKNOWN_BOOL),
        (unknown(SetType(STRING), Refinement(min_length=3)), set_of(STRING, [A, ID]), FALSE),
        (tuple_of([ID, ONE]), tuple_of([A, TWO]), UNKNOWN_BOOL),
        (tuple_of([ONE, ID]), tuple_of([TWO, A]), FALSE),
        (unknown(TupleType([STRING])), tuple_of([NULL_DYNAMIC]), FALSE),
        (tuple_of([DYNAMIC_UNKNOWN, ONE]), tuple_of([A, TWO]), UNKNOWN_BOOL),
        (tuple_of([DYNAMIC_UNKNOWN, ONE]), tuple_of([A]), FALSE),
        (set_of(STRING, [ID]), set_of(STRING, [A]), UNKNOWN_BOOL),
        (set_of(TupleType([STRING]), [tuple_of([ID])]), set_of(TupleType([STRING]), [tuple_of([A])]), FALSE),
    ],
)
def test_unknown_values(left: Value, right: Value, result: Value) -> None:
    assert equals(left, right) == result
    assert equals(right, left) == result


def test_marks_anywhere_mark_the_result() -> None:
    secret = tuple_of([A.mark(SENSITIVE)])
    assert equals(secret, ONE) == FALSE.mark(SENSITIVE)
    assert equals(secret, NULL_DYNAMIC) == FALSE.mark(SENSITIVE)


def test_marks_inside_count_even_in_a_comparison_with_null() -> None:
    assert equals(tuple_of([A.mark(SENSITIVE)]), NULL_DYNAMIC) == FALSE.mark(SENSITIVE)


def test_the_answer_is_never_null() -> None:
    assert unknown(BOOL, NOT_NULL) == UNKNOWN_BOOL
