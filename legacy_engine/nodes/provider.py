"""Provider configurations: configured before their first user, closed after their last one."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.nodes.capabilities import Executable, ProviderVertex, Referencer
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.provider_configurations import ProviderConfiguration
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import ConfigureRequest, configure_provider
from shared_nodes.nodes.references import provider_references
from shared_nodes.providers.schema import SchemaBlock

__all__ = ["CloseProvider", "ConfigureProvider"]


class ConfigureProvider(ProviderVertex, Referencer, Executable):
    """A provider configuration. `tree` is the module that declares it. Without a block the provider is configured with
    nothing."""

    def __init__(self, declared: ProviderConfiguration) -> None:
        self.config = declared.config
        self.module = declared.config.module
        self.tree = declared.tree
        self.block = declared.block
        self.schema: SchemaBlock | None = None

    @property
    def name(self) -> str:
        return str(self.config)

    def references(self) -> Sequence[ScopedSubject]:
        if self.block is None or self.schema is None:
            return []
        return provider_references(self.tree, self.block, self.schema)

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        """Configure the provider. Evaluating expressions alone does not need that."""
        if context.operation is Operation.EVAL:
            return ()
        provider = context.provider_of(self.config)
        return await configure_provider(context, ConfigureRequest(self.config, provider, self.block))


class CloseProvider(Executable):
    def __init__(self, config: AbsProviderConfig) -> None:
        self.config = config

    @property
    def name(self) -> str:
        return f"{self.config} (close)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        await context.provider_of(self.config).close()
        return ()
