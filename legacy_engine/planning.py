"""Making a plan: what to do, decided by walking the configuration without changing anything outside.

The order of steps is the original's, because it decides which of several mistakes a user gets to see.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from legacy_engine.applying import build_apply
from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.builders import build_graph
from legacy_engine.options import ParsedOptions, check_replace_mode, parse_options
from legacy_engine.session import Session, open_session
from legacy_engine.validating import validate_configuration
from shared_nodes.diagnostics import Diagnostic, has_errors
from shared_nodes.engine import EngineRequest, Mode, PlanResult
from shared_nodes.nodes.context import NodeContext, Operation, PlanOptions
from shared_nodes.nodes.imports import import_targets
from shared_nodes.nodes.move_types import take_over_moved
from shared_nodes.nodes.move_validation import validate_moves
from shared_nodes.nodes.moves import MoveResults, MoveStatement, apply_moves, blocked_moves_warning, move_statements
from shared_nodes.nodes.removed import forgotten_warning, removed_statements, validate_removed
from shared_nodes.nodes.targets import excluded_moves, targeting_in_effect
from shared_nodes.plan.change import Action
from shared_nodes.plan.drift import drift_between
from shared_nodes.plan.plan import Plan
from shared_nodes.plan.relevant import relevant_attributes
from shared_nodes.state.model import ObjectStatus, State

__all__ = ["make_plan", "plan_graph"]

_Planned = tuple[Plan | None, list[Diagnostic]]


async def make_plan(request: EngineRequest) -> PlanResult:
    """Validation comes first: where it finds errors, nothing is planned."""
    asked, problems = parse_options(request.options)
    if has_errors(problems):
        return PlanResult(tuple(problems), None)
    session, found = open_session(request, request.state, request.world.now())
    problems += found
    if session is None:
        return PlanResult(tuple(problems), None)
    problems += await validate_configuration(session)
    problems += [] if has_errors(problems) else check_replace_mode(request.options)
    if has_errors(problems):
        return PlanResult(tuple(problems), None)
    if asked.targets or asked.excludes:
        problems.append(targeting_in_effect(is_exclusion=bool(asked.excludes)))
    plan, found = await _Planning(session, asked).run()
    problems += found
    if plan is not None:
        problems += _finish(session, plan, has_errors(problems))
    return PlanResult(tuple(problems), plan)


def _finish(session: Session, plan: Plan, errored: bool) -> list[Diagnostic]:
    """A plan that succeeded must be possible to apply: the graph for that is built here already, so that cycles in it
    are found before anybody agrees to the plan."""
    plan.errored = errored
    plan.relevant_attributes = relevant_attributes(session.request.config, plan.changes, session.schemas)
    if errored or not plan.has_changes:
        return []
    return build_graph(build_apply(session, plan))[1]


async def plan_graph(session: Session) -> tuple[VertexGraph | None, list[Diagnostic]]:
    """The graph that planning walks; in destroy mode, that of the second half."""
    options = session.request.options
    asked, problems = parse_options(options)
    if has_errors(problems):
        return None, problems
    operation = Operation.PLAN_DESTROY if options.mode is Mode.DESTROY else Operation.PLAN
    plan_options = PlanOptions(refresh_only=options.mode is Mode.REFRESH_ONLY)
    build, _, problems = await _Planning(session, asked).prepare(operation, session.request.state, plan_options)
    return (None, problems) if has_errors(problems) else build_graph(build)


@dataclass(frozen=True, slots=True)
class _Moves:
    statements: list[MoveStatement]
    results: MoveResults


class _Planning:
    __slots__ = ("_asked", "_session")

    def __init__(self, session: Session, asked: ParsedOptions) -> None:
        self._session = session
        self._asked = asked

    async def run(self) -> _Planned:
        request = self._session.request
        if request.options.mode is Mode.DESTROY:
            return await self._destroy()
        options = PlanOptions(
            refresh=request.options.refresh,
            refresh_only=request.options.mode is Mode.REFRESH_ONLY,
            force_replace=self._asked.replace,
        )
        return await self._walk(Operation.PLAN, request.state, options)

    async def _destroy(self) -> _Planned:
        """What to destroy is known only after looking what is there, so a normal plan is made first. Only what it
        found is kept, and its warnings are not shown."""
        request = self._session.request
        options = PlanOptions(refresh=request.options.refresh)
        state = request.state
        if not request.options.refresh or state.is_empty:
            return await self._walk(Operation.PLAN_DESTROY, state, options)
        normal, problems = await self._walk(Operation.PLAN, state, replace(options, pre_destroy_refresh=True))
        if normal is None or has_errors(problems):
            return None, [problem for problem in problems if has_errors([problem])]
        plan, problems = await self._walk(Operation.PLAN_DESTROY, normal.prior_state, options)
        if plan is not None:
            plan.previous_state = normal.previous_state
        return plan, problems

    async def _walk(self, operation: Operation, state: State, options: PlanOptions) -> _Planned:
        session, config = self._session, self._session.request.config
        build, moves, problems = await self.prepare(operation, state, options)
        if has_errors(problems):
            return None, problems
        graph, found = build_graph(build)
        problems += found
        if has_errors(problems):
            return None, problems
        context = session.context(operation, build.state.copy(), options=options)
        problems += await session.walk(graph, context)
        found = validate_moves(moves.statements, config, context.expander)
        if found:
            return None, found
        if not has_errors(problems):
            problems += blocked_moves_warning(moves.results)
        problems += forgotten_warning(
            [change.address for change in context.changes.in_order() if change.action is Action.FORGET]
        )
        return self._plan(context, build), problems

    async def prepare(
        self, operation: Operation, state: State, options: PlanOptions
    ) -> tuple[BuildContext, _Moves, list[Diagnostic]]:
        """Objects go to their new addresses before anything else is looked at."""
        request = self._session.request
        moved = state.copy()
        statements = move_statements(request.config, moved)
        moves = apply_moves(statements, moved)
        problems = await take_over_moved(moves, moved, request.config, request.providers)
        problems += excluded_moves(self._asked.targets, moves.moves())
        build = self._session.build(operation, moved)
        build.moved_from = moves.changes
        build.options = options
        build.targets, build.excludes = self._asked.targets, self._asked.excludes
        if operation is Operation.PLAN and not options.refresh_only and not has_errors(problems):
            problems += self._read_statements(build)
        return build, _Moves(statements, moves), problems

    def _read_statements(self, build: BuildContext) -> list[Diagnostic]:
        """`import` and `removed` blocks count only when a normal plan is made."""
        request = self._session.request
        build.imports = tuple(import_targets(request.config))
        build.removed = tuple(removed_statements(request.config, request.flavour))
        return validate_removed(build.removed, request.config)

    def _plan(self, context: NodeContext, build: BuildContext) -> Plan:
        session, request = self._session, self._session.request
        _drop_planned(context.refreshed)
        assert session.plan_time is not None
        declared = request.config.module.variables
        ephemeral = frozenset(name for name in request.variables if declared[name].ephemeral)
        return Plan(
            mode=request.options.mode,
            changes=context.changes,
            prior_state=context.refreshed,
            planned_state=context.working,
            previous_state=context.previous,
            timestamp=session.plan_time,
            drift=drift_between(context.previous, context.refreshed, session.schemas, build.moved_from),
            checks=context.checks.results(),
            variables={name: given.value for name, given in request.variables.items() if name not in ephemeral},
            apply_time_variables=ephemeral,
            targets=request.options.targets,
            excludes=request.options.excludes,
            force_replace=request.options.replace,
        )


def _drop_planned(state: State) -> None:
    """What is to be read only while applying has not been found yet, nor has a resource with nothing else."""
    for address, resource in list(state.resources.items()):
        for key, instance in list(resource.instances.items()):
            if instance.current is not None and instance.current.status is ObjectStatus.PLANNED:
                del resource.instances[key]
                if not resource.instances:
                    del state.resources[address]
