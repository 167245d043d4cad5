"""Output values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from legacy_engine.build import BuildContext
from legacy_engine.capabilities import (
    Executable,
    Expandable,
    Expander,
    InModule,
    Referenceable,
    Referencer,
    Temporary,
    Vertex,
)
from legacy_engine.nodes.per_module import for_each_module
from shared_nodes.addresses.module import ModuleInstance, ModulePath
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import OutputBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import output_references
from shared_nodes.nodes.values.output import OutputRequest, delete_output, evaluate_output, output_checkable
from shared_nodes.operations.graph import Graph

__all__ = ["OutputVertex", "RemovedOutput"]


class OutputVertex(InModule, Referenceable, Referencer, Temporary, Expandable, Expander):
    """A module's output has two names in the parent: `module.m.o`, and `module.m`, because whoever takes the whole
    module takes this too. The root's has none; it is not temporary, because it is saved."""

    def __init__(self, block: OutputBlock, node: ConfigTree, build: BuildContext) -> None:
        self.block = block
        self.node = node
        self.module = node.path
        self.is_temporary = bool(node.path.names)
        self._is_deleted = build.is_destroying and not self.is_temporary

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'output.{self.block.name}')} (expand)"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        if not self.module.names:
            return []
        call = f"module.{self.module.names[-1]}"
        return [(self.module.parent, call), (self.module.parent, f"{call}.{self.block.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        """One that is only going to be deleted needs no value."""
        return [] if self._is_deleted else output_references(self.node, self.block)

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        modules = context.expander.modules(self.module)
        self._report(context, modules)
        if self._is_deleted:
            graph: Graph[Vertex] = Graph()
            graph.add(RemovedOutput(self.block.name))
            return graph, ()
        work = for_each_module(f"output.{self.block.name}", modules, lambda module: self._evaluate(context, module))
        return work, ()

    def _report(self, context: NodeContext, modules: list[ModuleInstance]) -> None:
        if self.block.preconditions and context.operation.is_planning:
            config_address = self.module.prefix(f"output.{self.block.name}")
            context.checks.report_objects(
                config_address, [output_checkable(module, self.block.name)[2] for module in modules]
            )

    def _evaluate(self, context: NodeContext, module: ModuleInstance) -> Sequence[Diagnostic]:
        return evaluate_output(context, OutputRequest(module, self.block))


class RemovedOutput(Executable, Temporary):
    """A root output that is to leave the state."""

    is_temporary = False

    def __init__(self, output_name: str) -> None:
        self._output_name = output_name

    @property
    def name(self) -> str:
        return f"output.{self._output_name} (destroy)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        return delete_output(context, self._output_name)
