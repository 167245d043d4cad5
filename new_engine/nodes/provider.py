"""Provider configurations: configured when something first needs them, closed when the operation ends.

ProviderNode            a configuration; it fails if one of its instances does
ProviderInstanceNode    one instance of a configuration, configured together with its siblings
ChosenProvider          a configuration as its users know it: its node, and their choice among its instances
"""

from __future__ import annotations

from collections.abc import Sequence

from new_engine.nodes.node import Evaluator, Node
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.provider_configurations import ProviderChoice, ProviderConfiguration
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import ConfigureRequest, configure_provider, configure_requests
from shared_nodes.nodes.references import provider_references
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.record import record

__all__ = ["ChosenProvider", "ProviderInstanceNode", "ProviderNode"]


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
        """Configure all instances. Evaluating expressions alone does not need that."""
        context = evaluator.context
        if context.operation is Operation.EVAL:
            return ()
        requests = configure_requests(context, self.declared)
        return await evaluator.fan_out([ProviderInstanceNode(self, request) for request in requests])


class ProviderInstanceNode(Node):
    def __init__(self, configuration: ProviderNode, request: ConfigureRequest) -> None:
        self.module = configuration.module
        self.origin = configuration.origin
        self._request = request

    @property
    def name(self) -> str:
        return str(self._request.address)

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        evaluator.at_the_end(self._request.provider.close)
        return await configure_provider(evaluator.context, self._request)


@record
class ChosenProvider:
    node: ProviderNode
    choice: ProviderChoice
