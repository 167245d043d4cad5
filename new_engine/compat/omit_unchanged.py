"""A plan of changes only (C05): what stays as it is, is not listed.

Listed all the same is an object that stays as it is at another address, or comes from an import; and one whose
conditions have to be looked at again, which is done by what the plan lists.
"""

from __future__ import annotations

from shared_nodes.context.node_context import NodeContext
from shared_nodes.plan.change import Action, ResourceChange

__all__ = ["omit_unchanged"]


def omit_unchanged(context: NodeContext) -> None:
    """After everything was planned: until then others ask what became of it. Expressions see the object itself, in
    place of what was planned for it."""
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
