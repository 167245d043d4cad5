"""An instance the state has and the configuration does not want."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.build import BuildContext
from legacy_engine.capabilities import Executable, ProviderRequest
from legacy_engine.nodes.resource import ResourceInstanceVertex
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.orphan import OrphanPlan, plan_orphan
from shared_nodes.nodes.statements.removed import is_forgotten

__all__ = ["PlanOrphan"]


class PlanOrphan(ResourceInstanceVertex, Executable):
    def __init__(self, instance: AbsResourceInstance, build: BuildContext) -> None:
        super().__init__(instance)
        self._build = build

    @property
    def name(self) -> str:
        return f"{self.instance} (orphan)"

    def provider_request(self) -> ProviderRequest | None:
        """Data is dropped without asking anybody."""
        if self.address.resource.mode is ResourceMode.DATA and self.block is None:
            return None
        return super().provider_request()

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        build = self._build
        provider = self.provider or self.stored_provider
        assert provider is not None
        previous = build.moved_from.get(self.instance)
        forget = is_forgotten(build.removed, self.instance)
        return await plan_orphan(context, OrphanPlan(self.instance, provider, previous, self.block, forget=forget))
