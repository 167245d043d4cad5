"""Module calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from legacy_engine.capabilities import Executable, Expander, InModule, Referenceable, Referencer
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.references import call_references
from shared_nodes.nodes.values.module_call import expand_module_call

__all__ = ["CloseModule", "ExpandModule"]


class ExpandModule(InModule, Referenceable, Referencer, Executable, Expander):
    """Finds the instances of a module. What it refers to is meant in the parent module."""

    def __init__(self, node: ConfigTree, parent: ConfigTree, call: ModuleCallBlock) -> None:
        self.node = node
        self.parent = parent
        self.call = call
        self.module = node.path

    @property
    def name(self) -> str:
        return f"{self.module} (expand)"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.parent.path, f"module.{self.call.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        return call_references(self.parent, self.call)

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        """Stops at the first parent instance in which something is wrong."""
        problems: list[Diagnostic] = []
        for parent in context.expander.modules(self.parent.path):
            problems += expand_module_call(context, parent, self.call)
            if has_errors(problems):
                break
        return problems


class CloseModule(InModule, Referenceable, Executable):
    """After everything in a module. The root's is the last vertex of all, and tidies up the state."""

    def __init__(self, module: ModulePath) -> None:
        self.module = module

    @property
    def name(self) -> str:
        return f"{self.module} (close)" if self.module.names else "root"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module.parent, f"module.{self.module.names[-1]}")] if self.module.names else []

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        if not self.module.names and context.operation.is_applying:
            context.working.remove_husks()
        return ()
