"""Which members form a set and how they iterate, compared with recorded answers."""

from __future__ import annotations

import pytest

from shared_nodes.values import number as numbers
from shared_nodes.values.set_key import set_key
from shared_nodes.values.sets import distinct_in_set_order, set_of
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, ObjectType
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
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


def literal(text: str) -> Value:
    payload = numbers.parse(text)
    assert payload is not None
    return number(payload)


def strings(*texts: str) -> list[Value]:
    return [string(text) for text in texts]


def test_strings_in_byte_order() -> None:
    members = strings("b", "10", "9", "B", "\U0001f600", "\uffee", "b")
    assert distinct_in_set_order(STRING, members) == tuple(strings("10", "9", "B", "b", "\uffee", "\U0001f600"))


def test_numbers_by_size_and_both_zeros() -> None:
    members = [literal(text) for text in ("10", "9", "0", "-0", "1e1", "-1")]
    texts = [numbers.number_text(member.payload) for member in distinct_in_set_order(NUMBER, members)]
    assert texts == ["-1", "-0", "0", "9", "10"]


def test_known_then_unknown_then_null() -> None:
    members = [null(STRING), unknown(STRING), string("z"), unknown(STRING), null(STRING)]
    expected = (string("z"), unknown(STRING), unknown(STRING), null(STRING))
    assert distinct_in_set_order(STRING, members) == expected
    assert distinct_in_set_order(BOOL, [null(BOOL), TRUE, unknown(BOOL), FALSE])[:2] == (FALSE, TRUE)


def test_everything_else_by_its_key() -> None:
    """`toset([[1], [2], [10]])` starts with [10]: in the keys, `0` comes before `;`."""
    members = [tuple_of([integer(index)]) for index in (1, 2, 10)]
    assert distinct_in_set_order(members[0].type, members) == (members[2], members[0], members[1])


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (string('a"\n\x7f\u200bé'), '"a\\"\\n\\x7f\\u200bé"'),
        (literal("12345678901234"), "1.23456789e+13"),
        (literal("1234567890"), "1234567890"),
        (literal("0.0001"), "0.0001"),
        (literal("0.00001"), "1e-05"),
        (literal("-2.50"), "-2.5"),
        (literal("-0"), "-0"),
        (number(numbers.NegativeInfinity), "-Inf"),
        (tuple_of([TRUE, FALSE, NULL_DYNAMIC, DYNAMIC_UNKNOWN]), "<T;F;~;?;>"),
        (object_of({"b": integer(1), "a": integer(2)}), "<2;1;>"),
        (map_of(NUMBER, {"b": integer(1)}), '{"b":1;}'),
        (list_of(NUMBER, [integer(1)]), "[1;]"),
        (set_of(NUMBER, []), "[]"),
    ],
)
def test_keys(value: Value, key: str) -> None:
    assert set_key(value) == key


def test_numbers_alike_in_ten_digits_stay_apart() -> None:
    members = [tuple_of([literal(text)]) for text in ("1.00000000001", "1.00000000002")]
    assert distinct_in_set_order(members[0].type, members) == tuple(members)


def test_elements_with_unknowns_inside_never_coalesce() -> None:
    element = list_of(STRING, [unknown(STRING)])
    assert len(distinct_in_set_order(ListType(STRING), [element, element])) == 2


def test_elements_that_hold_null_do() -> None:
    element = object_of({"a": NULL_DYNAMIC})
    assert len(distinct_in_set_order(ObjectType({"a": DYNAMIC}), [element, element])) == 1
