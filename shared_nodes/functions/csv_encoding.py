"""`csvdecode`: RFC 4180 text to a list of objects, with the leniency and the errors of the original's reader.

Python's own csv module is not used: it reports no positions, accepts stray quotes and ends a record at a lone CR.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import Arguments, Function, FunctionError, Parameter
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, STRING, ListType, ObjectType, Type
from shared_nodes.values.value import Value, list_of, object_of, string

__all__ = ["functions", "read_records"]

_BARE_QUOTE: Final = 'bare " in non-quoted-field'
_STRAY_QUOTE: Final = 'extraneous or missing " in quoted-field'
_FIELD_COUNT: Final = "wrong number of fields"


def _failure(line: int, problem: str) -> FunctionError:
    return FunctionError(f"CSV parse error on line {line}: {problem}")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines with their LF. CR LF counts as LF, even inside quotes; a CR at the end of the text is dropped."""
    lines = text.split("\n")
    for index, line in enumerate(lines, start=1):
        content = line.removesuffix("\r")
        if index < len(lines):
            yield index, content + "\n"
        elif content:
            yield index, content


def _quoted_field(rest: str, line: int, lines: Iterator[tuple[int, str]]) -> tuple[str, str, int]:
    """Read a field after its opening quote. Returns the content, what follows the closing quote, and the line of
    that."""
    parts: list[str] = []
    while True:
        content, quote, rest = rest.partition('"')
        parts.append(content)
        if not quote:
            following = next(lines, None)
            if following is None:
                raise _failure(line, _STRAY_QUOTE)
            line, rest = following
        elif rest.startswith('"'):
            parts.append('"')
            rest = rest[1:]
        elif rest in ("", "\n") or rest.startswith(","):
            return "".join(parts), rest, line
        else:
            raise _failure(line, _STRAY_QUOTE)


def read_records(text: str) -> Iterator[tuple[int, list[str]]]:
    """Records with the number of the line on which each starts. Blank lines are skipped."""
    lines = _lines(text)
    for start, text_of_line in lines:
        if text_of_line == "\n":
            continue
        line, rest = start, text_of_line
        fields: list[str] = []
        while True:
            if rest.startswith('"'):
                field, rest, line = _quoted_field(rest[1:], line, lines)
                more, rest = rest.startswith(","), rest[1:]
            else:
                field, comma, rest = rest.partition(",")
                more = bool(comma)
                if not more:
                    field = field.removesuffix("\n")
                if '"' in field:
                    raise _failure(line, _BARE_QUOTE)
            fields.append(field)
            if not more:
                break
        yield start, fields


def _row_type(arguments: Arguments) -> Type:
    if not arguments[0].is_known:
        return DYNAMIC
    _, names = next(read_records(arguments[0].payload), (0, None))
    if names is None:
        raise FunctionError("missing header line")
    attributes: dict[str, Type] = {}
    for name in names:
        if name in attributes:
            raise FunctionError(f"duplicate column name {quoted(name)}")
        attributes[name] = STRING
    return ListType(ObjectType(attributes))


def _csvdecode(arguments: Arguments, return_type: Type) -> Value:
    assert isinstance(return_type, ListType)
    records = read_records(arguments[0].payload)
    _, names = next(records)
    rows: list[Value] = []
    for line, fields in records:
        if len(fields) != len(names):
            raise _failure(line, _FIELD_COUNT)
        rows.append(object_of(dict(zip(names, map(string, fields), strict=True))))
    return list_of(return_type.element, rows)


def functions(_context: FunctionContext) -> tuple[Function, ...]:
    return (Function("csvdecode", (Parameter("str", STRING),), _row_type, _csvdecode),)
