"""Making a plan, in two passes.

The first pass discovers: every node is evaluated, concurrently, in whatever order its promises allow, and each instance
is planned by itself. The second decides what follows from all of it together, sequentially and in a fixed order: the
execution graph. The dependents of an object are known only when everything was evaluated, so what depends on them
cannot be decided earlier.
"""

from __future__ import annotations

from new_engine.compat.deferral import Deferral
from new_engine.compat.exact_dependencies.origins import ValueOrigins
from new_engine.compat.omit_unchanged import omit_unchanged
from new_engine.compat.profile import Adopted, CompatProfile
from new_engine.concurrency.promises import PromiseSession, run_session
from new_engine.discovery.compile import compile_configuration
from new_engine.discovery.dependencies import Dependencies
from new_engine.discovery.evaluation import Evaluation
from new_engine.execgraph.graph import ExecutionGraph
from new_engine.nodes.instance import RemovalNode
from new_engine.nodes.node import Node
from new_engine.planned_execution import PlannedExecution
from new_engine.planning.cycles import find_cycles, report_self_references
from new_engine.planning.emit import build_execution_graph
from new_engine.planning.legs import has_legs
from new_engine.planning.prune import prune_unused
from new_engine.planning.replace_order import find_creating_first
from new_engine.planning.targets import selected_nodes
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.plan.plan import Plan
from shared_nodes.state.model import State

__all__ = ["TwoPassPlanner"]


class TwoPassPlanner:
    """The two passes of one plan. The second needs what the last walk of the first has found besides the plan, if the
    profile asks for it: what values were computed from, and what was deferred."""

    def __init__(self, profile: CompatProfile) -> None:
        self._profile = profile
        self._origins: ValueOrigins | None = None
        self._deferral: Deferral | None = None

    async def walk(self, session: Session, inputs: PlanInput) -> tuple[NodeContext | None, list[Diagnostic]]:
        """Discover. In destroy mode there are two walks."""
        table, problems = compile_configuration(session, inputs)
        if has_errors(problems):
            return None, problems
        dependencies = Dependencies(table)
        if table.is_destroying:
            dependencies = prune_unused(dependencies)
        nodes = selected_nodes(dependencies)
        cycles = _find_recorded_cycles(dependencies, nodes)
        if cycles:
            return None, cycles
        context = session.context(
            inputs.operation, inputs.state.copy(), options=inputs.options, to_convert=inputs.to_convert
        )
        evaluation = await self._evaluate(session, context, dependencies, nodes)
        if evaluation.cycles:
            return None, evaluation.cycles
        if self._profile.changes_only:
            omit_unchanged(context)
        return context, [*problems, *evaluation.diagnostics]

    async def _evaluate(
        self, session: Session, context: NodeContext, dependencies: Dependencies, nodes: list[Node]
    ) -> Evaluation:
        profile, creating_first = self._profile, find_creating_first(dependencies, nodes)
        if profile.exact_dependencies or profile.deferred_actions:
            self._origins = ValueOrigins(context)
        if profile.deferred_actions:
            self._deferral = Deferral(context)

        async def evaluate(promises: PromiseSession) -> Evaluation:
            evaluation = Evaluation(
                promises,
                dependencies,
                context,
                creating_first=creating_first,
                origins=self._origins,
                deferral=self._deferral,
            )
            await evaluation.evaluate(nodes)
            await evaluation.close()
            return evaluation

        return await run_session(session.request.options.seed, evaluate)

    def finish(self, session: Session, plan: Plan) -> list[Diagnostic]:
        """Decide. If that fails, the plan stays without a graph, and is reported as it is."""
        changes, deferral = session.request.options.changes, self._deferral
        adopted = Adopted(changes, frozenset() if deferral is None else frozenset(deferral.addresses))
        graph: ExecutionGraph | None = None
        problems: list[Diagnostic] = []
        if plan.has_changes or has_legs(plan.changes, session.request.config):
            exact = self._origins if self._profile.exact_dependencies else None
            graph, problems = build_execution_graph(session, plan, exact)
        if graph is not None:
            plan.execution = PlannedExecution(graph, adopted)
        elif changes and not problems:
            plan.execution = PlannedExecution(adopted=adopted)
        return problems


def _find_recorded_cycles(dependencies: Dependencies, nodes: list[Node]) -> list[Diagnostic]:
    """Report cycles that the state has recorded. Evaluation would find most of them, but by then it would have asked
    providers about other objects. The configuration itself has none: it was validated."""
    removals = [node for node in nodes if isinstance(node, RemovalNode)]
    if not removals:
        return []
    selves = [node for node in removals if _waits_for_itself(node, dependencies.table.state)]
    return find_cycles(dependencies.reach.components, nodes) + report_self_references(selves)


def _waits_for_itself(node: RemovalNode, state: State) -> bool:
    current = state.current(node.instance)
    return current is not None and node.instance.config in current.dependencies
