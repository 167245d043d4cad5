"""Arguments whose value is a bare word, which old configurations still write in quotes."""

from __future__ import annotations

from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, warning
from shared_nodes.lang.json_static import literal_text
from shared_nodes.lang.type_constraint import keyword_of

__all__ = ["keyword"]


def keyword(expression: tree.Expression) -> tuple[str | None, list[Diagnostic]]:
    """Return the word; None for any other expression."""
    text = literal_text(expression)
    if text is None:
        return keyword_of(expression), []
    if expression.range.source.is_json:
        return text, []
    return text, [
        warning(
            "Quoted keywords are deprecated",
            "In this context, keywords are expected literally rather than in quotes. Terraform 0.11 and earlier "
            "required quotes, but quoted keywords are now deprecated and will be removed in a future version of "
            "Terraform. Remove the quotes surrounding this keyword to silence this warning.",
            expression.range,
        )
    ]
