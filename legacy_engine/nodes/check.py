"""Check blocks."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.nodes.capabilities import Executable, Expandable, InModule, Referencer, Vertex
from legacy_engine.nodes.values import for_each_module
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import CheckBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.checks.check_block import CheckRequest, check_checkable, evaluate_check
from shared_nodes.nodes.references import conditions_references
from shared_nodes.operations.graph import Graph

__all__ = ["CheckVertex", "ReportCheck", "StartChecks"]


class CheckVertex(InModule, Referencer, Expandable):
    def __init__(self, block: CheckBlock, tree: ConfigTree) -> None:
        self.block = block
        self.tree = tree
        self.module = tree.path

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'check.{self.block.name}')} (expand)"

    def references(self) -> Sequence[ScopedSubject]:
        found = conditions_references(self.tree, self.block.asserts)
        return found if self.block.data is None else [*found, ScopedSubject(self.module, self.block.data.resource)]

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        modules = context.expander.modules(self.module)
        work = for_each_module(
            f"check.{self.block.name}",
            modules,
            lambda module: evaluate_check(context, CheckRequest(module, self.block)),
        )
        return work, ()


class ReportCheck(InModule, Executable):
    """Declares which instances of a check exist, before any of them can fail."""

    def __init__(self, block: CheckBlock, tree: ConfigTree) -> None:
        self.block = block
        self.module = tree.path

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'check.{self.block.name}')} (report)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        modules = context.expander.modules(self.module)
        addresses = [check_checkable(module, self.block.name)[2] for module in modules]
        context.checks.report_objects(self.module.prefix(f"check.{self.block.name}"), addresses)
        return ()


class StartChecks(Vertex):
    """Does nothing. Only its place in the order matters: data of checks is read after it."""

    @property
    def name(self) -> str:
        return "(execute checks)"
