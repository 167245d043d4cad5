"""Following a plan's execution graph, and evaluating what it needs on the way.

Everything starts together. Operations wait for operations, as the graph says; and for the evaluation of what their
block refers to, which in turn waits for the results of operations. Whatever of the configuration no operation needs is
evaluated as well, so that it is checked once more with final values; unless everything is being destroyed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from new_engine.applying.fitting import misfit
from new_engine.applying.operations import Operations
from new_engine.building import apply_start
from new_engine.compiled import Compiled, compile_configuration
from new_engine.deferral import Deferral
from new_engine.evaluation import Evaluation
from new_engine.execgraph.graph import ExecutionGraph
from new_engine.execgraph.run import Execution
from new_engine.execution import execution_of
from new_engine.limiting import limit_calls
from new_engine.nodes.leg import ResultNode
from new_engine.nodes.node import Node
from new_engine.ordering import order_of
from new_engine.promises import Session as Promises
from new_engine.promises import run_session
from new_engine.targets import selected_nodes
from new_engine.unused import drop_unused
from shared_nodes.addresses.resource import AbsResource
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.statements.removed import removed_statements
from shared_nodes.operations.session import Session
from shared_nodes.plan.plan import Plan
from shared_nodes.state.empty_resources import forget_emptied

__all__ = ["follow_plan"]


async def follow_plan(session: Session, plan: Plan, context: NodeContext) -> list[Diagnostic]:
    planned = execution_of(plan)
    if isinstance(planned, Diagnostic):
        return [planned]
    graph, adopted = planned.graph, planned.adopted
    unfit = misfit(None if planned.is_missing else graph, plan, session.request.config)
    if unfit is not None:
        return [unfit]
    ordered = session.request.events.ordered
    if ordered is not None:
        ordered(order_of(graph, plan.changes))
    start = apply_start(plan)
    compiled, problems = compile_configuration(
        session, start, results=graph.results.items(), serving=graph.called_providers()
    )
    if has_errors(problems):
        return problems
    limit_calls(context, session.request.options.parallelism)
    removed = removed_statements(session.request.config, session.request.flavour)

    async def follow(promises: Promises) -> list[Diagnostic]:
        evaluation = Evaluation(promises, compiled, context)
        if adopted.put_off:
            evaluation.deferral = Deferral(context, adopted.put_off)
        execution = Execution(promises, graph, Operations(evaluation, graph, removed).perform)
        evaluation.execution = execution
        wanted = _wanted(compiled, graph)
        evaluation.expect(wanted)
        work: list[tuple[str, Callable[[], Awaitable[bool]]]]
        work = [("operations", execution.follow), ("values", partial(evaluation.succeeded, wanted))]
        if all(await promises.gather(work)):
            context.working.remove_empty_resources()
        forget_emptied(context.working, partial(_is_expanded_later, compiled, graph))
        await evaluation.close()
        return [*execution.diagnostics, *evaluation.diagnostics]

    return [*problems, *await run_session(session.request.options.seed, follow)]


def _is_expanded_later(compiled: Compiled, graph: ExecutionGraph, address: AbsResource) -> bool:
    """Whether the block waits for what deletes an object of the resource: through values, and through operations."""
    removals = [
        ref for (instance, key), ref in graph.deletions.items() if key is None and instance.containing == address
    ]
    block = compiled.declared(address.instance(None))
    if block is None:
        return False
    below = compiled.reach.all_below([block])
    waits = [node.operation for node in below if isinstance(node, ResultNode)]
    return any(removal == ref or graph.precedes(removal, ref) for removal in removals for ref in waits)


def _wanted(compiled: Compiled, graph: ExecutionGraph) -> list[Node]:
    """What is looked at for its own sake: all there is, or all that is of any use; and the providers of all operations,
    which are configured also where nothing comes of the operations, because something before them has failed."""
    drop_unused(compiled)
    return [*selected_nodes(compiled, graph.outputs), *compiled.serving]
