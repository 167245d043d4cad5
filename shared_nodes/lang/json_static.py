"""JSON expressions in places where the configuration is read without values.

Where native syntax expects a bare word, reference or type (`type = list(string)`, `depends_on = [a.b]`), JSON has only
strings, and the content of the string is parsed. Where a constant is expected, a string is just its text and never a
template. A diagnostic about such an expression points at the string including its quotes; but within parsed content,
columns are counted as if it began at the quote.
"""

from __future__ import annotations

import json
from typing import Final

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.parser import parse_expression, parse_traversal
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range, Source
from shared_nodes.pattern import pattern
from shared_nodes.values.types import friendly_name
from shared_nodes.values.value import Value, object_of, string, tuple_of

__all__ = ["as_expression", "as_syntax", "as_traversal", "blamed_range", "literal_text", "static_value"]

_SURROGATE: Final = pattern("[\ud800-\udfff]")


def literal_text(expression: tree.Expression) -> str | None:
    """Return the text of a quoted string without template sequences, or of any JSON string; None for every other
    expression."""
    if expression.range.source.is_json:
        return _json_text(expression)
    if not isinstance(expression, tree.Template):
        return None
    texts = [part.value.payload for part in expression.parts if isinstance(part, tree.Literal)]
    return "".join(texts) if len(texts) == len(expression.parts) else None


def _json_text(expression: tree.Expression) -> str | None:
    text = expression.range.text
    return _SURROGATE.sub("\ufffd", json.loads(text)) if text.startswith('"') else None


def static_value(expression: tree.Expression, flavour: Flavour = TERRAFORM_1_11) -> tuple[Value, list[Diagnostic]]:
    """Evaluate an expression that may neither refer to anything nor call functions."""
    if not expression.range.source.is_json:
        return evaluate(expression, Scope(flavour=flavour))
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
    """Return the range for a diagnostic about the expression as a whole, which is shortened to its start if it may be
    long."""
    is_string = expression.range.source.is_json and expression.range.text.startswith('"')
    return expression.range if is_string else expression.start_range


def _string_source(expression: tree.Expression) -> Source | None:
    """Return the content of a JSON string as source text; None for everything else, and in native files."""
    source = expression.range.source
    text = _json_text(expression) if source.is_json else None
    return None if text is None else Source(source.filename, text, expression.range.first, file=source.file)


def as_expression(
    expression: tree.Expression, flavour: Flavour = TERRAFORM_1_11
) -> tuple[tree.Expression, list[Diagnostic]]:
    """Parse the expression in a JSON string; an expression from a native file is returned unchanged. Any other JSON
    value is an error."""
    source = _string_source(expression)
    if source is None:
        return expression, [_not_a_string(expression, flavour)] if expression.range.source.is_json else []
    parsed, problems = parse_expression(source)
    return (expression if parsed is None else parsed), problems


def _not_a_string(expression: tree.Expression, flavour: Flavour) -> Diagnostic:
    if not flavour.json_references_name_their_type:
        return error("Invalid reference expression", "A single reference string is required.", expression.range)
    detail = f"This value must be a string, but got {friendly_name(_json_value(expression).type)}."
    return error("Expected string expression", detail, expression.range)


def as_syntax(expression: tree.Expression) -> tree.Expression:
    """Parse the word or construct in a JSON string. A string that cannot be parsed is returned unchanged."""
    parsed, problems = as_expression(expression)
    if problems:
        return expression
    if isinstance(parsed, tree.Traversal) and not parsed.steps:
        return tree.Traversal(expression.range, parsed.root, expression.range, ())
    return parsed


def as_traversal(expression: tree.Expression) -> tree.Expression:
    """Parse the reference in a JSON string. A string that is not a reference is returned unchanged, for the caller to
    report."""
    source = _string_source(expression)
    if source is None:
        return expression
    traversal, problems = parse_traversal(source)
    return expression if traversal is None or problems else traversal
