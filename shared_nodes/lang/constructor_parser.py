"""The parser of tuples, objects and for expressions: the constructs in brackets and braces.

Newlines are ignored between brackets and separate items between braces. Braces whose first word is `for` contain a for
expression, in which newlines are ignored again.
"""

from __future__ import annotations

from shared_nodes.lang.cursor import Cursor
from shared_nodes.lang.lexer import END, IDENTIFIER, NEWLINE
from shared_nodes.lang.template_parser import ExpressionParser
from shared_nodes.lang.tree import Expression, For, Literal, ObjectConstructor, ObjectItem, TupleConstructor
from shared_nodes.values.value import DYNAMIC_UNKNOWN

__all__ = ["read_object", "read_tuple"]


def read_tuple(cursor: Cursor, parse: ExpressionParser) -> Expression:
    opening = cursor.read()
    cursor.push_newlines(False)
    if cursor.next_is_word("for"):
        expression = _read_for(cursor, opening, parse)
    else:
        items, closing = _read_items(cursor, opening, parse)
        expression = TupleConstructor(cursor.span(opening, closing), tuple(items), cursor.range(opening))
    cursor.pop_newlines()
    return expression


def _read_items(cursor: Cursor, opening: int, parse: ExpressionParser) -> tuple[list[Expression], int]:
    items: list[Expression] = []
    while cursor.kind != "]":
        mark = len(cursor.diagnostics)
        items.append(parse(cursor))
        if cursor.failed_since(mark):
            return items, cursor.recover("]")
        if cursor.kind == ",":
            cursor.read()
        elif cursor.kind != "]":
            if not cursor.recovering:
                _report_unseparated(
                    cursor,
                    opening,
                    ("tuple", "bracket"),
                    ("Missing item separator", "Expected a comma to mark the beginning of the next item."),
                )
            return items, cursor.recover("]")
    return items, cursor.read()


def _report_unseparated(cursor: Cursor, opening: int, what: tuple[str, str], missing: tuple[str, str]) -> None:
    """Report that neither a separator nor the end of a constructor follows."""
    if cursor.kind == END:
        kind, bracket = what
        cursor.report(
            f"Unterminated {kind} constructor expression",
            f"There is no corresponding closing {bracket} before the end of the file. "
            f"This may be caused by incorrect {bracket} nesting elsewhere in this file.",
            cursor.range(opening),
        )
    else:
        summary, detail = missing
        cursor.report(summary, detail, cursor.range(cursor.at), cursor.span(opening, cursor.at))


def read_object(cursor: Cursor, parse: ExpressionParser) -> Expression:
    """Read an object constructor or a for expression in braces. Newlines before `for` are ignored."""
    opening = cursor.read()
    cursor.push_newlines(False)
    is_for = cursor.next_is_word("for")
    cursor.pop_newlines()
    if is_for:
        return _read_for(cursor, opening, parse)
    cursor.push_newlines(True)
    items, closing = _read_object_items(cursor, opening, parse)
    cursor.pop_newlines()
    return ObjectConstructor(cursor.span(opening, closing), tuple(items), cursor.range(opening))


def _read_object_items(cursor: Cursor, opening: int, parse: ExpressionParser) -> tuple[list[ObjectItem], int]:
    items: list[ObjectItem] = []
    while True:
        while cursor.kind == NEWLINE:
            cursor.read()
        if cursor.kind == "}":
            return items, cursor.read()
        mark = len(cursor.diagnostics)
        key = parse(cursor)
        if cursor.failed_since(mark):
            break
        if cursor.kind not in ("=", ":"):
            if not cursor.recovering:
                _report_missing_value(cursor, opening)
            break
        cursor.read()
        mark = len(cursor.diagnostics)
        value = parse(cursor)
        if cursor.failed_since(mark):
            break
        items.append(ObjectItem(key, value))
        if cursor.kind == "}":
            return items, cursor.read()
        if cursor.kind not in (",", NEWLINE):
            if not cursor.recovering:
                detail = "Expected a newline or comma to mark the beginning of the next attribute."
                _report_unseparated(cursor, opening, ("object", "brace"), ("Missing attribute separator", detail))
            break
        cursor.read()
    return items, cursor.recover("}")


