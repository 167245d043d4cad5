"""Base classes of all vertices about a resource, whether about the block or about one of its instances."""

from __future__ import annotations

from collections.abc import Iterable

from legacy_engine.nodes.capabilities import (
    InModule,
    ProviderConsumer,
    Referenceable,
    Referencer,
    StateHolder,
)
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.references import ScopedSubject, resource_of
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.provider_configurations import (
    ProviderChoice,
    ProviderRequest,
    recorded_provider,
    requested_provider,
)
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.choice import ProviderUser, choose_instance
from shared_nodes.nodes.references import resource_references
from shared_nodes.nodes.statements.import_targets import ImportTarget
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.state.model import InstanceObject

__all__ = ["ResourceInstanceVertex", "ResourceVertex"]


class ResourceVertex(InModule, Referenceable, Referencer, ProviderConsumer):
    """A vertex about a resource. `tree`, `block` and `schema` are attached while the graph is built; they are None if
    the block is gone."""

    def __init__(self, address: ConfigResource, tree: ConfigTree | None, block: ResourceBlock | None) -> None:
        self.address = address
        self.module = address.module
        self.tree = tree
        self.block = block
        self.schema: SchemaBlock | None = None
        self.provider: ProviderChoice | None = None
        self.depends_on: frozenset[ConfigResource] = frozenset()
        self.imports: tuple[ImportTarget, ...] = ()
        self.extra_references: tuple[ScopedSubject, ...] = ()
        self.import_request: ProviderRequest | None = None
        """What an import asks for, if there is no block that could."""

    @property
    def name(self) -> str:
        return str(self.address)

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module, str(self.address.resource))]

    def references(self) -> list[ScopedSubject]:
        if self.tree is None or self.block is None:
            return list(self.extra_references)
        return [*resource_references(self.tree, self.block, self.schema), *self.extra_references]

    def provider_request(self) -> ProviderRequest | None:
        """Ask for the configuration that the block names; without one, for the default configuration of the provider
        that the resource type seems to belong to, under the name its module gives that provider."""
        if self.tree is None or self.import_request is not None:
            return self.import_request
        return requested_provider(self.tree, self.address.resource, self.block)

    def _is_self(self, reference: ScopedSubject) -> bool:
        return reference.module == self.module and resource_of(reference.subject) == self.address.resource


class ResourceInstanceVertex(ResourceVertex, StateHolder):
    """A vertex about one instance. `declared` is the vertex of its block, if there is one; the instance takes over
    everything that vertex has learnt."""

    def __init__(self, instance: AbsResourceInstance, declared: ResourceVertex | None = None) -> None:
        if declared is None:
            super().__init__(instance.config, None, None)
        else:
            super().__init__(instance.config, declared.tree, declared.block)
            self.schema = declared.schema
            self.provider = declared.provider
            self.depends_on = declared.depends_on
        self.instance = instance
        self.current: InstanceObject | None = None
        self.stored_provider: ProviderInstance | None = None

    @property
    def name(self) -> str:
        return str(self.instance)

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return self.instance.reference_names()

    def provider_request(self) -> ProviderRequest | None:
        """Ask for the recorded provider configuration if there is no block: no other one can be used."""
        if self.block is None and self.stored_provider is not None:
            return recorded_provider(self.stored_provider.config)
        return super().provider_request()

    def choose_provider(
        self,
        context: NodeContext,
        repetition: Repetition | None = None,
        *,
        deposed: str | None = None,
        is_removed: bool = False,
    ) -> tuple[ProviderInstance | None, list[Diagnostic]]:
        """Return the instance of the provider configuration to use, or None and the reason why there is none."""
        assert self.provider is not None
        return choose_instance(
            context,
            ProviderUser(self.instance, self.provider, self.stored_provider, repetition, deposed, is_removed),
        )
