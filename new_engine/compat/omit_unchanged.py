"""A plan of changes only (C05): unchanged objects are not listed.

Still listed are unchanged objects at a new address, objects from an import, and objects whose conditions have to be
checked again, because what is listed is what is checked.
"""

from __future__ import annotations

from shared_nodes.context.node_context import NodeContext
from shared_nodes.plan.change import Action, ResourceChange

__all__ = ["omit_unchanged"]


def omit_unchanged(context: NodeContext) -> None:
    """Called after everything was planned: until then the planned changes are needed. Expressions see the object itself
    instead of what was planned for it."""
    for change in list(context.changes.resources.values()):
        if _is_omitted(context, change):
            context.changes.discard(change.address)
            context.working.put(change.address, change.provider, context.refreshed.current(change.address))


def _is_omitted(context: NodeContext, change: ResourceChange) -> bool:
    if change.action is not Action.NO_OP or change.deposed is not None:
        return False
    if change.previous_address != change.address or change.importing is not None:
        return False
    block = context.config.resource(change.address.config)
    return block is None or not block.lifecycle.has_conditions
