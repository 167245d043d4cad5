"""The two sides of an equality that does not hold, as a change from the first to the second, for programs to read."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.tree import Binary
from shared_nodes.values.json import (
    JsonError,
    Tree,
    sensitive_shape,
    unknown_shape,
    value_to_json,
    without_unknowns,
)
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.value import Value

__all__ = ["difference_in"]

_EQUAL: Final = "=="


def difference_in(diagnostic: Diagnostic) -> Tree:
    """Return the difference, or None if the diagnostic is not about an equality, or if a side must not be shown or
    cannot be: an ephemeral value, or an unknown one on the left."""
    evaluated = diagnostic.evaluated
    if evaluated is None or not evaluated.scope.flavour.equalities_show_their_difference:
        return None
    expression = evaluated.expression
    if not isinstance(expression, Binary) or expression.operator != _EQUAL:
        return None
    scope = replace(evaluated.scope, variables={**(evaluated.scope.variables or {}), **evaluated.bound})
    left, right = (evaluate(side, scope)[0] for side in (expression.left, expression.right))
    if EPHEMERAL in left.deep_marks() | right.deep_marks():
        return None
    try:
        return _change(left, right)
    except JsonError:
        return None


def _change(before: Value, after: Value) -> Tree:
    document: dict[str, Tree] = {"before": value_to_json(before.unmark_deep()[0])}
    plain = after.unmark_deep()[0]
    shown = without_unknowns(plain)
    if shown is not None:
        document["after"] = value_to_json(shown)
    document["after_unknown"] = False if plain.is_wholly_known else unknown_shape(plain)
    document["before_sensitive"] = sensitive_shape(before)
    document["after_sensitive"] = sensitive_shape(after)
    return document
