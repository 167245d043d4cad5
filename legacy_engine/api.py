"""The entry points of the engine: validate, plan, apply, evaluate, and the graphs it would walk.

Imports are deferred to the operation that needs them, to keep start-up fast.
"""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.pipelines import build_graph
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from legacy_engine.validate import validate_configuration
from legacy_engine.walk import walk
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.lang.tree import Expression
from shared_nodes.operations.engine import ApplyResult, EngineRequest, PlanResult, ValidateResult
from shared_nodes.operations.plan_apply import PlanInput, apply_plan, make_plan
from shared_nodes.operations.session import open_session
from shared_nodes.plan.options import check_changes
from shared_nodes.state.model import State
from shared_nodes.values.value import Value

__all__ = ["apply", "evaluate", "graph", "plan", "validate"]


async def validate(request: EngineRequest) -> ValidateResult:
    problems = check_changes(request.options, ())
    if problems:
        return ValidateResult(tuple(problems))
    session, problems = open_session(request, State())
    if session is None:
        return ValidateResult(tuple(problems))
    return ValidateResult((*problems, *await validate_configuration(session)))


async def plan(request: EngineRequest) -> PlanResult:
    """Plan, after validating the configuration, as the original's command does."""
    from legacy_engine.plan import finish_plan, walk_plan

    problems = check_changes(request.options, ())
    if problems:
        return PlanResult(tuple(problems), None)
    return await make_plan(request, validate_configuration, walk_plan, finish_plan)


async def apply(request: EngineRequest) -> ApplyResult:
    """Apply `request.plan`. The result has the whole new state, also after errors."""
    from legacy_engine.apply import walk_apply

    if request.plan is None:
        raise ValueError("there is no plan to apply")
    return await apply_plan(request, request.plan, walk_apply)


async def evaluate(
    request: EngineRequest, expressions: Sequence[Expression]
) -> tuple[list[tuple[Value, list[Diagnostic]]], list[Diagnostic]]:
    """Evaluate expressions in the root module, with resources as they are in the state. If the configuration is wrong,
    its problems are returned and nothing is evaluated."""
    session, problems = open_session(request, request.state, request.world.now())
    if session is None:
        return [], problems
    made, problems = build_graph(
        BuildContext.for_walk(session, PlanInput(Operation.EVAL, request.state, PlanOptions()))
    )
    if has_errors(problems):
        return [], problems
    context = session.context(Operation.EVAL, request.state.copy())
    problems += await walk(made, context, request.options.parallelism, request.options.seed)
    if has_errors(problems):
        return [], problems
    scope = context.scope(ROOT_INSTANCE)
    return [scope.evaluate(expression) for expression in expressions], problems


async def graph(request: EngineRequest, *, applying: bool = False) -> tuple[VertexGraph | None, list[Diagnostic]]:
    """Return the graph that planning would walk or, with `applying`, plan and return the graph that applying the plan
    would walk. A graph with cycles is returned together with the problem, because a drawing helps to understand it."""
    from legacy_engine.apply import build_apply_graph
    from legacy_engine.plan import build_plan_graph

    session, problems = open_session(request, request.state, request.world.now())
    if session is None:
        return None, problems
    if not applying:
        return await build_plan_graph(session)
    result = await plan(request)
    if result.plan is None or result.plan.errored:
        return None, list(result.diagnostics)
    return build_apply_graph(session, result.plan)
