"""Local values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from legacy_engine.capabilities import Expandable, Expander, InModule, Referenceable, Referencer, Temporary, Vertex
from legacy_engine.nodes.per_module import for_each_module
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.module import LocalDeclaration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import expression_references
from shared_nodes.nodes.values.local import evaluate_local
from shared_nodes.operations.graph import Graph

__all__ = ["LocalVertex"]


class LocalVertex(InModule, Referenceable, Referencer, Temporary, Expandable, Expander):
    is_temporary = True

    def __init__(self, declaration: LocalDeclaration, node: ConfigTree) -> None:
        self.declaration = declaration
        self.node = node
        self.module = node.path

    @property
    def _local_name(self) -> str:
        return f"local.{self.declaration.name}"

    @property
    def name(self) -> str:
        return f"{self.module.prefix(self._local_name)} (expand)"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module, self._local_name)]

    def references(self) -> Sequence[ScopedSubject]:
        return expression_references(self.node, self.declaration.expression)

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        modules = context.expander.modules(self.module)
        work = for_each_module(
            self._local_name, modules, lambda module: evaluate_local(context, module, self.declaration)
        )
        return work, ()
