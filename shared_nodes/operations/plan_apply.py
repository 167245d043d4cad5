"""The driver of planning and applying that all engines share: the order of steps, and which failures end it.

Both engines take the same steps, because their order decides which of several mistakes are reported. An engine
contributes a `Walk`: one pass over everything, from a `PlanInput` to the context that its nodes have filled.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field, replace

from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.config.inputs import deprecated_inputs
from shared_nodes.context.check_results import Checks, declared_checks
from shared_nodes.context.node_context import MovedObject, NodeContext
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.statements.import_targets import ImportTarget, import_targets, undeclared_imports
from shared_nodes.nodes.statements.imports import imports_of_missing_instances
from shared_nodes.nodes.statements.moved import (
    MoveResults,
    MoveStatement,
    apply_moves,
    blocked_moves_warning,
    move_statements,
)
from shared_nodes.nodes.statements.moved_types import take_over_moved
from shared_nodes.nodes.statements.moved_validation import validate_moves
from shared_nodes.nodes.statements.removed import (
    RemovedStatement,
    all_forgotten_warning,
    removed_statements,
    validate_removed,
)
from shared_nodes.operations.engine import ApplyResult, EngineRequest, PlanResult
from shared_nodes.operations.relevant_attributes import relevant_attributes
from shared_nodes.operations.session import Session, open_session
from shared_nodes.plan.change import Action
from shared_nodes.plan.drift import drift_between
from shared_nodes.plan.options import Mode, ParsedOptions, check_replace_mode, parse_options, parse_targets
from shared_nodes.plan.plan import Plan
from shared_nodes.plan.targets import excluded_moves, moves_of_excluded, targeted_apply, targeting_in_effect
from shared_nodes.record import record
from shared_nodes.state.model import ObjectStatus, State

__all__ = [
    "ApplyWalk",
    "Finish",
    "PlanInput",
    "Validate",
    "Walk",
    "apply_input",
    "apply_plan",
    "make_plan",
    "plan_input",
]


@record
class PlanInput:
    """What one walk of planning starts from: `state`, whose objects are already at their new addresses, and where they
    were before (`moved_from`). `imports` and `removed` are only set for a normal plan."""

    operation: Operation
    state: State
    options: PlanOptions
    targets: tuple[Target, ...] = ()
    excludes: tuple[Target, ...] = ()
    imports: tuple[ImportTarget, ...] = ()
    removed: tuple[RemovedStatement, ...] = ()
    moved_from: Mapping[AbsResourceInstance, AbsResourceInstance] = field(default_factory=dict)
    to_convert: Mapping[AbsResourceInstance, MovedObject] = field(default_factory=dict)
    """The objects that have come from another type or provider, in a flavour that converts them when they are read."""

    _by_block: dict[ConfigResource, list[AbsResource]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def previous_address(self, instance: AbsResourceInstance) -> AbsResourceInstance | None:
        return self.moved_from.get(instance)

    def state_resources(self, address: ConfigResource) -> list[AbsResource]:
        """Return a resource block in all module instances in which the state has it, in order of address."""
        if not self._by_block:
            for resource in sorted(self.state.resources, key=lambda resource: resource.sort_key):
                self._by_block.setdefault(resource.config, []).append(resource)
        return self._by_block.get(address, [])


def apply_input(session: Session, plan: Plan) -> PlanInput:
    """Return the input of applying a plan: the state that planning found, limited to what the plan was limited to."""
    request = session.request
    return PlanInput(
        Operation.DESTROY if plan.mode is Mode.DESTROY else Operation.APPLY,
        plan.prior_state,
        PlanOptions(),
        parse_targets(plan.targets, request.flavour)[0],
        parse_targets(plan.excludes, request.flavour)[0],
        removed=tuple(removed_statements(request.config, request.flavour)),
    )


Validate = Callable[[Session], Awaitable[list[Diagnostic]]]
Walk = Callable[[Session, PlanInput], Awaitable[tuple[NodeContext | None, list[Diagnostic]]]]
"""An engine's pass over everything. The context is None if nothing could be walked; the diagnostics say why."""

