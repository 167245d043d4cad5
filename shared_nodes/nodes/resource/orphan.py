"""Orphans: instances in the state that the configuration does not declare (any more)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.resource.plan_destroy import StoredInstance, plan_removal
from shared_nodes.nodes.resource.prevent_destroy import check_prevent_destroy
from shared_nodes.nodes.resource.refresh import Refresh, refresh_object
from shared_nodes.nodes.resource.removal import decide_removal, forgotten_warning
from shared_nodes.nodes.resource.upgrade import current_object
from shared_nodes.plan.change import ActionReason, ResourceChange
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject

__all__ = ["OrphanPlan", "delete_reason", "plan_orphan"]


@record
class OrphanPlan(StoredInstance):
    """An orphan whose removal is planned."""


class _Planned(NamedTuple):
    """The removal, and the object as it is now. `change` is None if there is nothing to remove, or after errors."""

    change: ResourceChange | None
    current: InstanceObject | None
    problems: list[Diagnostic]


async def plan_orphan(context: NodeContext, request: OrphanPlan) -> list[Diagnostic]:
    """Plan to destroy or forget an object that still exists; one that is gone is only removed from the state. Data is
    dropped silently."""
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
    plan = _read_and_plan if context.flavour.removed_objects_are_read_first else _plan_and_read
    change, current, found = await plan(context, request, current)
    problems += found
    if has_errors(problems):
        return problems
    if change is None:
        context.working.put(address, provider, current)
        return problems
    if change.reason is ActionReason.NONE:
        change = replace(change, reason=delete_reason(context, request))
    context.changes.record(change)
    problems += check_prevent_destroy(context, request.block, change)
    if not has_errors(problems):
        context.working.put(address, provider, None)
    return problems


async def _read_and_plan(context: NodeContext, request: OrphanPlan, current: InstanceObject | None) -> _Planned:
    current, problems = await _read(context, request, current)
    if has_errors(problems) or _is_nothing_to_plan(context, current):
        return _Planned(None, current, problems)
    removal, found = decide_removal(request.block, current, request.removed_destroys)
    problems += found
    if has_errors(problems):
        return _Planned(None, current, problems)
    if removal.forgets:
        problems += forgotten_warning(request.address, context.flavour)
    change, found = await plan_removal(context, request, current, removal=removal)
    return _Planned(change, current, [*problems, *found])


async def _plan_and_read(context: NodeContext, request: OrphanPlan, current: InstanceObject | None) -> _Planned:
    """Plan the removal before the object is read, a quirk of the original kept on purpose. So a provider may refuse to
    delete an object that has changed since, or in a refresh-only plan, and the change shows the object as it was
    stored."""
    removal, problems = decide_removal(request.block, current, request.removed_destroys)
    change, found = await plan_removal(context, request, current, removal=removal)
    problems += found
    if change is not None and not removal.forgets:
        current, found = await _read(context, request, current)
        problems += found
    return _Planned(None if _is_nothing_to_plan(context, current) else change, current, problems)


async def _read(
    context: NodeContext, request: OrphanPlan, current: InstanceObject | None
) -> tuple[InstanceObject | None, list[Diagnostic]]:
    if not context.options.refresh:
        return current, []
    address, provider = request.address, request.provider
    current, problems = await refresh_object(context, Refresh(address, provider, request.body), current)
    if not has_errors(problems):
        context.refreshed.put(address, provider, current)
    return current, problems


def _is_nothing_to_plan(context: NodeContext, current: InstanceObject | None) -> bool:
    is_gone = current is None or (current.value is not None and current.value.is_null)
    return context.options.refresh_only or is_gone


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
    if block.enabled is not None and address.key is None:
        return ActionReason.DELETE_ENABLED_FALSE
    reasons = {"count": ActionReason.DELETE_COUNT_INDEX, "for_each": ActionReason.DELETE_EACH_KEY}
    repetition = context.expander.known_resource(address.containing)
    wanted = repetition is None or address.key in repetition.keys
    return ActionReason.NONE if block.repetition is None or wanted else reasons[block.repetition]
