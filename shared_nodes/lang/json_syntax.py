"""The JSON syntax: from JSON text to JSON values with ranges, and from these to the same tree as native syntax.

JSON does not distinguish arguments from blocks, so `body_from_json` needs a schema; nothing else does. A string in the
position of an expression is a template, and so is a property name there. Errors inside such a string are found when the
expression is built, at positions that assume a string without JSON escapes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from shared_nodes.lang.body_schema import BlockSchema, BodySchema
from shared_nodes.lang.cursor import MAXIMUM_DEPTH, NestingError
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.parser import parse_template
from shared_nodes.lang.source import Position, Range, Source
from shared_nodes.lang.suggestions import nearest_name
from shared_nodes.lang.tree import (
    Attribute,
    Block,
    Body,
    Expression,
    Literal,
    ObjectConstructor,
    ObjectItem,
    TupleConstructor,
)
from shared_nodes.pattern import pattern
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.text import length_in_graphemes, quoted
from shared_nodes.values.value import DYNAMIC_UNKNOWN, NULL_DYNAMIC, Value, boolean, number

__all__ = [
    "JsonArray",
    "JsonInvalid",
    "JsonObject",
    "JsonProperty",
    "JsonScalar",
    "JsonString",
    "JsonValue",
    "body_from_json",
    "parse_json",
]


@record
class JsonScalar:
    """A number, a boolean or null."""

    value: Value
    range: Range

    @property
    def start_range(self) -> Range:
        return self.range


@record
class JsonString:
    """A string. The text has its JSON escapes resolved; the range includes the quotes."""

    text: str
    range: Range

    @property
    def start_range(self) -> Range:
        return self.range


@record
class JsonInvalid:
    """A placeholder for a value that could not be read, which a diagnostic explains. The range is its first token."""

    range: Range

    @property
    def start_range(self) -> Range:
        return self.range


@record
class JsonArray:
    items: tuple[JsonValue, ...]
    range: Range
    open_range: Range

    @property
    def start_range(self) -> Range:
        return self.open_range


@record
class JsonProperty:
    name: str
    value: JsonValue
    name_range: Range

    @property
    def range(self) -> Range:
        return self.name_range.through(self.value.range)


@record
class JsonObject:
    """An object. Properties are in source order, and names may repeat."""

    properties: tuple[JsonProperty, ...]
    range: Range
    open_range: Range
    close_range: Range

    @property
    def start_range(self) -> Range:
        return self.open_range


JsonValue = JsonScalar | JsonString | JsonInvalid | JsonArray | JsonObject


def parse_json(source: Source) -> tuple[JsonObject | JsonArray, list[Diagnostic]]:
    """Parse a whole file: an object or an array of objects. Anything else is reported and treated as an empty
    object."""
    reader = _Reader(_JsonSource(source))
    try:
        root = reader.read_file()
    except NestingError as too_deep:
        reader.diagnostics.append(too_deep.diagnostic)
        root = None
    if root is None:
        start = Range(source, 0, 0)
        return JsonObject((), start, start, start), reader.diagnostics
    return root, reader.diagnostics


class _JsonSource(Source):
    """A source that counts columns as the original's JSON scanner does: two for a tab, none for a carriage return."""

    def __init__(self, original: Source) -> None:
        super().__init__(
            original.filename, original.text, original.position(0), is_json=original.is_json, file=original.file
        )

    def position(self, offset: int) -> Position:
        plain = super().position(offset)
        prefix = self.text[self.text.rfind("\n", 0, offset) + 1 : offset].replace("\r", "")
        width = sum(map(length_in_graphemes, _COUNTED_APART.split(prefix)))
        before = self.first.column if plain.line == self.first.line else 1
        return plain._replace(column=before + width + prefix.count("\t"))


_COUNTED_APART: Final = pattern(r'(["\\])')