Finish = Callable[[Session, Plan], list[Diagnostic]]
"""Adds engine-specific parts to a plan that succeeded, and reports why it cannot be applied after all."""

ApplyWalk = Callable[[Session, Plan, NodeContext], Awaitable[list[Diagnostic]]]


async def make_plan(request: EngineRequest, validate: Validate, walk: Walk, finish: Finish) -> PlanResult:
    """Validate and plan. If validation finds errors, nothing is planned."""
    parsed, problems = parse_options(request.options, request.world.files, request.flavour)
    if has_errors(problems):
        return PlanResult(tuple(problems), None)
    session, found = open_session(request, request.state, request.world.now())
    problems += found
    if session is None:
        return PlanResult(tuple(problems), None)
    problems += await validate(session)
    problems += [] if has_errors(problems) else check_replace_mode(request.options)
    if has_errors(problems):
        return PlanResult(tuple(problems), None)
    problems += deprecated_inputs(request.config, request.variables)
    if parsed.targets or parsed.excludes:
        problems.append(targeting_in_effect(request.flavour))
    plan, found = await _Planning(session, parsed, walk).run()
    problems += found
    if plan is not None:
        plan.errored = has_errors(problems)
        plan.relevant_attributes = relevant_attributes(request.config, plan.changes, session.schemas)
        if not plan.errored:
            problems += finish(session, plan)
    return PlanResult(tuple(problems), plan)


async def plan_input(session: Session) -> tuple[PlanInput | None, list[Diagnostic]]:
    """Return what planning would start from; in destroy mode, what its second half would."""
    request, options = session.request, session.request.options
    parsed, problems = parse_options(options, request.world.files, request.flavour)
    if has_errors(problems):
        return None, problems
    operation = Operation.PLAN_DESTROY if options.mode is Mode.DESTROY else Operation.PLAN
    plan_options = PlanOptions(refresh_only=options.mode is Mode.REFRESH_ONLY)
    inputs, _, problems = await _prepare(session, parsed, operation, request.state, plan_options)
    return (None if has_errors(problems) else inputs), problems


@record
class _Moves:
    statements: list[MoveStatement]
    results: MoveResults


async def _prepare(
    session: Session, parsed: ParsedOptions, operation: Operation, state: State, options: PlanOptions
) -> tuple[PlanInput, _Moves, list[Diagnostic]]:
    """Move objects to their new addresses, which precedes everything else, and collect imports and removals."""
    request = session.request
    moved = state.copy()
    statements = move_statements(request.config, moved, request.flavour)
    moves = apply_moves(statements, moved)
    takes_statements = operation is Operation.PLAN and not options.refresh_only
    imports = import_targets(request.config) if takes_statements else []
    problems: list[Diagnostic] = []
    if request.flavour.imports_are_resolved_when_planning:
        problems += undeclared_imports(imports, request.config)
    if not problems:
        if not request.flavour.moved_objects_are_converted_when_read:
            problems += await take_over_moved(moves, statements, moved, request.config, request.providers)
        problems += excluded_moves(parsed.targets, moves.moves(), request.flavour)
        problems += moves_of_excluded(parsed.excludes, moves.moves(), request.flavour)
    inputs = PlanInput(
        operation,
        moved,
        options,
        parsed.targets,
        parsed.excludes,
        moved_from=moves.changes,
        to_convert=_moves_to_convert(moves, moved, request),
    )
    if takes_statements and not has_errors(problems):
        removed = tuple(removed_statements(request.config, request.flavour))
        inputs = replace(inputs, imports=tuple(imports), removed=removed)
        problems += validate_removed(removed, request.config, request.flavour)
    return inputs, _Moves(statements, moves), problems


