"""One instance with a planned change, created, updated or read."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.capabilities import CreateBeforeDestroyAware, Creator, DependencyHolder, Executable
from legacy_engine.nodes.resource import ResourceInstanceVertex
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import evaluate_repetition
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.apply import ManagedApply, apply_managed
from shared_nodes.nodes.resource.data import DataApply, apply_data
from shared_nodes.plan.change import Action

__all__ = ["ApplyInstance"]


class ApplyInstance(ResourceInstanceVertex, Creator, CreateBeforeDestroyAware, DependencyHolder, Executable):
    """`deposed_key` is where the old object goes, if the new one is created first."""

    def __init__(self, instance: AbsResourceInstance, action: Action, deposed_key: str | None) -> None:
        super().__init__(instance)
        self.is_no_op = action is Action.NO_OP
        self._deposed_key = deposed_key
        self._forced = False

    @property
    def create_before_destroy(self) -> bool:
        return self._forced or (self.block is not None and bool(self.block.lifecycle.create_before_destroy))

    def force_create_before_destroy(self) -> None:
        self._forced = True

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.node is not None
        assert self.block is not None
        assert self.provider is not None
        repetition, problems = self._repetition(context)
        if repetition is None:
            return problems
        if self.instance.resource.mode is ResourceMode.DATA:
            data = DataApply(self.instance, self.node, self.block, self.provider, repetition)
            return await apply_data(context, data)
        managed = ManagedApply(
            self.instance,
            self.node,
            self.block,
            self.provider,
            repetition,
            dependencies=self.dependencies,
            create_before_destroy=self.create_before_destroy,
            deposed_key=self._deposed_key,
        )
        return await apply_managed(context, managed)

    def _repetition(self, context: NodeContext) -> tuple[Repetition | None, Sequence[Diagnostic]]:
        """Registered by the vertex of the block, unless that was not kept."""
        assert self.block is not None
        known = context.expander.known_resource(self.instance.containing)
        if known is not None:
            return known, ()
        return evaluate_repetition(context.scope(self.instance.module), self.block)
