"""Laws of parsing: printing is its inverse, JSON and native syntax agree, nothing ever raises an exception, and
python-hcl2, where it can be trusted, groups operators the same way.

Only trees that the parser can produce are generated: operands that bind less tightly than their operator are in
parentheses, literals of a template are not adjacent, and a lone interpolation is a wrap.
"""

from __future__ import annotations

import json
from typing import Any, Final

import hcl2
import lark
from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.lang.body_schema import BlockSchema, BodySchema
from shared_nodes.lang.json_syntax import body_from_json, parse_json
from shared_nodes.lang.lexer import tokens_of_code, tokens_of_template
from shared_nodes.lang.parser import parse_body, parse_expression, parse_template, parse_traversal
from shared_nodes.lang.printer import print_body, print_expression
from shared_nodes.lang.source import Range, Source
from shared_nodes.lang.tree import (
    Attribute,
    Binary,
    Block,
    Body,
    Call,
    Conditional,
    Expression,
    For,
    Index,
    Literal,
    ObjectConstructor,
    ObjectItem,
    Parentheses,
    RelativeTraversal,
    Splat,
    SplatItem,
    Step,
    Template,
    TemplateJoin,
    TemplateWrap,
    Traversal,
    TraverseAttribute,
    TraverseIndex,
    TupleConstructor,
    Unary,
)
from shared_nodes.values import number as numbers
from shared_nodes.values.value import FALSE, NULL_DYNAMIC, TRUE, boolean, number, string

HERE: Final = Range(Source("made", ""), 0, 0)
LEVELS: Final = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))

names = st.sampled_from(["a", "b_c", "x-y", "ä", "in", "if", "e5", "_"])
texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('${}%"\\\n \t~'), min_size=1, max_size=12)
number_texts = st.from_regex(r"(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?(e-?[0-9]{1,3})?", fullmatch=True)


def _number(text: str) -> Literal:
    payload = numbers.parse(text)
    assert payload is not None
    return Literal(HERE, number(payload))


def _text(text: str) -> Literal:
    return Literal(HERE, string(text))


words = st.sampled_from([TRUE, FALSE, NULL_DYNAMIC]).map(lambda value: Literal(HERE, value))
literals = words | number_texts.map(_number)
strings = st.one_of(st.just(""), texts).map(lambda text: Template(HERE, (_text(text),)))
keys = st.one_of(literals.map(lambda literal: literal.value), st.one_of(st.just(""), texts).map(string))
steps: st.SearchStrategy[Step] = st.one_of(
    names.map(lambda name: TraverseAttribute(name, HERE)), keys.map(lambda key: TraverseIndex(key, HERE))
)
step_rows = st.lists(steps, min_size=1, max_size=3).map(tuple)
legacy_steps: st.SearchStrategy[Step] = st.one_of(
    names.map(lambda name: TraverseAttribute(name, HERE)),
    st.integers(0, 99).map(lambda index: TraverseIndex(_number(str(index)).value, HERE)),
)
references = st.builds(
    lambda root, row: Traversal(HERE, root, HERE, row), names, st.lists(steps, max_size=3).map(tuple)
)


def _level(expression: Expression) -> int:
    """How tightly an expression binds: conditional 0, operators 1 to 6, signs 7, everything else 8."""
    if isinstance(expression, Conditional):
        return 0
    if isinstance(expression, Binary):
        return next(index for index, signs in enumerate(LEVELS, 1) if expression.operator in signs)
    return 7 if isinstance(expression, Unary) else 8


def _at_least(level: int, expression: Expression) -> Expression:
    return expression if _level(expression) >= level else Parentheses(HERE, expression)


def _binary(operator: str, left: Expression, right: Expression) -> Binary:
    level = next(index for index, signs in enumerate(LEVELS, 1) if operator in signs)
    return Binary(HERE, operator, _at_least(level, left), _at_least(level + 1, right))


