"""Strings of the JSON syntax that stand for syntax, not for text.

Where native syntax wants a bare type or reference (`type = list(string)`, `depends_on = [a.b]`), JSON has only strings.
Such a string is read as the native expression it spells.
"""

from __future__ import annotations

from shared_nodes.diagnostics import Diagnostic
from shared_nodes.lang import tree
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.source import Source

__all__ = ["as_syntax", "literal_text"]


def literal_text(expression: tree.Expression) -> str | None:
    """The text of a quoted string without any sequence; None for every other expression."""
    if not isinstance(expression, tree.Template):
        return None
    texts = [part.value.payload for part in expression.parts if isinstance(part, tree.Literal)]
    return "".join(texts) if len(texts) == len(expression.parts) else None


def as_syntax(expression: tree.Expression) -> tuple[tree.Expression, list[Diagnostic]]:
    """The expression that is meant; from a native file, the one that stands there."""
    source = expression.range.source
    text = literal_text(expression) if source.is_json else None
    if text is None:
        return expression, []
    first = expression.range.first
    inner = Source(source.filename, text, first._replace(column=first.column + 1, byte=first.byte + 1))
    parsed, problems = parse_expression(inner)
    return (expression if parsed is None else parsed), problems
