"""A plan of changes only (C05): unchanged objects are not listed.

Three kinds of unchanged objects are still listed: those at a new address, those from an import, and those whose
conditions have to be checked again, because only listed objects are checked.
"""

from __future__ import annotations

from shared_nodes.context.node_context import NodeContext
from shared_nodes.plan.change import Action, ResourceChange

__all__ = ["omit_unchanged"]


def omit_unchanged(context: NodeContext) -> None:
    """Drop the changes that do nothing. This is called after everything was planned, because until then the planned
    changes are needed. Expressions see the object itself instead of what was planned for it."""
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