def _follow(base: Expression, row: tuple[Step, ...]) -> Expression:
    """Add steps to an expression that can have steps: a full splat would absorb them, and a traversal would grow."""
    base = _at_least(8, base)
    if isinstance(base, Traversal | RelativeTraversal | Splat):
        base = Parentheses(HERE, base)
    return RelativeTraversal(HERE, base, row, HERE)


def _index(collection: Expression, key: Expression) -> Expression:
    collection = _at_least(8, collection)
    if isinstance(collection, Splat):
        collection = Parentheses(HERE, collection)
    is_literal = isinstance(key, Literal) or (
        isinstance(key, Template) and len(key.parts) == 1 and isinstance(key.parts[0], Literal)
    )
    return Index(HERE, collection, Parentheses(HERE, key) if is_literal else key, HERE)


def _splat(source: Expression, row: tuple[Step, ...]) -> Splat:
    source = _at_least(8, source)
    if isinstance(source, Splat):
        source = Parentheses(HERE, source)
    item = SplatItem(HERE)
    return Splat(HERE, source, RelativeTraversal(HERE, item, row, HERE) if row else item, HERE)


def _attribute_splat(source: Expression, row: tuple[Step, ...], after: tuple[Step, ...]) -> Expression:
    """`source.*.row` with `after` applied to the result. Its first step must not be parsed as part of the splat."""
    index = TraverseIndex(_number("0").value, HERE)
    return RelativeTraversal(HERE, _splat(source, row), (index, *after), HERE)


def _parts(pieces: list[Expression | str]) -> tuple[Expression, ...]:
    """Merge adjacent texts, as the parser does."""
    parts: list[Expression] = []
    for piece in pieces:
        if not isinstance(piece, str):
            parts.append(piece)
        elif parts and isinstance(parts[-1], Literal) and isinstance(parts[-1].value.payload, str):
            parts[-1] = _text(parts[-1].value.payload + piece)
        else:
            parts.append(_text(piece))
    return tuple(parts)


def _template(pieces: list[Expression | str]) -> Expression:
    parts = _parts(pieces)
    if len(parts) == 1 and not _is_text(parts[0]) and not isinstance(parts[0], TemplateJoin):
        return TemplateWrap(HERE, parts[0])
    return Template(HERE, parts or (_text(""),))


def _is_text(part: Expression) -> bool:
    return isinstance(part, Literal) and isinstance(part.value.payload, str)


def _enclosed(pieces: list[Expression | str]) -> Template:
    return Template(HERE, _parts(pieces) or (_text(""),))


def _directive(condition: Expression, yes: list[Expression | str], no: list[Expression | str]) -> Template:
    return Template(HERE, (Conditional(HERE, condition, _enclosed(yes), _enclosed(no)),))


def _join(key_name: str | None, collection: Expression, body: list[Expression | str]) -> TemplateJoin:
    loop = _loop(key_name, collection, None, _enclosed(body), None)
    return TemplateJoin(HERE, loop)


def _loop(
    key_name: str | None,
    collection: Expression,
    key: Expression | None,
    value: Expression,
    condition: Expression | None,
) -> For:
    return For(HERE, key_name, "v", collection, key, value, condition, False, HERE, HERE)


