"""The JSON syntax: the original's diagnostics, and how properties become arguments and blocks."""

from __future__ import annotations

import pytest

from shared_nodes.lang.body_schema import BlockSchema, BodySchema
from shared_nodes.lang.json_syntax import body_from_json, parse_json
from shared_nodes.lang.printer import print_body
from shared_nodes.lang.source import Source

SCHEMA = BodySchema(
    attributes=frozenset(),
    blocks={
        "locals": BlockSchema(),
        "variable": BlockSchema(("name",), BodySchema(frozenset({"default", "type"}))),
        "resource": BlockSchema(("type", "name"), BodySchema(blocks={"lifecycle": BlockSchema()})),
    },
)
ROOT = ("Root value must be object", 1, 1)


def complaints(text: str) -> list[tuple[str, int, int]]:
    value, problems = parse_json(Source("main.tf.json", text))
    _, more = body_from_json(value, SCHEMA)
    return [
        (problem.summary, problem.subject.first.line, problem.subject.first.column)
        for problem in problems + more
        if problem.subject is not None
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("Missing value", 1, 1), ROOT]),
        ("{", [("Missing value", 1, 2), ("Invalid object property name", 1, 2), ROOT]),
        ("}", [("Missing JSON value", 1, 1), ROOT]),
        ("[", [("Missing value", 1, 2), ("Unclosed object", 1, 1), ROOT]),
        ("[]", []),
        ("1", [ROOT]),
        ('{"a" 1}', [("Missing property value colon", 1, 6), ROOT]),
        ('{"a"=1}', [("Missing property value colon", 1, 5), ROOT]),
        ('{"a"}', [("Missing object value", 1, 5), ROOT]),
        ('{"a":1,}', [("Trailing comma in object", 1, 7), ROOT]),
        ('{"a":1', [("Unclosed object", 1, 1), ROOT]),
        ('{"a":1]', [("Mismatched braces", 1, 8), ROOT]),
        ('{"a":1 "b":2}', [("Missing attribute seperator comma", 1, 14), ROOT]),
        ("[1,]", [("Trailing comma in array", 1, 3), ROOT]),
        ("[1}", [("Mismatched brackets", 1, 4), ROOT]),
        ("[1:2]", [("Invalid array value", 1, 6), ROOT]),
        ("tru", [("Invalid JSON keyword", 1, 1), ROOT]),
        ("é", [("Invalid start of value", 1, 1), ROOT]),
        ("{} x", [("Extraneous data after value", 1, 4)]),
        ('\t\t{"a" 1}', [("Missing property value colon", 1, 10), ("Root value must be object", 1, 5)]),
        ('{"locals":{"a":01}}', [("Invalid JSON number", 1, 16)]),
        ('{"locals":{"a":"\\x"}}', [("Invalid JSON string", 1, 19)]),
        ('{"locals":{"a":"\\u12"}}', [("Invalid JSON string", 1, 22)]),
        ('{"locals":{"a":"${1 2}"}}', [("Extra characters after interpolation expression", 1, 21)]),
        ('{"locals":{"a":1,"a":2}}', [("Duplicate attribute definition", 1, 18)]),
        ('{"variable":5}', [("Incorrect JSON value type", 1, 13), ("Missing block label", 1, 13)]),
        ('{"variable":[1]}', [("Incorrect JSON value type", 1, 14), ("Missing block label", 1, 13)]),
        ('{"variable":null}', [("Missing block label", 1, 13)]),
        ('{"variable":{"x":5}}', [("Incorrect JSON value type", 1, 18)]),
        ('{"variable":{"x":{"foo":1}}}', [("Extraneous JSON object property", 1, 19)]),
        ('{"variabl":{}}', [("Extraneous JSON object property", 1, 2)]),
        ('{"//":1}', []),
    ],
)
def test_recorded_diagnostics(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert complaints(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"locals":{"a":["x",1,true,null,{"k":"${v}"}]}}',
            'locals {\n  a = ["x", 1, true, null, { "k" = "${v}" }]\n}\n',
        ),
        ('[{"locals":{"a":1}},{"locals":[{},{"c":3}]}]', "locals {\n  a = 1\n}\nlocals {\n}\nlocals {\n  c = 3\n}\n"),
        (
            '{"resource":{"t":{"n":{"lifecycle":[{"x":1}],"//":"no","y":2}}}}',
            'resource "t" "n" {\n  y = 2\n  lifecycle {\n    x = 1\n  }\n}\n',
        ),
        ('{"resource":[{"t":[{"n":{}},{"m":null}]}]}', 'resource "t" "n" {\n}\n'),
        ('{"variable":{"x":[{},{}]}}', 'variable "x" {\n}\nvariable "x" {\n}\n'),
        ('{"locals":{"a":"\\ud83d\\ude00\\ud800"}}', 'locals {\n  a = "😀\ufffd"\n}\n'),
    ],
)
def test_bodies(text: str, expected: str) -> None:
    value, problems = parse_json(Source("main.tf.json", text))
    body, more = body_from_json(value, SCHEMA)
    assert problems + more == []
    assert print_body(body) == expected


def test_absurd_nesting_is_one_diagnostic() -> None:
    _, problems = parse_json(Source("main.tf.json", "[" * 100_000))
    assert [problem.summary for problem in problems] == ["Expression nested too deeply"]
