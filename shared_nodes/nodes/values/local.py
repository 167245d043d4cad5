"""Local values: evaluated once per instance of their module, and kept only for the walk."""

from __future__ import annotations

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.references import LocalValue
from shared_nodes.config.module import LocalDeclaration
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors

__all__ = ["evaluate_local"]


def evaluate_local(context: NodeContext, module: ModuleInstance, declaration: LocalDeclaration) -> list[Diagnostic]:
    """Store the value where expressions find it. If there is a problem, there is no value, and nothing that needs it
    may run."""
    scope = context.scope(module)
    own = LocalValue(declaration.name)
    prepared = scope.module.expressions.prepare(declaration.expression)
    circular = [
        error(
            "Self-referencing local value",
            f"Local value {own} cannot use its own result as part of its expression.",
            reference.range,
            declaration.expression.range,
        )
        for reference in prepared.references
        if reference.subject == own
    ]
    if circular:
        return circular
    value, problems = scope.evaluate(declaration.expression)
    if not has_errors(problems):
        context.working.locals[module, declaration.name] = value
    return problems
