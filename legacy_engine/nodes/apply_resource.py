"""A resource block while applying: its instances are planned already, it only makes them known to expressions."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.build import BuildContext
from legacy_engine.capabilities import CreateBeforeDestroyAware, Executable, Expander
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.addresses.references import ResourceInstance, ScopedSubject
from shared_nodes.addresses.resource import AbsResource, ConfigResource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import ResourceExpansion, expand_resource
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["ApplyResource"]


class ApplyResource(ResourceVertex, CreateBeforeDestroyAware, Executable, Expander):
    def __init__(self, address: ConfigResource, node: ConfigTree, block: ResourceBlock, build: BuildContext) -> None:
        super().__init__(address, node, block)
        self._flavour = build.flavour

    @property
    def create_before_destroy(self) -> bool:
        """Asked of the block, so that dependents without any change count as well."""
        assert self.block is not None
        return self._flavour.unchanged_dependents_create_first and bool(self.block.lifecycle.create_before_destroy)

    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    def references(self) -> list[ScopedSubject]:
        """Without those to the resource itself: its instances come after this vertex, not before."""
        return [reference for reference in super().references() if not self._is_self(reference)]

    def _is_self(self, reference: ScopedSubject) -> bool:
        subject = reference.subject
        resource = subject.resource if isinstance(subject, ResourceInstance) else subject
        return reference.module == self.module and resource == self.address.resource

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.block is not None
        assert self.provider is not None
        problems: list[Diagnostic] = []
        for module in context.expander.modules(self.module):
            address = AbsResource(module, self.address.resource)
            problems += await expand_resource(context, ResourceExpansion(address, self.block, self.provider))
        return problems
