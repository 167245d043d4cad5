"""Input variables, and the rules they must satisfy: two promises each, because a rule names its own variable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from new_engine.nodes.node import Name, Node
from shared_nodes.addresses.module import ROOT_INSTANCE, ROOT_PATH
from shared_nodes.addresses.references import InputVariable, ScopedSubject
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.inputs import GivenValue
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import conditions_references, expression_references
from shared_nodes.nodes.values.variable import (
    evaluate_module_variable,
    evaluate_root_variable,
    report_variable,
    validate_variable,
)

if TYPE_CHECKING:
    from new_engine.compiled import Compiled
    from new_engine.evaluation import Evaluation

__all__ = ["ModuleVariable", "RootVariable", "VariableRules"]


class RootVariable(Node):
    def __init__(self, variable: Variable, given: GivenValue | None) -> None:
        self.variable = variable
        self.module = ROOT_PATH
        self.origin = variable.range
        self._given = given

    @property
    def name(self) -> str:
        return f"var.{self.variable.name}"

    def names(self) -> Iterable[Name]:
        return [(ROOT_PATH, self.name)]

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        report_variable(evaluation.context, ROOT_PATH, self.variable, [ROOT_INSTANCE])
        return evaluate_root_variable(evaluation.context, self.variable, self._given)


class ModuleVariable(Node):
    """Known inside its module, evaluated in the parent: what the argument refers to is meant there."""

    def __init__(self, variable: Variable, node: ConfigTree, parent: ConfigTree) -> None:
        self.variable = variable
        self.module = node.path
        self.origin = variable.range
        self._node = node
        self._parent = parent

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'var.{self.variable.name}')} (expand)"

    def names(self) -> Iterable[Name]:
        return [(self.module, f"var.{self.variable.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        assert self._node.call is not None
        argument = self._node.call.body.attributes.get(self.variable.name)
        return [] if argument is None else expression_references(self._parent, argument.expression)

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context = evaluation.context
        modules = context.expander.modules(self.module)
        report_variable(context, self.module, self.variable, modules)
        return evaluation.in_each(modules, lambda module: evaluate_module_variable(context, module, self.variable.name))


class VariableRules(Node):
    """Goes by the variable's name as well, so that nobody uses a value that breaks a rule."""

    def __init__(self, variable: Variable, node: ConfigTree, value: Node) -> None:
        self.variable = variable
        self.module = node.path
        self.origin = variable.range
        self._node = node
        self._value = value

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'var.{self.variable.name}')} (validation)"

    def names(self) -> Iterable[Name]:
        return [(self.module, f"var.{self.variable.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        """Naming the variable itself is what rules do, and means the value, not this node."""
        own = InputVariable(self.variable.name)
        found = conditions_references(self._node, self.variable.validations)
        return [reference for reference in found if reference.subject != own]

    def needs(self, _compiled: Compiled) -> Iterable[Node]:
        return [self._value]

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context = evaluation.context
        problems: list[Diagnostic] = []
        for module in context.expander.modules(self.module):
            problems += validate_variable(context, module, self.variable)
        return problems
