"""Operators, index and length, compared with answers recorded from Terraform 1.11.4."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared_nodes.values import number as numbers
from shared_nodes.values import operations as op
from shared_nodes.values.equality import UNKNOWN_BOOL
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.operations import OperationError
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, MapType, ObjectType, SetType, TupleType
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    FALSE,
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
    value_text,
)

Binary = Callable[[Value, Value], Value]
A, ONE, FIVE = string("a"), integer(1), integer(5)
INFINITY = number(numbers.PositiveInfinity)
FIVE_TO_TEN = unknown(NUMBER, Refinement(not_null=True, lower=numbers.from_int(5), upper=numbers.from_int(10)))
ANY_NUMBER = unknown(NUMBER)


def literal(text: str) -> Value:
    payload = numbers.parse(text)
    assert payload is not None
    return number(payload)


@pytest.mark.parametrize(
    ("operator", "left", "right", "text"),
    [
        (op.add, literal("0.1"), literal("0.2"), "0.3"),
        (op.subtract, literal("1"), literal("1"), "0"),
        (op.multiply, literal("0"), literal("-1"), "-0"),
        (op.divide, integer(1), integer(3), "0.33333333333333333334@64"),
        (op.divide, literal("5"), literal("0"), "+Inf"),
        (op.divide, literal("-5"), literal("0"), "-Inf"),
        (op.modulo, literal("-7"), literal("3"), "-1"),
        (op.modulo, literal("7"), literal("-3"), "1"),
        (op.modulo, literal("5.5"), literal("2"), "1.5"),
        (op.modulo, literal("5"), literal("0"), "5"),
        (op.modulo, INFINITY, literal("0"), "+Inf"),
    ],
)
def test_arithmetic(operator: Binary, left: Value, right: Value, text: str) -> None:
    assert value_text(operator(left, right)) == text


@pytest.mark.parametrize(
    ("operator", "left", "right", "message"),
    [
        (op.divide, literal("0"), literal("0"), "can't divide zero by zero or infinity by infinity"),
        (op.divide, INFINITY, INFINITY, "can't divide zero by zero or infinity by infinity"),
        (op.subtract, INFINITY, INFINITY, "can't subtract infinity from itself"),
        (op.add, INFINITY, op.negate(INFINITY), "can't compute sum of opposing infinities"),
        (op.multiply, INFINITY, literal("0"), "can't multiply zero by infinity"),
        (op.modulo, FIVE, INFINITY, "can't use modulo with zero and infinity"),
        (
            op.modulo,
            INFINITY,
            FIVE,
            "panic in function implementation: runtime error: invalid memory address or nil pointer dereference",
        ),
        (op.add, null(NUMBER), FIVE, "argument must not be null"),
        (op.less_than, FIVE, null(NUMBER), "argument must not be null"),
        (op.logical_and, TRUE, null(BOOL), "argument must not be null"),
    ],
)
def test_failures(operator: Binary, left: Value, right: Value, message: str) -> None:
    with pytest.raises(OperationError) as failure:
        operator(left, right)
    assert failure.value.message == message


@pytest.mark.parametrize(
    ("operator", "right", "result"),
    [
        (op.greater_or_equal, 3, TRUE),
        (op.greater_or_equal, 5, UNKNOWN_BOOL),
        (op.greater_or_equal, 20, FALSE),
        (op.less_or_equal, 20, TRUE),
        (op.less_or_equal, 10, UNKNOWN_BOOL),
        (op.less_than, 3, FALSE),
        (op.greater_than, 4, TRUE),
        (op.greater_than, 5, UNKNOWN_BOOL),
    ],
)
def test_bounds_settle_comparisons_but_count_as_exclusive(operator: Binary, right: int, result: Value) -> None:
    """`(c ? 5 : 10) >= 3` and similar, with an unknown c."""
    assert operator(FIVE_TO_TEN, integer(right)) == result


@pytest.mark.parametrize("operator", [op.add, op.subtract, op.multiply, op.divide, op.modulo])
def test_arithmetic_forgets_bounds(operator: Binary) -> None:
    """Recorded: `(c ? 5 : 10) + 1 > 3` is unknown, although `(c ? 5 : 10) > 3` is true."""
    assert operator(FIVE_TO_TEN, ONE) == unknown(NUMBER, NOT_NULL)
    assert op.negate(FIVE_TO_TEN) == unknown(NUMBER, NOT_NULL)


def test_logic_does_not_short_circuit() -> None:
    for result in (
        op.logical_and(FALSE, unknown(BOOL)),
        op.logical_or(unknown(BOOL), TRUE),
        op.logical_not(unknown(BOOL)),
    ):
        assert result == UNKNOWN_BOOL
    assert op.logical_and(TRUE, FALSE) is FALSE
    assert op.logical_or(TRUE, FALSE) is TRUE


def test_marks_of_both_operands_are_on_the_result() -> None:
    secret = FIVE.mark(SENSITIVE)
    assert op.add(secret, ONE).marks == {SENSITIVE}
    assert op.less_than(ONE, secret).marks == {SENSITIVE}
    assert op.logical_or(TRUE.mark(SENSITIVE), FALSE).marks == {SENSITIVE}
    assert op.add(secret, ANY_NUMBER) == unknown(NUMBER, NOT_NULL).mark(SENSITIVE)


class TestIndex:
    def test_elements(self) -> None:
        assert op.index(list_of(STRING, [A]), integer(0)) == A
        assert op.index(tuple_of([ONE, A]), literal("1")) == A
        assert op.index(map_of(STRING, {"k": A}), string("k")) == A
        assert op.attribute(object_of({"a": A}), "a") == A

    def test_unknown_collections_and_keys(self) -> None:
        pair = TupleType([STRING, NUMBER])
        assert op.index(unknown(ListType(STRING)), integer(9)) == unknown(STRING)
        assert op.index(list_of(STRING, [A]), ANY_NUMBER) == unknown(STRING)
        assert op.index(unknown(MapType(NUMBER)), A) == unknown(NUMBER)
        assert op.index(unknown(pair), integer(1)) == unknown(NUMBER)
        assert op.index(tuple_of([A]), ANY_NUMBER) == DYNAMIC_UNKNOWN
        assert op.index(DYNAMIC_UNKNOWN, ONE) == DYNAMIC_UNKNOWN
        assert op.attribute(unknown(ObjectType({"a": STRING})), "a") == unknown(STRING)
        assert op.attribute(DYNAMIC_UNKNOWN, "a") == DYNAMIC_UNKNOWN

    def test_marks_of_collection_and_key(self) -> None:
        assert op.index(list_of(STRING, [A]).mark(SENSITIVE), integer(0)) == A.mark(SENSITIVE)
        assert op.index(list_of(STRING, [A]), integer(0).mark(SENSITIVE)) == A.mark(SENSITIVE)

    @pytest.mark.parametrize(
        ("collection", "key", "result"),
        [
            (list_of(STRING, [A]), integer(0), TRUE),
            (list_of(STRING, [A]), integer(1), FALSE),
            (list_of(STRING, [A]), integer(-1), FALSE),
            (list_of(STRING, [A]), literal("0.5"), FALSE),
            (list_of(STRING, [A]), literal("1e99999999"), FALSE),
            (list_of(STRING, [A]), A, FALSE),
            (map_of(STRING, {"k": A}), string("k"), TRUE),
            (map_of(STRING, {"k": A}), string("x"), FALSE),
            (unknown(ListType(STRING)), integer(9), UNKNOWN_BOOL),
            (unknown(TupleType([STRING])), integer(9), FALSE),
            (DYNAMIC_UNKNOWN, ONE, UNKNOWN_BOOL),
            (tuple_of([A]), DYNAMIC_UNKNOWN, UNKNOWN_BOOL),
        ],
    )
    def test_has_index(self, collection: Value, key: Value, result: Value) -> None:
        assert op.has_index(collection, key) == result


class TestLength:
    def test_known(self) -> None:
        assert op.length(list_of(STRING, [A, A])) == integer(2)
        assert op.length(unknown(TupleType([STRING]))) == ONE
        assert op.length(unknown(ObjectType({"a": DYNAMIC}))) == ONE

    def test_of_a_set_with_unknowns(self) -> None:
        assert op.length(set_of(STRING, [unknown(STRING)])) == ONE
        expected = Refinement(not_null=True, lower=numbers.from_int(1), upper=numbers.from_int(2))
        assert op.length(set_of(STRING, [A, unknown(STRING)])) == unknown(NUMBER, expected)

    def test_of_an_unknown_collection(self) -> None:
        bounded = unknown(SetType(STRING), Refinement(min_length=1, max_length=3))
        expected = Refinement(not_null=True, lower=numbers.from_int(1), upper=numbers.from_int(3))
        assert op.length(bounded) == unknown(NUMBER, expected)
        assert op.greater_or_equal(op.length(unknown(ListType(STRING))), integer(0)) == UNKNOWN_BOOL
