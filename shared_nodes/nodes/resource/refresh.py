"""Refreshing: asking a provider to read an object that it created."""

from __future__ import annotations

from dataclasses import replace

from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Body
from shared_nodes.nodes.provider.diagnostics import attributed, deferral_problems
from shared_nodes.nodes.provider.meta import provider_meta
from shared_nodes.nodes.resource.instance import (
    PROVIDER_BUG,
    announce,
    identified,
    known_identity,
    resource_schema,
    sent_identity,
)
from shared_nodes.plan.events import Event, EventType
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject
from shared_nodes.state.object_values import mark_sensitive
from shared_nodes.values.paths import mark_at_paths, strip_marks
from shared_nodes.values.stored import unknown_as_null
from shared_nodes.values.text import quoted
from shared_nodes.values.value import Value

__all__ = ["Refresh", "refresh_object"]


@record
class Refresh:
    """An object to be read. `body` is that of its block, or None if it has no block any more."""

    address: AbsResourceInstance
    provider: ProviderInstance
    body: Body | None = None
    deposed: str | None = None


async def refresh_object(
    context: NodeContext, request: Refresh, known: InstanceObject | None
) -> tuple[InstanceObject | None, list[Diagnostic]]:
    """Return the object as it is now, or None if it is gone. If reading fails, return the object as it was known.

    Marks cannot be read back, so the new value gets those of the old one and those of the schema. Unknown values, if
    they are accepted at all, become null. An identity that the provider does not repeat is lost.
    """
    if known is None or known.value is None:
        return known, []
    address = request.address
    value, marks = strip_marks(known.value)
    meta, problems = provider_meta(context, address, request.provider)
    if has_errors(problems):
        return known, problems
    problems += announce(context, _event(EventType.REFRESH_START, request, known.value))
    if has_errors(problems):
        return known, problems
    provider = context.provider_of(request.provider)
    sent, found = sent_identity(context, request.provider, address.resource, known.identity)
    problems += found
    if has_errors(problems):
        return known, problems
    answer = await provider.read(address.resource.type, value, known.private, meta, sent)
    problems += attributed(answer.problems, request.body, address)
    problems += deferral_problems(answer.deferred, address, context.flavour)
    problems += _unknown_problems(context, request, answer.value)
    if has_errors(problems):
        return known, problems
    problems += announce(context, _event(EventType.REFRESH_COMPLETE, request, answer.value))
    if answer.value is None or answer.value.is_null:
        return None, problems
    schema = resource_schema(context, request.provider, address.resource)
    assert schema is not None
    read = mark_sensitive(mark_at_paths(unknown_as_null(answer.value), marks), schema.block)
    identity = known_identity(context, request.provider, address.resource, answer.identity)
    return replace(known, value=read, private=answer.private, identity=identity), problems


def _unknown_problems(context: NodeContext, request: Refresh, value: Value | None) -> list[Diagnostic]:
    if value is None or value.is_wholly_known or not context.flavour.refreshed_objects_must_be_known:
        return []
    detail = (
        f"Provider {quoted(str(request.provider.source))} planned an invalid value for {request.address} during "
        f"refresh: The returned state contains unknown values.\n\n{PROVIDER_BUG}"
    )
    return [error("Provider produced invalid object", detail)]


def _event(kind: EventType, request: Refresh, value: Value | None) -> Event:
    return identified(Event(kind, request.address, deposed=request.deposed), value)
