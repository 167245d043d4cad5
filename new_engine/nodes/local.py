"""Local values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from new_engine.nodes.node import Name, Node
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.module import LocalDeclaration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import expression_references
from shared_nodes.nodes.values.local import evaluate_local

if TYPE_CHECKING:
    from new_engine.evaluation import Evaluation

__all__ = ["LocalNode"]


class LocalNode(Node):
    def __init__(self, declaration: LocalDeclaration, node: ConfigTree) -> None:
        self.module = node.path
        self.origin = declaration.expression.range
        self.declaration = declaration
        self._node = node

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'local.{self.declaration.name}')} (expand)"

    def names(self) -> Iterable[Name]:
        return [(self.module, f"local.{self.declaration.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        return expression_references(self._node, self.declaration.expression)

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context = evaluation.context
        modules = context.expander.modules(self.module)
        return evaluation.in_each(modules, lambda module: evaluate_local(context, module, self.declaration))
