"""Printing of trees whose obvious text would mean something else."""

from __future__ import annotations

import pytest

from shared_nodes.lang.parser import parse_body, parse_expression
from shared_nodes.lang.printer import print_body, print_expression, print_string
from shared_nodes.lang.source import Source


def printed(text: str) -> str:
    expression, diagnostics = parse_expression(Source("test", text))
    assert diagnostics == []
    assert expression is not None
    again = print_expression(expression)
    assert parse_expression(Source("again", again)) == (expression, [])
    return again


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1+2*( 3 )", "1 + 2 * (3)"),
        ("{a:1\nb=2}", "{ a = 1, b = 2 }"),
        ("<<-E\n  a\n  ${b}\n  E\n", '"a\\n${b}\\n"'),
        ("a.*.b[0]", "a.* .b[0]"),
        ("a.*.0 .1[c]", "a.* .0 .1[c]"),
        ("a[*].0.b", "a[*][0].b"),
        ("1 .e5", "1 .e5"),
        ('"${a ~} "', '"${a ~} "'),
        ('"%{ if a }${b}%{ endif }"', '"%{ if a }${b}%{ else }%{ endif }"'),
        ('"%{ for a, b in c ~} x%{ endfor }"', '"%{ for a, b in c }x%{ endfor }"'),
        ('"\\u0024${a}"', '"\\u0024${a}"'),
        ('"$$${a}"', '"$$${a}"'),
        ("{for a in b : a => a... if a}", "{for a in b : a => a... if a}"),
        ("core :: upper(a...)", "core::upper(a...)"),
        ("1e400", "1e400"),
    ],
)
def test_expressions(text: str, expected: str) -> None:
    assert printed(text) == expected


def test_bodies() -> None:
    text = 'a "b${" c {\n  x = 1\n  d {\n  }\n}\n'.replace("${", "$${")
    body, diagnostics = parse_body(Source("test", text))
    assert diagnostics == []
    assert print_body(body) == 'a "b$${" "c" {\n  x = 1\n  d {\n  }\n}\n'


@pytest.mark.parametrize("text", ["", "a", '"', "\\", "\n\r\t\x00", "${", "%{", "$", "$$${", "é👨‍👩‍👧", "\u0301"])
def test_strings_stand_for_their_text(text: str) -> None:
    body, diagnostics = parse_body(Source("test", f"a {print_string(text)} {{\n}}\n"))
    assert diagnostics == []
    assert body.blocks[0].labels == (text,)
