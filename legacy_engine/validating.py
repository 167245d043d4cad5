"""Validating a configuration by itself: no state, and nothing known of any variable."""

from __future__ import annotations

from legacy_engine.build import build_context
from legacy_engine.builders import build_graph
from legacy_engine.walk import walk
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.statements.imports import import_targets
from shared_nodes.operations.session import Session
from shared_nodes.state.model import State

__all__ = ["validate_configuration"]


async def validate_configuration(session: Session) -> list[Diagnostic]:
    build = build_context(session, Operation.VALIDATE, State())
    build.imports = tuple(import_targets(session.request.config))
    graph, problems = build_graph(build)
    if has_errors(problems):
        return problems
    context = session.context(Operation.VALIDATE, State())
    options = session.request.options
    return [*problems, *await walk(graph, context, options.parallelism, options.seed)]
