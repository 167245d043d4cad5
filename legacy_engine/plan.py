"""Making a plan: the configuration and the state become a graph, and walking that graph decides what to do."""

from __future__ import annotations

from legacy_engine.apply import build_apply_graph
from legacy_engine.pipelines import build_graph
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from legacy_engine.walk import walk
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.plan_apply import PlanInput, plan_input
from shared_nodes.operations.session import Session
from shared_nodes.plan.plan import Plan

__all__ = ["build_plan_graph", "finish_plan", "walk_plan"]


async def walk_plan(session: Session, inputs: PlanInput) -> tuple[NodeContext | None, list[Diagnostic]]:
    """Build the graph and walk it. The context that is returned has everything the walk decided."""
    graph, problems = build_graph(BuildContext.for_walk(session, inputs))
    if has_errors(problems):
        return None, problems
    context = session.context(
        inputs.operation, inputs.state.copy(), options=inputs.options, to_convert=inputs.to_convert
    )
    options = session.request.options
    return context, [*problems, *await walk(graph, context, options.parallelism, options.seed)]


def finish_plan(session: Session, plan: Plan) -> list[Diagnostic]:
    """Check that a plan can be applied. The graph for that is built now, so that cycles in it are found before the plan
    is approved."""
    return build_apply_graph(session, plan)[1] if plan.has_changes else []


async def build_plan_graph(session: Session) -> tuple[VertexGraph | None, list[Diagnostic]]:
    """Return the graph that planning would walk; in destroy mode, that of the second walk."""
    inputs, problems = await plan_input(session)
    return (None, problems) if inputs is None else build_graph(BuildContext.for_walk(session, inputs))
