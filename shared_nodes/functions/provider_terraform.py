"""The functions of the builtin provider: values as source text and back.

`encode_expr` writes a value as an expression, `encode_tfvars` an object as variable definitions, and `decode_tfvars`
reads such definitions. The layout is exactly that of the original's formatter, including oddities: `}, {` between two
objects of a tuple is indented one level deeper than the line that opened them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import groupby
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.printable import is_printable
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.function import Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Position, Source
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.text import length_in_graphemes, quoted
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, ListType, MapType, ObjectType, SetType, TupleType, Type
from shared_nodes.values.value import Value, object_of, string, unknown

__all__ = ["functions"]

_TFVARS_NAME: Final = "<decode_tfvars argument>"

_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


@record
class _Line:
    """One line of source text: the key before an equals sign (if any), the rest, and the number of brackets it opens
    minus the number it closes."""

    key: str | None
    key_width: int
    text: str
    net_brackets: int

    @property
    def is_aligned(self) -> bool:
        """Whether the equals sign is aligned with those of adjacent lines, which requires that the value ends on this
        line."""
        return self.key is not None and self.net_brackets == 0


class _SourceText:
    """Collects the lines of a value's source text while the value is traversed."""

    def __init__(self) -> None:
        self._lines: Final[list[_Line]] = []
        self._begin(None, 0)

    def _begin(self, key: str | None, key_width: int) -> None:
        self._key = key
        self._key_width = key_width
        self._parts: list[str] = []
        self._net_brackets = 0

    def add(self, text: str, brackets: int = 0) -> None:
        self._parts.append(text)
        self._net_brackets += brackets

    def begin_item(self, name: str) -> None:
        """Start `name = ` on the line that has just begun."""
        if is_identifier(name):
            self._begin(name, length_in_graphemes(name))
        else:
            content = _escape(name)
            self._begin(f'"{content}"', length_in_graphemes(content) + 2)

    def end_line(self) -> None:
        self._lines.append(_Line(self._key, self._key_width, "".join(self._parts), self._net_brackets))
        self._begin(None, 0)

    def finish(self) -> str:
        if self._parts:
            self.end_line()
            return "\n".join(_lay_out(self._lines))
        return "".join(f"{line}\n" for line in _lay_out(self._lines))


def _lay_out(lines: list[_Line]) -> Iterable[str]:
    indents = iter(_indents(lines))
    for aligned, group in groupby(lines, key=lambda line: line.is_aligned):
        neighbours = list(group)
        width = max(line.key_width for line in neighbours) if aligned else 0
        for line in neighbours:
            indent = "  " * next(indents)
            if line.key is None:
                yield indent + line.text
            else:
                yield f"{indent}{line.key}{' ' * (width - line.key_width)} = {line.text}"


def _indents(lines: list[_Line]) -> Iterable[int]:
    """The indentation of each line. A line that opens any number of brackets indents the following lines by one level,
    until as many are closed."""
    opened: list[int] = []
    for line in lines:
        if line.net_brackets > 0:
            yield len(opened)
            opened.append(line.net_brackets)
            continue
        closing = -line.net_brackets
        while closing > 0 and opened:
            here = min(closing, opened[-1])
            closing -= here
            opened[-1] -= here
            if opened[-1] == 0:
                opened.pop()
        yield len(opened)


def _escape(text: str) -> str:
    """The content of a quoted string that denotes this text."""
    escaped: list[str] = []
    for index, character in enumerate(text):
        if character in "$%" and text[index + 1 : index + 2] == "{":
            escaped.append(character * 2)
        else:
            escaped.append(_ESCAPES.get(character) or _escape_unprintable(character))
    return "".join(escaped)


def _escape_unprintable(character: str) -> str:
    if is_printable(character):
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _write(value: Value, out: _SourceText) -> None:
    payload = value.payload
    if value.is_null:
        out.add("null")
    elif value.type is STRING:
        out.add(f'"{_escape(payload)}"')
    elif value.type is NUMBER:
        out.add(_number(value))
    elif payload.__class__ is bool:
        out.add("true" if payload else "false")
    elif payload.__class__ is tuple:
        out.add("[", 1)
        for index, element in enumerate(payload):
            if index:
                out.add(", ")
            _write(element, out)
        out.add("]", -1)
    else:
        out.add("{", 1)
        if payload:
            out.end_line()
        _write_items(payload, out)
        out.add("}", -1)


def _write_items(items: dict[str, Value], out: _SourceText) -> None:
    for name, element in items.items():
        out.begin_item(name)
        _write(element, out)
        out.end_line()


def _number(value: Value) -> str:
    try:
        return numbers.number_text(value.payload)
    except numbers.NumberTooLargeError:
        raise FunctionError("the number is too large to be written out") from None


def _encode_expr(arguments: Arguments, _type: Type) -> Value:
    value = arguments[0]
    if not value.is_wholly_known:
        return unknown(STRING, _known_prefix(value))
    out = _SourceText()
    _write(value, out)
    return string(out.finish())


