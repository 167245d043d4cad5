"""Provider configurations: configured when something first needs them, closed when the operation ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from new_engine.nodes.node import Node
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import ProviderBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import ConfigureRequest, configure_provider
from shared_nodes.nodes.references import provider_references
from shared_nodes.providers.schema import Block

if TYPE_CHECKING:
    from new_engine.evaluation import Evaluation

__all__ = ["ProviderNode"]


class ProviderNode(Node):
    """`node` is the module the block stands in. Without a block the provider is configured with nothing."""

    def __init__(
        self, config: AbsProviderConfig, node: ConfigTree, block: ProviderBlock | None, schema: Block | None
    ) -> None:
        self.config = config
        self.module = config.module
        self.block = block
        self.origin = None if block is None else block.range
        self._node = node
        self._schema = schema

    @property
    def name(self) -> str:
        return str(self.config)

    @property
    def is_empty(self) -> bool:
        return self.block is None or not (self.block.body.attributes or self.block.body.blocks)

    def references(self) -> Sequence[ScopedSubject]:
        if self.block is None or self._schema is None:
            return []
        return provider_references(self._node, self.block, self._schema)

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        """Evaluating expressions alone needs no configured provider."""
        context = evaluation.context
        if context.operation is Operation.EVAL:
            return ()
        provider = context.provider_of(self.config)
        evaluation.at_the_end(provider.close)
        return await configure_provider(context, ConfigureRequest(self.config, provider, self.block))
