"""JSON where the configuration is read without values.

Where native syntax wants a bare word, reference or type (`type = list(string)`, `depends_on = [a.b]`), JSON has only
strings; such a string is read as what it spells. Where a constant is wanted, a string is just its text: nothing in it
is a template. Messages that blame such an expression blame the string with its quotes; but inside what a string spells,
columns are counted as if it began at the quote.
"""

from __future__ import annotations

import json
import re
from typing import Final

from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.parser import parse_expression, parse_traversal
from shared_nodes.lang.scope import EMPTY_SCOPE
from shared_nodes.lang.source import Range, Source
from shared_nodes.values.value import Value, object_of, string, tuple_of

__all__ = ["as_expression", "as_syntax", "as_traversal", "blamed_range", "literal_text", "static_value"]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def literal_text(expression: tree.Expression) -> str | None:
    """The text of a quoted string without any sequence, in JSON of any string; None for every other expression."""
    if expression.range.source.is_json:
        return _json_text(expression)
    if not isinstance(expression, tree.Template):
        return None
    texts = [part.value.payload for part in expression.parts if isinstance(part, tree.Literal)]
    return "".join(texts) if len(texts) == len(expression.parts) else None


def _json_text(expression: tree.Expression) -> str | None:
    text = expression.range.text
    return _SURROGATE.sub("\ufffd", json.loads(text)) if text.startswith('"') else None


def static_value(expression: tree.Expression) -> tuple[Value, list[Diagnostic]]:
    """The value of an expression that may neither refer to anything nor call functions."""
    if not expression.range.source.is_json:
        return evaluate(expression, EMPTY_SCOPE)
    return _json_value(expression), []


def _json_value(expression: tree.Expression) -> Value:
    match expression:
        case tree.TupleConstructor():
            return tuple_of([_json_value(item) for item in expression.items])
        case tree.ObjectConstructor():
            pairs = [(_json_text(item.key), item.value) for item in expression.items]
            return object_of({name: _json_value(value) for name, value in pairs if name is not None})
        case tree.Literal():
            return expression.value
    return string(_json_text(expression) or "")


def blamed_range(expression: tree.Expression) -> Range:
    """What a message points at that blames the expression as a whole, and would be too long otherwise."""
    is_string = expression.range.source.is_json and expression.range.text.startswith('"')
    return expression.range if is_string else expression.start_range


def _spelt(expression: tree.Expression) -> Source | None:
    """What a string of JSON spells, as source text. None for everything else, and in native files."""
    source = expression.range.source
    text = _json_text(expression) if source.is_json else None
    return None if text is None else Source(source.filename, text, expression.range.first)


def as_expression(expression: tree.Expression) -> tuple[tree.Expression, list[Diagnostic]]:
    """The expression that is meant; from a native file, the one that stands there. Only strings of JSON mean one."""
    source = _spelt(expression)
    if source is None:
        is_json = expression.range.source.is_json
        problem = error("Invalid reference expression", "A single reference string is required.", expression.range)
        return expression, [problem] if is_json else []
    parsed, problems = parse_expression(source)
    return (expression if parsed is None else parsed), problems


def as_syntax(expression: tree.Expression) -> tree.Expression:
    """The word or construct that is meant. A string that spells nothing stays a string."""
    parsed, problems = as_expression(expression)
    if problems:
        return expression
    if isinstance(parsed, tree.Traversal) and not parsed.steps:
        return tree.Traversal(expression.range, parsed.root, expression.range, ())
    return parsed


def as_traversal(expression: tree.Expression) -> tree.Expression:
    """The reference that is meant. A string that spells none stays a string: its caller says what is wrong with it."""
    source = _spelt(expression)
    if source is None:
        return expression
    traversal, problems = parse_traversal(source)
    return expression if traversal is None or problems else traversal
