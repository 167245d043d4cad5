"""Keys of deposed objects."""

from __future__ import annotations

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.state.model import State
from shared_nodes.world import World

__all__ = ["new_deposed_key"]


def new_deposed_key(world: World, state: State, address: AbsResourceInstance) -> str:
    """One that no object of the instance has yet: under a key given twice, the first object would be forgotten."""
    instance = state.instance(address)
    taken = {} if instance is None else instance.deposed
    while (key := world.random_bytes(4).hex()) in taken:
        pass
    return key
