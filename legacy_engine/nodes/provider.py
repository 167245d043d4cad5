"""Provider configurations: configured before their first user, closed after their last one."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.nodes.capabilities import Executable, ProviderVertex, Referencer
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.provider_configurations import ProviderConfiguration
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import configure_provider, configure_requests
from shared_nodes.nodes.references import provider_references
from shared_nodes.providers.schema import SchemaBlock

__all__ = ["CloseProvider", "ConfigureProvider"]


class ConfigureProvider(ProviderVertex, Referencer, Executable):
    """A provider configuration. Without a block the provider is configured with nothing."""

    def __init__(self, declared: ProviderConfiguration) -> None:
        self.declared = declared
        self.module = declared.config.module
        self.schema: SchemaBlock | None = None

    @property
    def name(self) -> str:
        return str(self.declared.config)

    def references(self) -> Sequence[ScopedSubject]:
        block = self.declared.block
        if block is None or self.schema is None:
            return []
        return provider_references(self.declared.tree, block, self.schema)

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        """Configure all instances, one after the other, whatever becomes of those before. Evaluating expressions alone
        does not need that."""
        if context.operation is Operation.EVAL:
            return ()
        problems: list[Diagnostic] = []
        for request in configure_requests(context, self.declared):
            problems += await configure_provider(context, request)
        return problems


class CloseProvider(Executable):
    def __init__(self, declared: ProviderConfiguration) -> None:
        self._declared = declared

    @property
    def name(self) -> str:
        return f"{self._declared.config} (close)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        for request in configure_requests(context, self._declared):
            await request.provider.close()
        return ()
