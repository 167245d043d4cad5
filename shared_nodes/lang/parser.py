"""Entry points of parsing: whole files, single expressions, bare templates, references.

Each function returns what it understood together with all diagnostics in the order of the original: first invalid
characters in the whole text, then errors in the sequence of tokens.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from shared_nodes.lang.body_parser import read_body
from shared_nodes.lang.columns import with_token_columns
from shared_nodes.lang.cursor import AbandonedError, Cursor
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.expression_parser import read_expression
from shared_nodes.lang.lexer import END, Tokens, tokens_of_code, tokens_of_template
from shared_nodes.lang.source import Range, Source
from shared_nodes.lang.template_parser import read_template
from shared_nodes.lang.token_check import check_tokens
from shared_nodes.lang.traversal_parser import read_traversal
from shared_nodes.lang.tree import Body, Expression, Literal, Traversal
from shared_nodes.values.value import DYNAMIC_UNKNOWN

__all__ = ["parse_body", "parse_expression", "parse_template", "parse_traversal"]

_RECURSION: Final = 20_000
"""Python's default limit of 1000 frames is less than the nesting that the parser deliberately allows
(`MAXIMUM_DEPTH`)."""

sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION))

_MANY_TOKENS: Final = 10_000

_Tree = TypeVar("_Tree")


def parse_body(source: Source) -> tuple[Body, list[Diagnostic]]:
    """Parse a configuration file or a variable definitions file."""
    whole = Range(source, 0, len(source.text))
    empty = Body({}, (), whole, Range(source, whole.end, whole.end))
    return _parse(source, tokens_of_code(source.text), lambda cursor: read_body(cursor, END), empty)


def parse_expression(source: Source) -> tuple[Expression | None, list[Diagnostic]]:
    """Parse text that is one expression. Newlines are ignored, as inside parentheses."""
    return _parse(source, tokens_of_code(source.text), _read_only_expression, None)


def parse_template(source: Source) -> tuple[Expression, list[Diagnostic]]:
    """Parse text that is a template, without quotes or markers around it."""
    stand_in = Literal(Range(source, 0, len(source.text)), DYNAMIC_UNKNOWN)
    return _parse(source, tokens_of_template(source.text), _read_bare_template, stand_in)


def parse_traversal(source: Source) -> tuple[Traversal | None, list[Diagnostic]]:
    """Parse a reference: a name followed by attribute and literal index steps, and nothing else."""
    return _parse(source, tokens_of_code(source.text), read_traversal, None)


def _parse(
    source: Source, tokens: Tokens, read: Callable[[Cursor], _Tree], stand_in: _Tree
) -> tuple[_Tree, list[Diagnostic]]:
    cursor = Cursor(with_token_columns(source, tokens.starts), tokens)
    try:
        with _pause_garbage_collection(len(tokens.kinds)):
            check_tokens(cursor, tokens.suspects)
            return read(cursor), cursor.diagnostics
    except AbandonedError as stop:
        return stand_in, [*cursor.diagnostics, stop.diagnostic]


@contextmanager
def _pause_garbage_collection(token_count: int) -> Iterator[None]:
    """Pause garbage collection while parsing many tokens.

    A tree consists only of objects that stay alive. Searching these for garbage again and again would take longer than
    parsing a large file.
    """
    if token_count < _MANY_TOKENS or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _read_only_expression(cursor: Cursor) -> Expression | None:
    cursor.push_newlines(False)
    expression = read_expression(cursor)
    if cursor.kind != END and not cursor.recovering:
        cursor.report(
            "Extra characters after expression",
            "An expression was successfully parsed, but extra characters were found after it.",
            cursor.range(cursor.at),
        )
    return expression


def _read_bare_template(cursor: Cursor) -> Expression:
    return read_template(cursor, cursor.at, END, False, read_expression)
