"""The parser of templates: the parts of quoted strings, heredocs and template files.

Strip markers and flush heredocs require two passes. The first reads tokens into a flat list of items (literals,
interpolations, directives) and trims literals: white space next to a `~`, then, for `<<-`, the common indentation. The
second joins adjacent literals and nests the items between directives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared_nodes.lang.cursor import Cursor
from shared_nodes.lang.lexer import (
    CLOSE_QUOTE,
    CONTROL,
    END,
    HEREDOC_LITERAL,
    IDENTIFIER,
    INTERPOLATION,
    OPEN_QUOTE,
    QUOTED_LITERAL,
    SEQUENCE_END,
    WHITE_SPACE,
)
from shared_nodes.lang.literals import heredoc_text, quoted_text
from shared_nodes.lang.source import Range, Source
from shared_nodes.lang.suggestions import nearest_name
from shared_nodes.lang.tree import Conditional, Expression, For, Literal, Template, TemplateJoin, TemplateWrap
from shared_nodes.record import record
from shared_nodes.values.text import graphemes, quoted
from shared_nodes.values.value import DYNAMIC_UNKNOWN, string

__all__ = ["ExpressionParser", "read_template"]

ExpressionParser = Callable[[Cursor], Expression]

_KEYWORDS: Final = ("if", "for", "else", "endif", "endfor")


@record(frozen=False)
class _Text:
    """A literal. Unlike all other items it is mutable: trimming changes its text."""

    text: str
    range: Range


@record
class _Value:
    expression: Expression


@record
class _If:
    condition: Expression
    range: Range


@record
class _For:
    key_name: str | None
    value_name: str
    collection: Expression
    range: Range


@record
class _Marker:
    """`else`, `endif` or `endfor`."""

    keyword: str
    range: Range


_Item = _Text | _Value | _If | _For | _Marker


def read_template(cursor: Cursor, opening: int, closer: str, flush: bool, parse: ExpressionParser) -> Expression:
    """Read template parts through the `closer`. `opening` is the first token of the template's range."""
    reader = _ItemReader(cursor, closer, parse)
    items, last = reader.read_all()
    if flush:
        _trim_indentation(items)
    items = _join_literals(items)
    parts = _Nesting(cursor, items, last).parts()
    whole = cursor.span(opening, cursor.previous)
    if len(items) == 1 and isinstance(items[0], _Value):
        return TemplateWrap(whole, parts[0])
    return Template(whole, tuple(parts))