def _larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    pieces = st.lists(inner | texts, max_size=3)
    key_names = st.none() | names
    items = st.lists(st.builds(ObjectItem, inner, inner), max_size=3)
    return st.one_of(
        st.builds(_binary, st.sampled_from([sign for signs in LEVELS for sign in signs]), inner, inner),
        st.builds(lambda sign, operand: Unary(HERE, sign, _at_least(7, operand), HERE), st.sampled_from("-!"), inner),
        st.builds(lambda test, yes, no: Conditional(HERE, _at_least(1, test), yes, no), inner, inner, inner),
        inner.map(lambda expression: Parentheses(HERE, expression)),
        st.lists(inner, max_size=3).map(lambda row: TupleConstructor(HERE, tuple(row), HERE)),
        items.map(lambda row: ObjectConstructor(HERE, tuple(row), HERE)),
        st.builds(
            lambda row, expand: Call(HERE, "ns::f", tuple(row), expand and bool(row), HERE, HERE, HERE),
            st.lists(inner, max_size=3),
            st.booleans(),
        ),
        st.builds(_follow, inner, step_rows),
        st.builds(_index, inner, inner),
        st.builds(_splat, inner, st.lists(steps, max_size=3).map(tuple)),
        st.builds(_attribute_splat, inner, st.lists(legacy_steps, max_size=3).map(tuple), st.just(())),
        st.builds(_loop, key_names, inner, st.none() | inner, inner, st.none() | inner),
        pieces.map(_template),
        st.builds(_directive, inner, pieces, pieces),
        st.builds(lambda key, over, body: Template(HERE, (_join(key, over, body),)), key_names, inner, pieces),
    )


expressions = st.recursive(st.one_of(literals, strings, references), _larger, max_leaves=12)


def _body(inner: st.SearchStrategy[Body]) -> st.SearchStrategy[Body]:
    block = st.builds(
        lambda kind, labels, body: Block(kind, tuple(labels), body, HERE, (), HERE, HERE),
        names,
        st.lists(st.one_of(st.just(""), texts), max_size=2),
        inner,
    )
    return st.builds(
        lambda values, blocks: Body(
            {name: Attribute(name, value, HERE, HERE) for name, value in values.items()}, tuple(blocks), HERE, HERE
        ),
        st.dictionaries(names, expressions, max_size=2),
        st.lists(block, max_size=2),
    )


bodies = st.recursive(st.just(Body({}, (), HERE, HERE)), _body, max_leaves=4)


@given(expressions)
def test_parsing_undoes_printing(expression: Expression) -> None:
    text = print_expression(expression)
    assert parse_expression(Source("printed", text)) == (expression, [])


@given(bodies)
def test_parsing_undoes_printing_of_bodies(body: Body) -> None:
    assert parse_body(Source("printed", print_body(body))) == (body, [])


SOUP: Final = (
    *("(", ")", "[", "]", "{", "}", "${", "%{", "~}", '"', "\n", ",", ".", "...", "=", "==", "=>", ":", "::", "?", "!"),
    *("-", "+", "*", "/", "%", "&&", "&", ";", "'", "`", "for", "in", "if", "else", "endif", "endfor", "foo", "1"),
    *("1.5", "0.1.2", "[*]", ".*", "<<E\n", "\nE\n", "<<-E\n", "\\", "\\n", "\\u12", "\\q", "#", "//", "/*", "*/"),
    *("$", "$$", "%%", "é", "☃", "\r", "\u0301", "\udcff", "\x00", " ", "\t"),
)
token_soup = st.lists(st.sampled_from(SOUP), max_size=25).map(" ".join)


@given(st.one_of(token_soup, st.text(), expressions.map(print_expression)))
def test_any_text_gives_a_tree_and_ranges_within_it(text: str) -> None:
    source = Source("any", text)
    for parse in (parse_body, parse_expression, parse_template, parse_traversal, parse_json):
        _, diagnostics = parse(source)
        for diagnostic in diagnostics:
            assert diagnostic.subject is not None
            assert 0 <= diagnostic.subject.start <= diagnostic.subject.end <= len(text)
            str(diagnostic)


@given(st.one_of(token_soup, st.text()))
def test_tokens_are_in_order_and_only_leave_out_space_and_comments(text: str) -> None:
    for tokens in (tokens_of_code(text), tokens_of_template(text)):
        behind = 0
        for start, end in zip(tokens.starts, tokens.ends, strict=True):
            gap = text[behind:start].strip(" \t")
            assert gap == "" or gap.startswith(("/*", "#", "//"))
            assert behind <= start <= end
            behind = end
        assert behind == len(text)


operands = names.filter(lambda name: name.isascii()).map(lambda name: Traversal(HERE, name, HERE, ()))