_STRING: Final = "string"
_NUMBER: Final = "number"
_WORD: Final = "word"
_INVALID: Final = "invalid"
_END: Final = "end"

_TOKEN: Final = pattern(
    r"""
    [ \t\r\n]*+
    (?: ([{}\[\],:=])
      | ("(?:[^"\\\x00-\x1f]++|\\[^\x00-\x1f]|\\)*+"?)
      | ([-+.0-9][-+.0-9eE]*+)
      | ([A-Za-z][A-Za-z_]*+)
      | (\Z)
      | (.)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS: Final = ("", "", _STRING, _NUMBER, _WORD, _END, _INVALID)
_JSON_NUMBER: Final = pattern(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_STRING_CONTENT: Final = pattern(r'"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+')
_BROKEN_ESCAPE: Final = pattern(r"\\(?:u[0-9a-fA-F]{0,3})?")
_SURROGATE: Final = pattern(r"[\ud800-\udfff]")

_VALUE_START: Final = "A JSON value must start with a brace, a bracket, a number, a string, or a keyword."
_WORDS: Final = {"true": boolean(True), "false": boolean(False), "null": NULL_DYNAMIC}


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """(kind, start, end) of each token. An invalid character ends the stream: nothing after it would be read."""
    for match in _TOKEN.finditer(text):
        group = match.lastindex
        assert group is not None
        start, end = match.span(group)
        kind = match[1] if group == 1 else _KINDS[group]
        if kind == _INVALID:
            yield _INVALID, start, start
            yield _END, start + 1, start + 1
            return
        yield kind, start, end
        if kind == _END:
            return


class _Reader:
    """Reads one value after another.

    A broken value yields a diagnostic and an invalid value, and reading continues, so one mistake often produces
    several diagnostics, as in the original.
    """

    __slots__ = ("_at", "_depth", "_source", "_tokens", "diagnostics")

    def __init__(self, source: Source) -> None:
        self._source: Final = source
        self._tokens: Final = list(_tokens(source.text))
        self._at = 0
        self._depth = 0
        self.diagnostics: Final[list[Diagnostic]] = []

    def read_file(self) -> JsonObject | JsonArray | None:
        root = self._read_value()
        if not self.diagnostics and self._kind != _END:
            self._report("Extraneous data after value", "Extra characters appear after the JSON value.")
        if isinstance(root, JsonObject | JsonArray):
            return root
        self._report(
            "Root value must be object",
            "The root value in a JSON-based configuration must be either a JSON object or a JSON array of objects.",
            root.start_range,
        )
        return None

    @property
    def _kind(self) -> str:
        return self._tokens[self._at][0]

    def _range(self) -> Range:
        """The range of the next token."""
        _, start, end = self._tokens[self._at]
        return Range(self._source, start, end)

    def _read(self) -> Range:
        subject = self._range()
        if self._kind != _END:
            self._at += 1
        return subject

    def _report(self, summary: str, detail: str, subject: Range | None = None) -> None:
        """Report an error, by default at the next token."""
        self.diagnostics.append(error(summary, detail, subject or self._range()))

    def _read_value(self) -> JsonValue:
        kind, start = self._kind, self._range()
        value: JsonValue | None = None
        if kind in ("{", "["):
            self._depth += 1
            if self._depth > MAXIMUM_DEPTH:
                raise NestingError(start)
            value = self._read_object() if kind == "{" else self._read_array()
            self._depth -= 1
        elif kind == _STRING:
            value = self._read_string()
        elif kind == _NUMBER:
            value = self._read_number()
        elif kind == _WORD:
            value = self._read_word()
        elif kind == "}":
            self._report("Missing JSON value", _VALUE_START)
        elif kind == "]":
            self._report("Missing array element value", _VALUE_START)
        elif kind == _END:
            self._report("Missing value", "The JSON data ends prematurely.")
        else:
            self._report("Invalid start of value", _VALUE_START)
        return JsonInvalid(start) if value is None else value

    def _recover(self, opener: str, closer: str) -> None:
        """Read through the next `closer`, or through the end of a pair that begins with the current token."""
        opened = 1
        while True:
            kind = self._kind
            self._read()
            if kind == opener:
                opened += 1
            elif kind == closer:
                opened -= 1
                if opened <= 1:
                    return
            elif kind == _END:
                return

    def _read_object(self) -> JsonObject | None:
        opening = self._read()
        properties: list[JsonProperty] = []
        while self._kind != "}":
            name = self._read_value()
            if not isinstance(name, JsonString):
                detail = "A JSON object property name must be a string"
                self._report("Invalid object property name", detail, name.start_range)
                return None
            if self._kind != ":":
                self._refuse_colon()
                return None
            self._read()
            properties.append(JsonProperty(name.text, self._read_value(), name.range))
            if self._kind == ",":
                comma = self._read()
                if self._kind == "}":
                    detail = "JSON does not permit a trailing comma after the final property in an object."
                    self._report("Trailing comma in object", detail, comma)
                    return None
            elif self._kind != "}":
                self._refuse_separator(opening)
                return None
        closing = self._read()
        return JsonObject(tuple(properties), opening.through(closing), opening, closing)

    def _refuse_colon(self) -> None:
        kind, subject = self._kind, self._range()
        self._recover("{", "}")
        if kind in ("}", ","):
            detail = "A JSON object attribute must have a value, introduced by a colon."
            self._report("Missing object value", detail, subject)
        elif kind == "=":
            detail = "JSON uses a colon as its name/value delimiter, not an equals sign."
            self._report("Missing property value colon", detail, subject)
        else:
            detail = "A colon must appear between an object property's name and its value."
            self._report("Missing property value colon", detail, subject)

    def _refuse_separator(self, opening: Range) -> None:
        """Report that neither a comma nor a brace follows a property."""
        if self._kind == _END:
            self._report("Unclosed object", "No closing brace was found for this JSON object.", opening)
        elif self._kind == "]":
            self._read()
            self._report("Mismatched braces", "A JSON object must be closed with a brace, not a bracket.")
        else:
            self._recover("{", "}")
            detail = "A comma must appear between each property definition in an object."
            self._report("Missing attribute seperator comma", detail)

    def _read_array(self) -> JsonArray | None:
        opening = self._read()
        items: list[JsonValue] = []
        while self._kind != "]":
            items.append(self._read_value())
            if self._kind == ",":
                comma = self._read()
                if self._kind == "]":
                    detail = "JSON does not permit a trailing comma after the final value in an array."
                    self._report("Trailing comma in array", detail, comma)
                    return None
            elif self._kind != "]":
                self._refuse_item_separator(opening)
                return None
        closing = self._read()
        return JsonArray(tuple(items), opening.through(closing), opening)

    def _refuse_item_separator(self, opening: Range) -> None:
        """Report that neither a comma nor a bracket follows an item. Unless the text ends, the position is after
        recovery."""
        kind = self._kind
        self._recover("[", "]")
        if kind == _END:
            self._report("Unclosed object", "No closing bracket was found for this JSON array.", opening)
        elif kind == ":":
            self._report("Invalid array value", "A colon is not used to introduce values in a JSON array.")
        elif kind == "}":
            self._report("Mismatched brackets", "A JSON array must be closed with a bracket, not a brace.")
        else:
            detail = "A comma must appear between each value in an array."
            self._report("Missing attribute seperator comma", detail)

    def _read_number(self) -> JsonScalar | None:
        subject = self._read()
        payload = numbers.parse(subject.text) if _JSON_NUMBER.fullmatch(subject.text) else None
        if payload is None:
            self._report("Invalid JSON number", "There is a syntax error in the given JSON number.", subject)
            return None
        return JsonScalar(number(payload), subject)

    def _read_string(self) -> JsonString | None:
        subject = self._read()
        text = subject.text
        valid = _STRING_CONTENT.match(text)
        assert valid is not None
        if text[valid.end() :] == '"':
            return JsonString(_SURROGATE.sub("\ufffd", json.loads(text)), subject)
        broken = _BROKEN_ESCAPE.match(text, valid.end())
        after = subject.start + min(broken.end() + 1 if broken else len(text), len(text))
        fault = Range(self._source, after, after)
        self._report("Invalid JSON string", "There is a syntax error in the given JSON string.", fault)
        return None

    def _read_word(self) -> JsonScalar | None:
        subject = self._read()
        word = subject.text
        if word in _WORDS:
            return JsonScalar(_WORDS[word], subject)
        if word in ("undefined", "NaN", "Infinity"):
            detail = f'The JavaScript identifier "{word}" cannot be used in JSON.'
        else:
            nearest = nearest_name(word, ("false", "true", "null"))
            advice = f' Did you mean "{nearest}"?' if nearest else ""
            detail = f'"{word}" is not a valid JSON keyword.{advice}'
        self._report("Invalid JSON keyword", detail, subject)
        return None


def _expression(value: JsonValue, diagnostics: list[Diagnostic]) -> Expression:
    if isinstance(value, JsonString):
        return _template(value.text, value.range, diagnostics)
    if isinstance(value, JsonScalar):
        return Literal(value.range, value.value)
    if isinstance(value, JsonArray):
        items = tuple(_expression(item, diagnostics) for item in value.items)
        return TupleConstructor(value.range, items, value.open_range)
    if isinstance(value, JsonObject):
        pairs: list[ObjectItem] = []
        for entry in value.properties:
            key = _template(entry.name, entry.name_range, diagnostics)
            pairs.append(ObjectItem(key, _expression(entry.value, diagnostics)))
        return ObjectConstructor(value.range, tuple(pairs), value.open_range)
    return Literal(value.range, DYNAMIC_UNKNOWN)


def _template(text: str, where: Range, diagnostics: list[Diagnostic]) -> Expression:
    """Parse a template. The whole expression has the range of the JSON string, quotes included; its parts are
    inside."""
    line, column, byte = where.first
    source = Source(where.source.filename, text, Position(line, column + 1, byte + 1), file=where.source.file)
    expression, problems = parse_template(source)
    diagnostics.extend(problems)
    return replace(expression, range=where)


def body_from_json(value: JsonValue, schema: BodySchema) -> tuple[Body, list[Diagnostic]]:
    """Divide properties into arguments and blocks. `"//"` is a comment wherever a body has properties."""
    diagnostics: list[Diagnostic] = []
    return _body(value, schema, diagnostics), diagnostics


def _body(value: JsonValue, schema: BodySchema, diagnostics: list[Diagnostic]) -> Body:
    attributes: dict[str, Attribute] = {}
    blocks: list[Block] = []
    for entry in _properties(value, None, diagnostics):
        block = schema.blocks.get(entry.name)
        if schema.attributes is not None and entry.name in schema.attributes:
            _add_attribute(entry, attributes, "Duplicate argument", diagnostics)
        elif block is not None:
            blocks.extend(_Unpacking(entry, block, diagnostics).blocks())
        elif entry.name == "//":
            continue
        elif schema.attributes is None:
            summary = "Duplicate argument" if schema.blocks else "Duplicate attribute definition"
            _add_attribute(entry, attributes, summary, diagnostics)
        else:
            known = [*sorted(schema.attributes - attributes.keys()), *schema.blocks]
            nearest = nearest_name(entry.name, known)
            advice = f" Did you mean {quoted(nearest)}?" if nearest else ""
            detail = f"No argument or block type is named {quoted(entry.name)}.{advice}"
            summary = "Extraneous JSON object property"
            diagnostics.append(error(summary, detail, entry.name_range, entry.range))
    return Body(attributes, tuple(blocks), value.range, _missing_item_range(value))


def _missing_item_range(value: JsonValue) -> Range:
    """Where a missing argument is reported: at the closing brace, which files in native syntax do not have."""
    return value.close_range if isinstance(value, JsonObject) else value.start_range


def _add_attribute(
    entry: JsonProperty, attributes: dict[str, Attribute], duplicate: str, diagnostics: list[Diagnostic]
) -> None:
    """Add an argument. The first definition of a name is kept."""
    existing = attributes.get(entry.name)
    if existing is not None:
        detail = f"The argument {quoted(entry.name)} was already set at {existing.range}."
        diagnostics.append(error(duplicate, detail, entry.name_range, entry.range))
        return
    expression = _expression(entry.value, diagnostics)
    attributes[entry.name] = Attribute(entry.name, expression, entry.range, entry.name_range)


def _properties(value: JsonValue, label: str | None, diagnostics: list[Diagnostic]) -> list[JsonProperty]:
    """The properties of an object, or of all objects of an array. They define a body or, with `label`, give labels."""
    if isinstance(value, JsonObject):
        return list(value.properties)
    if isinstance(value, JsonScalar) and value.value.is_null:
        return []
    purpose = "to define arguments and child blocks" if label is None else f"to specify {label} labels for this block"
    summary = "Incorrect JSON value type"
    if not isinstance(value, JsonArray):
        detail = f"Either a JSON object or JSON array of objects is required here, {purpose}."
        diagnostics.append(error(summary, detail, value.start_range))
        return []
    found: list[JsonProperty] = []
    for item in value.items:
        if isinstance(item, JsonObject):
            found.extend(item.properties)
        else:
            diagnostics.append(error(summary, f"A JSON object is required here, {purpose}.", item.start_range))
    return found


class _Unpacking:
    """The blocks that a property defines: one level of objects per label, then an object or an array of objects."""

    __slots__ = ("_diagnostics", "_entry", "_schema")

    def __init__(self, entry: JsonProperty, schema: BlockSchema, diagnostics: list[Diagnostic]) -> None:
        self._entry: Final = entry
        self._schema: Final = schema
        self._diagnostics: Final = diagnostics

    def blocks(self) -> list[Block]:
        return self._unpack(self._entry.value, ())

    def _unpack(self, value: JsonValue, labels: tuple[JsonProperty, ...]) -> list[Block]:
        if len(labels) == len(self._schema.labels):
            return self._contents(value, labels)
        label = self._schema.labels[len(labels)]
        found = _properties(value, label, self._diagnostics)
        if not found:
            detail = (
                f"At least one object property is required, whose name represents the {self._entry.name} "
                f"block's {label}."
            )
            self._diagnostics.append(error("Missing block label", detail, value.start_range))
        return [block for entry in found for block in self._unpack(entry.value, (*labels, entry))]

    def _contents(self, value: JsonValue, labels: tuple[JsonProperty, ...]) -> list[Block]:
        if isinstance(value, JsonObject):
            return [self._block(value, value.open_range, labels)]
        if isinstance(value, JsonArray):
            return [self._block(item, value.open_range, labels) for item in value.items]
        if not (isinstance(value, JsonScalar) and value.value.is_null):
            detail = (
                "Either a JSON object or a JSON array is required, representing the contents of one or more "
                f"{quoted(self._entry.name)} blocks."
            )
            self._diagnostics.append(error("Incorrect JSON value type", detail, value.start_range))
        return []

    def _block(self, value: JsonValue, open_range: Range, labels: tuple[JsonProperty, ...]) -> Block:
        body = _body(value, self._schema.body, self._diagnostics)
        return Block(
            type=self._entry.name,
            labels=tuple(label.name for label in labels),
            body=body,
            type_range=self._entry.name_range,
            label_ranges=tuple(label.name_range for label in labels),
            open_range=open_range,
            close_range=body.end_range,
        )