def _moves_to_convert(
    moves: MoveResults, state: State, request: EngineRequest
) -> dict[AbsResourceInstance, MovedObject]:
    """Return the objects that a `moved` block has led to another type, or to a resource of another provider."""
    if not request.flavour.moved_objects_are_converted_when_read:
        return {}
    found = {}
    for address in moves.explicit:
        moved = MovedObject(moves.changes[address], state.resources[address.containing].provider.source)
        node = request.config.at(address.module.path)
        is_declared = node is not None and address.resource in node.module.resources
        wanted = node.module.source_of(address.resource) if node is not None and is_declared else moved.provider
        if moved.address.resource.type != address.resource.type or moved.provider != wanted:
            found[address] = moved
    return found


@record
class _Planning:
    session: Session
    parsed: ParsedOptions
    walk: Walk

    async def run(self) -> tuple[Plan | None, list[Diagnostic]]:
        request = self.session.request
        if request.options.mode is Mode.DESTROY:
            return await self._destroy()
        options = PlanOptions(
            refresh=request.options.refresh,
            refresh_only=request.options.mode is Mode.REFRESH_ONLY,
            force_replace=self.parsed.replace,
        )
        return await self._plan_once(Operation.PLAN, request.state, options)

    async def _destroy(self) -> tuple[Plan | None, list[Diagnostic]]:
        """Plan to destroy everything. A normal plan is made first, to find out what exists. Only its states are kept,
        and its warnings are dropped unless it fails: the destroy plan has the same ones."""
        request = self.session.request
        options = PlanOptions(refresh=request.options.refresh)
        state = request.state
        if not request.options.refresh or state.is_empty:
            return await self._plan_once(Operation.PLAN_DESTROY, state, options)
        normal, problems = await self._plan_once(Operation.PLAN, state, replace(options, pre_destroy_refresh=True))
        if normal is None or has_errors(problems):
            return None, problems
        plan, problems = await self._plan_once(Operation.PLAN_DESTROY, normal.prior_state, options)
        if plan is not None:
            plan.previous_state = normal.previous_state
        return plan, problems

    async def _plan_once(
        self, operation: Operation, state: State, options: PlanOptions
    ) -> tuple[Plan | None, list[Diagnostic]]:
        inputs, moves, problems = await _prepare(self.session, self.parsed, operation, state, options)
        if has_errors(problems):
            return None, problems
        context, found = await self.walk(self.session, inputs)
        problems += found
        if context is None:
            return None, problems
        found = imports_of_missing_instances(context, sorted(context.imports, key=lambda address: address.sort_key))
        found = found or validate_moves(moves.statements, self.session.request.config, context.expander)
        if found:
            return None, found
        if not has_errors(problems):
            problems += blocked_moves_warning(moves.results, context.flavour)
        forgotten = [change.address for change in context.changes.in_order(Action.FORGET)]
        problems += all_forgotten_warning(forgotten, context.flavour)
        return self._build_plan(context, inputs), problems

    def _build_plan(self, context: NodeContext, inputs: PlanInput) -> Plan:
        session, request = self.session, self.session.request
        _drop_planned_objects(context.refreshed)
        assert session.plan_time is not None
        declared = request.config.module.variables
        ephemeral = frozenset(name for name in request.variables if declared[name].ephemeral)
        return Plan(
            mode=request.options.mode,
            changes=context.changes.as_stored(),
            prior_state=context.refreshed,
            planned_state=context.working,
            previous_state=context.previous,
            timestamp=session.plan_time,
            drift=drift_between(
                context.previous, context.refreshed, session.schemas, inputs.moved_from, inputs.to_convert
            ),
            checks=context.checks.results(),
            variables={name: given.value for name, given in request.variables.items() if name not in ephemeral},
            apply_time_variables=self._apply_time_variables(ephemeral),
            targets=tuple(map(str, self.parsed.targets)),
            excludes=tuple(map(str, self.parsed.excludes)),
            force_replace=request.options.replace,
            deferred=tuple(sorted(context.deferred, key=lambda change: change.address)),
        )

    def _apply_time_variables(self, ephemeral: frozenset[str]) -> frozenset[str]:
        """Return the ephemeral variables that have to be set again. For Terraform, one given as null was not set."""
        request = self.session.request
        if request.flavour.saved_plans_take_further_inputs:
            return ephemeral
        return frozenset(name for name in ephemeral if not request.variables[name].value.is_null)


