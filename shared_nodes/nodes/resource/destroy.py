"""Destroying objects: planning it for everything in destroy mode, and applying it."""

from __future__ import annotations

from dataclasses import replace

from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.config.blocks import ProvisionerBlock, ProvisionerWhen
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.lang.tree import Body
from shared_nodes.nodes.resource.instance import announce, identified, record_change
from shared_nodes.nodes.resource.plan_destroy import StoredInstance, plan_removal
from shared_nodes.nodes.resource.prevent_destroy import check_prevent_destroy
from shared_nodes.nodes.resource.provider_apply import ProviderApply, apply_change
from shared_nodes.nodes.resource.provisioner import run_provisioners
from shared_nodes.nodes.resource.removal import decide_removal
from shared_nodes.nodes.resource.upgrade import current_object
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.plan.events import Event, EventType
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.values.types import DYNAMIC
from shared_nodes.values.value import null

__all__ = [
    "DestroyDeposedRequest",
    "DestroyPlan",
    "DestroyRequest",
    "destroy_deposed",
    "destroy_instance",
    "plan_destroy_instance",
]


@record
class DestroyPlan(StoredInstance):
    """A current object, in destroy mode."""


@record
class DestroyRequest(StoredInstance):
    """The current object of an instance. Its provisioners may come from a `removed` block instead of its own."""

    provisioners: tuple[ProvisionerBlock, ...] = ()
    connection: Body | None = None


@record
class DestroyDeposedRequest(StoredInstance):
    deposed: str = ""


async def plan_destroy_instance(context: NodeContext, request: DestroyPlan) -> list[Diagnostic]:
    """Plan to destroy an object. It is not refreshed: the normal plan made before has done that. Without refreshing,
    the upgraded object is recorded here instead."""
    address, provider = request.address, request.provider
    if address.resource.mode is not ResourceMode.MANAGED:
        nothing = null(DYNAMIC)
        previous = request.previous_address or address
        context.changes.record(ResourceChange(address, previous, provider, Action.DELETE, nothing, nothing))
        return []
    current, problems = await current_object(context, address, provider, context.working.current(address))
    if has_errors(problems):
        return problems
    if not context.options.refresh:
        context.previous.put(address, provider, current)
        context.refreshed.put(address, provider, current)
    removal, found = decide_removal(request.block, current)
    problems += found
    if has_errors(problems):
        return problems
    change, found = await plan_removal(context, request, current, removal=removal)
    problems += found
    if change is None:
        return problems
    context.changes.record(change)
    return [*problems, *check_prevent_destroy(context, request.block, change)]


async def destroy_instance(context: NodeContext, request: DestroyRequest) -> list[Diagnostic]:
    """Apply a planned delete, or the deleting half of a replacement."""
    address, provider = request.address, request.provider
    if address.resource.mode is not ResourceMode.MANAGED:
        context.working.put(address, provider, None)
        return record_change(context)
    planned = context.changes.of(address)
    current, problems = await current_object(context, address, provider, context.working.current(address))
    if has_errors(problems) or planned is None or current is None:
        return problems
    identity = planned.after_identity if planned.action is Action.DELETE else None
    change = replace(planned, action=Action.DELETE, after=null(planned.before.type), after_identity=identity)
    problems += announce(context, _start_event(change))
    if has_errors(problems):
        return problems
    if current.status is not ObjectStatus.TAINTED:
        problems += await _run_provisioners(context, request, current)
        if has_errors(problems):
            return [*problems, *announce(context, _end_event(change, current, failed=True))]
    kept, found = await apply_change(context, ProviderApply(change, current))
    problems += found
    context.working.put(address, provider, kept)
    problems += announce(context, _end_event(change, kept, failed=has_errors(problems)))
    return [*problems, *record_change(context)]


async def _run_provisioners(context: NodeContext, request: DestroyRequest, current: InstanceObject) -> list[Diagnostic]:
    assert current.value is not None
    return await run_provisioners(context, request.address, request, ProvisionerWhen.DESTROY, current.value)


async def destroy_deposed(context: NodeContext, request: DestroyDeposedRequest) -> list[Diagnostic]:
    """Destroy a deposed object. Unlike for a current object, the provider plans the delete again, and provisioners
    never run. Whatever is left keeps its key. After a failure no end event is emitted."""
    address, provider, key = request.address, request.provider, request.deposed
    instance = context.working.instance(address)
    stored = None if instance is None else instance.deposed.get(key)
    current, problems = await current_object(context, address, provider, stored)
    if has_errors(problems) or current is None:
        return problems
    change, found = await plan_removal(context, request, current, deposed=key)
    problems += found
    if change is None:
        return problems
    problems += announce(context, _start_event(change))
    if has_errors(problems):
        return problems
    kept, found = await apply_change(context, ProviderApply(change, current))
    problems += found
    context.working.put_deposed(address, key, provider, kept)
    if not has_errors(problems):
        problems += announce(context, _end_event(change, kept, failed=False))
        return [*problems, *record_change(context)]
    context.events.state_changed()
    return problems


def _start_event(change: ResourceChange) -> Event:
    event = Event(EventType.APPLY_START, change.address, Action.DELETE, deposed=change.deposed)
    return identified(event, change.before)


def _end_event(change: ResourceChange, kept: InstanceObject | None, *, failed: bool) -> Event:
    kind = EventType.APPLY_ERRORED if failed else EventType.APPLY_COMPLETE
    event = Event(kind, change.address, Action.DELETE, deposed=change.deposed)
    return event if failed or kept is None else identified(event, kept.value)
