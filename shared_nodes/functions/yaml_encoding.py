"""`yamldecode` and `yamlencode`.

Scanning, parsing and layout are done by libyaml (through PyYAML). The original uses a port of it, so events, messages
and line folding are the same. The meaning of scalars is defined here, by rules between YAML 1.1 and 1.2: `yes` is a
bool, `0o17` is 15 but `017` is 17, `1_000` is a string unless tagged, dates become full timestamps, and mapping keys
become strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import yaml
from yaml._yaml import CParser

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.dates import instant_of, timestamp_text
from shared_nodes.functions.encoding import decode_base64
from shared_nodes.functions.json_encoding import MAX_NESTING
from shared_nodes.lang.function import Arguments, Function, FunctionError, Parameter
from shared_nodes.values import number as numbers
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ObjectType, TupleType, Type, friendly_name
from shared_nodes.values.value import (
    FALSE,
    NULL_DYNAMIC,
    TRUE,
    Value,
    integer,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)

__all__ = ["decode_yaml", "encode_yaml", "functions"]

_MAX_VALUES: Final = 1_000_000
"""Limit of values in a document after aliases are expanded: nested aliases grow exponentially."""

_MAX_COLONS: Final = 1000
"""Limit of how often a text is read again because libyaml refused a colon."""

_PREFIX: Final = "tag:yaml.org,2002:"
_STR, _BOOL, _INT, _FLOAT = _PREFIX + "str", _PREFIX + "bool", _PREFIX + "int", _PREFIX + "float"
_NULL, _TIMESTAMP, _BINARY = _PREFIX + "null", _PREFIX + "timestamp", _PREFIX + "binary"
_SCALAR_TAGS: Final = frozenset(("", _STR, _BOOL, _INT, _FLOAT, _NULL, _TIMESTAMP, _BINARY))

_WORDS: Final[dict[str, Value]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), TRUE),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), FALSE),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), NULL_DYNAMIC),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), number(numbers.PositiveInfinity)),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), number(numbers.NegativeInfinity)),
}
_NOT_A_NUMBER: Final = frozenset((".nan", ".NaN", ".NAN"))
_FIRST_OF_RESOLVED: Final = frozenset("+-0123456789yYnNtTfFoO~.")

_INTEGER: Final = re.compile(r"0o[0-7]+|[-+]?[0-9]+|0x[0-9a-fA-F]+")
_DECIMAL: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_PREFIXED: Final = re.compile(r"([+-]?)0(?:[xX]([0-9a-fA-F]+)|[oO]?([0-7]+)|[bB]([01]+))")
_DATE_AND_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})"
    r"| ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)?"
)


class _Merge:
    """The value of the key `<<`."""


_MERGE: Final = _Merge()
_MERGE_TAG: Final = _PREFIX + "merge"


def _timestamp(text: str) -> Value | None:
    match = _DATE_AND_TIME.fullmatch(text)
    if match is None:
        return None
    year, month, day = map(int, match.group(1, 2, 3))
    hour, minute, second = (int(a or b or 0) for a, b in zip(match.group(4, 5, 6), match.group(8, 9, 10), strict=True))
    offset = _offset(match[7] or "Z")
    if not 1 <= month <= 12 or hour > 23 or minute > 59 or second > 59 or offset is None:
        return None
    try:
        return string(timestamp_text(instant_of((year, month, day), (hour, minute, second), offset=offset)))
    except ValueError:
        return None


def _offset(zone: str) -> int | None:
    if zone == "Z":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 24 or minutes > 60:
        return None
    return (hours * 3600 + minutes * 60) * (-1 if zone[0] == "-" else 1)


def _number(text: str) -> Value | None:
    """A decimal number of any size, or a hexadecimal, octal or binary one within 64 bits. Underscores are ignored."""
    plain = text.replace("_", "")
    parsed = numbers.parse(plain)
    if parsed is not None:
        return number(parsed)
    match = _PREFIXED.fullmatch(plain)
    if match is None:
        return None
    digits, base = next((digits, base) for digits, base in zip(match.groups()[1:], (16, 8, 2), strict=True) if digits)
    whole = int(match[1] + digits, base)
    in_range = -(1 << 63) <= whole < (1 << 63 if match[1] else 1 << 64)
    return integer(whole) if in_range else None


def _resolve(tag: str, text: str, style: str) -> Value | _Merge:
    """The value of a scalar.

    A tag is little more than a hint: text that looks like something else is interpreted by its looks (`!!bool 1` is 1),
    and quotes override tags.
    """
    if tag not in _SCALAR_TAGS:
        raise FunctionError(f"unsupported tag {quoted(tag)}")
    if tag not in (_STR, _BINARY) and (not text or text[0] in _FIRST_OF_RESOLVED):
        if style in ("'", '"'):
            return string(text)
        if text in _WORDS:
            return _WORDS[text]
        if not tag and text in _NOT_A_NUMBER:
            raise FunctionError("floating point NaN is not supported")
        if text[0] == "." and (parsed := numbers.parse(text)) is not None:
            return number(parsed)
        if text[0] in "+-0123456789":
            if tag in ("", _TIMESTAMP) and (moment := _timestamp(text)) is not None:
                return moment
            if _INTEGER.fullmatch(text):
                tag = _INT
            elif _DECIMAL.fullmatch(text):
                tag = _FLOAT
    if not tag and text == "<<":
        return _MERGE
    return _interpret(tag, text)


def _interpret(tag: str, text: str) -> Value:
    """Interpret text only by its tag."""
    if tag in ("", _STR):
        return string(text)
    if tag == _NULL:
        return NULL_DYNAMIC
    if tag == _BINARY:
        if decode_base64(text) is None:
            raise FunctionError(f"cannot parse {quoted(text)} as {tag}: not valid base64")
        return string(text)
    found = {_INT: _number, _FLOAT: _number, _TIMESTAMP: _timestamp}.get(tag, lambda _: None)(text)
    if found is None:
        raise FunctionError(f"cannot parse {quoted(text)} as {tag}")
    return found


def _as_string(value: Value) -> Value:
    """A scalar as a string; null stays null."""
    if value.is_null:
        return null(STRING)
    if value.type is NUMBER:
        try:
            return string(numbers.number_text(value.payload))
        except numbers.NumberTooLargeError:
            raise FunctionError("number has too many digits to be written out") from None
    return string("true" if value.payload else "false") if value.type is BOOL else value


def _error_at(line: int, column: int, message: str) -> FunctionError:
    """An error at a position. The original counts lines from zero, and treats line zero as "position not known"."""
    return FunctionError(f"on line {line}, column {column + 1}: {message}" if line else message)


def _error_at_event(event: Any, message: str) -> FunctionError:
    return _error_at(event.start_mark.line, event.start_mark.column, message)


class _ColonInPlainScalar(Exception):
    """libyaml refuses a colon that the original accepts as part of a plain scalar, as in `{a:,b}`."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index: Final = index


