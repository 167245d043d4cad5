"""Expressions that must be plain references: in `depends_on`, `moved`, `ignore_changes` and the like.

Old configurations write some of them in quotes, which is still accepted, with a warning. JSON has no other form.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.json_static import as_traversal, blamed_range, literal_text
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Source
from shared_nodes.lang.type_constraint import keyword_of
from shared_nodes.pattern import pattern

__all__ = ["reference_list", "static_list", "static_reference", "unquoted_reference"]

_FIRST_NAME: Final = pattern(r"\s*([^\W\d][\w-]*)")


def static_reference(given: tree.Expression) -> tree.Traversal | Diagnostic:
    """Return the reference. The words `true`, `false` and `null` count as names here, except in JSON, where they are
    values."""
    expression = as_traversal(given)
    if isinstance(expression, tree.Traversal):
        return expression
    source, steps = expression, tuple[tree.Step, ...]()
    if isinstance(expression, tree.RelativeTraversal):
        source, steps = expression.source, expression.steps
    word = None if expression.range.source.is_json else keyword_of(source)
    if word is not None:
        return tree.Traversal(expression.range, word, source.range, steps)
    return error(
        "Invalid expression",
        "A single static variable reference is required: only attribute access and indexing with constant keys. No "
        "calculations, function calls, template expressions, etc are allowed here.",
        given.range,
    )


def static_list(expression: tree.Expression) -> tuple[tuple[tree.Expression, ...], list[Diagnostic]]:
    """Return the items of a literal list."""
    if isinstance(expression, tree.TupleConstructor):
        return expression.items, []
    return (), [error("Invalid expression", "A static list expression is required.", blamed_range(expression))]


def reference_list(expression: tree.Expression, flavour: Flavour) -> tuple[list[tree.Traversal], list[Diagnostic]]:
    """Return the references in a list. Some may be quoted."""
    items, problems = static_list(expression)
    found: list[tree.Traversal] = []
    for given in items:
        item, quoting = unquoted_reference(given, flavour)
        problems.extend(quoting)
        outcome = static_reference(item)
        if isinstance(outcome, Diagnostic):
            problems.append(outcome)
        else:
            found.append(outcome)
    return found, problems


def unquoted_reference(
    expression: tree.Expression, flavour: Flavour = TERRAFORM_1_11
) -> tuple[tree.Expression, list[Diagnostic]]:
    """Parse a quoted reference, with a warning and any syntax errors; return anything else unchanged.

    Text that begins like a reference is treated as one, whatever follows. JSON is returned unchanged, since quotes are
    its normal form.
    """
    text = None if expression.range.source.is_json else literal_text(expression)
    if text is None:
        return expression, []
    first = expression.range.first
    place = first._replace(column=first.column + 1, byte=first.byte + 1)
    file = expression.range.source.file
    source = Source(file.filename, text, place, file=file)
    traversal, problems = parse_traversal(source)
    first_name = _FIRST_NAME.match(text)
    problems = [*problems, _quoted_warning(expression, flavour)]
    if traversal is not None:
        return traversal, problems
    if first_name is None:
        return expression, problems
    where = source.range(*first_name.span(1))
    return tree.Traversal(where, first_name[1], where, ()), problems


def _quoted_warning(expression: tree.Expression, flavour: Flavour) -> Diagnostic:
    return warning(
        "Quoted references are deprecated",
        f"In this context, references are expected literally rather than in quotes. {flavour.product} 0.11 and earlier "
        "required quotes, but quoted references are now deprecated and will be removed in a future version of "
        f"{flavour.product}. Remove the quotes surrounding this reference to silence this warning.",
        expression.range,
    )
