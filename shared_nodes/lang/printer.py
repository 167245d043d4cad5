"""From trees back to text.

For every tree that the parser can produce, printing and parsing it returns an equal tree. The text differs from the
original source: comments, line breaks and heredocs are not preserved (a heredoc becomes an equivalent quoted string).

A tree is printed with a stack of pieces, text and nodes mixed, so trees of any depth can be printed. Parentheses are
never added: where a tree needs them, it contains a `Parentheses` node.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Final

from shared_nodes.lang.tree import (
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
from shared_nodes.record import record
from shared_nodes.values.number import NumberTooLargeError, number_text
from shared_nodes.values.types import BOOL, STRING
from shared_nodes.values.value import Value

__all__ = ["print_body", "print_expression", "print_string"]


@record
class _AttributeSplat:
    """A splat that is followed by something. It must be written `.*`, because `[*]` would include what follows."""

    splat: Splat


@record
class _Indented:
    """A block or body at a level of indentation."""

    node: Block | Body
    indentation: str


_Piece = str | Expression | _AttributeSplat | _Indented
_Pieces = list[_Piece]


def print_expression(expression: Expression) -> str:
    """Print an expression on one line, so that it can be used wherever an expression is allowed."""
    return _print(expression)


def print_body(body: Body) -> str:
    """Print arguments first, then blocks, each in their own order."""
    return _print(_Indented(body, ""))


def print_string(text: str) -> str:
    """A quoted string that denotes exactly this text, whatever it contains."""
    return f'"{_escape(text, before_sequence=False)}"'


def _print(start: _Piece) -> str:
    printed: list[str] = []
    pending: _Pieces = [start]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            printed.append(piece)
        else:
            pending.extend(reversed(_PIECES[piece.__class__](piece)))
    return "".join(printed)


_ESCAPED: Final = re.compile(r'[\\"\n\r\t]|[$%](?=\{)')
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "$": "$$", "%": "%%"}
_FINAL_SIGN: Final = {"$": "\\u0024", "%": "\\u0025"}


def _escape(text: str, *, before_sequence: bool) -> str:
    """Escape the text. A final `$` directly before a sequence would form `$${`, so it is written as a Unicode
    escape."""
    final = ""
    if before_sequence and text and text[-1] in _FINAL_SIGN:
        text, final = text[:-1], _FINAL_SIGN[text[-1]]
    return _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text) + final


def _literal(literal: Literal) -> _Pieces:
    return [_value_text(literal.value)]


def _value_text(value: Value) -> str:
    if value.is_null:
        return "null"
    if value.type is BOOL:
        return "true" if value.payload else "false"
    if value.type is STRING:
        return print_string(value.payload)
    return _number_text(value)


_LONGEST_PLAIN: Final = 40


def _number_text(value: Value) -> str:
    """The number in plain digits, or in scientific form if there would be many."""
    try:
        plain = number_text(value.payload)
    except NumberTooLargeError:
        digits, point, _ = value.payload.digits(10)
        return f"{digits}e{point - len(digits)}"
    if len(plain) <= _LONGEST_PLAIN:
        return plain
    whole, _, fraction = plain.partition(".")
    digits = (whole + fraction).rstrip("0")
    exponent = len(whole) - len(digits)
    return f"{digits.lstrip('0')}e{exponent}" if exponent else plain


@record(frozen=False)
class _Sequence:
    """A `${ }` or `%{ }`. The `strip` flags are set for a neighbouring literal; see `_template_pieces`."""

    opener: str
    inner: _Pieces
    strip_before: bool = field(default=False)
    strip_after: bool = field(default=False)

    def pieces(self) -> _Pieces:
        before = "~ " if self.strip_before else " " if self.opener == "%{" else ""
        after = " ~}" if self.strip_after else " }" if self.opener == "%{" else "}"
        return [self.opener, before, *self.inner, after]


def _template(template: Template) -> _Pieces:
    return ['"', *_template_pieces(_items(template.parts)), '"']


def _items(parts: Sequence[Expression]) -> list[str | _Sequence]:
    """Literals as text, everything else as sequences. Directives are flattened into their markers."""
    items: list[str | _Sequence] = []
    for part in parts:
        if isinstance(part, Literal) and part.value.type is STRING:
            items.append(part.value.payload)
        elif isinstance(part, TemplateJoin):
            loop = part.sequence
            names = f"{loop.key_name}, {loop.value_name}" if loop.key_name else loop.value_name
            items.append(_Sequence("%{", [f"for {names} in ", loop.collection]))
            items.extend(_body_items(loop.value))
            items.append(_Sequence("%{", ["endfor"]))
        elif isinstance(part, Conditional) and _is_directive(part):
            items.append(_Sequence("%{", ["if ", part.condition]))
            items.extend(_body_items(part.true_result))
            items.append(_Sequence("%{", ["else"]))
            items.extend(_body_items(part.false_result))
            items.append(_Sequence("%{", ["endif"]))
        else:
            items.append(_Sequence("${", [part]))
    return items


def _is_directive(conditional: Conditional) -> bool:
    """Whether both results are templates, as `%{ if }` produces. `${ c ? "a" : "b" }` gives the same tree."""
    return isinstance(conditional.true_result, Template) and isinstance(conditional.false_result, Template)


def _body_items(body: Expression) -> list[str | _Sequence]:
    """The items that a directive encloses. An empty directive is parsed as one empty literal."""
    assert isinstance(body, Template)
    items = _items(body.parts)
    return [] if items == [""] else items


def _template_pieces(items: list[str | _Sequence]) -> _Pieces:
    """The pieces of a template.

    An empty literal next to a sequence results from a strip marker. It is written as a space that the neighbour strips.
    """
    if items == [""]:
        return []
    pieces: list[str | _Sequence] = []
    for index, item in enumerate(items):
        follows = index + 1 < len(items)
        if item == "":
            neighbour = items[index - 1] if index else items[index + 1]
            assert isinstance(neighbour, _Sequence)
            if index:
                neighbour.strip_after = True
            else:
                neighbour.strip_before = True
            pieces.append(" ")
        elif isinstance(item, str):
            pieces.append(_escape(item, before_sequence=follows))
        else:
            pieces.append(item)
    return [part for piece in pieces for part in (piece.pieces() if isinstance(piece, _Sequence) else [piece])]


def _steps(steps: Sequence[Step]) -> _Pieces:
    return [f".{step.name}" if isinstance(step, TraverseAttribute) else f"[{_value_text(step.key)}]" for step in steps]


def _traversal(traversal: Traversal) -> _Pieces:
    return [traversal.root, *_steps(traversal.steps)]


def _base(expression: Expression) -> _Pieces:
    """The expression to which steps are applied. The space keeps `1 .e5` from being read as a number."""
    if isinstance(expression, Splat):
        return [_AttributeSplat(expression)]
    return [expression, " "] if isinstance(expression, Literal) else [expression]


def _relative_traversal(traversal: RelativeTraversal) -> _Pieces:
    return [*_base(traversal.source), *_steps(traversal.steps)]


def _index(index: Index) -> _Pieces:
    return [*_base(index.collection), "[", index.key, "]"]


def _splat(splat: Splat) -> _Pieces:
    return [*_base(splat.source), "[*]", splat.each]


def _attribute_splat(piece: _AttributeSplat) -> _Pieces:
    """Print a splat with its steps. Indexes are written `.0` and separated, because `.0.1` would be read as a
    fraction."""
    splat = piece.splat
    pieces: _Pieces = [*_base(splat.source), ".*"]
    if isinstance(splat.each, RelativeTraversal):
        for step in splat.each.steps:
            pieces.append(f" .{step.name}" if isinstance(step, TraverseAttribute) else f" .{_legacy_index(step)}")
    return pieces


def _legacy_index(step: TraverseIndex) -> str:
    whole, _, fraction = _number_text(step.key).partition(".")
    return f"{whole}{fraction}e-{len(fraction)}" if fraction else whole


def _call(call: Call) -> _Pieces:
    pieces: _Pieces = [call.name, "("]
    for argument in call.arguments:
        pieces += [argument, ", "]
    if call.arguments:
        pieces[-1] = "..." if call.expand_final else ""
    return [*pieces, ")"]


def _tuple(constructor: TupleConstructor) -> _Pieces:
    pieces: _Pieces = ["["]
    for item in constructor.items:
        pieces += [item, ", "]
    pieces[-1:] = [] if constructor.items else pieces[-1:]
    return [*pieces, "]"]


def _object(constructor: ObjectConstructor) -> _Pieces:
    if not constructor.items:
        return ["{}"]
    pieces: _Pieces = ["{ "]
    for item in constructor.items:
        pieces += [item.key, " = ", item.value, ", "]
    pieces[-1] = " }"
    return pieces


def _for(loop: For) -> _Pieces:
    names = f"{loop.key_name}, {loop.value_name}" if loop.key_name else loop.value_name
    pieces: _Pieces = ["[" if loop.key is None else "{", f"for {names} in ", loop.collection, " : "]
    if loop.key is not None:
        pieces += [loop.key, " => "]
    pieces.append(loop.value)
    if loop.group:
        pieces.append("...")
    if loop.condition is not None:
        pieces += [" if ", loop.condition]
    return [*pieces, "]" if loop.key is None else "}"]


def _indented(piece: _Indented) -> _Pieces:
    node, indentation = piece.node, piece.indentation
    if isinstance(node, Block):
        labels = "".join(f" {print_string(label)}" for label in node.labels)
        content = _Indented(node.body, indentation + "  ")
        return [f"{indentation}{node.type}{labels} {{\n", content, f"{indentation}}}\n"]
    pieces: _Pieces = []
    for name, attribute in node.attributes.items():
        pieces += [f"{indentation}{name} = ", attribute.expression, "\n"]
    return pieces + [_Indented(block, indentation) for block in node.blocks]


_PIECES: Final[dict[type, Callable[[Any], _Pieces]]] = {
    Literal: _literal,
    Template: _template,
    TemplateWrap: lambda wrap: ['"${', wrap.wrapped, '}"'],
    Traversal: _traversal,
    RelativeTraversal: _relative_traversal,
    Index: _index,
    Splat: _splat,
    SplatItem: lambda _: [],
    _AttributeSplat: _attribute_splat,
    Call: _call,
    Unary: lambda unary: [unary.operator, unary.operand],
    Binary: lambda binary: [binary.left, f" {binary.operator} ", binary.right],
    Conditional: lambda choice: [choice.condition, " ? ", choice.true_result, " : ", choice.false_result],
    Parentheses: lambda parentheses: ["(", parentheses.inner, ")"],
    TupleConstructor: _tuple,
    ObjectConstructor: _object,
    For: _for,
    _Indented: _indented,
}
