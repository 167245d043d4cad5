"""Ephemeral resources: opened when first needed in a walk, renewed while they are open, closed at its end, never
stored.

Their values only exist in the working state of the walk, where expressions find them like those of other resources.
One that cannot be opened yet is there as a planned object.
"""

from __future__ import annotations

from dataclasses import replace

from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.renewal import Renewal
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.nodes.provider.conformance import plan_problems
from shared_nodes.nodes.provider.diagnostics import attributed, deferral_problems
from shared_nodes.nodes.resource.instance import (
    PROVIDER_BUG,
    DeclaredInstance,
    resource_schema,
    run_conditions,
    self_references,
)
from shared_nodes.nodes.resource.pending import has_pending_changes
from shared_nodes.nodes.resource.proposed import planned_data_value
from shared_nodes.plan.change import Action
from shared_nodes.plan.events import Event, EventType
from shared_nodes.providers.schema import SchemaBlock, implied_type
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.state.object_values import mark_sensitive
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.paths import mark_at_paths, strip_marks
from shared_nodes.values.stored import unknown_as_null
from shared_nodes.values.text import quoted
from shared_nodes.values.value import Value, null, unknown

__all__ = ["EphemeralOpen", "close_ephemeral", "open_ephemeral"]


@record
class EphemeralOpen(DeclaredInstance):
    """One instance of an `ephemeral` block. For planning, `dependencies` and `waits_for` are those of data
    (`DataPlan`); when changes are applied, nothing is pending."""

    dependencies: tuple[ConfigResource, ...] = ()
    waits_for: tuple[ConfigResource, ...] = ()


async def open_ephemeral(context: NodeContext, request: EphemeralOpen) -> list[Diagnostic]:
    """Open the resource, or plan it if it cannot be opened yet."""
    schema = resource_schema(context, request.provider, request.address.resource)
    assert schema is not None
    as_warning = context.flavour.ephemerals_are_planned_like_data and (
        context.options.refresh_only or context.options.pre_destroy_refresh
    )
    planned_like_data = context.flavour.ephemerals_are_planned_like_data and context.operation.is_planning
    problems = self_references(request, schema.block) if planned_like_data else []
    if not has_errors(problems):
        problems += run_conditions(context, request, "precondition", as_warning=as_warning)
    if has_errors(problems):
        return problems
    config, found = decode_body(request.scope(context), request.block.body, schema.block)
    problems += found
    if has_errors(problems):
        return problems
    if _must_wait(context, request, config):
        status, private = ObjectStatus.PLANNED, b""
        value: Value | None = _planned_value(context, config, schema.block)
    else:
        status = ObjectStatus.READY
        value, private, found = await _open(context, request, config, schema.block)
        problems += found
    if value is None or has_errors(problems):
        return problems
    seen = value.mark(EPHEMERAL)
    opened = InstanceObject(status, seen, private=private, schema_version=schema.version)
    context.working.put(request.address, request.provider, opened)
    return [*problems, *run_conditions(context, request, "postcondition", as_warning=as_warning, self_value=seen)]


def _must_wait(context: NodeContext, request: EphemeralOpen, config: Value) -> bool:
    if not config.is_wholly_known:
        return True
    if not context.flavour.ephemerals_are_planned_like_data:
        return False
    waits_for = request.dependencies if request.block.lifecycle.has_conditions else request.waits_for
    return has_pending_changes(context, request.address, waits_for)


def _planned_value(context: NodeContext, config: Value, schema: SchemaBlock) -> Value:
    """Return what expressions see of a resource that is not open: nothing, or what is configured. OpenTofu keeps it in
    a state, which has no unknown values, and takes every null for unknown that the provider may compute. So an argument
    that only the configuration can set is null while it is unknown."""
    if not context.flavour.ephemerals_are_planned_like_data or context.options.refresh_only:
        return unknown(implied_type(schema))
    plain, marks = strip_marks(config)
    stored = unknown_as_null(planned_data_value(schema, plain))
    return mark_at_paths(planned_data_value(schema, stored), marks)


async def _open(
    context: NodeContext, request: EphemeralOpen, config: Value, schema: SchemaBlock
) -> tuple[Value | None, bytes, list[Diagnostic]]:
    address, body = request.address, request.block.body
    provider = context.provider_of(request.provider)
    plain, marks = strip_marks(config)
    problems = attributed(await provider.validate_ephemeral_config(address.resource.type, plain), body, address)
    if has_errors(problems):
        return None, b"", problems
    context.events.emit(Event(EventType.EPHEMERAL_START, address, Action.OPEN))
    answer = await provider.open_ephemeral(address.resource.type, plain)
    problems += attributed(answer.problems, body, address)
    problems += deferral_problems(answer.deferred, address, context.flavour)
    value = answer.value if answer.value is not None else null(plain.type)
    if not has_errors(problems):
        unfit = _check_opened(context, request, schema, plain, value)
        problems += unfit
        if unfit and context.flavour.unfit_ephemerals_are_closed:
            closed = await provider.close_ephemeral(address.resource.type, answer.private)
            problems += attributed(closed, body, address)
    if has_errors(problems):
        context.events.emit(Event(EventType.EPHEMERAL_ERRORED, address, Action.OPEN))
        return None, b"", problems
    context.events.emit(Event(EventType.EPHEMERAL_COMPLETE, address, Action.OPEN))
    if answer.renew_at is not None:
        context.renewals[address] = Renewal(context.world, context.events, address, provider)
        context.renewals[address].begin(answer.private, answer.renew_at)
    return mark_sensitive(mark_at_paths(value, marks), schema), answer.private, problems


def _check_opened(
    context: NodeContext, request: EphemeralOpen, schema: SchemaBlock, config: Value, opened: Value
) -> list[Diagnostic]:
    """Check what the provider has opened. Terraform compares it with the configuration, as it does with a plan."""
    address = request.address
    if not context.flavour.unfit_ephemerals_are_closed:
        summary = "Provider produced invalid ephemeral resource instance"
        start = f"The provider for {address.resource.type} produced an inconsistent result"
        found = plan_problems(schema, null(config.type), config, opened)
        return [replace(error(summary, f"{start}: {problem}."), address=str(address)) for problem in found]
    name = quoted(f"provider[{quoted(str(request.provider.source))}]")
    if opened.is_null:
        detail = f"Provider {name} produced a null value for {address}.\n\n{PROVIDER_BUG}"
        return [error("Provider produced null object", detail)]
    if not opened.is_wholly_known:
        detail = f"Provider {name} produced a value for {address} that is not wholly known.\n\n{PROVIDER_BUG}"
        return [error("Provider produced invalid object", detail)]
    return []


async def close_ephemeral(context: NodeContext, address: AbsResourceInstance) -> list[Diagnostic]:
    """Close the resource with the provider that has opened it, even while a run is being stopped."""
    opened, provider = context.working.current(address), context.working.provider_of(address)
    context.working.forget(address)
    if provider is None or opened is None or opened.status is ObjectStatus.PLANNED:
        return []
    renewal = context.renewals.pop(address, None)
    if renewal is not None:
        await renewal.end()
    context.events.emit(Event(EventType.EPHEMERAL_START, address, Action.CLOSE))
    answer = await context.provider_of(provider).close_ephemeral(address.resource.type, opened.private)
    block = context.config.resource(address.config)
    problems = attributed(answer, None if block is None else block.body, address)
    kind = EventType.EPHEMERAL_ERRORED if has_errors(problems) else EventType.EPHEMERAL_COMPLETE
    context.events.emit(Event(kind, address, Action.CLOSE))
    return problems
