"""Resources whose last object an apply has deleted and not replaced, because something failed in between."""

from __future__ import annotations

from collections.abc import Callable

from shared_nodes.addresses.resource import AbsResource
from shared_nodes.plan.plan import Plan
from shared_nodes.state.model import State

__all__ = ["forget_emptied"]


def forget_emptied(working: State, plan: Plan, is_expanded_later: Callable[[AbsResource], bool]) -> None:
    """Deleting the last object drops the record of a resource; looking how many instances there are to be makes one.
    Where the second waits for the first, in whatever way, a record without instances stays in the state. Where the two
    are not ordered, in the original the last to come decides: as a rule the deletion, which waits for a provider. Here
    it always is. `is_expanded_later` is asked only about records in question, since finding out is not cheap."""
    for address, resource in list(working.resources.items()):
        if resource.instances:
            continue
        changes = plan.changes.of_resource(address)
        is_replaced = changes is not None and any(change.action.is_replace for change in changes.objects.values())
        if is_replaced and not is_expanded_later(address):
            del working.resources[address]
