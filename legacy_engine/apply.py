"""Applying a plan: its changes become a graph, and walking that graph makes them real."""

from __future__ import annotations

from functools import partial

from legacy_engine.effect_order import effect_order_of
from legacy_engine.nodes.instance import DestroyInstance
from legacy_engine.nodes.resource import ApplyResource
from legacy_engine.pipelines import build_graph
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from legacy_engine.walk import walk
from shared_nodes.addresses.resource import AbsResource
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.resource.deposed import new_deposed_key
from shared_nodes.operations.plan_apply import apply_input
from shared_nodes.operations.session import Session
from shared_nodes.plan.plan import Plan
from shared_nodes.state.empty_resources import forget_emptied

__all__ = ["build_apply_graph", "walk_apply"]


async def walk_apply(session: Session, plan: Plan, context: NodeContext) -> list[Diagnostic]:
    new_key = partial(new_deposed_key, context.world, plan.prior_state)
    graph, problems = build_graph(
        BuildContext.for_apply(session, apply_input(session, plan), plan.changes, deposed_key=new_key)
    )
    if has_errors(problems):
        return problems
    ordered = session.request.events.ordered
    if ordered is not None:
        ordered(effect_order_of(graph, plan.changes))
    options = session.request.options
    problems += await walk(graph, context, options.parallelism, options.seed)
    forget_emptied(context.working, partial(_is_expanded_after_removal, graph))
    return problems


def build_apply_graph(session: Session, plan: Plan) -> tuple[VertexGraph, list[Diagnostic]]:
    """Return the graph that applying the plan would walk, to be drawn. No drawing shows the keys of deposed objects, so
    all of them are the same, and no randomness of the World is used up."""
    inputs = apply_input(session, plan)
    return build_graph(BuildContext.for_apply(session, inputs, plan.changes, lambda _address: "00000000"))


def _is_expanded_after_removal(graph: VertexGraph, address: AbsResource) -> bool:
    """Whether the block of a resource is expanded only after an object of the resource was destroyed."""
    blocks = [vertex for vertex in graph if isinstance(vertex, ApplyResource) and vertex.address == address.config]
    removals = [
        vertex for vertex in graph if isinstance(vertex, DestroyInstance) and vertex.instance.containing == address
    ]
    return any(graph.is_reachable(block, removal) for block in blocks for removal in removals)
