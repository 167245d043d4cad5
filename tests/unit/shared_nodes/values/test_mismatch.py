"""The reason in "Inconsistent conditional result types", as recorded."""

from __future__ import annotations

import pytest

from shared_nodes.values.mismatch import conditional_mismatch
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, ObjectType, SetType, TupleType, Type

DEEP = "At least one deeply-nested attribute or element is not compatible across both the 'true' and the 'false' value"


@pytest.mark.parametrize(
    ("true_type", "false_type", "reason"),
    [
        (NUMBER, BOOL, "The 'true' value is number, but the 'false' value is bool"),
        (ListType(STRING), STRING, "The 'true' value is list of string, but the 'false' value is string"),
        (
            ObjectType({"a": NUMBER}),
            ObjectType({"b": BOOL}),
            "The 'true' value includes object attribute \"a\", which is absent in the 'false' value",
        ),
        (
            ObjectType({"a": NUMBER}),
            ObjectType({"a": NUMBER, "b": BOOL}),
            "The 'false' value includes object attribute \"b\", which is absent in the 'true' value",
        ),
        (
            ObjectType({"a": NUMBER}),
            ObjectType({"a": BOOL}),
            "Type mismatch for object attribute \"a\": The 'true' value is number, but the 'false' value is bool",
        ),
        (
            TupleType([NUMBER, NUMBER]),
            TupleType([BOOL]),
            "The 'true' tuple has length 2, but the 'false' tuple has length 1",
        ),
        (
            TupleType([NUMBER]),
            TupleType([BOOL]),
            "Type mismatch for tuple element 0: The 'true' value is number, but the 'false' value is bool",
        ),
        (
            SetType(TupleType([NUMBER])),
            SetType(TupleType([BOOL])),
            "Mismatched set element types: Type mismatch for tuple element 0: "
            "The 'true' value is number, but the 'false' value is bool",
        ),
        (
            ListType(TupleType([])),
            MapType(TupleType([])),
            "The 'true' value is list of tuple, but the 'false' value is map of tuple",
        ),
        (ListType(ListType(TupleType([NUMBER]))), ListType(ListType(TupleType([BOOL]))), DEEP),
    ],
)
def test_reasons(true_type: Type, false_type: Type, reason: str) -> None:
    assert conditional_mismatch(true_type, false_type) == reason
