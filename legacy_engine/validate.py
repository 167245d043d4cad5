"""Validating a configuration by itself, without a state and without values of variables."""

from __future__ import annotations

from legacy_engine.pipelines import build_graph
from legacy_engine.transforms.build_context import BuildContext
from legacy_engine.walk import walk
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.statements.import_targets import imports_to_validate
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.state.model import State

__all__ = ["validate_configuration"]


async def validate_configuration(session: Session) -> list[Diagnostic]:
    imports = tuple(imports_to_validate(session.request.config))
    inputs = PlanInput(Operation.VALIDATE, State(), PlanOptions(), imports=imports)
    graph, problems = build_graph(BuildContext.for_walk(session, inputs))
    if has_errors(problems):
        return problems
    context = session.context(Operation.VALIDATE, State())
    options = session.request.options
    return [*problems, *await walk(graph, context, options.parallelism, options.seed)]
