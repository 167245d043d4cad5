"""Pending changes: why data is not read, and an ephemeral resource not opened, before the changes are applied."""

from __future__ import annotations

from collections.abc import Iterable

from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.context.node_context import NodeContext
from shared_nodes.plan.change import Action

__all__ = ["has_pending_changes"]


def has_pending_changes(
    context: NodeContext, address: AbsResourceInstance, dependencies: Iterable[ConfigResource]
) -> bool:
    """Whether a dependency of an instance has a pending change. Dependencies are known by block, not by instance.
    Changes in other instances of the module that contains the instance cannot affect it; all others might. Resources of
    its own mode change nothing, so they are no reason to wait. Deposed objects do not count: they cannot be referred
    to, and their plans are not ordered with this one."""
    mode = address.resource.mode
    blocks = {dependency for dependency in dependencies if dependency.resource.mode is not mode}
    if not blocks:
        return False
    return any(
        change.action is not Action.NO_OP
        and change.deposed is None
        and change.address.config in blocks
        and (change.address.module == address.module or change.address.module.path != address.module.path)
        for change in context.changes.resources.values()
    )
