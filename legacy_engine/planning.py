"""Making a plan: the configuration and the state become a graph, and walking that graph decides what to do."""

from __future__ import annotations

from legacy_engine.applying import build_apply
from legacy_engine.build import VertexGraph, build_context
from legacy_engine.builders import build_graph
from legacy_engine.walk import walk
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.plan_apply import PlanInput, plan_input
from shared_nodes.operations.session import Session
from shared_nodes.plan.plan import Plan

__all__ = ["finish_plan", "plan_graph", "walk_plan"]


async def walk_plan(session: Session, start: PlanInput) -> tuple[NodeContext | None, list[Diagnostic]]:
    graph, problems = _graph_from(session, start)
    if has_errors(problems):
        return None, problems
    context = session.context(start.operation, start.state.copy(), options=start.options)
    options = session.request.options
    return context, [*problems, *await walk(graph, context, options.parallelism, options.seed)]


def _graph_from(session: Session, start: PlanInput) -> tuple[VertexGraph, list[Diagnostic]]:
    build = build_context(session, start.operation, start.state)
    build.moved_from = start.moved_from
    build.options = start.options
    build.targets, build.excludes = start.targets, start.excludes
    build.imports, build.removed = start.imports, start.removed
    return build_graph(build)


def finish_plan(session: Session, plan: Plan) -> list[Diagnostic]:
    """A plan that succeeded must be possible to apply: the graph for that is built here already, so that cycles in it
    are found before anybody agrees to the plan."""
    return build_graph(build_apply(session, plan))[1] if plan.has_changes else []


async def plan_graph(session: Session) -> tuple[VertexGraph | None, list[Diagnostic]]:
    """The graph that planning walks; in destroy mode, that of the second half."""
    start, problems = await plan_input(session)
    return (None, problems) if start is None else _graph_from(session, start)
