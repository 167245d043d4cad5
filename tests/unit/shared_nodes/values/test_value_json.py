"""Values, types and shapes as JSON, in the forms of `terraform output -json`, the state and the JSON plan."""

from __future__ import annotations

import pytest

from shared_nodes.values import number as numbers
from shared_nodes.values.json import (
    JsonError,
    JsonNumber,
    JsonWriter,
    Tree,
    dumps,
    implied_value,
    loads,
    path_from_json,
    path_to_json,
    sensitive_shape,
    type_from_json,
    type_to_json,
    unknown_shape,
    value_from_json,
    value_to_json,
    without_unknowns,
)
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.paths import AttributeStep, IndexStep, path_text
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
    EMPTY_OBJECT,
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

A, ONE = string("a"), integer(1)
SECRET, ID = A.mark(SENSITIVE), unknown(STRING)


def literal(text: str) -> Value:
    payload = numbers.parse(text)
    assert payload is not None
    return number(payload)


class TestText:
    def test_compact(self) -> None:
        tree: Tree = {"b": [JsonNumber("1"), None, True], "a": {}, "c": []}
        assert dumps(tree) == '{"b":[1,null,true],"a":{},"c":[]}'

    def test_indented(self) -> None:
        assert (
            dumps({"a": [JsonNumber("1"), {}], "b": []}, indent=2) == '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}'
        )

    def test_escapes(self) -> None:
        text = '<&>"\\\b\f\n\r\t\x01\x7f\u2028é\ud800'
        assert dumps(text) == '"\\u003c\\u0026\\u003e\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7f\\u2028é\\ufffd"'
        assert dumps("<&>", escape_html=False) == '"<&>"'

    def test_lists_of_texts_are_written_like_single_texts(self) -> None:
        """They have a code path of their own, because they can be very long."""
        texts = ["a", "<b>", "a", '"', ""]
        assert dumps([*texts]) == f"[{','.join(map(dumps, texts))}]"
        assert dumps([*texts], indent=2) == "[\n  " + ",\n  ".join(map(dumps, texts)) + "\n]"
        assert dumps(["a", None, "b"]) == '["a",null,"b"]'

    def test_a_writer_remembers_nothing_that_matters(self) -> None:
        writer = JsonWriter()
        trees: list[Tree] = [{"a<": ["x", "y"]}, ["x", "a<"], {"x": {"x": "x"}}]
        assert [writer.text(tree) for tree in trees] == [dumps(tree) for tree in trees]
        assert "{" + writer.members({"a": ["x"], "b": None}) + "}" == dumps({"a": ["x"], "b": None})

    def test_numbers_are_read_by_their_digits(self) -> None:
        digits = "3.3000000000000000000000000000000000002"
        assert loads(f"[{digits}, 1e5]") == [JsonNumber(digits), JsonNumber("1e5")]

    @pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "NaN", "Infinity", "[1,]", "{'a':1}"])
    def test_what_is_not_json(self, text: str) -> None:
        with pytest.raises(JsonError):
            loads(text)


@pytest.mark.parametrize(
    ("ty", "text"),
    [
        (DYNAMIC, '"dynamic"'),
        (ListType(STRING), '["list","string"]'),
        (SetType(MapType(BOOL)), '["set",["map","bool"]]'),
        (TupleType([NUMBER]), '["tuple",["number"]]'),
        (ObjectType({"b": STRING, "a": NUMBER}), '["object",{"a":"number","b":"string"}]'),
        (ObjectType({"a": NUMBER, "b": STRING}, ["b"]), '["object",{"a":"number","b":"string"},["b"]]'),
    ],
)
def test_types(ty: Type, text: str) -> None:
    assert dumps(type_to_json(ty)) == text
    assert type_from_json(loads(text)) == ty


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"str"', 'invalid primitive type name "str"'),
        ("null", "invalid type description"),
        ("5", "invalid type description"),
        ("{}", "invalid complex type description"),
        ("[]", "invalid complex type kind name"),
        ('["list"]', "expected comma after array element"),
        ('["list",5,"more"]', "invalid type description"),
        ('["list","string","more"]', "unexpected extra data in type description"),
        ('["tuple",5]', "json: cannot unmarshal number into Go value of type []cty.Type"),
        ('["object",[]]', "json: cannot unmarshal array into Go value of type map[string]cty.Type"),
        ('["object",{},[5]]', "json: cannot unmarshal number into Go value of type string"),
        ('["object",{},["x"]]', 'optional contains undeclared attribute "x"'),
    ],
)
def test_what_is_not_a_type(text: str, message: str) -> None:
    """The errors are those of the original, which reads from left to right. It crashes on the last one."""
    with pytest.raises(JsonError) as failure:
        type_from_json(loads(text))
    assert str(failure.value) == message


@pytest.mark.parametrize(
    ("value", "ty", "text"),
    [
        (literal("-0"), NUMBER, "-0"),
        (literal("1e21"), NUMBER, "1000000000000000000000"),
        (set_of(NUMBER, [integer(10), integer(9)]), SetType(NUMBER), "[9,10]"),
        (object_of({"b": TRUE, "a": NULL_DYNAMIC}), ObjectType({"a": DYNAMIC, "b": BOOL}), '{"a":null,"b":true}'),
        (A, DYNAMIC, '{"value":"a","type":"string"}'),
        (null(STRING), DYNAMIC, '{"value":null,"type":"string"}'),
        (map_of(NUMBER, {"k": ONE}), MapType(NUMBER), '{"k":1}'),
        (tuple_of([ONE]), TupleType([DYNAMIC]), '[{"value":1,"type":"number"}]'),
    ],
)
def test_values(value: Value, ty: Type, text: str) -> None:
    assert dumps(value_to_json(value, ty)) == text
    read = value_from_json(loads(text), ty)
    assert dumps(value_to_json(read, ty)) == text


