"""Data resources: read while planning if everything they need is settled, or else planned to be read during apply.

Results of earlier runs are never used. A data resource nested in a check block cannot fail a run: its problems become
warnings, the check fails, and it is always read again during apply.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shared_nodes.addresses.key import key_text
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.context.check_results import CheckRule, CheckStatus
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, Severity, error, has_errors
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.nodes.provider.diagnostics import attributed, deferral_problems
from shared_nodes.nodes.provider.meta import provider_meta
from shared_nodes.nodes.resource.instance import (
    PROVIDER_BUG,
    DeclaredInstance,
    announce,
    ephemeral_problems,
    evaluate_configuration,
    halt,
    identified,
    record_change,
    resource_schema,
    run_conditions,
    self_references,
)
from shared_nodes.nodes.resource.pending import has_pending_changes
from shared_nodes.nodes.resource.proposed import planned_data_value
from shared_nodes.plan.change import Action, ActionReason, ResourceChange
from shared_nodes.plan.events import Event, EventType
from shared_nodes.providers.contract import ReadDataRequest
from shared_nodes.providers.schema import SchemaBlock, implied_type
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.state.object_values import mark_sensitive
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.paths import mark_at_paths, marks_by_path, path_text, strip_marks
from shared_nodes.values.stored import unknown_as_null
from shared_nodes.values.text import quoted
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, null

__all__ = ["DataApply", "DataPlan", "apply_data", "plan_data"]


@record
class DataPlan(DeclaredInstance):
    """A request to plan a data instance. It is read now only if `waits_for` have no pending change: the resources in
    depends_on (also of enclosing module calls) and those the block refers to directly. `dependencies` are all direct
    and indirect dependencies."""

    dependencies: tuple[ConfigResource, ...] = ()
    waits_for: tuple[ConfigResource, ...] = ()
    previous_address: AbsResourceInstance | None = None


@record
class DataApply(DeclaredInstance):
    """A data instance with a change in the plan."""


@record
class _Reading:
    """The result of planning. `state` is what expressions will see, or None."""

    change: ResourceChange | None
    state: InstanceObject | None
    problems: list[Diagnostic]


async def plan_data(context: NodeContext, request: DataPlan) -> list[Diagnostic]:
    schema = resource_schema(context, request.provider, request.address.resource)
    assert schema is not None
    problems = self_references(request, schema.block)
    if problems:
        return problems
    as_warning = context.options.refresh_only or context.options.pre_destroy_refresh
    reading = await _plan_reading(context, request, schema.block, as_warning)
    problems = reading.problems
    if has_errors(problems):
        return problems
    state = reading.state and replace(reading.state, schema_version=schema.version)
    context.refreshed.put(request.address, request.provider, state)
    context.working.put(request.address, request.provider, state)
    if reading.change is None:
        context.changes.discard(request.address)
    else:
        context.changes.record(reading.change)
    self_value = DYNAMIC_UNKNOWN if state is None else state.value
    return [*problems, *run_conditions(context, request, "postcondition", as_warning=as_warning, self_value=self_value)]


async def _plan_reading(context: NodeContext, request: DataPlan, schema: SchemaBlock, as_warning: bool) -> _Reading:
    problems = run_conditions(context, request, "precondition", as_warning=as_warning)
    if has_errors(problems):
        return _Reading(None, None, problems)
    config, found = evaluate_configuration(context, request, schema)
    problems += attributed(found, request.block.body, request.address)
    if has_errors(found):
        return _Reading(None, None, problems)
    reason = _reason_to_wait(context, request, config)
    if reason is not None:
        _report_nested(context, request, [])
        if context.options.refresh_only:
            return _Reading(None, None, problems)
        value = _planned_value(context, schema, config)
        problems += halt(context)
        return _Reading(_read_change(request, value, reason), InstanceObject(ObjectStatus.PLANNED, value), problems)
    value, found = await _read(context, request, config, schema)
    problems += found
    if request.block.check is None:
        state = None if has_errors(problems) else InstanceObject(ObjectStatus.READY, value)
        return _Reading(None, state, problems)
    return _plan_nested_reading(
        context, request, _planned_value(context, schema, config) if has_errors(found) else value, problems
    )


def _plan_nested_reading(context: NodeContext, request: DataPlan, value: Value, problems: list[Diagnostic]) -> _Reading:
    """Return the result of planning in a check block. A failure results in unknown values in the plan, and in null
    values in the state, which has no unknowns."""
    _report_nested(context, request, problems)
    change = None if context.options.refresh_only else _read_change(request, value, ActionReason.READ_CHECK_NESTED)
    return _Reading(change, InstanceObject(ObjectStatus.READY, unknown_as_null(value)), _as_warnings(problems))


def _as_warnings(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Turn problems of a nested data resource into warnings of its check block."""
    return [replace(problem, severity=Severity.WARNING, from_check=True) for problem in problems]


def _report_nested(context: NodeContext, request: DeclaredInstance, problems: list[Diagnostic]) -> None:
    """Report the outcome of a data resource as a rule of the check block that contains it."""
    if request.block.check is None:
        return
    failed = [problem for problem in problems if problem.severity is Severity.ERROR]
    name = f"check.{request.block.check}"
    module = request.address.module
    status = CheckStatus.FAIL if failed else CheckStatus.PASS
    failure = _combine_messages(problems) if failed else None
    context.checks.report(module.path.prefix(name), module.prefix(name), CheckRule("data", 0), status, failure)


def _combine_messages(problems: list[Diagnostic]) -> str:
    texts = [f"{problem.summary}: {problem.detail}" if problem.detail else problem.summary for problem in problems]
    if len(texts) == 1:
        return texts[0]
    return "\n".join([f"{len(texts)} problems:\n", *(f"- {text}" for text in texts)])


