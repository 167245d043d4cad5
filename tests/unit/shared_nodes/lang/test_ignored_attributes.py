"""Attributes that a type lacks: which of them OpenTofu 1.12.6 warns of, and where it says they are."""

from __future__ import annotations

import pytest

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.lang.ignored_attributes import ignored_attributes
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.source import Source
from shared_nodes.lang.type_constraint import read_type


@pytest.mark.parametrize(
    ("type_text", "text", "expected"),
    [
        ("object({ a = string })", "{ a = 1, b = 2 }", [("", "b", "a")]),
        ("object({})", "{ a = 1 }", [("", "a", None)]),
        ("object({ a = string })", '{ "extra" = 2 }', [("", "extra", None)]),
        ("object({ a = string })", '{ ("b") = 2, (x) = 3, "${y}" = 4 }', [("", "b", "a")]),
        ("object({ a = optional(string) })", "{ a = 1 }", []),
        ("object({ a = object({ b = string }) })", "{ a = { b = 1, c = 2 } }", [(".a", "c", "b")]),
        ("list(object({ a = string }))", "[{ a = 1 }, { long_name = 2 }]", [("[1]", "long_name", None)]),
        ("set(object({ a = string }))", "[{ b = 2 }, { c = 3 }]", [("[0]", "b", "a"), ("[1]", "c", "a")]),
        ("map(object({ a = string }))", "{ x = { z = 2 } }", [('["x"]', "z", "a")]),
        ("tuple([object({}), object({ a = any })])", "[{ q = 1 }, { a = { z = 1 } }]", [("[0]", "q", None)]),
        ("tuple([object({})])", "[{ q = 1 }, { q = 2 }]", []),
        ("list(object({}))", "[for x in y : { q = x }]", [("[(not yet known)]", "q", None)]),
        ("map(object({}))", "{ for x in y : x => { q = x } }", [("[(not yet known)]", "q", None)]),
        ("list(object({}))", "{ for x in y : x => { q = x } }", []),
        ("map(object({}))", "[for x in y : { q = x }]", []),
        ("object({})", "x ? { a = 1 } : { b = 2 }", []),
        ("object({})", "({ a = 1 })", []),
        ("object({})", "merge({ a = 1 })", []),
        ("any", "{ a = 1 }", []),
        ("string", "{ a = 1 }", []),
    ],
)
def test_ignored_attributes(type_text: str, text: str, expected: list[tuple[str, str, str | None]]) -> None:
    given, _ = parse_expression(Source("type", type_text))
    expression, _ = parse_expression(Source("value", text))
    assert given is not None
    assert expression is not None
    constraint, problems = read_type(given, OPENTOFU_1_12)
    assert not problems
    found = list(ignored_attributes(expression, constraint.type))
    assert [(ignored.place, ignored.name) for ignored in found] == [row[:2] for row in expected]
    for ignored, (_, name, nearest) in zip(found, expected, strict=True):
        advice = "" if nearest is None else f' Did you mean to set attribute "{nearest}" instead?'
        assert ignored.consequence == (
            f'does not include an attribute named "{name}", so this definition is unused.{advice}'
        )
