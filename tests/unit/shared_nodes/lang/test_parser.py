"""Parsing: recorded diagnostics of the original, the shape of trees, ranges, and limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.parser import parse_body, parse_expression, parse_template, parse_traversal
from shared_nodes.lang.source import Position, Source
from shared_nodes.lang.tree import (
    Binary,
    Conditional,
    Expression,
    Index,
    Literal,
    RelativeTraversal,
    Splat,
    SplatItem,
    Template,
    TemplateWrap,
    Traversal,
    TraverseIndex,
    Unary,
)

RECORDED = Path(__file__).with_name("recorded_syntax.jsonl")
"""Files broken at random, and the output of `terraform validate -json` for them."""


def parse_text(text: str) -> Expression:
    expression, diagnostics = parse_expression(Source("test", text))
    assert diagnostics == []
    assert expression is not None
    return expression


def as_recorded(diagnostic: Diagnostic) -> list[Any]:
    """The diagnostic in recorded form, which shows an empty range one character wide."""
    assert diagnostic.subject is not None
    first, last = diagnostic.subject.first, diagnostic.subject.last
    if first == last:
        last = Position(last.line, last.column + 1, last.byte + 1)
    return [diagnostic.summary, diagnostic.detail, list(first), list(last)]


@pytest.mark.parametrize("line", RECORDED.read_text().split("\n")[:-1])
def test_broken_files_have_the_recorded_diagnostics(line: str) -> None:
    recorded = json.loads(line)
    _, diagnostics = parse_body(Source("main.tf", recorded["text"].encode()))
    assert [as_recorded(diagnostic) for diagnostic in diagnostics] == recorded["diagnostics"]


def test_columns_are_counted_token_by_token() -> None:
    """A flag is one column inside a string, but two invalid characters are two."""
    _, diagnostics = parse_body(Source("main.tf", 'a = "🇩🇪" 🇩🇪 @\n'))
    columns = [diagnostic.subject.first.column for diagnostic in diagnostics if diagnostic.subject]
    assert columns[:3] == [9, 10, 12]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", "(1 + (2 * 3))"),
        ("1 - 2 - 3", "((1 - 2) - 3)"),
        ("a || b && c == d < e + f", "(a || (b && (c == (d < (e + f)))))"),
        ("-a.b + !c", "((-a.b) + (!c))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
        ("a == b ? c : d || e", "((a == b) ? c : (d || e))"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert grouped(parse_text(text)) == expected


def grouped(expression: Expression) -> str:
    if isinstance(expression, Binary):
        return f"({grouped(expression.left)} {expression.operator} {grouped(expression.right)})"
    if isinstance(expression, Unary):
        return f"({expression.operator}{grouped(expression.operand)})"
    if isinstance(expression, Conditional):
        parts = (expression.condition, expression.true_result, expression.false_result)
        return "({} ? {} : {})".format(*map(grouped, parts))
    return expression.range.text


def test_attribute_splat_leaves_the_index_to_the_result() -> None:
    expression = parse_text("a.*.b[0]")
    assert isinstance(expression, RelativeTraversal)
    assert isinstance(expression.source, Splat)


def test_full_splat_takes_everything_that_follows() -> None:
    expression = parse_text("a[*].b[x][*].c")
    assert isinstance(expression, Splat)
    inner = expression.each
    assert isinstance(inner, Splat)
    assert isinstance(inner.source, Index)
    assert inner.each.range.text == "[*].c"
    assert isinstance(inner.source.collection, RelativeTraversal)
    assert isinstance(inner.source.collection.source, SplatItem)


@pytest.mark.parametrize("key", ["0", '"b"', "true", "null", "<<E\nb\nE\n"])
def test_literal_keys_make_traversal_steps(key: str) -> None:
    expression = parse_text(f"a[{key}]")
    assert isinstance(expression, Traversal)
    assert isinstance(expression.steps[0], TraverseIndex)


@pytest.mark.parametrize("key", ['"${b}"', "-1", "(0)", "b"])
def test_other_keys_are_evaluated(key: str) -> None:
    assert isinstance(parse_text(f"a[{key}]"), Index)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('"a ${~ 1 ~} b"', ["a", "b"], id="strip markers trim the text beside them"),
        pytest.param("<<E\na\n${1 ~}\n  b\nE\n", ["a\n", "  b\n"], id="in heredocs only as far as the line"),
        pytest.param("<<-E\n    a\n  b\n E\n", ["  a\nb\n"], id="common indentation goes"),
        pytest.param("<<-E\n\n  a\n \n  b\nE\n", ["\na\n \nb\n"], id="blank lines neither count nor change"),
        pytest.param("<<-E\n  a\n${1}\nE\n", ["  a\n", "\n"], id="a sequence has no indentation"),
        pytest.param("<<-E\n    ${1 ~}\n  a\nE\n", ["", "  a\n"], id="a joined line is no line beginning"),
        pytest.param("<<-E\n\u3000\u3000a\n  b\nE\n", ["a\nb\n"], id="any white space character is one"),
        pytest.param('"\\u0065\\u0301"', ["é"], id="normal form C"),
        pytest.param('"$$ %% $${a} %%{b}"', ["$$ %% ${a} %{b}"], id="doubled signs before a brace only"),
        pytest.param('""', [""], id="an empty string has one empty part"),
    ],
)
def test_literal_parts_of_templates(text: str, expected: list[str]) -> None:
    expression = parse_text(text)
    assert isinstance(expression, Template)
    literals = [part.value.payload for part in expression.parts if isinstance(part, Literal)]
    assert [text for text in literals if isinstance(text, str)] == expected


@pytest.mark.parametrize("text", ['"${1}"', '"${~ 1 ~}"', '"${"${1}"}"'])
def test_a_single_interpolation_wraps(text: str) -> None:
    assert isinstance(parse_text(text), TemplateWrap)


@pytest.mark.parametrize("text", ['"%{ if a }b%{ endif }"', '"${1} "', '"${1 ~} "', "<<E\n${1}\nE\n"])
def test_anything_else_does_not(text: str) -> None:
    assert isinstance(parse_text(text), Template)


def test_newlines_do_not_matter_in_a_lone_expression() -> None:
    assert grouped(parse_text("1 +\n2\n")) == "(1 + 2)"


def test_extra_characters_after_a_lone_expression() -> None:
    _, diagnostics = parse_expression(Source("test", "1 2"))
    assert [diagnostic.summary for diagnostic in diagnostics] == ["Extra characters after expression"]


@pytest.mark.parametrize(
    ("text", "summary", "columns"),
    [
        ("a.b[0]", None, None),
        ('a["b"].c', None, None),
        ("", "Variable name required", (1, 1)),
        ("1", "Variable name required", (1, 2)),
        ("a.0", "Attribute name required", (3, 4)),
        ("a.*", "Attribute name required", (3, 4)),
        ("a[*]", "Attribute name required", (3, 4)),
        ("a[b]", "Index value required", (3, 4)),
        ("a[0", "Unclosed index brackets", (4, 4)),
        ("a b", "Invalid character", (3, 4)),
        ('a["${b}"]', "Invalid string literal", (4, 6)),
    ],
)
def test_references(text: str, summary: str | None, columns: tuple[int, int] | None) -> None:
    _, diagnostics = parse_traversal(Source("test", text))
    if summary is None:
        assert diagnostics == []
        return
    subject = diagnostics[0].subject
    assert subject is not None
    assert diagnostics[0].summary == summary
    assert (subject.first.column, subject.last.column) == columns


def test_bare_template() -> None:
    expression, diagnostics = parse_template(Source("test", 'a "b" ${c}'))
    assert diagnostics == []
    assert isinstance(expression, Template)
    assert [part.range.text for part in expression.parts] == ['a "b" ', "c"]


DEEP = 100_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(" * DEEP + ")" * DEEP, id="parentheses"),
        pytest.param("[" * DEEP, id="brackets without end"),
        pytest.param("{a=" * DEEP + "1" + "}" * DEEP, id="objects"),
        pytest.param('"${' * DEEP + "1" + '}"' * DEEP, id="interpolations"),
        pytest.param("f(" * DEEP + ")" * DEEP, id="calls"),
        pytest.param("x[" * DEEP + "0" + "]" * DEEP, id="keys"),
        pytest.param("x" + "[*]" * DEEP, id="splats"),
        pytest.param("-" * DEEP + "1", id="signs"),
        pytest.param("a ? " * DEEP + "1" + " : 2" * DEEP, id="true branches"),
        pytest.param('"' + "%{ if a }" * DEEP + "%{ endif }" * DEEP + '"', id="directives"),
    ],
)
def test_absurd_nesting_is_one_diagnostic(text: str) -> None:
    _, diagnostics = parse_body(Source("main.tf", f"v = {text}\n"))
    assert [diagnostic.summary for diagnostic in diagnostics] == ["Expression nested too deeply"]
    assert diagnostics[0].subject is not None


def test_absurd_nesting_of_blocks_is_one_diagnostic() -> None:
    _, diagnostics = parse_body(Source("main.tf", "a {\n" * DEEP))
    assert [diagnostic.summary for diagnostic in diagnostics] == ["Expression nested too deeply"]


LONG = 10_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a" + ".b" * LONG, id="attributes"),
        pytest.param("a" + "[0]" * LONG, id="literal keys"),
        pytest.param("a" + "[b]" * LONG, id="computed keys"),
        pytest.param("1" + "+1" * LONG, id="operators"),
        pytest.param("a ? 1 : " * LONG + "2", id="false branches"),
        pytest.param('"' + "a${b}" * LONG + '"', id="parts"),
        pytest.param("[" + "1," * LONG + "]", id="items"),
    ],
)
def test_length_is_free(text: str) -> None:
    _, diagnostics = parse_body(Source("main.tf", f"v = {text}\n"))
    assert diagnostics == []
