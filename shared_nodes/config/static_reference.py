"""Expressions that must be plain references: in `depends_on`, `moved`, `ignore_changes` and the like."""

from __future__ import annotations

from shared_nodes.config.json_static import as_syntax, literal_text
from shared_nodes.diagnostics import Diagnostic, error, warning
from shared_nodes.lang import tree
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Source

__all__ = ["reference_list", "static_reference"]


def static_reference(given: tree.Expression) -> tree.Traversal | Diagnostic:
    expression, problems = as_syntax(given)
    if problems:
        return problems[0]
    if isinstance(expression, tree.Traversal):
        return expression
    return error(
        "Invalid expression",
        "A single static variable reference is required: only attribute access and indexing with constant keys. No "
        "calculations, function calls, template expressions, etc are allowed here.",
        expression.range,
    )


def reference_list(expression: tree.Expression) -> tuple[list[tree.Traversal], list[Diagnostic]]:
    """A list of references. Quoted ones, from old configurations, are still understood, with a warning."""
    if not isinstance(expression, tree.TupleConstructor):
        return [], [error("Invalid expression", "A static list expression is required.", expression.range)]
    found: list[tree.Traversal] = []
    problems: list[Diagnostic] = []
    for item in expression.items:
        quoted = literal_text(item)
        if quoted is not None and not item.range.source.is_json:
            traversal, bad = parse_traversal(Source(item.range.source.filename, quoted, item.range.first))
            problems.extend(bad or [_quoted_warning(item)])
            found.extend([traversal] if traversal is not None else [])
            continue
        outcome = static_reference(item)
        if isinstance(outcome, Diagnostic):
            problems.append(outcome)
        else:
            found.append(outcome)
    return found, problems


def _quoted_warning(expression: tree.Expression) -> Diagnostic:
    return warning(
        "Quoted references are deprecated",
        "In this context, references are expected literally rather than in quotes. Terraform 0.11 and earlier required "
        "quotes, but quoted references are now deprecated and will be removed in a future version of Terraform. Remove "
        "the quotes surrounding this reference to silence this warning.",
        expression.range,
    )
