"""Unification, compared with types recorded from conditionals and `tolist` in Terraform 1.11.4."""

from __future__ import annotations

import pytest

from shared_nodes.values.convert import unify
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)

EMPTY_TUPLE, EMPTY_OBJECT = TupleType([]), ObjectType({})


@pytest.mark.parametrize(
    ("types", "common"),
    [
        ([NUMBER, STRING], STRING),
        ([NUMBER, BOOL], None),
        ([NUMBER, BOOL, STRING], STRING),
        ([NUMBER, DYNAMIC], NUMBER),
        ([DYNAMIC, DYNAMIC], DYNAMIC),
        ([], None),
        ([EMPTY_TUPLE, TupleType([NUMBER])], ListType(NUMBER)),
        ([TupleType([NUMBER]), TupleType([STRING])], TupleType([STRING])),
        ([TupleType([NUMBER]), TupleType([BOOL])], None),
        ([TupleType([NUMBER, STRING]), TupleType([BOOL])], ListType(STRING)),
        ([ObjectType({"a": NUMBER}), ObjectType({"b": STRING})], MapType(STRING)),
        ([ObjectType({"a": NUMBER}), ObjectType({"a": STRING})], ObjectType({"a": STRING})),
        ([ObjectType({"a": NUMBER, "b": BOOL}), ObjectType({"a": BOOL, "b": STRING})], None),
        ([EMPTY_OBJECT, ObjectType({"a": NUMBER})], MapType(NUMBER)),
        ([EMPTY_OBJECT, EMPTY_TUPLE], None),
        ([ListType(NUMBER), ListType(STRING)], ListType(STRING)),
        ([ListType(NUMBER), ListType(BOOL)], None),
        ([ListType(NUMBER), SetType(NUMBER)], ListType(NUMBER)),
        ([SetType(NUMBER), TupleType([NUMBER])], SetType(NUMBER)),
        ([SetType(NUMBER), SetType(STRING)], SetType(STRING)),
        ([ListType(NUMBER), TupleType([STRING, BOOL])], ListType(STRING)),
        ([ListType(STRING), TupleType([NUMBER, BOOL])], ListType(STRING)),
        ([ListType(STRING), EMPTY_TUPLE], ListType(STRING)),
        ([MapType(NUMBER), ObjectType({"a": STRING})], MapType(STRING)),
        ([MapType(NUMBER), EMPTY_OBJECT], MapType(NUMBER)),
        ([MapType(STRING), ListType(STRING)], None),
        ([TupleType([NUMBER]), DYNAMIC], DYNAMIC),
        ([ListType(STRING), DYNAMIC, ListType(STRING)], DYNAMIC),
        ([ObjectType({"a": DYNAMIC}), ObjectType({"a": ObjectType({"b": NUMBER})})], ObjectType({"a": DYNAMIC})),
        ([ListType(DYNAMIC), ListType(STRING)], ListType(STRING)),
    ],
)
def test_common_types(types: list[Type], common: Type | None) -> None:
    assert unify(types, unsafe=True) == common
    assert unify(types[::-1], unsafe=True) == common


def test_only_safe_conversions_count_unless_told_otherwise() -> None:
    assert unify([SetType(STRING), ListType(STRING)], unsafe=False) == ListType(STRING)
    assert unify([NUMBER, DYNAMIC], unsafe=False) is DYNAMIC
    assert unify([TupleType([NUMBER]), SetType(STRING)], unsafe=False) == SetType(STRING)


def test_many_types_of_few_kinds() -> None:
    """Preferences are computed once per pair of distinct types, not of elements."""
    assert unify([NUMBER, BOOL, STRING] * 4000, unsafe=True) is STRING
