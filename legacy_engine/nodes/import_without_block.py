"""An import into a resource nobody declares."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.capabilities import Executable
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.statements.imports import missing_configuration

__all__ = ["ImportWithoutBlock"]


class ImportWithoutBlock(ResourceVertex, Executable):
    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    async def execute(self, _context: NodeContext) -> Sequence[Diagnostic]:
        return [missing_configuration(target) for target in self.imports]
