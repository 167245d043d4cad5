"""Applying a plan: its changes become a graph, and walking that graph makes them real."""

from __future__ import annotations

from functools import partial

from legacy_engine.build import BuildContext, VertexGraph, build_context
from legacy_engine.builders import build_graph
from legacy_engine.nodes.apply_resource import ApplyResource
from legacy_engine.nodes.destroy_instance import DestroyInstance
from legacy_engine.ordering import order_of
from legacy_engine.walk import walk
from shared_nodes.addresses.resource import AbsResource
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.resource.deposed import new_deposed_key
from shared_nodes.nodes.statements.removed import removed_statements
from shared_nodes.operations.session import Session
from shared_nodes.plan.options import Mode, parse_targets
from shared_nodes.plan.plan import Plan
from shared_nodes.state.empty_resources import forget_emptied

__all__ = ["build_apply", "walk_apply"]


async def walk_apply(session: Session, plan: Plan, context: NodeContext) -> list[Diagnostic]:
    build = build_apply(session, plan)
    build.deposed_key = partial(new_deposed_key, context.world, plan.prior_state)
    graph, problems = build_graph(build)
    if has_errors(problems):
        return problems
    ordered = session.request.events.ordered
    if ordered is not None:
        ordered(order_of(graph, plan.changes))
    options = session.request.options
    problems += await walk(graph, context, options.parallelism, options.seed)
    forget_emptied(context.working, partial(_is_expanded_later, graph))
    return problems


def _is_expanded_later(graph: VertexGraph, address: AbsResource) -> bool:
    blocks = [vertex for vertex in graph if isinstance(vertex, ApplyResource) and vertex.address == address.config]
    removals = [
        vertex for vertex in graph if isinstance(vertex, DestroyInstance) and vertex.instance.containing == address
    ]
    return any(graph.is_reachable(block, removal) for block in blocks for removal in removals)


def build_apply(session: Session, plan: Plan) -> BuildContext:
    operation = Operation.DESTROY if plan.mode is Mode.DESTROY else Operation.APPLY
    build = build_context(session, operation, plan.prior_state)
    build.changes = plan.changes
    build.targets = parse_targets(plan.targets)[0]
    build.excludes = parse_targets(plan.excludes)[0]
    build.removed = tuple(removed_statements(session.request.config, session.request.flavour))
    return build
