"""Ephemeral resources: opened when first needed in a walk, renewed while they are open, closed at its end, never
stored.

Their values only exist in the working state of the walk, where expressions find them like those of other resources.
"""

from __future__ import annotations

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.renewal import Renewal
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.nodes.provider.diagnostics import attributed, deferral_problems
from shared_nodes.nodes.resource.instance import (
    PROVIDER_BUG,
    DeclaredInstance,
    resource_schema,
    run_conditions,
)
from shared_nodes.plan.change import Action
from shared_nodes.plan.events import Event, EventType
from shared_nodes.providers.schema import SchemaBlock, implied_type
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.state.object_values import mark_sensitive
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.paths import mark_at_paths, strip_marks
from shared_nodes.values.text import quoted
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, unknown

__all__ = ["EphemeralOpen", "close_ephemeral", "open_ephemeral"]


@record
class EphemeralOpen(DeclaredInstance):
    """One instance of an `ephemeral` block."""


async def open_ephemeral(context: NodeContext, request: EphemeralOpen) -> list[Diagnostic]:
    """Open the resource. If its configuration is not known yet, nothing is opened and the result is unknown."""
    schema = resource_schema(context, request.provider, request.address.resource)
    assert schema is not None
    problems = run_conditions(context, request, "precondition", as_warning=False)
    if has_errors(problems):
        return problems
    config, found = decode_body(request.scope(context), request.block.body, schema.block)
    problems += found
    if has_errors(problems):
        return problems
    if config.is_wholly_known:
        value, private, found = await _open(context, request, config, schema.block)
        problems += found
        if value is None or has_errors(problems):
            return problems
    else:
        value, private = unknown(implied_type(schema.block)), b""
    opened = InstanceObject(ObjectStatus.READY, value.mark(EPHEMERAL), private=private, schema_version=schema.version)
    context.working.put(request.address, request.provider, opened)
    self_value = opened.value or DYNAMIC_UNKNOWN
    found = run_conditions(context, request, "postcondition", as_warning=False, self_value=self_value)
    return [*problems, *found]


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
    value = answer.value
    if not has_errors(problems) and (value is None or value.is_null):
        problems.append(_report_null(context, request))
        if context.flavour.null_ephemerals_are_closed:
            closed = await provider.close_ephemeral(address.resource.type, answer.private)
            problems += attributed(closed, body, address)
    if has_errors(problems) or value is None:
        context.events.emit(Event(EventType.EPHEMERAL_ERRORED, address, Action.OPEN))
        return None, b"", problems
    context.events.emit(Event(EventType.EPHEMERAL_COMPLETE, address, Action.OPEN))
    if answer.renew_at is not None:
        context.renewals[address] = Renewal(context.world, context.events, address, provider)
        context.renewals[address].begin(answer.private, answer.renew_at)
    return mark_sensitive(mark_at_paths(value, marks), schema), answer.private, problems


def _report_null(context: NodeContext, request: EphemeralOpen) -> Diagnostic:
    source = request.provider.source
    summary, name = "Provider produced invalid object", f'"{source}"'
    if context.flavour.null_ephemerals_are_closed:
        summary, name = "Provider produced null object", quoted(f"provider[{quoted(str(source))}]")
    return error(summary, f"Provider {name} produced a null value for {request.address}.\n\n{PROVIDER_BUG}")


async def close_ephemeral(context: NodeContext, address: AbsResourceInstance) -> list[Diagnostic]:
    """Close the resource with the provider that has opened it, even while a run is being stopped."""
    opened, provider = context.working.current(address), context.working.provider_of(address)
    context.working.forget(address)
    if provider is None or opened is None or opened.value is None or not opened.value.is_known:
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
