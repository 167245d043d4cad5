"""Making a plan, in two passes.

The first discovers: every node is evaluated, concurrently, in whatever order their promises allow, and each instance is
planned by itself. The second decides what follows from all of it together, sequentially and in a fixed order: the
execution graph. Dependents of an object are known only when everything has been looked at, so what depends on them
cannot be decided on the way.
"""

from __future__ import annotations

from dataclasses import dataclass

from new_engine.building import build_execution_graph
from new_engine.compat import Adopted, profile_of
from new_engine.compiled import Compiled, compile_configuration
from new_engine.cycles import cycles, self_references
from new_engine.deferral import Deferral
from new_engine.evaluation import Evaluation
from new_engine.execgraph.graph import ExecutionGraph
from new_engine.execution import PlannedExecution
from new_engine.legs import has_legs
from new_engine.limiting import limit_calls
from new_engine.marks import Marking
from new_engine.nodes.instance import DeposedNode, DestroyNode
from new_engine.nodes.node import Node
from new_engine.promises import Session as Promises
from new_engine.promises import run_session
from new_engine.replace_order import creating_first
from new_engine.targets import selected_nodes
from new_engine.unchanged import drop_unchanged
from new_engine.unused import drop_unused
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.plan.plan import Plan
from shared_nodes.state.model import State

__all__ = ["Findings", "finish_plan", "walk_plan"]


@dataclass(slots=True)
class Findings:
    """What the first pass hands to the second beside the plan, where the profile asks for it: what values were made
    from, and what was put off."""

    marking: Marking | None = None
    deferral: Deferral | None = None


async def walk_plan(
    session: Session, start: PlanInput, *, findings: Findings
) -> tuple[NodeContext | None, list[Diagnostic]]:
    compiled, problems = compile_configuration(session, start)
    if has_errors(problems):
        return None, problems
    profile = compiled.profile
    if compiled.is_destroying:
        drop_unused(compiled)
    nodes = selected_nodes(compiled)
    circles = _circles(compiled, nodes)
    if circles:
        return None, circles
    compiled.creating_first = creating_first(compiled, nodes)
    context = session.context(start.operation, start.state.copy(), options=start.options)
    limit_calls(context, session.request.options.parallelism)

    async def evaluate(promises: Promises) -> Evaluation:
        evaluation = Evaluation(promises, compiled, context)
        if profile.exact_dependencies or profile.deferred_actions:
            evaluation.marking = findings.marking = Marking(context)
        if profile.deferred_actions:
            evaluation.deferral = findings.deferral = Deferral(context)
        await evaluation.look_at(nodes)
        await evaluation.close()
        return evaluation

    evaluation = await run_session(session.request.options.seed, evaluate)
    if evaluation.cycles:
        return None, evaluation.cycles
    if profile.changes_only:
        drop_unchanged(context)
    return context, [*problems, *evaluation.diagnostics]


def _circles(compiled: Compiled, nodes: list[Node]) -> list[Diagnostic]:
    """Evaluation would come upon most of them, but by then it would have asked providers about other objects. In a
    configuration there are none any more: it was validated. What the state has recorded can make some."""
    removals = [node for node in nodes if isinstance(node, DeposedNode | DestroyNode)]
    if not removals:
        return []
    selves = [node for node in removals if _waits_for_itself(node, compiled.state)]
    return cycles(compiled.reach.components, nodes) + self_references(selves)


def _waits_for_itself(node: DeposedNode | DestroyNode, state: State) -> bool:
    current = state.current(node.instance)
    return current is not None and node.instance.config in current.dependencies


def finish_plan(session: Session, plan: Plan, *, findings: Findings) -> list[Diagnostic]:
    """The second pass. Where it fails, the plan stays without a graph, and is reported as it is."""
    changes, deferral = session.request.options.changes, findings.deferral
    adopted = Adopted(changes, frozenset() if deferral is None else frozenset(deferral.addresses))
    graph: ExecutionGraph | None = None
    problems: list[Diagnostic] = []
    if plan.has_changes or has_legs(plan.changes, session.request.config):
        exact = findings.marking if profile_of(changes).exact_dependencies else None
        graph, problems = build_execution_graph(session, plan, exact)
    if graph is not None:
        plan.execution = PlannedExecution(graph, adopted)
    elif changes and not problems:
        plan.execution = PlannedExecution(adopted=adopted)
    return problems
