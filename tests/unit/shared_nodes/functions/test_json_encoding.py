"""`jsonencode` and `jsondecode`, compared with recorded answers."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.functions import json_encoding
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.json_encoding import MAX_NESTING, decode_json, encode_json
from shared_nodes.lang.function import FunctionError
from shared_nodes.values import number as numbers
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import NUMBER, STRING, ListType, MapType, ObjectType, Type
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    FALSE,
    NULL_DYNAMIC,
    Value,
    integer,
    list_of,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)
from shared_nodes.world import World

JSONDECODE, JSONENCODE = json_encoding.functions(FunctionContext(World.real(Path())))

DECODED: Final = [
    ("1]", "1"),
    ("1}", "1"),
    ("1] x", "1"),
    ("{}}", "{}"),
    ("[]]]", "[]"),
    ("true]", "true"),
    ('"\\ud83d\\ud83d\\ude00"', '"�😀"'),
    ('"\\ude00"', '"�"'),
    ('"e\\u0301"', '"é"'),
    ("-0", "-0"),
    ("-0.0", "-0"),
    ("[-0]", "[-0]"),
    ("0.1e1", "1"),
    ("1.10", "1.1"),
    ('{"a":"5","a":1}', '{"a":1}'),
    ('{"a":1,"a":"x"}', '{"a":"x"}'),
    ('{"a":"true","a":true}', '{"a":true}'),
    ('{"a":true,"a":"x"}', '{"a":"x"}'),
    ('{"a":null,"a":1}', '{"a":1}'),
    ('{"a":{"b":1},"a":{"b":1,"c":1}}', '{"a":{"b":1,"c":1}}'),
    ('{"a":1.50,"a":"x"}', '{"a":"x"}'),
    ('{"a":{"value":1,"type":"number"},"a":null}', '{"a":null}'),
    ('{"a":1,"a":2,"a":"x"}', '{"a":"x"}'),
    ('{"value":1,"type":"number"}', '{"type":"number","value":1}'),
]


@pytest.mark.parametrize(("text", "expected"), DECODED)
def test_decoding(text: str, expected: str) -> None:
    assert encode_json(JSONDECODE.call([string(text)])) == expected


REFUSED: Final = [
    ("", "EOF"),
    (" ", "EOF"),
    ("[", "EOF"),
    ("[1", "EOF"),
    ("[1,", "EOF"),
    ('{"a"', "EOF"),
    ('{"a":', "EOF"),
    ('{"a":1', "EOF"),
    ('{"a":1,', "EOF"),
    ('"abc', "unexpected EOF"),
    ('"abc\\', "unexpected EOF"),
    ('"\\u12', "unexpected EOF"),
    ('"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"),
    ('"\\x"', "invalid character 'x' in string escape code"),
    ('"a\nb"', "invalid character '\\n' in string literal"),
    ('"a\x00b"', "invalid character '\\x00' in string literal"),
    ('"\\\'"', "invalid character '\\'' in string escape code"),
    ("-", "unexpected EOF"),
    ("12.", "unexpected EOF"),
    ("12.x", "invalid character 'x' after decimal point in numeric literal"),
    ("1.55e", "unexpected EOF"),
    ("1.5e3.", "extraneous data after JSON object"),
    ("[1.5e3.1]", "invalid character '.' after array element"),
    ("[0.1.2]", "invalid character '.' after array element"),
    ("[120e5e]", "invalid character 'e' after array element"),
    ("-x", "invalid character 'x' in numeric literal"),
    ("--1", "invalid character '-' in numeric literal"),
    ("1.", "unexpected EOF"),
    ("1.x", "invalid character 'x' after decimal point in numeric literal"),
    ("1e", "unexpected EOF"),
    ("1ex", "invalid character 'x' in exponent of numeric literal"),
    ("1e+", "unexpected EOF"),
    ("1e+x", "invalid character 'x' in exponent of numeric literal"),
    ("01", "extraneous data after JSON object"),
    ("[01]", "invalid character '1' after array element"),
    ("-01", "extraneous data after JSON object"),
    ("1,", "extraneous data after JSON object"),
    ("1 ,", "extraneous data after JSON object"),
    ("1:", "extraneous data after JSON object"),
    ("1x", "extraneous data after JSON object"),
    ("truex", "extraneous data after JSON object"),
    ("tru", "unexpected EOF"),
    ("trux", "invalid character 'x' in literal true (expecting 'e')"),
    ("fals3", "invalid character '3' in literal false (expecting 'e')"),
    ("nul ", "invalid character ' ' in literal null (expecting 'l')"),
    ('nul"', "invalid character '\"' in literal null (expecting 'l')"),
    ("NULL", "invalid character 'N' looking for beginning of value"),
    ("]", "invalid character ']' looking for beginning of value"),
    ("}", "invalid character '}' looking for beginning of value"),
    (",", "invalid character ',' looking for beginning of value"),
    (":", "invalid character ':' looking for beginning of value"),
    ("[,1]", "invalid character ',' looking for beginning of value"),
    ("[1,,2]", "invalid character ',' looking for beginning of value"),
    ("[1 2]", "invalid character '2' after array element"),
    ("[1:2]", "invalid character ':' after array element"),
    ("[1}", "invalid character '}' after array element"),
    ("[}", "invalid character '}' looking for beginning of value"),
    ("{]", "invalid character ']'"),
    ('{"a":1]', "invalid character ']' after object key:value pair"),
    ("{,}", "invalid character ','"),
    ("{1:2}", "invalid character '1'"),
    ('{"a"}', "invalid character '}' after object key"),
    ('{"a",1}', "invalid character ',' after object key"),
    ('{"a" 1}', "invalid character '1' after object key"),
    ('{"a":}', "invalid character '}' looking for beginning of value"),
    ('{"a":1,}', "invalid character '}' looking for beginning of object key string"),
    ('{"a":1 "b":2}', "invalid character '\"' after object key:value pair"),
    ('{"a"::1}', "invalid character ':' looking for beginning of value"),
    ("{:1}", "invalid character ':'"),
    ('{"a":1,2}', "invalid character '2' looking for beginning of object key string"),
    ('{"a":1,,}', "invalid character ',' looking for beginning of object key string"),
    ('{"a"[]}', "invalid character '[' after object key"),
    ("{[]:1}", "invalid character '['"),
    ("{{}:1}", "invalid character '{'"),
    ("[1,]", "invalid character ']' looking for beginning of value"),
    ('["a" "b"]', "invalid character '\"' after array element"),
    ("\xa01", "invalid character 'Â' looking for beginning of value"),
    ("\x7f", "invalid character '\\x7f' looking for beginning of value"),
    ("\x01", "invalid character '\\x01' looking for beginning of value"),
    ("日", "invalid character 'æ' looking for beginning of value"),
    ('"日" 日', "extraneous data after JSON object"),
    ("[日]", "invalid character 'æ' looking for beginning of value"),
    ("[1 日]", "invalid character 'æ' after array element"),
    ("\\", "invalid character '\\\\' looking for beginning of value"),
    ("`", "invalid character '`' looking for beginning of value"),
    ("\x0b1", "invalid character '\\v' looking for beginning of value"),
    ('{"e\\u0301":1,"\\u00e9":2}', 'unsupported attribute "é"'),
    ('{"a":"x","a":1}', "a number is required"),
    ('{"a":true,"a":1}', "number is required"),
    ('{"a":1,"a":true}', "bool is required"),
    ('{"a":"x","a":true}', "a bool is required"),
    ('{"a":1,"a":null}', "missing expected {"),
    ('{"a":[],"a":1}', "number is required"),
    ('{"a":{},"a":1}', "number is required"),
    ('{"a":{},"a":"x"}', "string is required"),
    ('{"a":[],"a":true}', "bool is required"),
    ('{"a":1,"a":[]}', "missing expected ["),
    ('{"a":1,"a":{}}', "missing expected {"),
    ('{"a":{},"a":[]}', "missing expected ["),
    ('{"a":[],"a":{}}', "missing expected {"),
    ('{"a":[1,2],"a":[1]}', "too many tuple elements (need 1)"),
    ('{"a":[1],"a":[1,2]}', "not enough tuple elements (need 2)"),
    ('{"a":{"b":1},"a":{"c":1}}', 'unsupported attribute "b"'),
    ('{"a":{"b":1,"c":2},"a":{"b":1}}', 'unsupported attribute "c"'),
    ('{"a":{"x":1},"a":null}', 'invalid key "x" in dynamically-typed value'),
    ('{"a":[1],"a":null}', "missing expected {"),
    ('{"e\\u0301":"x","\\u00e9":2}', 'unsupported attribute "é"'),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_errors_of_decoding(text: str, message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        JSONDECODE.call([string(text)])
    assert caught.value.message == message


def test_decoded_structure_has_structural_types_and_wide_numbers() -> None:
    decoded = JSONDECODE.call([string('{"a":[1,null]}')])
    assert decoded == object_of({"a": tuple_of([number(numbers.from_int(1, 512)), NULL_DYNAMIC])})
    assert decoded.payload["a"].payload[0].payload.precision == 512


def test_repeated_keys_must_agree_in_newer_products() -> None:
    assert encode_json(decode_json('{"a":1,"a":2}', OPENTOFU_1_12)) == '{"a":2}'
    with pytest.raises(FunctionError, match='duplicate "a" property in JSON object'):
        decode_json('{"a":1,"a":"x"}', OPENTOFU_1_12)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * (MAX_NESTING + 2) + "]" * (MAX_NESTING + 2)])
def test_absurd_nesting_is_an_error(text: str) -> None:
    with pytest.raises(FunctionError):
        JSONDECODE.call([string(text)])


def test_unknown_text_gives_a_value_of_unknown_type() -> None:
    assert JSONDECODE.call([unknown(STRING)]) == DYNAMIC_UNKNOWN


ENCODED: Final[list[tuple[Value, str]]] = [
    (NULL_DYNAMIC, "null"),
    (FALSE, "false"),
    (number(numbers.from_float(-0.0)), "-0"),
    (string("<a href='x'>&\u2028\u2029"), "\"\\u003ca href='x'\\u003e\\u0026\\u2028\\u2029\""),
    (string("\b\f\n\r\t\x1f\x7f\x80"), '"\\b\\f\\n\\r\\t\\u001f\x7f\x80"'),
    (object_of({"b": integer(1), "a<": tuple_of([])}), '{"a\\u003c":[],"b":1}'),
    (set_of(STRING, [string("b"), string("a")]), '["a","b"]'),
]


@pytest.mark.parametrize(("value", "expected"), ENCODED, ids=range(len(ENCODED)))
def test_encoding(value: Value, expected: str) -> None:
    assert JSONENCODE.call([value]) == string(expected)


def test_marks_anywhere_mark_the_text() -> None:
    assert JSONENCODE.call([tuple_of([integer(1).mark(SENSITIVE)])]) == string("[1]").mark(SENSITIVE)


def test_infinity_has_no_json() -> None:
    with pytest.raises(FunctionError, match="cannot serialize infinity as JSON"):
        JSONENCODE.call([tuple_of([number(numbers.PositiveInfinity)])])


def known_to_begin(prefix: str) -> Value:
    return unknown(STRING, Refinement(not_null=True, prefix=prefix))


@pytest.mark.parametrize(
    ("type_", "prefix"),
    [(STRING, '"'), (ObjectType({}), "{"), (MapType(STRING), "{"), (ListType(STRING), "["), (NUMBER, "")],
)
def test_first_character_of_an_unknown_is_known_when_it_cannot_be_null(type_: Type, prefix: str) -> None:
    assert JSONENCODE.call([unknown(type_, NOT_NULL)]) == known_to_begin(prefix)
    assert JSONENCODE.call([unknown(type_)]) == unknown(STRING, NOT_NULL)


def test_first_character_of_a_structure_with_unknowns_is_known() -> None:
    assert JSONENCODE.call([list_of(STRING, [unknown(STRING)])]) == known_to_begin("[")
