"""Applying a plan: its changes become a graph, and walking that graph makes them real.

The walk works on a copy of the plan's refreshed state, and whatever it has done is in the state that comes back, also
after errors.
"""

from __future__ import annotations

from legacy_engine.build import BuildContext
from legacy_engine.builders import build_graph
from legacy_engine.options import parse_targets
from legacy_engine.session import Session, open_session
from shared_nodes.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.engine import ApplyResult, EngineRequest, Mode
from shared_nodes.nodes.checks import Checks, declared_checks
from shared_nodes.nodes.context import Operation, PlanOptions
from shared_nodes.nodes.removed import removed_statements
from shared_nodes.plan.change import Changes
from shared_nodes.plan.plan import Plan

__all__ = ["apply_plan", "build_apply"]


async def apply_plan(request: EngineRequest, plan: Plan) -> ApplyResult:
    if plan.errored:
        return ApplyResult((_errored_plan(),), request.state)
    session, problems = open_session(request, plan.prior_state, plan.timestamp)
    if session is None:
        return ApplyResult(tuple(problems), request.state)
    working = request.events.working = plan.prior_state.copy()
    request.events.working = working
    build = build_apply(session, plan)
    build.deposed_key = lambda: request.world.random_bytes(4).hex()
    graph, problems = build_graph(build)
    if has_errors(problems):
        return ApplyResult(tuple(problems), working)
    changes = Changes(dict(plan.changes.resources), dict(plan.changes.outputs))
    context = session.context(
        build.operation,
        working,
        options=PlanOptions(refresh_only=plan.mode is Mode.REFRESH_ONLY),
        checks=_checks_of(request, plan),
        changes=changes,
    )
    problems += await session.walk(graph, context)
    working.check_results = plan.checks if plan.mode is Mode.REFRESH_ONLY else context.checks.results()
    if plan.mode is Mode.DESTROY and not has_errors(problems):
        working.remove_husks()
    if plan.targets or plan.excludes:
        problems.append(_incomplete())
    return ApplyResult(tuple(problems), working)


def build_apply(session: Session, plan: Plan) -> BuildContext:
    operation = Operation.DESTROY if plan.mode is Mode.DESTROY else Operation.APPLY
    build = session.build(operation, plan.prior_state)
    build.changes = plan.changes
    build.targets = parse_targets(plan.targets)[0]
    build.excludes = parse_targets(plan.excludes)[0]
    build.removed = tuple(removed_statements(session.request.config, session.request.flavour))
    return build


def _checks_of(request: EngineRequest, plan: Plan) -> Checks:
    """The objects are those the plan found; how they fare is open again."""
    checks = declared_checks(request.config)
    for result in plan.checks:
        if result.objects is not None:
            checks.report_objects(result.address, [checked.address for checked in result.objects])
    return checks


def _errored_plan() -> Diagnostic:
    return error(
        "Cannot apply incomplete plan",
        "Terraform encountered an error when generating this plan, so it cannot be applied.",
    )


def _incomplete() -> Diagnostic:
    return warning(
        "Applied changes may be incomplete",
        "The plan was created with the -target option in effect, so some changes requested in the configuration may "
        "have been ignored and the output values may not be fully updated. Run the following command to verify that "
        "no other changes are pending:\n    terraform plan\n\nNote that the -target option is not suitable for "
        "routine use, and is provided only for exceptional situations such as recovering from errors or mistakes, or "
        "when Terraform specifically suggests to use it as part of an error message.",
    )
