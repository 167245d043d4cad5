"""Resources whose last object an apply has deleted, or could not create, and that have none when it ends."""

from __future__ import annotations

from collections.abc import Callable

from shared_nodes.addresses.resource import AbsResource
from shared_nodes.state.model import State

__all__ = ["forget_emptied"]


def forget_emptied(working: State, is_expanded_later: Callable[[AbsResource], bool]) -> None:
    """Deleting the last object drops the record of a resource, and so does a creation that comes to nothing; looking
    how many instances there are to be makes one. Where the second waits for the first, in whatever way, a record
    without instances stays in the state. Where the two are not ordered, in the original the last to come decides: as a
    rule the deletion, which waits for a provider. Here it always is. `is_expanded_later` is asked only about records
    in question, since finding out is not cheap."""
    for address in [address for address, resource in working.resources.items() if not resource.instances]:
        if address in working.emptied and not is_expanded_later(address):
            del working.resources[address]
