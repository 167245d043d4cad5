"""Input variables, and the rules they must satisfy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
from shared_nodes.addresses.module import ROOT_INSTANCE, ROOT_PATH, ModulePath
from shared_nodes.addresses.references import InputVariable, ScopedSubject
from shared_nodes.config.inputs import GivenValue
from shared_nodes.config.tree import ConfigTree
from shared_nodes.config.variable import Variable
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import conditions_references, expression_references
from shared_nodes.nodes.values.variable import (
    evaluate_module_variable,
    evaluate_root_variable,
    report_variable,
    validate_variable,
)
from shared_nodes.operations.graph import Graph

__all__ = ["ModuleVariable", "RootVariable", "VariableValidation"]


class RootVariable(InModule, Referenceable, Temporary, Executable):
    is_temporary = True

    def __init__(self, variable: Variable, given: GivenValue | None) -> None:
        self.variable = variable
        self.module = ROOT_PATH
        self._given = given

    @property
    def name(self) -> str:
        return f"var.{self.variable.name}"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(ROOT_PATH, self.name)]

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        report_variable(context, ROOT_PATH, self.variable, [ROOT_INSTANCE])
        return evaluate_root_variable(context, self.variable, self._given)


class ModuleVariable(InModule, Referenceable, Referencer, Temporary, Expandable, Expander):
    """Known inside its module, evaluated in the parent."""

    is_temporary = True

    def __init__(self, variable: Variable, node: ConfigTree, parent: ConfigTree) -> None:
        self.variable = variable
        self.node = node
        self.parent = parent
        self.module = node.path

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'var.{self.variable.name}')} (expand)"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module, f"var.{self.variable.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        assert self.node.call is not None
        argument = self.node.call.body.attributes.get(self.variable.name)
        return [] if argument is None else expression_references(self.parent, argument.expression)

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        modules = context.expander.modules(self.module)
        report_variable(context, self.module, self.variable, modules)
        work = for_each_module(
            f"var.{self.variable.name}",
            modules,
            lambda module: evaluate_module_variable(context, module, self.variable.name),
        )
        return work, ()


class VariableValidation(InModule, Referenceable, Referencer, Temporary, Executable):
    """Goes by the variable's name as well, so that nobody uses a value that breaks a rule."""

    is_temporary = True

    def __init__(self, variable: Variable, node: ConfigTree) -> None:
        self.variable = variable
        self.node = node
        self.module = node.path

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'var.{self.variable.name}')} (validation)"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module, f"var.{self.variable.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        """Naming the variable itself is what rules do, and means the value, not this vertex."""
        own = InputVariable(self.variable.name)
        found = conditions_references(self.node, self.variable.validations)
        return [reference for reference in found if reference.subject != own]

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        problems: list[Diagnostic] = []
        for module in context.expander.modules(self.module):
            problems += validate_variable(context, module, self.variable)
        return problems
