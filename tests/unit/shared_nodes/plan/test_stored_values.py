"""Values of a saved plan come back as they were, except that numbers lose precision as they do in the original."""

from __future__ import annotations

import pytest
from hypothesis import given

from shared_nodes.plan.stored_values import value_from_plan, value_to_plan
from shared_nodes.values import number as numbers
from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, loads
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.stored import stored
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, MapType, ObjectType, SetType
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    EMPTY_OBJECT,
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
from tests.strategies import values


def parsed(text: str) -> Value:
    payload = numbers.parse(text)
    assert payload is not None
    return number(payload)


def saved_and_loaded(value: Value) -> Value:
    return value_from_plan(loads(dumps(value_to_plan(value))))


@given(values())
def test_any_value_comes_back(value: Value) -> None:
    assert saved_and_loaded(value) == stored(value)


@pytest.mark.parametrize(
    "value",
    [
        NULL_DYNAMIC,
        null(ListType(DYNAMIC)),
        DYNAMIC_UNKNOWN,
        DYNAMIC_UNKNOWN.mark(SENSITIVE),
        unknown(STRING, Refinement(not_null=True, prefix="ab")),
        unknown(NUMBER, Refinement(lower=numbers.from_int(1), lower_inclusive=False, upper=numbers.from_float(2.5))),
        unknown(ListType(BOOL), Refinement(not_null=True, min_length=1, max_length=3)),
        unknown(MapType(STRING), NOT_NULL),
        object_of({"a": string("x").mark(SENSITIVE), "b": tuple_of([TRUE.mark(EPHEMERAL), unknown(STRING)])}).mark(
            SENSITIVE
        ),
        set_of(STRING, [string("a"), unknown(STRING)]),
        map_of(DYNAMIC, {}),
        list_of(ObjectType({"x": DYNAMIC}), []),
        EMPTY_OBJECT,
        integer(-(2**63)),
        parsed("12345678901234567890123"),
        parsed("0.1"),
        parsed("1e100"),
        set_of(SetType(NUMBER).element, [integer(1), parsed("1.5")]),
        parsed("1e2000000"),
        parsed("-1.5e-2000000"),
        list_of(NUMBER, [parsed("1e2000000"), integer(1)]).mark(SENSITIVE),
    ],
    ids=repr,
)
def test_corners_come_back(value: Value) -> None:
    assert saved_and_loaded(value) == stored(value)


@pytest.mark.parametrize(
    "tree",
    [
        ["typed", "odd", None],
        ["typed", ["list", "string"], ["map", {}]],
        ["typed", ["object", {"a": "string"}], ["map", {}]],
        ["typed", ["tuple", ["string"]], ["list", []]],
        ["typed", "number", ["number", "x"]],
        ["typed", "number", ["binary", "x", JsonNumber("1")]],
        ["typed", "number", ["binary", "1", JsonNumber("1.5")]],
        ["typed", "number", ["binary", "1", JsonNumber("99999999999")]],
        ["typed", "number", ["binary", "9" * 190, JsonNumber("1")]],
        ["typed", "number", ["binary", "9" * 5000, JsonNumber("1")]],
        ["typed", "string", ["list", ["x"]]],
        ["odd"],
        {},
    ],
    ids=str,
)
def test_what_was_never_saved_is_refused(tree: Tree) -> None:
    with pytest.raises(JsonError):
        value_from_plan(tree)
