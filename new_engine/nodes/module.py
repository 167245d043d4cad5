"""Module calls: which instances a module has, and when everything in it is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from new_engine.nodes.node import Evaluator, Name, Node, NodeLookup
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.references import call_references, depends_on_references
from shared_nodes.nodes.values.module_call import expand_module_call

__all__ = ["ModuleCallNode", "ModuleEnd"]


class ModuleCallNode(Node):
    """Finds the instances of a module. Its references are resolved in the parent module."""

    in_module = False

    def __init__(self, tree: ConfigTree, parent: ConfigTree, call: ModuleCallBlock) -> None:
        self.module = tree.path
        self.origin = call.range
        self._tree = tree
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

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        """Return the call that finds the instances of the module that contains this call: they must be known."""
        return lookup.calls_around(self.module.parent)

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        """Expand the call in each instance of the parent, until the first one in which something is wrong."""
        context = evaluator.context
        problems: list[Diagnostic] = []
        deferral = evaluator.deferral
        for parent in context.expander.modules(self._parent.path):
            if deferral is not None and deferral.defers_call(parent, self._tree, self._call):
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

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        return lookup.members_of(self.module)
