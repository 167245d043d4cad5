"""The entry points of the engine: validate, plan, apply, and the graphs people may want to see.

All results pass the profile of intended changes here: changes are checked, words are replaced, and what must not be
kept is dropped. Calls to the outside are limited here as well.

Imports are deferred to the operation that needs them, to keep start-up fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from new_engine.compat.profile import KNOWN_CHANGES, profile_of
from new_engine.compat.wording import reword
from new_engine.concurrency.call_limit import CallLimit
from new_engine.discovery.compile import compile_configuration
from new_engine.discovery.dependencies import Dependencies
from new_engine.validate import analyse_configuration, validate_configuration
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.operations.engine import ApplyResult, EngineRequest, PlanResult, ValidateResult
from shared_nodes.operations.graph import Graph
from shared_nodes.operations.plan_apply import apply_plan, make_plan, plan_input
from shared_nodes.operations.session import open_session
from shared_nodes.plan.options import check_changes
from shared_nodes.state.model import State

__all__ = ["apply", "graph", "plan", "validate"]


async def validate(request: EngineRequest) -> ValidateResult:
    problems = check_changes(request.options, KNOWN_CHANGES)
    if problems:
        return ValidateResult(tuple(problems))
    request = CallLimit(request).request
    session, problems = open_session(request, State())
    if session is None:
        return ValidateResult(_reword(request, problems))
    problems = [*problems, *await validate_configuration(session)]
    return ValidateResult(_reword(request, problems), partial(analyse_configuration, session))


async def plan(request: EngineRequest) -> PlanResult:
    """Plan, after validating the configuration, as the original's command does."""
    from new_engine.plan import TwoPassPlanner

    problems = check_changes(request.options, KNOWN_CHANGES)
    if problems:
        return PlanResult(tuple(problems), None)
    planner = TwoPassPlanner(profile_of(request.options.changes))
    result = await make_plan(CallLimit(request).request, validate_configuration, planner.walk, planner.finish)
    if result.plan is not None:
        _drop_module_outputs(request, result.plan.planned_state, result.plan.prior_state)
    return PlanResult(_reword(request, result.diagnostics), result.plan)


async def apply(request: EngineRequest) -> ApplyResult:
    """Apply `request.plan`, with the intended changes it was made with. The result has the whole new state, also after
    errors."""
    from new_engine.apply import walk_apply
    from new_engine.planned_execution import execution_of

    plan = request.plan
    if plan is None:
        raise ValueError("there is no plan to apply")
    execution = execution_of(plan)
    if isinstance(execution, Diagnostic):
        return ApplyResult((execution,), request.state)
    request = replace(request, options=replace(request.options, changes=execution.adopted.changes))
    limit = CallLimit(request)
    result = await apply_plan(limit.request, replace(plan, execution=execution), partial(walk_apply, limit))
    _drop_module_outputs(request, result.state)
    return ApplyResult(_reword(request, result.diagnostics), result.state)


async def graph(request: EngineRequest, *, applying: bool = False) -> tuple[Graph[Any] | None, list[Diagnostic]]:
    """Return what planning would evaluate or, with `applying`, plan and return the execution graph that applying would
    follow."""
    from new_engine.drawing import ExecutionDrawing, draw_nodes
    from new_engine.planned_execution import execution_of

    if applying:
        made = await plan(request)
        if made.plan is None or made.plan.errored:
            return None, list(made.diagnostics)
        found = execution_of(made.plan)
        return (None, [found]) if isinstance(found, Diagnostic) else (ExecutionDrawing(found.graph), [])
    session, problems = open_session(request, request.state, request.world.now())
    if session is None:
        return None, problems
    inputs, problems = await plan_input(session)
    if inputs is None:
        return None, problems
    table, problems = compile_configuration(session, inputs)
    return draw_nodes(Dependencies(table)), problems


def _reword(request: EngineRequest, problems: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return reword(problems) if profile_of(request.options.changes).other_wording else tuple(problems)


def _drop_module_outputs(request: EngineRequest, *states: State) -> None:
    if profile_of(request.options.changes).module_outputs_dropped:
        for state in states:
            state.module_outputs.clear()
