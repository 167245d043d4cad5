"""Forgetting objects: they are removed from the state, and are not destroyed."""

from __future__ import annotations

from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.resource.instance import record_change
from shared_nodes.nodes.resource.upgrade import current_object
from shared_nodes.record import record

__all__ = ["ForgetDeposedRequest", "ForgetRequest", "forget_deposed", "forget_instance"]


@record
class ForgetRequest:
    address: AbsResourceInstance


@record
class ForgetDeposedRequest:
    address: AbsResourceInstance
    provider: ProviderInstance
    deposed: str


async def forget_instance(context: NodeContext, request: ForgetRequest) -> list[Diagnostic]:
    """Forget all objects of the instance, deposed ones included. The current object is read first, although it is not
    used: an object that cannot be read cannot be forgotten either."""
    provider = context.working.provider_of(request.address)
    if provider is not None:
        current = context.working.current(request.address)
        _, problems = await current_object(context, request.address, provider, current)
        if has_errors(problems):
            return problems
    context.working.forget(request.address)
    return record_change(context)


async def forget_deposed(context: NodeContext, request: ForgetDeposedRequest) -> list[Diagnostic]:
    """Forget a deposed object. It is taken from the refreshed state of the plan: forgetting the whole instance, which
    is not ordered with this, may have removed it from the working state already, and the calls to the provider must not
    depend on which runs first."""
    instance = context.refreshed.instance(request.address)
    stored = None if instance is None else instance.deposed.get(request.deposed)
    _, problems = await current_object(context, request.address, request.provider, stored)
    if has_errors(problems):
        return problems
    context.working.put_deposed(request.address, request.deposed, request.provider, None)
    return record_change(context)