def _drop_planned_objects(state: State) -> None:
    """Remove objects that will only be read during apply from the refreshed state, and resources left without any."""
    for address, resource in list(state.resources.items()):
        for key, instance in list(resource.instances.items()):
            if instance.current is not None and instance.current.status is ObjectStatus.PLANNED:
                del resource.instances[key]
                if not resource.instances:
                    del state.resources[address]


async def apply_plan(request: EngineRequest, plan: Plan, walk: ApplyWalk) -> ApplyResult:
    """Apply the plan. The walk works on a copy of the refreshed state of the plan; the returned state contains whatever
    the walk has done, also after errors."""
    if plan.errored:
        return ApplyResult((_errored_plan(request.flavour),), request.state)
    if request.flavour.plan_says_whether_it_applies and plan.has_changes and not plan.applyable:
        return ApplyResult((_inapplicable_plan(request.flavour),), request.state)
    session, problems = open_session(request, plan.prior_state, plan.timestamp)
    if session is None:
        return ApplyResult(tuple(problems), request.state)
    working = request.events.working = plan.prior_state.copy()
    context = session.context(
        Operation.DESTROY if plan.mode is Mode.DESTROY else Operation.APPLY,
        working,
        refreshed=plan.prior_state,
        options=PlanOptions(refresh_only=plan.mode is Mode.REFRESH_ONLY),
        checks=_checks_from_plan(request, plan),
        changes=plan.changes.copy(),
    )
    problems += await walk(session, plan, context)
    working.check_results = plan.checks if plan.mode is Mode.REFRESH_ONLY else context.checks.results()
    if plan.mode is Mode.DESTROY and not has_errors(problems):
        working.remove_empty_resources()
        problems += _left_behind(request, plan)
    if plan.targets or plan.excludes:
        problems.append(targeted_apply(request.flavour))
    return ApplyResult(tuple(problems), working)


def _left_behind(request: EngineRequest, plan: Plan) -> list[Diagnostic]:
    """Report objects that were only forgotten although everything was to be destroyed. Other programs may rely on a
    success to mean that nothing is left."""
    is_fine = request.options.suppress_forget_errors or not request.flavour.lifecycle_can_keep_objects
    if is_fine or not plan.changes.in_order(Action.FORGET):
        return []
    detail = (
        f"As requested, {request.flavour.product} has not deleted some remote objects that are no longer managed by "
        "this configuration. Those objects continue to exist in their remote system and so may continue to incur "
        "charges. Refer to the original plan for more information.\nTo suppress this error for the future 'destroy' "
        'runs, you can add the CLI flag "-suppress-forget-errors".'
    )
    return [error("Destroy was successful but left behind forgotten instances", detail)]


def _checks_from_plan(request: EngineRequest, plan: Plan) -> Checks:
    """Return the check objects that the plan found, with every status unknown again."""
    checks = declared_checks(request.config)
    for result in plan.checks:
        if result.objects is not None:
            checks.report_objects(result.address, [checked.address for checked in result.objects])
    return checks


def _errored_plan(flavour: Flavour) -> Diagnostic:
    return error(
        "Cannot apply incomplete plan",
        f"{flavour.product} encountered an error when generating this plan, so it cannot be applied.",
    )


def _inapplicable_plan(flavour: Flavour) -> Diagnostic:
    """Report a plan that is not applyable. This can only be a refresh-only plan in which an output changes, but its new
    value is unknown or gone."""
    return error(
        "Cannot apply non-applyable plan",
        f"The given plan is not applyable. If this seems like a bug in {flavour.product}, then please report it!",
    )
