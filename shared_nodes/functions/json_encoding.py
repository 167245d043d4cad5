"""`jsonencode` and `jsondecode`.

Encoding writes what the original's encoder writes: compact, sorted by key, safe for embedding in HTML. Decoding gives
tuples and objects with exact numbers.

The decoder is our own because its errors and its leniency are those of a *token stream*, which no library offers: `1]`
is 1, `{` ends with `EOF` but `tru` with `unexpected EOF`, a repeated key must fit the type of its last occurrence, and
a key that is not in normal form C is refused.
"""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import Arguments, Function, FunctionError, Parameter
from shared_nodes.values import number as numbers
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.text import normalise, quoted
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
    friendly_name,
)
from shared_nodes.values.value import (
    NULL_DYNAMIC,
    Value,
    boolean,
    number,
    object_of,
    refine,
    string,
    tuple_of,
    unknown,
)

__all__ = ["MAX_NESTING", "decode_json", "encode_json", "explain_syntax", "functions", "json_string"]

MAX_NESTING: Final = 250
"""Deeper documents are refused. The original has no such limit, but it has a stack of a gigabyte."""

_HTML_UNSAFE: Final = {
    ord("<"): "\\u003c",
    ord(">"): "\\u003e",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


def json_string(text: str) -> str:
    """A JSON string literal. Characters that could end a script element or a JavaScript line are escaped."""
    return json.dumps(text, ensure_ascii=False).translate(_HTML_UNSAFE)


def encode_json(value: Value) -> str:
    """The JSON text of a wholly known value without marks."""
    payload = value.payload
    if value.is_null:
        return "null"
    if value.type is STRING:
        return json_string(payload)
    if value.type is BOOL:
        return "true" if payload else "false"
    if value.type is NUMBER:
        return _encode_number(value)
    if isinstance(payload, dict):
        members = (f"{json_string(key)}:{encode_json(element)}" for key, element in payload.items())
        return "{" + ",".join(members) + "}"
    return "[" + ",".join(map(encode_json, payload)) + "]"


def _encode_number(value: Value) -> str:
    if numbers.is_infinite(value.payload):
        raise FunctionError("cannot serialize infinity as JSON")
    try:
        return numbers.number_text(value.payload)
    except numbers.NumberTooLargeError:
        raise FunctionError("number has too many digits to be written out") from None


def _jsonencode(arguments: Arguments, _type: Type) -> Value:
    value = arguments[0]
    if value.is_wholly_known:
        return string(encode_json(value))
    if not value.is_known and not value.refinement.not_null:
        return unknown(STRING)
    return refine(unknown(STRING), Refinement(not_null=True, prefix=_first_character(value.type)))


def _first_character(ty: Type) -> str:
    """The first character of the JSON text of any non-null value of a type; empty if that varies."""
    if ty is STRING:
        return '"'
    if isinstance(ty, ObjectType | MapType):
        return "{"
    return "[" if isinstance(ty, TupleType | ListType | SetType) else ""


class _Number(str):
    """The text of a number, as distinct from a string."""

    __slots__ = ()


class _Members(list[tuple[str, "_Node"]]):
    """Keys and values of an object in source order, including repeated keys."""

    __slots__ = ()


_Node = None | bool | str | list["_Node"] | _Members

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++|(?!\.))(?:[eE][+-]?[0-9]++|(?![eE]))")
_STRING_START: Final = re.compile(
    r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*(\\(?:u[0-9a-fA-F]{0,3})?)?',
)
_NUMBER_START: Final = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:(\.)(?:[0-9]+([eE][+-]?))?|([eE][+-]?)))?")
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LITERALS: Final[dict[str, tuple[str, bool | None]]] = {
    "t": ("true", True),
    "f": ("false", False),
    "n": ("null", None),
}


def _fail(character: str, context: str) -> NoReturn:
    """Raise a syntax error. The original reads bytes, and shows the first byte of a character as if it were Latin-1."""
    shown = chr(character.encode("utf-8", "replace")[0])
    escaped = {"'": "\\'", '"': '"'}.get(shown) or quoted(shown)[1:-1]
    raise FunctionError(f"invalid character '{escaped}'{context}")


