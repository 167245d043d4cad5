"""Orphans: instances in the state that the configuration does not declare (any more)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.resource.plan_destroy import StoredInstance, check_prevent_destroy, plan_removal
from shared_nodes.nodes.resource.refresh import Refresh, refresh_object
from shared_nodes.nodes.resource.upgrade import current_object
from shared_nodes.plan.change import ActionReason

__all__ = ["OrphanPlan", "delete_reason", "plan_orphan"]


@dataclass(frozen=True, slots=True)
class OrphanPlan(StoredInstance):
    """An orphan whose removal is planned. If `forget` is set, a `removed` block says that it is forgotten instead of
    destroyed."""

    forget: bool = False


async def plan_orphan(context: NodeContext, request: OrphanPlan) -> list[Diagnostic]:
    """Plan to destroy an object that still exists; one that is gone is only removed from the state. Data is dropped
    silently.

    A quirk of the original kept on purpose: unlike for a deposed object, the removal is planned before the object is
    read. So a provider may refuse to delete an object that has changed since, or in a refresh-only plan, and the change
    shows the object as it was stored.
    """
    address, provider = request.address, request.provider
    if address.resource.mode is not ResourceMode.MANAGED:
        context.refreshed.put(address, provider, None)
        context.working.put(address, provider, None)
        return []
    current, problems = await current_object(context, address, provider, context.working.current(address))
    if has_errors(problems):
        return problems
    context.previous.put(address, provider, current)
    context.refreshed.put(address, provider, current)
    change, found = await plan_removal(context, request, current, forget=request.forget)
    problems += found
    if change is None:
        return problems
    if context.options.refresh and not request.forget:
        current, found = await refresh_object(context, Refresh(address, provider, request.body), current)
        problems += found
        if has_errors(problems):
            return problems
        context.refreshed.put(address, provider, current)
    if context.options.refresh_only or current is None or (current.value is not None and current.value.is_null):
        context.working.put(address, provider, current)
        return problems
    change = replace(change, reason=delete_reason(context, request))
    context.changes.record(change)
    problems += check_prevent_destroy(request.block, change, context.flavour)
    if not has_errors(problems):
        context.working.put(address, provider, None)
    return problems


def delete_reason(context: NodeContext, request: StoredInstance) -> ActionReason:
    """Return why an instance is not declared: the first of several possible reasons, from the outside in."""
    address, block = request.address, request.block
    if block is None:
        moved = request.previous_address not in (None, address)
        return ActionReason.DELETE_NO_MOVE_TARGET if moved else ActionReason.DELETE_NO_RESOURCE_CONFIG
    if not context.expander.has_module(address.module):
        return ActionReason.DELETE_NO_MODULE
    key_fits = {
        None: address.key is None,
        "count": isinstance(address.key, int),
        "for_each": isinstance(address.key, str),
    }
    if not key_fits[block.repetition]:
        return ActionReason.DELETE_WRONG_REPETITION
    reasons = {"count": ActionReason.DELETE_COUNT_INDEX, "for_each": ActionReason.DELETE_EACH_KEY}
    repetition = context.expander.known_resource(address.containing)
    wanted = repetition is None or address.key in repetition.keys
    return ActionReason.NONE if block.repetition is None or wanted else reasons[block.repetition]
