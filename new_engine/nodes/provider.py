"""Provider configurations: configured when something first needs them, closed when the operation ends."""

from __future__ import annotations

from collections.abc import Sequence

from new_engine.nodes.node import Evaluator, Node
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.provider_configurations import ProviderConfiguration
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import ConfigureRequest, configure_provider
from shared_nodes.nodes.references import provider_references
from shared_nodes.providers.schema import SchemaBlock

__all__ = ["ProviderNode"]


class ProviderNode(Node):
    def __init__(self, declared: ProviderConfiguration, schema: SchemaBlock | None) -> None:
        self.declared = declared
        self.config = declared.config
        self.module = declared.config.module
        self.origin = None if declared.block is None else declared.block.range
        self._schema = schema

    @property
    def name(self) -> str:
        return str(self.config)

    def references(self) -> Sequence[ScopedSubject]:
        if self.declared.block is None or self._schema is None:
            return []
        return provider_references(self.declared.tree, self.declared.block, self._schema)

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        """Configure the provider. Evaluating expressions alone does not need that."""
        context = evaluator.context
        if context.operation is Operation.EVAL:
            return ()
        provider = context.provider_of(self.config)
        evaluator.at_the_end(provider.close)
        return await configure_provider(context, ConfigureRequest(self.config, provider, self.declared.block))
