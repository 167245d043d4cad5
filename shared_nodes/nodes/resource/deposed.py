"""Deposed objects: predecessors of objects that were created before the predecessor could be destroyed.

They are no longer needed, so their removal is planned whenever they are found, without checking prevent_destroy: that
was checked when the replacement was planned.
"""

from __future__ import annotations

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.resource.plan_destroy import StoredInstance, plan_removal
from shared_nodes.nodes.resource.refresh import Refresh, refresh_object
from shared_nodes.nodes.resource.removal import decide_removal, forgotten_warning
from shared_nodes.nodes.resource.upgrade import current_object
from shared_nodes.record import record
from shared_nodes.state.model import State
from shared_nodes.world import World

__all__ = ["DeposedPlan", "new_deposed_key", "plan_deposed"]


@record
class DeposedPlan(StoredInstance):
    """A deposed object whose removal is planned."""

    deposed: str = ""


async def plan_deposed(context: NodeContext, request: DeposedPlan) -> list[Diagnostic]:
    address, provider, key = request.address, request.provider, request.deposed
    instance = context.working.instance(address)
    stored = None if instance is None else instance.deposed.get(key)
    current, problems = await current_object(context, address, provider, stored)
    if has_errors(problems):
        return problems
    context.previous.put_deposed(address, key, provider, current)
    context.refreshed.put_deposed(address, key, provider, current)
    removal, problems_of_block = decide_removal(request.block, current, request.removed_destroys)
    is_read = context.flavour.removed_objects_are_read_first or not removal.forgets
    if is_read and context.options.refresh and context.operation is not Operation.PLAN_DESTROY:
        refresh = Refresh(address, provider, request.body, key)
        current, found = await refresh_object(context, refresh, current)
        problems += found
        if has_errors(problems):
            return problems
        context.refreshed.put_deposed(address, key, provider, current)
    if context.options.refresh_only:
        context.working.put_deposed(address, key, provider, current)
        return problems
    problems += problems_of_block
    if has_errors(problems):
        return problems
    if removal.forgets:
        problems += forgotten_warning(address, context.flavour)
    change, found = await plan_removal(context, request, current, deposed=key, removal=removal)
    problems += found
    if change is not None:
        context.changes.record(change)
        context.working.put_deposed(address, key, provider, None)
    return problems


def new_deposed_key(world: World, state: State, address: AbsResourceInstance) -> str:
    """Return a key that no object of the instance has yet: reusing a key would lose the first object."""
    instance = state.instance(address)
    taken = {} if instance is None else instance.deposed
    while (key := world.random_bytes(4).hex()) in taken:
        pass
    return key
