"""What all vertices about a resource have in common, be they about the block or about one of its instances."""

from __future__ import annotations

from collections.abc import Iterable

from legacy_engine.capabilities import (
    InModule,
    ProviderConsumer,
    ProviderRequest,
    Referenceable,
    Referencer,
    StateHolder,
)
from shared_nodes.addresses.key import key_text
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.provider_names import implied_provider, implied_source
from shared_nodes.config.tree import ConfigTree
from shared_nodes.nodes.references import resource_references
from shared_nodes.nodes.statements.imports import ImportTarget
from shared_nodes.providers.schema import Block
from shared_nodes.state.model import InstanceObject

__all__ = ["ResourceInstanceVertex", "ResourceVertex"]


class ResourceVertex(InModule, Referenceable, Referencer, ProviderConsumer):
    """`node`, `block` and `schema` are attached while the graph is built; None where the block is gone."""

    def __init__(self, address: ConfigResource, node: ConfigTree | None, block: ResourceBlock | None) -> None:
        self.address = address
        self.module = address.module
        self.node = node
        self.block = block
        self.schema: Block | None = None
        self.provider: AbsProviderConfig | None = None
        self.depends_on: frozenset[ConfigResource] = frozenset()
        self.imports: tuple[ImportTarget, ...] = ()
        self.extra_references: tuple[ScopedSubject, ...] = ()

    @property
    def name(self) -> str:
        return str(self.address)

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module, str(self.address.resource))]

    def references(self) -> list[ScopedSubject]:
        if self.node is None or self.block is None:
            return list(self.extra_references)
        return [*resource_references(self.node, self.block, self.schema), *self.extra_references]

    def provider_request(self) -> ProviderRequest | None:
        """As the block says; else the default of the provider the type seems to belong to: what its module calls so, or
        what everybody would."""
        resource = self.address.resource
        if self.node is None:
            return ProviderRequest(AbsProviderConfig(implied_source(implied_provider(resource.type)), self.module))
        alias = None if self.block is None or self.block.provider is None else self.block.provider.alias
        return ProviderRequest(AbsProviderConfig(self.node.module.source_of(resource), self.module, alias))


class ResourceInstanceVertex(ResourceVertex, StateHolder):
    def __init__(self, instance: AbsResourceInstance) -> None:
        super().__init__(instance.config, None, None)
        self.instance = instance
        self.current: InstanceObject | None = None
        self.stored_provider: AbsProviderConfig | None = None

    @property
    def name(self) -> str:
        return str(self.instance)

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        resource = str(self.address.resource)
        whole = (self.module, resource)
        return (
            [whole] if self.instance.key is None else [(self.module, f"{resource}{key_text(self.instance.key)}"), whole]
        )

    def provider_request(self) -> ProviderRequest | None:
        """Without a block, only the very provider configuration that was recorded will do."""
        if self.block is None and self.stored_provider is not None:
            return ProviderRequest(self.stored_provider, exact=True)
        return super().provider_request()
