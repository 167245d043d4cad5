"""The readable text of values."""

from __future__ import annotations

import pytest

from shared_nodes.values import number as numbers
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import NUMBER, STRING, ListType
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
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
    value_text,
)

A, ONE = string("a"), integer(1)
BOUNDS = Refinement(not_null=True, lower=numbers.from_int(1), upper=numbers.parse("2"), upper_inclusive=False)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (string('a"\n'), '"a\\"\\n"'),
        (number(numbers.from_int(1, 512)), "1"),
        (ONE, "1@64"),
        (TRUE, "true"),
        (tuple_of([A, ONE]), '["a", 1@64]'),
        (object_of({"b c": A, "a": TRUE}), '{a = true, "b c" = "a"}'),
        (list_of(STRING, [A]), 'tolist(["a"])'),
        (list_of(STRING, []), "tolist(string, [])"),
        (set_of(STRING, [A]), 'toset(["a"])'),
        (map_of(STRING, {"k": A}), 'tomap({k = "a"})'),
        (NULL_DYNAMIC, "null(any)"),
        (null(ListType(STRING)), "null(list(string))"),
        (DYNAMIC_UNKNOWN, "unknown(any)"),
        (unknown(STRING, Refinement(not_null=True, prefix="x")), 'unknown(string, not null, prefix "x")'),
        (unknown(NUMBER, BOUNDS), "unknown(number, not null, >= 1@64, < 2)"),
        (unknown(ListType(STRING), Refinement(min_length=1)), "unknown(list(string), length 1..)"),
        (A.mark(SENSITIVE), 'sensitive("a")'),
        (A.with_marks(frozenset((SENSITIVE, EPHEMERAL))), 'ephemeral(sensitive("a"))'),
    ],
)
def test_texts(value: Value, text: str) -> None:
    assert value_text(value) == text
    assert repr(value) == text