class _ItemReader:
    """The first pass. `_trim_next` is set by a `~}`: the next literal loses its leading white space."""

    __slots__ = ("_closer", "_cursor", "_first", "_items", "_parse", "_trim_next")

    def __init__(self, cursor: Cursor, closer: str, parse: ExpressionParser) -> None:
        self._cursor: Final = cursor
        self._closer: Final = closer
        self._parse: Final = parse
        self._first: Final = cursor.at
        self._items: Final[list[_Item]] = []
        self._trim_next = False

    def read_all(self) -> tuple[list[_Item], int]:
        """Return the items and the token that ended the template."""
        cursor, items = self._cursor, self._items
        kinds = cursor.kinds
        after_literal = False
        while True:
            token = cursor.read()
            kind = kinds[token]
            if kind == self._closer:
                break
            trim, self._trim_next = self._trim_next, False
            if kind in (QUOTED_LITERAL, HEREDOC_LITERAL):
                text = quoted_text(cursor, token) if kind == QUOTED_LITERAL else heredoc_text(cursor, token)
                items.append(_Text(text.lstrip(WHITE_SPACE) if trim else text, cursor.range(token)))
                after_literal = True
                continue
            if kind not in (INTERPOLATION, CONTROL):
                token = self._give_up(token)
                break
            if after_literal and cursor.ends[token] - cursor.starts[token] == 3:
                self._trim_last()
            after_literal = False
            cursor.push_newlines(False)
            if kind == INTERPOLATION:
                self._read_interpolation()
            else:
                self._read_directive(token)
            cursor.pop_newlines()
        if not items:
            position = cursor.ends[self._first]
            items.append(_Text("", Range(cursor.source, position, position)))
        return items, token

    def _trim_last(self) -> None:
        last = self._items[-1]
        if isinstance(last, _Text):
            last.text = last.text.rstrip(WHITE_SPACE)

    def _give_up(self, token: int) -> int:
        cursor = self._cursor
        if not cursor.recovering:
            cursor.report(
                "Unterminated template string",
                "No closing marker was found for the string.",
                cursor.range(token),
                cursor.span(self._first, token),
            )
        return cursor.recover(self._closer)

    def _close_sequence(self) -> None:
        """Step over the `}` of a sequence."""
        token = self._cursor.read()
        self._trim_next = self._cursor.ends[token] - self._cursor.starts[token] == 2

    def _read_interpolation(self) -> None:
        cursor = self._cursor
        expression = self._parse(cursor)
        if cursor.kind == SEQUENCE_END:
            self._close_sequence()
        else:
            if not cursor.recovering:
                self._report_unclosed_interpolation()
            cursor.recover(SEQUENCE_END)
        self._items.append(_Value(expression))

    def _report_unclosed_interpolation(self) -> None:
        cursor = self._cursor
        kind, subject = cursor.kind, cursor.range(cursor.at)
        if kind == END or (kind in (OPEN_QUOTE, CLOSE_QUOTE) and self._closer == CLOSE_QUOTE):
            where = "file" if kind == END else "quoted template"
            cursor.report(
                "Unclosed template interpolation sequence",
                f"There is no closing brace for this interpolation sequence before the end of the {where}. "
                "This might be caused by incorrect nesting inside the given expression.",
                cursor.range(self._first),
            )
            return
        if kind == ":":
            detail = (
                "Template interpolation doesn't expect a colon at this location. Did you intend this to be a literal "
                "sequence to be processed as part of another language? If so, you can escape it by starting with "
                '"$${" instead of just "${".'
            )
        else:
            detail = (
                "Expected a closing brace to end the interpolation expression, but found extra characters.\n\n"
                "This can happen when you include interpolation syntax for another language, such as shell "
                "scripting, but forget to escape the interpolation start token. If this is an embedded sequence "
                'for another language, escape it by starting with "$${" instead of just "${".'
            )
        summary = "Extra characters after interpolation expression"
        cursor.report(summary, detail, subject, cursor.span(self._first, cursor.at))

    def _read_directive(self, opening: int) -> None:
        cursor = self._cursor
        if cursor.kind != IDENTIFIER:
            self._refuse(
                "Invalid template directive",
                'A template directive keyword ("if", "for", etc) is expected at the beginning of a %{ sequence.',
                opening,
            )
            return
        word = cursor.token_text(cursor.at)
        if word not in _KEYWORDS:
            nearest = nearest_name(word, _KEYWORDS)
            advice = f' Did you mean "{nearest}"?' if nearest else ""
            detail = f"{quoted(word)} is not a valid template control keyword.{advice}"
            self._refuse("Invalid template control keyword", detail, opening)
            return
        cursor.read()
        if word == "if":
            condition = self._parse(cursor)
            self._items.append(_If(condition, cursor.span(opening, cursor.at)))
        elif word == "for":
            if not self._read_for(opening):
                return
        else:
            self._items.append(_Marker(word, cursor.span(opening, cursor.at)))
        if cursor.kind == SEQUENCE_END:
            self._close_sequence()
            return
        if not cursor.recovering:
            cursor.report(
                f"Extra characters in {word} marker",
                "Expected a closing brace to end the sequence, but found extra characters.",
                cursor.range(cursor.at),
                cursor.span(self._first, cursor.at),
            )
        cursor.recover(SEQUENCE_END)

    def _refuse(self, summary: str, detail: str, opening: int | None = None) -> None:
        """Report an error at the next token, and leave the sequence."""
        cursor = self._cursor
        if not cursor.recovering:
            context = None if opening is None else cursor.span(opening, cursor.at)
            cursor.report(summary, detail, cursor.range(cursor.at), context)
        cursor.recover(SEQUENCE_END)

    def _read_for(self, opening: int) -> bool:
        """Read the names and the collection of a `for` directive. Returns False if an error ended the sequence."""
        cursor = self._cursor
        summary = "Invalid 'for' directive"
        if cursor.kind != IDENTIFIER:
            self._refuse(summary, "For directive requires variable name after 'for'.")
            return False
        key_name, value_name = None, cursor.token_text(cursor.read())
        if cursor.kind == ",":
            cursor.read()
            if cursor.kind != IDENTIFIER:
                self._refuse(summary, "For directive requires value variable name after comma.")
                return False
            key_name, value_name = value_name, cursor.token_text(cursor.read())
        if not cursor.next_is_word("in"):
            self._refuse(summary, "For directive requires 'in' keyword after names.")
            return False
        cursor.read()
        collection = self._parse(cursor)
        self._items.append(_For(key_name, value_name, collection, cursor.span(opening, cursor.at)))
        return True


def _trim_indentation(items: list[_Item]) -> None:
    """Remove the common indentation of a `<<-` heredoc from the literals that begin a line.

    A line that begins with a sequence has no indentation. Blank lines are ignored and left unchanged. A line that a
    strip marker joined to the previous one has no beginning, and keeps its white space.
    """
    narrowest: int | None = None
    beginnings: list[_Text] = []
    line_begins = True
    for item in items:
        if not isinstance(item, _Text):
            if line_begins:
                narrowest = 0
            line_begins = False
            continue
        if line_begins:
            content = item.text.lstrip(WHITE_SPACE)
            if content or not item.text.endswith("\n"):
                indentation = len(graphemes(item.text[: len(item.text) - len(content)]))
                narrowest = indentation if narrowest is None else min(narrowest, indentation)
                beginnings.append(item)
        line_begins = item.text.endswith("\n")
    if not narrowest:
        return
    for item in beginnings:
        width = narrowest
        if not item.text[: width + 1].isascii():
            width = len("".join(graphemes(item.text)[:narrowest]))
        item.text = item.text[width:]
        source, start, end = item.range
        item.range = Range(source, start + width, end)