def _known_prefix(value: Value) -> Refinement:
    """The first character, which follows from the type if the value cannot be null."""
    if not value.is_known and not value.refinement.not_null:
        return NOT_NULL
    match value.type:
        case ObjectType() | MapType():
            return Refinement(not_null=True, prefix="{")
        case TupleType() | ListType() | SetType():
            return Refinement(not_null=True, prefix="[")
        case _ if value.type is STRING:
            return Refinement(not_null=True, prefix='"')
    return NOT_NULL


def _encode_tfvars(arguments: Arguments, _type: Type) -> Value:
    value = arguments[0]
    if not value.is_wholly_known:
        return unknown(STRING, NOT_NULL)
    if not isinstance(value.type, ObjectType | MapType):
        raise FunctionError(
            "invalid value to encode: must be an object whose attribute names will become the encoded variable names"
        )
    for name in value.payload:
        if not is_identifier(name):
            raise FunctionError(
                f"invalid variable name {quoted(name)}: must be a valid identifier, per Terraform's rules for input"
                " variable declarations"
            )
    out = _SourceText()
    _write_items(value.payload, out)
    return string(out.finish())


def _decode_tfvars(text: str, scope: Scope) -> Value:
    body, problems = parse_body(Source(_TFVARS_NAME, text.encode("utf-8", "replace")))
    if problems:
        raise FunctionError(f"invalid tfvars syntax: {_summarise(problems)}")
    if body.blocks:
        block = body.blocks[0]
        raise FunctionError(
            f"invalid tfvars content: {block.type_range}: Unexpected {quoted(block.type)} block;"
            " Blocks are not allowed here."
        )
    values: dict[str, Value] = {}
    for name, attribute in body.attributes.items():
        values[name], problems = evaluate(attribute.expression, scope)
        if problems:
            raise FunctionError(f"invalid expression for variable {quoted(name)}: {_summarise(problems)}")
    return object_of(values)


def _summarise(problems: list[Diagnostic]) -> str:
    """The first problem, and how many more there are."""
    others = len(problems) - 1
    return f"{problems[0]}, and {others} other diagnostic(s)" if others else str(problems[0])


def functions(context: FunctionContext) -> tuple[Function, ...]:
    """The functions by the provider's own names, without namespace. They depend only on the flavour."""
    return _functions(context.flavour)


@cache
def _functions(flavour: Flavour) -> tuple[Function, ...]:
    scope = Scope(flavour=flavour)
    if flavour.builtin_functions_are_strict:
        return _strict_functions(scope)
    value = Parameter("value", DYNAMIC, allow_unknown=True, allow_dynamic=True)

    def decode_tfvars(arguments: Arguments, _type: Type) -> Value:
        return _decode_tfvars(arguments[0].payload, scope)

    return (
        Function("decode_tfvars", (Parameter("src", STRING),), DYNAMIC, decode_tfvars),
        Function("encode_expr", (value,), STRING, _encode_expr),
        Function("encode_tfvars", (value,), STRING, _encode_tfvars),
    )


# The functions as OpenTofu implements them.


def _encode_known_expr(arguments: Arguments, _type: Type) -> Value:
    if not arguments[0].is_wholly_known:
        raise FunctionError("input is not wholly known")
    return _encode_expr(arguments, _type)


def _encode_known_tfvars(arguments: Arguments, _type: Type) -> Value:
    value = arguments[0]
    if not isinstance(value.type, ObjectType):
        raise FunctionError("invalid input: must be an object")
    for name, attribute in value.payload.items():
        if not is_identifier(name):
            raise FunctionError(f"invalid input: object key: {name} - must be a valid identifier")
        if not attribute.is_wholly_known:
            raise PanicError("cannot produce tokens for unknown value")
    return _encode_tfvars(arguments, _type)


_FIRST: Final = Position(0, 0, 0)
"""Where the text of variable definitions begins: lines, and the columns of the first line, count from 0."""


def _decode_listing_problems(text: str, scope: Scope) -> Value:
    """Decode variable definitions. All problems of the first step that fails are reported, each in a line."""
    body, problems = parse_body(Source("", text, _FIRST))
    if not problems:
        problems = [
            error(f"Unexpected {quoted(block.type)} block", "Blocks are not allowed here.", block.type_range)
            for block in body.blocks[:1]
        ]
    values: dict[str, Value] = {}
    for name, attribute in body.attributes.items() if not problems else ():
        values[name], problems = evaluate(attribute.expression, scope)
        if problems:
            break
    if problems:
        raise FunctionError("\n".join(["failed to decode tfvars content", *map(str, problems)]))
    return object_of(values)


def _strict_functions(scope: Scope) -> tuple[Function, ...]:
    def decode_tfvars(arguments: Arguments, _type: Type) -> Value:
        return _decode_listing_problems(arguments[0].payload, scope)

    return (
        Function("decode_tfvars", (Parameter("content", STRING),), DYNAMIC, decode_tfvars, refinement=None),
        Function("encode_expr", (Parameter("expr"),), STRING, _encode_known_expr, refinement=None),
        Function("encode_tfvars", (Parameter("input"),), STRING, _encode_known_tfvars, refinement=None),
    )