def _operations(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(_binary, st.sampled_from([sign for signs in LEVELS for sign in signs]), inner, inner),
        st.builds(lambda operand: Unary(HERE, "!", _at_least(8, operand), HERE), inner),
        st.builds(lambda test, yes, no: Conditional(HERE, _at_least(1, test), yes, no), inner, inner, inner),
    )


@given(st.recursive(operands, _operations, max_leaves=8))
def test_python_hcl2_groups_operators_the_same_way(expression: Expression) -> None:
    """Only operators are compared: in most other respects python-hcl2 is known to differ. It does not accept repeated
    signs."""
    theirs = hcl2.parses_to_tree(f"v = {print_expression(expression)}\n")
    assert _their_grouping(next(theirs.find_data("attribute")).children[2]) == _grouping(expression)


def _grouping(expression: Expression) -> str:
    """The expression with each operation in angle brackets."""
    if isinstance(expression, Parentheses):
        return f"({_grouping(expression.inner)})"
    if isinstance(expression, Binary):
        return f"<{_grouping(expression.left)} {expression.operator} {_grouping(expression.right)}>"
    if isinstance(expression, Unary):
        return f"<{expression.operator}{_grouping(expression.operand)}>"
    if isinstance(expression, Conditional):
        parts = (expression.condition, expression.true_result, expression.false_result)
        return "<{} ? {} : {}>".format(*map(_grouping, parts))
    return print_expression(expression)


def _their_grouping(tree: lark.Tree[lark.Token]) -> str:
    parts = [part for part in tree.children if isinstance(part, lark.Tree) and part.data != "new_line_or_comment"]
    if tree.data == "binary_op":
        operator, right = (part for part in parts[1].children if isinstance(part, lark.Tree))
        return f"<{_their_grouping(parts[0])} {operator.children[0]} {_their_grouping(right)}>"
    if tree.data == "unary_op":
        return f"<{tree.children[0]}{_their_grouping(parts[0])}>"
    if tree.data == "conditional":
        return "<{} ? {} : {}>".format(*map(_their_grouping, parts))
    if tree.data == "expr_term":
        inner = _their_grouping(parts[0])
        return f"({inner})" if tree.children[0] == "(" else inner
    return str(tree.children[0])


plain_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r") | st.sampled_from("${}%"))
plain_data = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(0, 10**30), plain_texts),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(plain_texts, inner, max_size=3),
    max_leaves=8,
)
LOCALS: Final = BodySchema(frozenset(), {"locals": BlockSchema()})


def _escaped(data: Any) -> Any:
    """The data with every string written as the template that denotes it."""
    if isinstance(data, str):
        return data.replace("${", "$${").replace("%{", "%%{")
    if isinstance(data, dict):
        return {_escaped(key): _escaped(value) for key, value in data.items()}
    return [_escaped(item) for item in data] if isinstance(data, list) else data


def _tree(data: Any) -> Expression:
    if isinstance(data, str):
        return Template(HERE, (_text(data),))
    if isinstance(data, dict):
        return ObjectConstructor(HERE, tuple(ObjectItem(_tree(key), _tree(value)) for key, value in data.items()), HERE)
    if isinstance(data, list):
        return TupleConstructor(HERE, tuple(map(_tree, data)), HERE)
    if data is None:
        return Literal(HERE, NULL_DYNAMIC)
    return Literal(HERE, boolean(data)) if isinstance(data, bool) else _number(str(data))


@given(plain_data)
def test_json_and_native_syntax_give_the_same_tree(data: Any) -> None:
    native, problems = parse_body(Source("a.tf", f"locals {{\n  a = {print_expression(_tree(data))}\n}}\n"))
    value, json_problems = parse_json(Source("a.tf.json", json.dumps({"locals": {"a": _escaped(data)}})))
    body, body_problems = body_from_json(value, LOCALS)
    assert problems + json_problems + body_problems == []
    assert body == native
