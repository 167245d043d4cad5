"""The parser of references outside expressions, such as resource addresses on the command line.

It is stricter than the expression parser: no legacy `.0`, no splats, no computed keys, and parsing ends at the first
mistake.
"""

from __future__ import annotations

from shared_nodes.lang.cursor import Cursor
from shared_nodes.lang.expression_parser import number_value
from shared_nodes.lang.lexer import END, IDENTIFIER, NUMBER, OPEN_QUOTE
from shared_nodes.lang.literals import read_plain_string
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Step, Traversal, TraverseAttribute, TraverseIndex
from shared_nodes.values.value import string

__all__ = ["read_traversal"]


def read_traversal(cursor: Cursor) -> Traversal | None:
    """Read a reference. The steps before the first mistake are kept."""
    cursor.push_newlines(False)
    root = cursor.read()
    if cursor.kinds[root] != IDENTIFIER:
        cursor.report("Variable name required", "Must begin with a variable name.", cursor.range(root))
        return None
    steps: list[Step] = []
    while cursor.kind != END:
        step = _read_step(cursor, root)
        if step is not None:
            steps.append(step)
        if cursor.diagnostics:
            break
    root_range = cursor.range(root)
    end = steps[-1].range.end if steps else root_range.end
    whole = Range(cursor.source, root_range.start, end)
    return Traversal(whole, cursor.token_text(root), root_range, tuple(steps))


def _read_step(cursor: Cursor, root: int) -> Step | None:
    if cursor.kind == ".":
        return _read_attribute_step(cursor, root)
    if cursor.kind == "[":
        return _read_index_step(cursor, root)
    detail = "Expected an attribute access or an index operator."
    cursor.report("Invalid character", detail, cursor.range(cursor.at), cursor.span(root, cursor.at))
    return None


def _read_attribute_step(cursor: Cursor, root: int) -> Step | None:
    dot = cursor.read()
    name = cursor.read()
    if cursor.kinds[name] == IDENTIFIER:
        return TraverseAttribute(cursor.token_text(name), cursor.span(dot, name))
    if cursor.kinds[name] == "*":
        detail = "Splat expressions (.*) may not be used here."
    else:
        detail = "Dot must be followed by attribute name."
    cursor.report("Attribute name required", detail, cursor.range(name), cursor.span(root, name))
    return None


def _read_index_step(cursor: Cursor, root: int) -> Step | None:
    opening = cursor.read()
    if cursor.kind == NUMBER:
        key = number_value(cursor, cursor.read())
    elif cursor.kind == OPEN_QUOTE:
        key = string(read_plain_string(cursor)[0])
    else:
        if cursor.kind == "*":
            summary, detail = "Attribute name required", "Splat expressions ([*]) may not be used here."
        else:
            summary = "Index value required"
            detail = "Index brackets must contain either a literal number or a literal string."
        cursor.report(summary, detail, cursor.range(cursor.at), cursor.span(root, cursor.at))
        return None
    closing = cursor.read()
    if cursor.kinds[closing] != "]":
        cursor.report(
            "Unclosed index brackets",
            "Index key must be followed by a closing bracket.",
            cursor.range(closing),
            cursor.span(opening, closing),
        )
    return TraverseIndex(key, cursor.span(opening, closing))
