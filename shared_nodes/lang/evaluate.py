"""A single evaluation of an expression, for callers that will not need it again."""

from __future__ import annotations

from shared_nodes.lang.compile import compile_expression
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.tree import Expression
from shared_nodes.values.value import Value

__all__ = ["evaluate"]


def evaluate(expression: Expression, scope: Scope) -> tuple[Value, list[Diagnostic]]:
    """Return the value and all problems found. To evaluate the same expression repeatedly, compile it once instead."""
    return compile_expression(expression).evaluate(scope)
