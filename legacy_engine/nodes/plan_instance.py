"""One wanted instance of a resource, planned or read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from legacy_engine.build import BuildContext
from legacy_engine.capabilities import Executable
from legacy_engine.nodes.resource import ResourceInstanceVertex
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.data import DataPlan, plan_data
from shared_nodes.nodes.resource.plan import ManagedPlan, plan_managed

if TYPE_CHECKING:
    from legacy_engine.nodes.plan_resource import PlanResource

__all__ = ["PlanInstance"]


class PlanInstance(ResourceInstanceVertex, Executable):
    def __init__(
        self, instance: AbsResourceInstance, resource: PlanResource, repetition: Repetition, build: BuildContext
    ) -> None:
        super().__init__(instance)
        self._resource = resource
        self._repetition = repetition
        self._build = build

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.node is not None
        assert self.block is not None
        assert self.provider is not None
        previous = self._build.moved_from.get(self.instance)
        if self.instance.resource.mode is ResourceMode.DATA:
            data = DataPlan(
                self.instance,
                self.node,
                self.block,
                self.provider,
                self._repetition,
                dependencies=self._resource.dependencies,
                waits_for=tuple(self._resource.depends_on),
                previous_address=previous,
            )
            return await plan_data(context, data)
        managed = ManagedPlan(
            self.instance,
            self.node,
            self.block,
            self.provider,
            self._repetition,
            dependencies=self._resource.dependencies,
            create_before_destroy=self._resource.create_before_destroy,
            import_id=self._build.resolved_imports.get(self.instance),
            previous_address=previous,
        )
        return await plan_managed(context, managed)