def _join_literals(items: list[_Item]) -> list[_Item]:
    """Merge adjacent literals."""
    joined: list[_Item] = []
    run: list[_Text] = []
    for item in items:
        if isinstance(item, _Text):
            run.append(item)
            continue
        if run:
            joined.append(_merge_literals(run))
            run = []
        joined.append(item)
    if run:
        joined.append(_merge_literals(run))
    return joined


def _merge_literals(run: list[_Text]) -> _Text:
    if len(run) == 1:
        return run[0]
    return _Text("".join(item.text for item in run), run[0].range.through(run[-1].range))


class _Nesting:
    """The second pass: directives and the items between them become conditionals and for expressions."""

    __slots__ = ("_cursor", "_end", "_items", "_position")

    def __init__(self, cursor: Cursor, items: list[_Item], last: int) -> None:
        self._cursor: Final = cursor
        self._items: Final = items
        self._position = 0
        self._end: Final = cursor.range(last)

    def parts(self) -> list[Expression]:
        parts: list[Expression] = []
        while self._position < len(self._items):
            parts.append(self._part())
        return parts

    def _peek(self) -> _Item | None:
        return self._items[self._position] if self._position < len(self._items) else None

    def _part(self) -> Expression:
        item = self._items[self._position]
        self._position += 1
        if isinstance(item, _Text):
            return Literal(item.range, string(item.text))
        if isinstance(item, _Value):
            return item.expression
        if isinstance(item, _Marker):
            detail = "The control directives within this template are unbalanced."
            return self._refuse(f"Unexpected {item.keyword} directive", detail, item.range)
        self._cursor.deeper(item.range)
        part = self._conditional(item) if isinstance(item, _If) else self._loop(item)
        self._cursor.depth -= 1
        return part

    def _refuse(self, summary: str, detail: str, subject: Range) -> Expression:
        self._cursor.report(summary, detail, subject)
        return Literal(subject, DYNAMIC_UNKNOWN)

    def _read_until_marker(self) -> tuple[list[Expression], _Marker | None]:
        """Read parts up to and including a marker. The marker is None at the end of the template."""
        parts: list[Expression] = []
        while (item := self._peek()) is not None:
            if isinstance(item, _Marker):
                self._position += 1
                return parts, item
            parts.append(self._part())
        return parts, None

    def _conditional(self, opening: _If) -> Expression:
        true_parts, marker = self._read_until_marker()
        false_parts: list[Expression] = []
        in_else = marker is not None and marker.keyword == "else"
        if in_else:
            false_parts, marker = self._read_until_marker()
        if marker is None:
            detail = f"The if directive at {opening.range} is missing its corresponding endif directive."
            return self._refuse("Unexpected end of template", detail, self._end)
        if marker.keyword != "endif":
            if marker.keyword == "else":
                detail = f"Already in the else clause for the if started at {opening.range}."
            else:
                detail = f"Expecting an endif directive for the if started at {opening.range}."
            return self._refuse(f"Unexpected {marker.keyword} directive", detail, marker.range)
        return Conditional(
            opening.range.through(marker.range),
            opening.condition,
            _template(true_parts, opening.range.source, opening.range.end),
            _template(false_parts, opening.range.source, marker.range.start),
        )

    def _loop(self, opening: _For) -> Expression:
        parts, marker = self._read_until_marker()
        if marker is None:
            detail = f"The for directive at {opening.range} is missing its corresponding endfor directive."
            return self._refuse("Unexpected end of template", detail, self._end)
        if marker.keyword != "endfor":
            if marker.keyword == "else":
                detail = "An else clause is not expected for a for directive."
            else:
                detail = f"Expecting an endfor directive corresponding to the for directive at {opening.range}."
            return self._refuse(f"Unexpected {marker.keyword} directive", detail, marker.range)
        whole = opening.range.through(marker.range)
        body = _template(parts, opening.range.source, opening.range.end)
        sequence = For(
            range=whole,
            key_name=opening.key_name,
            value_name=opening.value_name,
            collection=opening.collection,
            key=None,
            value=body,
            condition=None,
            group=False,
            open_range=opening.range,
            close_range=marker.range,
        )
        return TemplateJoin(whole, sequence)


def _template(parts: list[Expression], source: Source, position: int) -> Template:
    """The content of a directive. Empty content becomes an empty literal at the given position."""
    if not parts:
        parts = [Literal(Range(source, position, position), string(""))]
    return Template(parts[0].range.through(parts[-1].range), tuple(parts))
