"""The engine as others call it: validate, plan, apply, and the graphs people may want to see.

Every answer passes the profile of intended changes on its way out: here they are checked, here words are changed, and
here is dropped what is not to be kept.

What only one of them needs is imported by it: who validates does not pay for planning, nor who plans for applying.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from new_engine.compat import KNOWN_CHANGES, profile_of
from new_engine.compiled import compile_configuration
from new_engine.validating import analyse_configuration, validate_configuration
from new_engine.wording import reworded
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
    session, problems = open_session(request, State())
    if session is None:
        return ValidateResult(_worded(request, problems))
    problems = [*problems, *await validate_configuration(session)]
    return ValidateResult(_worded(request, problems), analyse_configuration(session))


async def plan(request: EngineRequest) -> PlanResult:
    """Includes validation, as the original's command does."""
    from new_engine.planning import Findings, finish_plan, walk_plan

    problems = check_changes(request.options, KNOWN_CHANGES)
    if problems:
        return PlanResult(tuple(problems), None)
    findings = Findings()
    walk, finish = partial(walk_plan, findings=findings), partial(finish_plan, findings=findings)
    result = await make_plan(request, validate_configuration, walk, finish)
    if result.plan is not None:
        _drop_module_outputs(request, result.plan.planned_state, result.plan.prior_state)
    return PlanResult(_worded(request, result.diagnostics), result.plan)


async def apply(request: EngineRequest) -> ApplyResult:
    """Carries out `request.plan`, with the changes it was made with. The state that comes back is the whole new state,
    also after errors."""
    from new_engine.applying.following import follow_plan
    from new_engine.execution import execution_of

    plan = request.plan
    if plan is None:
        raise ValueError("there is no plan to apply")
    execution = execution_of(plan)
    if isinstance(execution, Diagnostic):
        return ApplyResult((execution,), request.state)
    request = replace(request, options=replace(request.options, changes=execution.adopted.changes))
    result = await apply_plan(request, replace(plan, execution=execution), follow_plan)
    _drop_module_outputs(request, result.state)
    return ApplyResult(_worded(request, result.diagnostics), result.state)


async def graph(request: EngineRequest, *, applying: bool = False) -> tuple[Graph[Any] | None, list[Diagnostic]]:
    """What planning would look at; or, after planning, the execution graph that applying would follow."""
    from new_engine.drawing import ExecutionDrawing, drawn_nodes
    from new_engine.execution import execution_of

    if applying:
        made = await plan(request)
        if made.plan is None or made.plan.errored:
            return None, list(made.diagnostics)
        found = execution_of(made.plan)
        return (None, [found]) if isinstance(found, Diagnostic) else (ExecutionDrawing(found.graph), [])
    session, problems = open_session(request, request.state, request.world.now())
    if session is None:
        return None, problems
    start, problems = await plan_input(session)
    if start is None:
        return None, problems
    compiled, problems = compile_configuration(session, start)
    return drawn_nodes(compiled), problems


def _worded(request: EngineRequest, problems: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return reworded(problems) if profile_of(request.options.changes).other_wording else tuple(problems)


def _drop_module_outputs(request: EngineRequest, *states: State) -> None:
    if profile_of(request.options.changes).module_outputs_dropped:
        for state in states:
            state.module_outputs.clear()
