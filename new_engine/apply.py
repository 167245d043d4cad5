"""Applying a plan: its execution graph is followed, and what it needs is evaluated along the way.

Everything starts together. Operations wait for operations, as the graph states; and for the evaluation of what their
block refers to, which in turn waits for the results of operations. The rest of the configuration is evaluated as well,
to check it once more with final values, unless everything is being destroyed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from new_engine.applying.matches_plan import graph_mismatch
from new_engine.applying.operations import Operations
from new_engine.compat.deferral import Deferral
from new_engine.concurrency.call_limit import CallLimit
from new_engine.concurrency.promises import PromiseSession, run_session
from new_engine.discovery.compile import compile_configuration
from new_engine.discovery.dependencies import Dependencies
from new_engine.discovery.evaluation import Evaluation
from new_engine.effect_order import effect_order_of
from new_engine.execgraph.graph import ExecutionGraph
from new_engine.execgraph.run import Execution
from new_engine.nodes.leg import ResultNode
from new_engine.nodes.node import Node
from new_engine.planned_execution import execution_of
from new_engine.planning.prune import prune_unused
from new_engine.planning.targets import selected_nodes
from shared_nodes.addresses.resource import AbsResource
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.plan_apply import apply_input
from shared_nodes.operations.session import Session
from shared_nodes.plan.plan import Plan
from shared_nodes.state.empty_resources import forget_emptied

__all__ = ["walk_apply"]


async def walk_apply(limit: CallLimit, session: Session, plan: Plan, context: NodeContext) -> list[Diagnostic]:
    planned = execution_of(plan)
    if isinstance(planned, Diagnostic):
        return [planned]
    graph, adopted = planned.graph, planned.adopted
    mismatch = graph_mismatch(None if planned.is_missing else graph, plan, session.request.config)
    if mismatch is not None:
        return [mismatch]
    ordered = session.request.events.ordered
    if ordered is not None:
        ordered(effect_order_of(graph, plan.changes))
    inputs = apply_input(session, plan)
    table, problems = compile_configuration(
        session, inputs, results=graph.results.items(), serving=graph.called_providers()
    )
    if has_errors(problems):
        return problems
    dependencies = prune_unused(Dependencies(table))
    wanted = _wanted_nodes(dependencies, graph)
    deferral = Deferral(context, adopted.deferred) if adopted.deferred else None

    async def follow(promises: PromiseSession) -> list[Diagnostic]:
        def execute(evaluation: Evaluation) -> Execution:
            return Execution(promises, graph, Operations(evaluation, graph, inputs.removed, limit).perform)

        evaluation = Evaluation(promises, dependencies, context, deferral=deferral, execute=execute)
        execution = evaluation.execution
        assert execution is not None
        evaluation.expect(wanted)
        work: list[tuple[str, Callable[[], Awaitable[bool]]]]
        work = [("operations", execution.follow), ("values", partial(evaluation.succeeded, wanted))]
        if all(await promises.gather(work)):
            context.working.remove_empty_resources()
        forget_emptied(context.working, partial(_is_expanded_after_removal, dependencies, graph))
        await evaluation.close()
        return [*execution.diagnostics, *evaluation.diagnostics]

    return [*problems, *await run_session(session.request.options.seed, follow)]


def _is_expanded_after_removal(dependencies: Dependencies, graph: ExecutionGraph, address: AbsResource) -> bool:
    """Whether the block of a resource is expanded only after an object of the resource was deleted, because it waits
    for that through values and operations."""
    removals = [
        ref for (instance, key), ref in graph.deletions.items() if key is None and instance.containing == address
    ]
    block = dependencies.table.declared(address.instance(None))
    if block is None:
        return False
    below = dependencies.reach.all_below([block])
    waits = [node.operation for node in below if isinstance(node, ResultNode)]
    return any(removal == ref or graph.precedes(removal, ref) for removal in removals for ref in waits)


def _wanted_nodes(dependencies: Dependencies, graph: ExecutionGraph) -> list[Node]:
    """Return what is evaluated for its own sake: everything that targets leave, and the providers of all operations.
    These are configured even if their operations are never reached because something before them has failed."""
    return [*selected_nodes(dependencies, graph), *dependencies.table.serving]
