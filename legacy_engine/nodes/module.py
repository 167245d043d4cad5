"""Module calls: expanded before anything in the module, closed after everything in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from legacy_engine.nodes.capabilities import Executable, Expander, InModule, Referenceable, Referencer
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
    """Finds the instances of a module. Its references are resolved in the parent module."""

    def __init__(self, tree: ConfigTree, parent: ConfigTree, call: ModuleCallBlock) -> None:
        self.tree = tree
        self.parent = parent
        self.call = call
        self.module = tree.path

    @property
    def name(self) -> str:
        return f"{self.module} (expand)"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.parent.path, f"module.{self.call.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        return call_references(self.parent, self.call)

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        """Expand the call in each instance of the parent, until the first one in which something is wrong."""
        problems: list[Diagnostic] = []
        for parent in context.expander.modules(self.parent.path):
            problems += expand_module_call(context, parent, self.call)
            if has_errors(problems):
                break
        return problems


class CloseModule(InModule, Referenceable, Executable):
    """Comes after everything in a module. The one of the root module is the last vertex of the graph, and removes empty
    records from the state."""

    def __init__(self, module: ModulePath) -> None:
        self.module = module

    @property
    def name(self) -> str:
        return f"{self.module} (close)" if self.module.names else "root"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module.parent, f"module.{self.module.names[-1]}")] if self.module.names else []

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        if not self.module.names and context.operation.is_applying:
            context.working.remove_empty_resources()
        return ()
