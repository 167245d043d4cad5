"""Output values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from new_engine.nodes.node import Name, Node
from shared_nodes.addresses.module import ROOT_PATH
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import OutputBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import output_references
from shared_nodes.nodes.values.output import OutputRequest, delete_output, evaluate_output, output_checkable

if TYPE_CHECKING:
    from new_engine.evaluation import Evaluation

__all__ = ["OutputNode", "RemovedOutput"]


class OutputNode(Node):
    """A module's output has two names in the parent: `module.m.o`, and `module.m`, because whoever takes the whole
    module takes this too. When everything is destroyed the root's are only going to be deleted: that needs no value."""

    def __init__(self, block: OutputBlock, node: ConfigTree, *, is_deleted: bool) -> None:
        self.module = node.path
        self.origin = block.range
        self.is_root = not node.path.names
        self.block = block
        self._node = node
        self._is_deleted = is_deleted and self.is_root

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'output.{self.block.name}')} (expand)"

    def names(self) -> Iterable[Name]:
        if self.is_root:
            return []
        call = f"module.{self.module.names[-1]}"
        return [(self.module.parent, call), (self.module.parent, f"{call}.{self.block.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        return [] if self._is_deleted else output_references(self._node, self.block)

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context, name = evaluation.context, self.block.name
        modules = context.expander.modules(self.module)
        if self.block.preconditions and context.operation.is_planning:
            addresses = [output_checkable(module, name)[2] for module in modules]
            context.checks.report_objects(self.module.prefix(f"output.{name}"), addresses)
        if self._is_deleted:
            return delete_output(context, name)
        if self.is_root and evaluation.is_output_put_off(self.block):
            return ()
        return evaluation.in_each(modules, lambda module: evaluate_output(context, OutputRequest(module, self.block)))


class RemovedOutput(Node):
    """A root output that is in the state and not in the configuration."""

    def __init__(self, output_name: str) -> None:
        self.module = ROOT_PATH
        self._output_name = output_name

    @property
    def name(self) -> str:
        return f"output.{self._output_name} (destroy)"

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        return delete_output(evaluation.context, self._output_name)