@pytest.mark.parametrize(
    ("value", "message", "path"),
    [
        (number(numbers.PositiveInfinity), "cannot serialize infinity as JSON", ""),
        (object_of({"a": tuple_of([ID])}), "value is not known", ".a[0]"),
        (map_of(STRING, {"k": SECRET}), "value has marks, so it cannot be serialized as JSON", '["k"]'),
        (literal("1e99999999"), "cannot serialize a number with that many digits as JSON", ""),
    ],
)
def test_values_without_json(value: Value, message: str, path: str) -> None:
    with pytest.raises(JsonError) as failure:
        value_to_json(value)
    assert (failure.value.message, path_text(failure.value.path)) == (message, path)


@pytest.mark.parametrize(
    ("text", "ty", "value"),
    [
        ('"5"', NUMBER, literal("5")),
        ("5", STRING, string("5")),
        ("1e2", STRING, string("1e2")),
        ("5.0", STRING, string("5.0")),
        ("true", STRING, string("true")),
        ('"1"', BOOL, TRUE),
        ("{}", ObjectType({"a": STRING}), object_of({"a": null(STRING)})),
        ('["b","a","b"]', SetType(STRING), set_of(STRING, [string("a"), string("b")])),
        ("null", ListType(STRING), null(ListType(STRING))),
        ('"e\u0301"', STRING, string("\u00e9")),
    ],
)
def test_reading_is_lenient_with_scalars(text: str, ty: Type, value: Value) -> None:
    assert value_from_json(loads(text), ty) == value


@pytest.mark.parametrize(
    ("text", "ty", "message"),
    [
        ('"x"', NUMBER, "a number is required"),
        ("[]", NUMBER, "number is required"),
        ('"x"', BOOL, "a bool is required"),
        ("5", BOOL, "bool is required"),
        ("[]", STRING, "string is required"),
        ("{}", ListType(STRING), "missing expected ["),
        ('"x"', TupleType([STRING]), "missing expected ["),
        ("[]", MapType(STRING), "missing expected {"),
        ("[]", ObjectType({}), "missing expected {"),
        ('{"x":1}', ObjectType({}), 'unsupported attribute "x"'),
        ("[1]", TupleType([]), "too many tuple elements (need 0)"),
        ("[]", TupleType([STRING]), "not enough tuple elements (need 1)"),
        ("5", DYNAMIC, "missing expected {"),
        ('{"value":5}', DYNAMIC, "missing type in dynamically-typed value"),
        ('{"type":"number"}', DYNAMIC, "missing value in dynamically-typed value"),
        ('{"type":"number","value":1,"x":1}', DYNAMIC, 'invalid key "x" in dynamically-typed value'),
        (
            '{"type":"nope","value":1}',
            DYNAMIC,
            'failed to decode type for dynamic value: invalid primitive type name "nope"',
        ),
    ],
)
def test_reading_failures(text: str, ty: Type, message: str) -> None:
    with pytest.raises(JsonError) as failure:
        value_from_json(loads(text), ty)
    assert failure.value.message == message


def test_implied_values() -> None:
    tree = loads('{"a":[1,"x",null,true],"b":{}}')
    expected = object_of({"a": tuple_of([literal("1"), string("x"), NULL_DYNAMIC, TRUE]), "b": EMPTY_OBJECT})
    assert implied_value(tree) == expected


@pytest.mark.parametrize(
    ("value", "shape", "shown"),
    [
        (ID, "true", None),
        (A, "false", '"a"'),
        (tuple_of([ID, A]), "[true,false]", '[null,"a"]'),
        (object_of({"a": ID, "b": A}), '{"a":true}', '{"b":"a"}'),
        (tuple_of([tuple_of([ID]), tuple_of([ONE])]), "[[true],[false]]", "[[null],[1]]"),
        (set_of(STRING, [ID, A]), "[false,true]", '["a",null]'),
        (object_of({"a": object_of({"b": A})}), '{"a":{}}', '{"a":{"b":"a"}}'),
        (list_of(STRING, []), "[]", "[]"),
    ],
)
def test_what_a_plan_shows(value: Value, shape: str, shown: str | None) -> None:
    assert dumps(unknown_shape(value)) == shape
    visible = without_unknowns(value)
    assert (None if visible is None else dumps(value_to_json(visible))) == shown


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (SECRET, "true"),
        (tuple_of([SECRET, A]), "[true,false]"),
        (object_of({"a": object_of({"b": SECRET, "c": ONE})}), '{"a":{"b":true}}'),
        (tuple_of([tuple_of([SECRET]), ONE]), "[[true],false]"),
        (A.mark(EPHEMERAL), "false"),
        (unknown(MapType(STRING)), "{}"),
        (unknown(ListType(STRING)), "[]"),
        (unknown(STRING), "false"),
        (FALSE, "false"),
    ],
)
def test_sensitive_shape(value: Value, shape: str) -> None:
    assert dumps(sensitive_shape(value)) == shape


def test_paths() -> None:
    path = (AttributeStep("a"), IndexStep(integer(0)), IndexStep(string("k")))
    text = (
        '[{"type":"get_attr","value":"a"},{"type":"index","value":{"value":0,"type":"number"}},'
        '{"type":"index","value":{"value":"k","type":"string"}}]'
    )
    assert dumps(path_to_json(path)) == text
    assert path_from_json(loads(text)) == path
    with pytest.raises(JsonError, match="invalid path step"):
        path_from_json(loads('[{"type":"index","value":{"value":0.5,"type":"number"}}]'))
