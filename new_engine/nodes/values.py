"""Variables, their rules, locals and outputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from new_engine.compat.exact_dependencies.origins import ValueOrigins
from new_engine.nodes.node import Evaluator, Name, Node, NodeLookup, evaluate_in_each
from shared_nodes.addresses.module import ROOT_INSTANCE, ROOT_PATH
from shared_nodes.addresses.references import InputVariable, ScopedSubject
from shared_nodes.config.blocks import OutputBlock
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.inputs import GivenValue
from shared_nodes.config.module import LocalDeclaration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import conditions_references, expression_references, output_references
from shared_nodes.nodes.values.local import evaluate_local
from shared_nodes.nodes.values.output import (
    OutputRequest,
    delete_output,
    evaluate_output,
    output_checkable,
    output_names,
)
from shared_nodes.nodes.values.variable import (
    are_rules_temporary,
    evaluate_module_variable,
    evaluate_root_variable,
    input_vertex_name,
    report_variable,
    rules_vertex_name,
    validate_variable,
)

__all__ = ["LocalNode", "ModuleVariable", "OutputNode", "RemovedOutput", "RootVariable", "VariableRules"]


class RootVariable(Node):
    def __init__(self, variable: Variable, given: GivenValue | None, flavour: Flavour) -> None:
        self.variable = variable
        self.is_temporary = not flavour.variables_have_reference_vertices
        self.module = ROOT_PATH
        self.origin = variable.range
        self._given = given

    @property
    def name(self) -> str:
        return f"var.{self.variable.name}"

    def names(self) -> Iterable[Name]:
        return [(ROOT_PATH, self.name)]

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        report_variable(evaluator.context, ROOT_PATH, self.variable, [ROOT_INSTANCE])
        return evaluate_root_variable(evaluator.context, self.variable, self._given)


class ModuleVariable(Node):
    """A variable of a called module. It is visible inside the module and evaluated in the parent, where references of
    the argument are resolved."""

    def __init__(self, variable: Variable, tree: ConfigTree, parent: ConfigTree, flavour: Flavour) -> None:
        self.variable = variable
        self.module = tree.path
        self.origin = variable.range
        self._tree = tree
        self._parent = parent
        self._flavour = flavour

    @property
    def name(self) -> str:
        return input_vertex_name(self.module, self.variable.name, self._flavour)

    def names(self) -> Iterable[Name]:
        return [(self.module, f"var.{self.variable.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        assert self._tree.call is not None
        argument = self._tree.call.body.attributes.get(self.variable.name)
        return [] if argument is None else expression_references(self._parent, argument.expression)

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context = evaluator.context
        modules = context.expander.modules(self.module)
        report_variable(context, self.module, self.variable, modules)
        return evaluate_in_each(modules, lambda module: evaluate_module_variable(context, module, self.variable.name))

    def record_origins(self, origins: ValueOrigins) -> None:
        origins.record_variable(self.module, self.variable)


class VariableRules(Node):
    """The rules of a variable, a node of their own because they name the variable. It has the variable's name too, so
    that a reference to the variable waits for its rules."""

    def __init__(
        self, variable: Variable, tree: ConfigTree, value: Node, flavour: Flavour, *, is_destroying: bool
    ) -> None:
        self.variable = variable
        self.is_temporary = are_rules_temporary(variable, flavour, is_destroying=is_destroying)
        self.module = tree.path
        self.origin = variable.range
        self._tree = tree
        self._value = value
        self._flavour = flavour

    @property
    def name(self) -> str:
        return rules_vertex_name(self.module, self.variable.name, self._flavour)

    def names(self) -> Iterable[Name]:
        return [(self.module, f"var.{self.variable.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        """Return the references except those to the variable itself: rules name it to read its value, not to wait for
        this node."""
        own = InputVariable(self.variable.name)
        found = conditions_references(self._tree, self.variable.validations)
        return [reference for reference in found if reference.subject != own]

    def needs(self, _lookup: NodeLookup) -> Iterable[Node]:
        return [self._value]

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context = evaluator.context
        modules = context.expander.modules(self.module)
        return evaluate_in_each(modules, lambda module: validate_variable(context, module, self.variable))


class LocalNode(Node):
    def __init__(self, declaration: LocalDeclaration, tree: ConfigTree) -> None:
        self.module = tree.path
        self.origin = declaration.expression.range
        self.declaration = declaration
        self._tree = tree

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'local.{self.declaration.name}')} (expand)"

    def names(self) -> Iterable[Name]:
        return [(self.module, f"local.{self.declaration.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        return expression_references(self._tree, self.declaration.expression)

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context = evaluator.context
        modules = context.expander.modules(self.module)
        return evaluate_in_each(modules, lambda module: evaluate_local(context, module, self.declaration))

    def record_origins(self, origins: ValueOrigins) -> None:
        origins.record_local(self.module, self.declaration)


class OutputNode(Node):
    """An output. In the parent module it has two names: `module.m.o`, and `module.m`, because a reference to the whole
    module reads the output too. When everything is destroyed, outputs of the root are only going to be deleted
    (`is_deleted`), which needs no value."""

    def __init__(self, block: OutputBlock, tree: ConfigTree, *, is_deleted: bool) -> None:
        self.module = tree.path
        self.origin = block.range
        self.is_root = not tree.path.names
        self.block = block
        self._tree = tree
        self._is_deleted = is_deleted and self.is_root

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'output.{self.block.name}')} (expand)"

    def names(self) -> Iterable[Name]:
        return output_names(self.module, self.block.name)

    def references(self) -> Sequence[ScopedSubject]:
        return [] if self._is_deleted else output_references(self._tree, self.block)

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context, name = evaluator.context, self.block.name
        modules = context.expander.modules(self.module)
        if self.block.preconditions and context.operation.is_planning:
            addresses = [output_checkable(module, name)[2] for module in modules]
            context.checks.report_objects(self.module.prefix(f"output.{name}"), addresses)
        if self._is_deleted:
            return delete_output(context, name)
        if self.is_root and evaluator.is_output_deferred(self.block):
            return ()
        return evaluate_in_each(modules, lambda module: evaluate_output(context, OutputRequest(module, self.block)))

    def record_origins(self, origins: ValueOrigins) -> None:
        if not self.is_root:
            origins.record_output(self.module, self.block)


class RemovedOutput(Node):
    """A root output that is in the state but not in the configuration."""

    def __init__(self, output_name: str) -> None:
        self.module = ROOT_PATH
        self._output_name = output_name

    @property
    def name(self) -> str:
        return f"output.{self._output_name} (destroy)"

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        return delete_output(evaluator.context, self._output_name)
