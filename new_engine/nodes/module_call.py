"""Module calls: which instances there are of a module, and when all in it is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from new_engine.nodes.node import Name, Node
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.references import call_references, depends_on_references
from shared_nodes.nodes.values.module_call import expand_module_call

if TYPE_CHECKING:
    from new_engine.compiled import Compiled
    from new_engine.evaluation import Evaluation

__all__ = ["ModuleCallNode", "ModuleEnd"]


class ModuleCallNode(Node):
    """Finds the instances of a module. What it refers to is meant in the parent module."""

    in_module = False

    def __init__(self, node: ConfigTree, parent: ConfigTree, call: ModuleCallBlock) -> None:
        self.module = node.path
        self.origin = call.range
        self._node = node
        self._parent = parent
        self._call = call

    @property
    def name(self) -> str:
        return f"{self.module} (expand)"

    def names(self) -> Iterable[Name]:
        return [(self._parent.path, f"module.{self._call.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        return call_references(self._parent, self._call)

    def depends_on(self) -> Sequence[ScopedSubject]:
        return depends_on_references(self._parent, self._call.depends_on)

    def needs(self, compiled: Compiled) -> Iterable[Node]:
        """The instances of the module it stands in."""
        return compiled.calls_around(self.module.parent)

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        """Stops at the first parent instance in which something is wrong."""
        context = evaluation.context
        problems: list[Diagnostic] = []
        deferral = evaluation.deferral
        for parent in context.expander.modules(self._parent.path):
            if deferral is not None and deferral.puts_off_call(parent, self._node, self._call):
                continue
            problems += expand_module_call(context, parent, self._call)
            if has_errors(problems):
                break
        return problems


class ModuleEnd(Node):
    """Everything in a module and in the modules below it: what `depends_on = [module.m]` waits for."""

    in_module = False

    def __init__(self, module: ModulePath) -> None:
        self.module = module

    @property
    def name(self) -> str:
        return f"{self.module} (close)"

    def names(self) -> Iterable[Name]:
        return [(self.module.parent, f"module.{self.module.names[-1]}")]

    def needs(self, compiled: Compiled) -> Iterable[Node]:
        return compiled.inside(self.module)
