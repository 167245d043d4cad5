"""Resources that have no objects at the end of an apply that deleted their last one or failed to create any."""

from __future__ import annotations

from collections.abc import Callable

from shared_nodes.addresses.resource import AbsResource
from shared_nodes.state.model import State

__all__ = ["forget_emptied"]


def forget_emptied(working: State, is_expanded_later: Callable[[AbsResource], bool]) -> None:
    """Drop the records of resources that were emptied and are not expanded later.

    Deleting the last object drops the record of a resource, and so does a failed creation; expanding the resource
    creates a record. If the expansion depends on the deletion, a record without instances stays in the state. If the
    two are not ordered, the later one decides in the original: usually the deletion, which waits for a provider. Here
    it is always the deletion. `is_expanded_later` is expensive, so it is only called for such records.
    """
    for address in [address for address, resource in working.resources.items() if not resource.instances]:
        if address in working.emptied and not is_expanded_later(address):
            del working.resources[address]
