"""A deposed object, planned to be destroyed."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.build import BuildContext
from legacy_engine.capabilities import Destroyer, Executable
from legacy_engine.nodes.resource import ResourceInstanceVertex
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.deposed import DeposedPlan, plan_deposed
from shared_nodes.nodes.statements.removed import is_forgotten

__all__ = ["PlanDeposed"]


class PlanDeposed(ResourceInstanceVertex, Destroyer, Executable):
    def __init__(self, instance: AbsResourceInstance, key: str, build: BuildContext) -> None:
        super().__init__(instance)
        self._key = key
        self._build = build

    @property
    def name(self) -> str:
        return f"{self.instance} (deposed {self._key})"

    def reference_names(self) -> list[tuple[ModulePath, str]]:
        return []

    def references(self) -> list[ScopedSubject]:
        return []

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.provider is not None
        build = self._build
        previous = build.moved_from.get(self.instance)
        forget = is_forgotten(build.removed, self.instance)
        request = DeposedPlan(self.instance, self.provider, previous, self.block, deposed=self._key, forget=forget)
        return await plan_deposed(context, request)