def _reason_to_wait(context: NodeContext, request: DataPlan, config: Value) -> ActionReason | None:
    if not config.is_wholly_known:
        return ActionReason.READ_CONFIG_UNKNOWN
    waits_for = request.dependencies if request.block.lifecycle.has_conditions else request.waits_for
    if has_pending_changes(context, request.address, waits_for):
        return ActionReason.READ_DEPENDENCY_PENDING
    return None


def _read_change(request: DataPlan, after: Value, reason: ActionReason) -> ResourceChange:
    return ResourceChange(
        request.address,
        request.previous_address or request.address,
        request.provider,
        Action.READ,
        null(after.type),
        after,
        reason,
    )


def _planned_value(context: NodeContext, schema: SchemaBlock, config: Value) -> Value:
    plain, marks = strip_marks(config)
    return _with_declared_marks(context, mark_at_paths(planned_data_value(schema, plain), marks), schema)


def _with_declared_marks(context: NodeContext, value: Value, schema: SchemaBlock) -> Value:
    return mark_sensitive(value, schema) if context.flavour.data_records_declared_sensitivity else value


async def _read(
    context: NodeContext, request: DeclaredInstance, config: Value, schema: SchemaBlock
) -> tuple[Value, list[Diagnostic]]:
    """Read the data. Reading is reported as an apply of its own kind; one that fails has a start event, but no end
    event."""
    address, body = request.address, request.block.body
    provider = context.provider_of(request.provider)
    nothing = null(implied_type(schema))
    plain, marks = strip_marks(config)
    meta, problems = provider_meta(context, address, request.provider)
    if has_errors(problems):
        return nothing, problems
    problems += attributed(await provider.validate_data_config(address.resource.type, plain), body, address)
    if has_errors(problems):
        return nothing, problems
    problems += announce(context, Event(EventType.APPLY_START, address, Action.READ))
    if has_errors(problems):
        return nothing, problems
    owner = f"{address.resource}{key_text(address.key)}"
    answer = await provider.read_data(ReadDataRequest(address.resource.type, plain, meta, str(address), owner))
    problems += attributed(answer.problems, body, address)
    problems += deferral_problems(answer.deferred, address, context.flavour)
    if has_errors(problems):
        return nothing, problems
    value = nothing if answer.value is None else answer.value
    problems += _result_problems(request, value)
    value = _with_declared_marks(context, mark_at_paths(unknown_as_null(value), marks), schema)
    kind = EventType.APPLY_ERRORED if has_errors(problems) else EventType.APPLY_COMPLETE
    problems += announce(context, identified(Event(kind, address, Action.READ), value))
    return value, problems


def _result_problems(request: DeclaredInstance, value: Value) -> list[Diagnostic]:
    subject = f"Provider {quoted(str(request.provider))} produced a"
    if value.is_null:
        detail = f"{subject} null value for {request.address}.\n\n{PROVIDER_BUG}"
        return [error("Provider produced null object", detail)]
    if not value.is_wholly_known:
        detail = f"{subject} value for {request.address} that is not wholly known.\n\n{PROVIDER_BUG}"
        return [error("Provider produced invalid object", detail)]
    return []


async def apply_data(context: NodeContext, request: DataApply) -> list[Diagnostic]:
    """Read what planning has deferred. If there is no planned change, there is nothing to do."""
    change = context.changes.of(request.address)
    if change is None:
        return []
    state, problems = await _apply_reading(context, request, change)
    problems += _check_storable(context, request, state)
    if has_errors(problems):
        return problems
    if state is not None:
        context.working.put(request.address, request.provider, state)
    context.changes.discard(request.address)
    problems += record_change(context)
    current = context.working.current(request.address)
    self_value = DYNAMIC_UNKNOWN if current is None or current.value is None else current.value
    return [*problems, *run_conditions(context, request, "postcondition", as_warning=False, self_value=self_value)]


def _check_storable(context: NodeContext, request: DataApply, state: InstanceObject | None) -> list[Diagnostic]:
    """Report an ephemeral argument. Planning rejects those that it can see; one that appears only now is not noticed
    until the state cannot be written, a quirk of the original that is kept on purpose."""
    if state is None or state.value is None:
        return []
    for path, marks in marks_by_path(state.value):
        if EPHEMERAL in marks:
            return [
                error(
                    f"failed to encode {request.address} in state: {path_text(path)}: cannot serialize value marked as "
                    "cty.NewValueMarks(marks.Ephemeral) for inclusion in a state snapshot (this is a bug in "
                    f"{context.flavour.product})"
                )
            ]
    return []


async def _apply_reading(
    context: NodeContext, request: DataApply, change: ResourceChange
) -> tuple[InstanceObject | None, list[Diagnostic]]:
    schema = resource_schema(context, request.provider, request.address.resource)
    assert schema is not None
    problems = run_conditions(context, request, "precondition", as_warning=False)
    if has_errors(problems):
        return None, problems
    if change.action is Action.NO_OP:
        return None, problems
    config, found = decode_body(request.scope(context), request.block.body, schema.block)
    if not has_errors(found) and context.flavour.evaluation_refuses_ephemeral_values:
        # The original does not say here which argument it is.
        unplaced = ephemeral_problems(config, schema.block, context.flavour)
        found = [*found, *(replace(problem, attribute=None) for problem in unplaced)]
    problems += found
    if has_errors(found):
        return None, problems
    value, found = await _read(context, request, config, schema.block)
    problems += found
    _report_nested(context, request, problems)
    failed = has_errors(problems)
    if request.block.check is not None:
        problems = _as_warnings(problems)
    return (None if failed else InstanceObject(ObjectStatus.READY, value, schema_version=schema.version)), problems