class _Tokens:
    """Reads values from the front of a text."""

    __slots__ = ("position", "text")

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.position = 0

    def peek(self) -> str:
        """The next significant character; empty at the end."""
        match = _SPACE.match(self.text, self.position)
        assert match is not None
        self.position = match.end()
        return self.text[self.position : self.position + 1]

    def require(self) -> str:
        character = self.peek()
        if not character:
            raise FunctionError("EOF")
        return character

    def value(self, depth: int = 0) -> _Node:
        if depth > MAX_NESTING:
            raise FunctionError("exceeded max depth")
        character = self.require()
        if character == "{":
            return self._members(depth)
        if character == "[":
            return self._elements(depth)
        if character == '"':
            return self.string()
        if character in _LITERALS:
            return self._literal(*_LITERALS[character])
        if character == "-" or character in "0123456789":
            return self._number()
        _fail(character, " looking for beginning of value")

    def _elements(self, depth: int) -> list[_Node]:
        self.position += 1
        elements: list[_Node] = []
        if self.require() != "]":
            elements.append(self.value(depth + 1))
            while (character := self.require()) == ",":
                self.position += 1
                elements.append(self.value(depth + 1))
            if character != "]":
                _fail(character, " after array element")
        self.position += 1
        return elements

    def _members(self, depth: int) -> _Members:
        self.position += 1
        members = _Members()
        if self.require() != "}":
            members.append(self._member(depth, ""))
            while (character := self.require()) == ",":
                self.position += 1
                members.append(self._member(depth, " looking for beginning of object key string"))
            if character != "}":
                _fail(character, " after object key:value pair")
        self.position += 1
        return members

    def _member(self, depth: int, context: str) -> tuple[str, _Node]:
        character = self.require()
        if character != '"':
            _fail(character, context)
        key = self.string()
        character = self.require()
        if character != ":":
            _fail(character, " after object key")
        self.position += 1
        return key, self.value(depth + 1)

    def string(self) -> str:
        match = _STRING.match(self.text, self.position)
        if match is None:
            self._explain_string()
        self.position = match.end()
        literal = match[0]
        if "\\" not in literal:
            return literal[1:-1]
        return _LONE_SURROGATE.sub("\ufffd", json.loads(literal))

    def _explain_string(self) -> NoReturn:
        match = _STRING_START.match(self.text, self.position + 1)
        assert match is not None
        if match.end() == len(self.text):
            raise FunctionError("unexpected EOF")
        context = " in string literal"
        if match[1]:
            context = " in string escape code" if match[1] == "\\" else " in \\u hexadecimal character escape"
        self.position = match.end()
        _fail(self.text[match.end()], context)

    def _number(self) -> _Number:
        match = _NUMBER.match(self.text, self.position)
        if match is None:
            self._explain_number()
        self.position = match.end()
        return _Number(match[0])

    def _explain_number(self) -> NoReturn:
        match = _NUMBER_START.match(self.text, self.position)
        assert match is not None
        if match.end() == len(self.text):
            raise FunctionError("unexpected EOF")
        context = " in numeric literal"
        if match[2] or match[3]:
            context = " in exponent of numeric literal"
        elif match[1]:
            context = " after decimal point in numeric literal"
        self.position = match.end()
        _fail(self.text[match.end()], context)

    def _literal(self, word: str, meaning: bool | None) -> bool | None:
        for expected in word:
            found = self.text[self.position : self.position + 1]
            if not found:
                raise FunctionError("unexpected EOF")
            if found != expected:
                _fail(found, f" in literal {word} (expecting '{expected}')")
            self.position += 1
        return meaning


def explain_syntax(text: str) -> tuple[str, int]:
    """Describe why a whole text is not JSON, and return how many of its characters were read to find out. The original
    reads a space after the end, which a word or a number that is cut off does not expect."""
    tokens = _Tokens(text + " ")
    try:
        tokens.value()
        _fail(tokens.require(), " after top-level value")
    except FunctionError as failure:
        message, read = str(failure), min(tokens.position + 1, len(text))
    if message.endswith("EOF"):
        return "unexpected end of JSON input", len(text)
    return (f"{message} looking for beginning of object key string" if message.endswith("'") else message), read


def _type_of(node: _Node) -> Type:
    match node:
        case None:
            return DYNAMIC
        case bool():
            return BOOL
        case _Number():
            return NUMBER
        case str():
            return STRING
        case _Members():
            return ObjectType({key: _type_of(member) for key, member in node})
    return TupleType(map(_type_of, node))


def _value_of(node: _Node, flavour: Flavour) -> Value:
    match node:
        case None:
            return NULL_DYNAMIC
        case bool():
            return boolean(node)
        case _Number():
            return _number_of(node)
        case str():
            return string(node)
        case _Members():
            return _object_of(node, flavour)
    return tuple_of([_value_of(element, flavour) for element in node])


