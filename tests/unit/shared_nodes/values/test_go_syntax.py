"""Values as Go source: the forms real Terraform 1.11.4 printed where it blamed a provider."""

from __future__ import annotations

import pytest

from shared_nodes.values import number as numbers
from shared_nodes.values.go_syntax import go_string, go_type
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.sets import set_of
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
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    EMPTY_OBJECT,
    EMPTY_TUPLE,
    TRUE,
    Value,
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


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (string('q"\n'), 'cty.StringVal("q\\"\\n")'),
        (TRUE, "cty.True"),
        (literal("1"), "cty.NumberIntVal(1)"),
        (literal("-5"), "cty.NumberIntVal(-5)"),
        (literal("100000"), "cty.NumberIntVal(100000)"),
        (literal("1000000"), "cty.NumberIntVal(1e+06)"),
        (literal("123456789"), "cty.NumberIntVal(1.23456789e+08)"),
        (literal("0.25"), "cty.NumberFloatVal(0.25)"),
        (number(numbers.from_float(1e-7)), "cty.NumberFloatVal(1e-07)"),
        (literal("1234567.5"), "cty.NumberFloatVal(1.2345675e+06)"),
        (literal("0.1"), 'cty.MustParseNumberVal("0.1")'),
        (number(numbers.from_float(0.1)), "cty.NumberFloatVal(0.1)"),
        (null(STRING), "cty.NullVal(cty.String)"),
        (DYNAMIC_UNKNOWN, "cty.DynamicVal"),
        (unknown(STRING, NOT_NULL), "cty.UnknownVal(cty.String).RefineNotNull()"),
        (
            unknown(STRING, Refinement(not_null=True, prefix="p-")),
            'cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull("p-").NewValue()',
        ),
        (list_of(STRING, ()), "cty.ListValEmpty(cty.String)"),
        (set_of(STRING, [string("a")]), 'cty.SetVal([]cty.Value{cty.StringVal("a")})'),
        (
            map_of(STRING, {"b": null(STRING), "a": string("x")}),
            'cty.MapVal(map[string]cty.Value{"a":cty.StringVal("x"), "b":cty.NullVal(cty.String)})',
        ),
        (EMPTY_TUPLE, "cty.EmptyTupleVal"),
        (EMPTY_OBJECT, "cty.EmptyObjectVal"),
        (
            object_of({"x": tuple_of([TRUE])}),
            'cty.ObjectVal(map[string]cty.Value{"x":cty.TupleVal([]cty.Value{cty.True})})',
        ),
    ],
)
def test_values(value: Value, text: str) -> None:
    assert go_string(value) == text


@pytest.mark.parametrize(
    ("ty", "text"),
    [
        (MapType(ListType(SetType(DYNAMIC))), "cty.Map(cty.List(cty.Set(cty.DynamicPseudoType)))"),
        (TupleType([STRING, BOOL]), "cty.Tuple([]cty.Type{cty.String, cty.Bool})"),
        (ObjectType({"b": NUMBER, "a": STRING}), 'cty.Object(map[string]cty.Type{"a":cty.String, "b":cty.Number})'),
        (TupleType([]), "cty.EmptyTuple"),
        (ObjectType({}), "cty.EmptyObject"),
    ],
)
def test_types(ty: Type, text: str) -> None:
    assert go_type(ty) == text
