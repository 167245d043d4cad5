"""An instance in destroy mode."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.build import BuildContext
from legacy_engine.capabilities import Destroyer, Executable
from legacy_engine.nodes.resource import ResourceInstanceVertex
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.destroy import DestroyPlan, plan_destroy_instance

__all__ = ["PlanDestroy"]


class PlanDestroy(ResourceInstanceVertex, Destroyer, Executable):
    def __init__(self, instance: AbsResourceInstance, build: BuildContext) -> None:
        super().__init__(instance)
        self._build = build

    @property
    def name(self) -> str:
        """Without keys, although it is about one instance: so the original calls it."""
        return f"{self.address} (destroy)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.provider is not None
        previous = self._build.moved_from.get(self.instance)
        return await plan_destroy_instance(context, DestroyPlan(self.instance, self.provider, previous, self.block))
