"""Check blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from new_engine.nodes.node import Evaluator, Node, NodeLookup, evaluate_in_each
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import CheckBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.checks.check_block import CheckRequest, check_checkable, evaluate_check
from shared_nodes.nodes.references import conditions_references

__all__ = ["CheckNode", "CheckReport"]


class CheckReport(Node):
    """Declares which instances of a check exist, before any of them can fail. Only planning has this node."""

    belongs_to_check = True

    def __init__(self, block: CheckBlock, tree: ConfigTree) -> None:
        self.module = tree.path
        self.origin = block.range
        self.check_name = block.name

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'check.{self.check_name}')} (report)"

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context = evaluator.context
        modules = context.expander.modules(self.module)
        addresses = [check_checkable(module, self.check_name)[2] for module in modules]
        context.checks.report_objects(self.module.prefix(f"check.{self.check_name}"), addresses)
        return ()


class CheckNode(Node):
    """The assertions of a check. They refer to its data, if it has some, and so are evaluated after that is read."""

    belongs_to_check = True

    def __init__(self, block: CheckBlock, tree: ConfigTree) -> None:
        self.module = tree.path
        self.origin = block.range
        self._block = block
        self._tree = tree

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'check.{self._block.name}')} (expand)"

    def references(self) -> Sequence[ScopedSubject]:
        found = conditions_references(self._tree, self._block.asserts)
        return found if self._block.data is None else [*found, ScopedSubject(self.module, self._block.data.resource)]

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        return lookup.report_of(self.module, self._block.name)

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context = evaluator.context
        modules = context.expander.modules(self.module)
        return evaluate_in_each(modules, lambda module: evaluate_check(context, CheckRequest(module, self._block)))
