"""Check blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from new_engine.nodes.node import Node
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import CheckBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.checks.check_block import CheckRequest, check_checkable, evaluate_check
from shared_nodes.nodes.references import conditions_references

if TYPE_CHECKING:
    from new_engine.compiled import Compiled
    from new_engine.evaluation import Evaluation

__all__ = ["CheckNode", "CheckReport"]


class CheckReport(Node):
    """Says which instances of a check there are, before anything of them can fail. Only planning has it."""

    def __init__(self, block: CheckBlock, node: ConfigTree) -> None:
        self.module = node.path
        self.origin = block.range
        self._block = block

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'check.{self._block.name}')} (report)"

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context = evaluation.context
        modules = context.expander.modules(self.module)
        addresses = [check_checkable(module, self._block.name)[2] for module in modules]
        context.checks.report_objects(self.module.prefix(f"check.{self._block.name}"), addresses)
        return ()


class CheckNode(Node):
    """The assertions. They come after the data of the check, which `names` itself by its resource."""

    belongs_to_check = True

    def __init__(self, block: CheckBlock, node: ConfigTree) -> None:
        self.module = node.path
        self.origin = block.range
        self._block = block
        self._node = node

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'check.{self._block.name}')} (expand)"

    def references(self) -> Sequence[ScopedSubject]:
        found = conditions_references(self._node, self._block.asserts)
        return found if self._block.data is None else [*found, ScopedSubject(self.module, self._block.data.resource)]

    def needs(self, compiled: Compiled) -> Iterable[Node]:
        return compiled.report_of(self.module, self._block.name)

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context = evaluation.context
        modules = context.expander.modules(self.module)
        return evaluation.in_each(modules, lambda module: evaluate_check(context, CheckRequest(module, self._block)))
