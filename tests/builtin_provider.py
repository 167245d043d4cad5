"""A provider factory for tests that need only the builtin provider."""

from __future__ import annotations

from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.providers.builtin import BuiltinProvider
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.world import World


def builtin_provider_only(world: World) -> ProviderFactory:
    def make(source: ProviderSource) -> Provider | None:
        return BuiltinProvider(world) if source == BUILTIN else None

    return make
