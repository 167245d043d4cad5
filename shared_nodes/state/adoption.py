"""Takes over states that another product has written."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import Flavour
from shared_nodes.state.model import State

__all__ = ["adopt_providers"]


def adopt_providers(state: State, required: Collection[ProviderSource], flavour: Flavour) -> State:
    """Return the state with providers of the other product's registry replaced by those of the flavour's own. A
    provider that the configuration requires from the other registry stays as it is."""
    foreign = {
        address: resource.provider
        for address, resource in state.resources.items()
        if resource.provider.source.host == flavour.adopted_registry and resource.provider.source not in required
    }
    if not foreign:
        return state
    adopted = state.copy()
    for address, provider in foreign.items():
        source = replace(provider.source, host=flavour.registry)
        adopted.resources[address].provider = replace(provider, source=source)
    return adopted