def _number_of(text: str) -> Value:
    parsed = numbers.parse(text)
    if parsed is None:
        raise FunctionError("a number is required")
    return number(parsed)


def _object_of(members: _Members, flavour: Flavour) -> Value:
    last = dict(members)
    if len(last) < len(members):
        _check_repeated(members, last, flavour)
    for key in last:
        if key != normalise(key):
            raise FunctionError(f"unsupported attribute {quoted(key)}")
    return object_of({key: _value_of(member, flavour) for key, member in last.items()})


def _check_repeated(members: _Members, last: dict[str, _Node], flavour: Flavour) -> None:
    """Check repeated keys. The last occurrence of a key determines type and value of the attribute.

    The others must be readable as that type or, in some flavours, have exactly that type.
    """
    for key, member in members:
        if member is last[key]:
            continue
        wanted = _type_of(last[key])
        if not flavour.json_duplicates_must_agree:
            _check_fits(member, wanted)
        elif _type_of(member) != wanted:
            raise FunctionError(f"duplicate {quoted(key)} property in JSON object")


def _check_fits(node: _Node, wanted: Type) -> None:
    """Check that a value could be read as a type, as the second pass of the original's decoder would do."""
    if node is None:
        return
    if wanted is DYNAMIC:
        _check_dynamic(node)
    elif isinstance(wanted, TupleType):
        _check_tuple(node, wanted)
    elif isinstance(wanted, ObjectType):
        _check_object(node, wanted)
    else:
        _check_primitive(node, wanted)


def _check_primitive(node: _Node, wanted: Type) -> None:
    """Check a scalar. Strings may spell numbers and bools; anything but a collection can be a string."""
    if wanted is STRING:
        natural = not isinstance(node, list)
    else:
        natural = isinstance(node, bool) if wanted is BOOL else isinstance(node, _Number)
    if natural:
        return
    if not isinstance(node, str) or isinstance(node, _Number):
        raise FunctionError(f"{friendly_name(wanted)} is required")
    try:
        convert(string(node), wanted)
    except ConversionError as error:
        raise FunctionError(str(error)) from None


def _check_tuple(node: _Node, wanted: TupleType) -> None:
    if not isinstance(node, list) or isinstance(node, _Members):
        raise FunctionError("missing expected [")
    for index, element in enumerate(node):
        if index >= len(wanted.elements):
            raise FunctionError(f"too many tuple elements (need {len(wanted.elements)})")
        _check_fits(element, wanted.elements[index])
    if len(node) < len(wanted.elements):
        raise FunctionError(f"not enough tuple elements (need {len(wanted.elements)})")


def _check_object(node: _Node, wanted: ObjectType) -> None:
    if not isinstance(node, _Members):
        raise FunctionError("missing expected {")
    for key, member in node:
        if key not in wanted.attributes:
            raise FunctionError(f"unsupported attribute {quoted(key)}")
        _check_fits(member, wanted.attributes[key])


def _check_dynamic(node: _Node) -> None:
    """Check a value of dynamic type: the second pass expects an object that contains the type along with the value."""
    if not isinstance(node, _Members):
        raise FunctionError("missing expected {")
    for key, _ in node:
        if key not in ("type", "value"):
            raise FunctionError(f"invalid key {quoted(key)} in dynamically-typed value")
    for key in ("type", "value"):
        if key not in dict(node):
            raise FunctionError(f"missing {key} in dynamically-typed value")


def decode_json(text: str, flavour: Flavour) -> Value:
    """The value of a JSON text. Text after it is ignored if it begins with a closing bracket."""
    tokens = _Tokens(text)
    node = tokens.value()
    if tokens.peek() not in ("", "]", "}"):
        raise FunctionError("extraneous data after JSON object")
    return _value_of(node, flavour)


def functions(context: FunctionContext) -> tuple[Function, ...]:
    def jsondecode(arguments: Arguments, _type: Type) -> Value:
        return decode_json(arguments[0].payload, context.flavour)

    anything = Parameter("val", allow_null=True, allow_unknown=True, allow_dynamic=True)
    return (
        Function("jsondecode", (Parameter("str", STRING),), DYNAMIC, jsondecode, refinement=None),
        Function("jsonencode", (anything,), STRING, _jsonencode),
    )