def _syntax_error(error: yaml.YAMLError) -> Exception:
    """The error in the original's wording. Scanner errors have the right line but no column; parser errors are off by
    one."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return FunctionError(str(getattr(error, "reason", error)))
    problem, mark = error.problem or "invalid YAML syntax", error.problem_mark
    if mark is not None and problem == "found unexpected ':'":
        return _ColonInPlainScalar(mark.index)
    if mark is not None and mark.line:
        if isinstance(error, yaml.scanner.ScannerError):
            return _error_at(mark.line + 1, 0, problem)
        return _error_at(mark.line, mark.column, problem)
    mark = error.context_mark
    return _error_at(mark.line, mark.column, problem) if mark is not None else FunctionError(problem)


_UNKNOWN_ESCAPE: Final = re.compile(r"(?:[^\\]|\\[^/])*\\/", re.DOTALL)


class _Document:
    """Turns the events of one document into a value.

    `stand_ins` are characters that replace others in the text, so that libyaml reads them as ordinary ones.
    """

    __slots__ = ("anchors", "count", "flavour", "flow", "parser", "pending", "stand_ins", "text")

    def __init__(self, text: str, stand_ins: dict[int, str], flavour: Flavour) -> None:
        self.flavour: Final = flavour
        self.text: Final = text
        self.stand_ins: Final = stand_ins
        self.parser: Final = CParser(text.encode("utf-8", "replace") or b"\n")
        self.anchors: Final[dict[str, tuple[Value, int]]] = {}
        self.pending: Final[list[str]] = []
        self.flow: Final[list[str]] = []
        self.count = 0

    def next_event(self) -> Any:
        """The next event, or an error where the original's older libyaml has one.

        That version knows only YAML 1.1 and no escape `\\/`, and ends a plain scalar inside brackets at a question
        mark.
        """
        try:
            event = self.parser.get_event()
        except yaml.YAMLError as error:
            raise _syntax_error(error) from None
        if isinstance(event, yaml.ScalarEvent):
            self.check_scalar(event)
            event.value = event.value.translate(self.stand_ins)
        elif isinstance(event, yaml.CollectionStartEvent):
            assert event.end_mark is not None, "libyaml marks every event"
            last = event.end_mark.index - 1
            in_braces = self.text[last : last + 1] == "{"  # not for the `a: b` of `[a: b]`
            self.flow.append(("}" if in_braces else "]") if event.flow_style else "")
        elif isinstance(event, yaml.CollectionEndEvent):
            self.flow.pop()
        elif isinstance(event, yaml.DocumentStartEvent) and event.version not in (None, (1, 1)):
            assert event.start_mark is not None, "libyaml marks every event"
            lines = self.text[event.start_mark.index :].partition("%YAML")[0].count("\n")
            raise _error_at(event.start_mark.line + lines, 0, "found incompatible YAML document")
        return event

    def check_scalar(self, event: Any) -> None:
        start, end = event.start_mark, event.end_mark
        source = self.text[start.index : end.index]
        if event.style == '"' and (match := _UNKNOWN_ESCAPE.match(source)):
            line = start.line + match[0].count("\n")
            raise _error_at(line and line + 1, 0, "found unknown escape character")
        if not event.style and self.flow and self.flow[-1] and "?" in source:
            before = source.partition("?")[0].split("\n")
            column = len(before[-1]) + (start.column if len(before) == 1 else 0)
            raise _error_at(start.line + len(before) - 1, column, f"did not find expected ',' or '{self.flow[-1]}'")

    def read(self) -> Value:
        self.next_event()
        start = self.next_event()
        if not isinstance(start, yaml.DocumentStartEvent):
            raise _error_at_event(start, "missing start of document")
        value = self.node(self.next_event(), 0)
        self.next_event()
        end = self.next_event()
        if not isinstance(end, yaml.StreamEndEvent):
            raise _error_at_event(end, "unexpected extra content after value")
        return value

    def node(self, event: Any, depth: int) -> Value:
        if depth > MAX_NESTING:
            raise _error_at_event(event, f"exceeded max depth of {MAX_NESTING}")
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event)
        before = self.count
        self.grow(1)
        if event.anchor:
            self.pending.append(event.anchor)
        if isinstance(event, yaml.ScalarEvent):
            value = self.scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self.sequence(event, depth)
        else:
            value = self.mapping(event, depth)
        if event.anchor:
            self.pending.remove(event.anchor)
            self.anchors[event.anchor] = value, self.count - before
        return value

    def grow(self, count: int) -> None:
        self.count += count
        if self.count > _MAX_VALUES:
            raise FunctionError("document contains excessive aliasing")

    def alias(self, event: Any) -> Value:
        name = event.anchor
        if name in self.pending:
            raise _error_at_event(event, f"cannot refer to anchor {quoted(name)} from inside its own definition")
        if name not in self.anchors:
            raise _error_at_event(event, f"reference to undefined anchor {quoted(name)}")
        value, count = self.anchors[name]
        self.grow(count)
        return value

    def scalar(self, event: Any) -> Value:
        """The value of a scalar. Block scalars are strings, but are resolved first: a block of `0x1F` is the string
        `31`."""
        try:
            value = _resolve(event.tag or "", event.value, event.style)
        except FunctionError as error:
            raise _error_at_event(event, error.message) from None
        if isinstance(value, _Merge):
            return string(event.value)
        if event.style in ("|", ">") and not event.tag:
            return _as_string(value)
        return value

    def sequence(self, event: Any, depth: int) -> Value:
        if event.tag and event.tag != _PREFIX + "seq":
            raise _error_at_event(event, f"can't interpret sequence as {event.tag}")
        elements: list[Value] = []
        while not isinstance(following := self.next_event(), yaml.SequenceEndEvent):
            elements.append(self.node(following, depth + 1))
        return tuple_of(elements)

    def mapping(self, event: Any, depth: int) -> Value:
        if event.tag and event.tag != _PREFIX + "map":
            raise _error_at_event(event, f"can't interpret mapping as {event.tag}")
        attributes: dict[str, Value] = {}
        while not isinstance(key := self.next_event(), yaml.MappingEndEvent):
            if not isinstance(key, yaml.ScalarEvent):
                raise _error_at_event(key, "only strings are allowed as mapping keys")
            tagged = self.flavour.yaml_merges_sequences and key.tag == _MERGE_TAG
            name = _MERGE if tagged else _resolve(key.tag or "", key.value, key.style or "")
            if isinstance(name, _Merge):
                attributes.update(self.merged(key, depth))
                continue
            text = _as_string(name)
            if text.is_null:
                raise _error_at_event(key, "mapping key cannot be null")
            attributes[text.payload] = self.node(self.next_event(), depth + 1)
        return object_of(attributes)

    def merged(self, key: Any, depth: int) -> dict[str, Value]:
        """The attributes that a `<<` adds at its position, overwriting earlier ones."""
        value = self.node(self.next_event(), depth + 1)
        source, sources = "", [value]
        if isinstance(value.type, TupleType) and self.flavour.yaml_merges_sequences:
            source, sources = " (from sequence)", value.payload
        attributes: dict[str, Value] = {}
        for mapping in sources:
            if not isinstance(mapping.type, ObjectType):
                raise _error_at_event(key, f"cannot merge {friendly_name(mapping.type)}{source} into mapping")
            attributes.update(mapping.payload)
        return attributes


def decode_yaml(text: str, flavour: Flavour) -> Value:
    """The value of a text that is exactly one YAML document.

    For the original a byte order mark is an ordinary character except at the start, and so is a colon before a bracket
    or comma. libyaml ignores the former and refuses the latter, so both are hidden from it.
    """
    unused = (character for character in map(chr, range(0xE000, 0xF900)) if character not in text)
    mark, colon = next(unused, "\ufeff"), next(unused, ":")
    source = text[:1] + text[1:].replace("\ufeff", mark)
    stand_ins = {ord(mark): "\ufeff", ord(colon): ":"}
    for _ in range(_MAX_COLONS):
        try:
            return _Document(source, stand_ins, flavour).read()
        except _ColonInPlainScalar as error:
            source = source[: error.index] + colon + source[error.index + 1 :]
    raise FunctionError("found unexpected ':'")


_STAND_IN: Final = "text-beginning-with-byte-order-mark-%d"


class _Encoder:
    """Emits the events for a value. A string that begins with a byte order mark must be written with every character
    escaped, which libyaml does not do: the string is replaced by a name, and that name is afterwards replaced by the
    escapes."""

    __slots__ = ("escaped",)

    def __init__(self) -> None:
        self.escaped: Final[list[str]] = []

    def events(self, value: Value) -> Iterator[Any]:
        payload = value.payload
        if value.is_null or value.type in (NUMBER, BOOL):
            yield yaml.ScalarEvent(None, None, (True, True), _plain_text(value))
        elif value.type is STRING:
            yield self.text(payload)
        elif isinstance(payload, dict):
            yield yaml.MappingStartEvent(None, None, True, flow_style=False)
            for key, element in payload.items():
                yield self.text(key)
                yield from self.events(element)
            yield yaml.MappingEndEvent()
        else:
            yield yaml.SequenceStartEvent(None, None, True, flow_style=False)
            for element in payload:
                yield from self.events(element)
            yield yaml.SequenceEndEvent()

    def text(self, text: str) -> Any:
        style = "|" if "\n" in text else '"'
        if text.startswith("\ufeff"):
            self.escaped.append("".join(map(_escape, text)))
            text, style = _STAND_IN % (len(self.escaped) - 1), '"'
        return yaml.ScalarEvent(None, None, (True, True), text, style=style)


_SHORT_ESCAPES: Final = {
    "\0": "\\0", "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
    "\x1b": "\\e", '"': '\\"', "\\": "\\\\", "\x85": "\\N", "\xa0": "\\_", "\u2028": "\\L", "\u2029": "\\P",
}  # fmt: skip


def _escape(character: str) -> str:
    code = ord(character)
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _plain_text(value: Value) -> str:
    if value.is_null:
        return "null"
    if value.type is NUMBER and numbers.is_infinite(value.payload):
        return "+Inf" if value.payload > 0 else "-Inf"
    text: str = _as_string(value).payload
    return text


def encode_yaml(value: Value) -> str:
    """Encode in block style; strings are in double quotes, or in a literal block if they have several lines.

    A lone number, bool or null is followed by `...`. Nothing else is, although libyaml would add it after blocks that
    end in blank lines.
    """
    encoder = _Encoder()
    events = (
        yaml.StreamStartEvent(),
        yaml.DocumentStartEvent(explicit=False),
        *encoder.events(value),
        yaml.DocumentEndEvent(explicit=False),
        yaml.StreamEndEvent(),
    )
    text: str = yaml.emit(events, Dumper=yaml.CDumper, allow_unicode=True)
    for index, escaped in enumerate(encoder.escaped):
        text = text.replace(f'"{_STAND_IN % index}"', f'"{escaped}"')
    if text.endswith("\n...\n"):
        text = text[: -len("...\n")]
    lone = value.is_null or value.type in (NUMBER, BOOL)
    return text + "...\n" if lone else text


def _yamldecode(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    return decode_yaml(arguments[0].payload, flavour)


def _yamlencode(arguments: Arguments, _type: Type) -> Value:
    return string(encode_yaml(arguments[0])) if arguments[0].is_wholly_known else unknown(STRING)


def functions(context: FunctionContext) -> tuple[Function, ...]:
    yamldecode = partial(_yamldecode, context.flavour)
    anything = Parameter("value", allow_null=True, allow_dynamic=True, allow_unknown=True)
    return (
        Function("yamldecode", (Parameter("src", STRING),), DYNAMIC, yamldecode, refinement=None),
        Function("yamlencode", (anything,), STRING, _yamlencode, refinement=None),
    )