def _report_missing_value(cursor: Cursor, opening: int) -> None:
    missing = (
        "Missing key/value separator",
        'Expected an equals sign ("=") to mark the beginning of the attribute value.',
    )
    if cursor.kind in (NEWLINE, ","):
        missing = (
            "Missing attribute value",
            'Expected an attribute value, introduced by an equals sign ("=").',
        )
    elif cursor.kind == IDENTIFIER:
        summary, detail = missing
        advice = (
            " If you intended to given an attribute name containing periods or spaces, "
            "write the name in quotes to create a string literal."
        )
        missing = (summary, detail + advice)
    _report_unseparated(cursor, opening, ("object", "brace"), missing)


def _read_for(cursor: Cursor, opening: int, parse: ExpressionParser) -> Expression:
    """Read a for expression whose bracket has been read; the next token is the word `for`."""
    cursor.push_newlines(False)
    closer = "}" if cursor.kinds[opening] == "{" else "]"
    expression = _read_for_clauses(cursor, opening, closer, parse)
    if expression is None:
        expression = Literal(cursor.span(opening, cursor.recover(closer)), DYNAMIC_UNKNOWN)
    cursor.pop_newlines()
    return expression


def _read_for_names(cursor: Cursor, opening: int) -> tuple[str | None, str] | None:
    """Read `k, v in` or `v in`. Returns None after an error."""
    cursor.read()
    if cursor.kind != IDENTIFIER:
        _refuse_for(cursor, opening, "For expression requires variable name after 'for'.")
        return None
    key_name, value_name = None, cursor.token_text(cursor.read())
    if cursor.kind == ",":
        cursor.read()
        if cursor.kind != IDENTIFIER:
            _refuse_for(cursor, opening, "For expression requires value variable name after comma.")
            return None
        key_name, value_name = value_name, cursor.token_text(cursor.read())
    if not cursor.next_is_word("in"):
        _refuse_for(cursor, opening, "For expression requires the 'in' keyword after its name declarations.")
        return None
    cursor.read()
    return key_name, value_name


def _refuse_for(cursor: Cursor, opening: int, detail: str) -> None:
    """Report an error at the next token."""
    if not cursor.recovering:
        cursor.report("Invalid 'for' expression", detail, cursor.range(cursor.at), cursor.span(opening, cursor.at))


def _read_for_clauses(cursor: Cursor, opening: int, closer: str, parse: ExpressionParser) -> Expression | None:
    """Read the clauses of a for expression. Returns None if a part is missing."""
    names = _read_for_names(cursor, opening)
    if names is None:
        return None
    mark = len(cursor.diagnostics)
    collection = parse(cursor)
    if cursor.failed_since(mark):
        return None
    if cursor.kind != ":":
        _refuse_for(cursor, opening, "For expression requires a colon after the collection expression.")
        return None
    cursor.read()
    mark = len(cursor.diagnostics)
    key, value = None, parse(cursor)
    if cursor.kind == "=>":
        cursor.read()
        key, value = value, parse(cursor)
    if cursor.failed_since(mark):
        return None
    ellipsis = cursor.read() if cursor.kind == "..." else None
    condition = None
    if cursor.next_is_word("if"):
        cursor.read()
        mark = len(cursor.diagnostics)
        condition = parse(cursor)
        if cursor.failed_since(mark):
            return None
    if cursor.kind == closer:
        closing = cursor.read()
    else:
        _refuse_for(cursor, opening, "Extra characters after the end of the 'for' expression.")
        closing = cursor.recover(closer)
    expression = For(
        range=cursor.span(opening, closing),
        key_name=names[0],
        value_name=names[1],
        collection=collection,
        key=key,
        value=value,
        condition=condition,
        group=ellipsis is not None,
        open_range=cursor.range(opening),
        close_range=cursor.range(closing),
    )
    _check_for(cursor, expression, ellipsis)
    return expression


def _check_for(cursor: Cursor, expression: For, ellipsis: int | None) -> None:
    """Check that keys and grouping occur only in braces, and that braces have keys."""
    summary, whole, key = "Invalid 'for' expression", expression.range, expression.key
    if expression.open_range.text == "[":
        if key is not None:
            cursor.report(summary, "Key expression is not valid when building a tuple.", key.range, whole)
        if ellipsis is not None:
            detail = "Grouping ellipsis (...) cannot be used when building a tuple."
            cursor.report(summary, detail, cursor.range(ellipsis), whole)
    elif key is None:
        detail = "Key expression is required when building an object."
        cursor.report(summary, detail, expression.value.range, whole)
