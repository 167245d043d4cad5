"""Variables, their rules, locals and outputs.

Each is one vertex in the graph. Its work is done once per instance of its module, in a subgraph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from legacy_engine.nodes.capabilities import (
    Executable,
    Expandable,
    Expander,
    InModule,
    Referenceable,
    Referencer,
    Temporary,
    Vertex,
)
from shared_nodes.addresses.module import ROOT_INSTANCE, ROOT_PATH, ModuleInstance, ModulePath
from shared_nodes.addresses.references import InputVariable, ScopedSubject
from shared_nodes.config.blocks import OutputBlock
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.inputs import GivenValue
from shared_nodes.config.module import LocalDeclaration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
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
from shared_nodes.operations.graph import Graph

__all__ = [
    "LocalVertex",
    "ModuleVariable",
    "OutputVertex",
    "PerModule",
    "RemovedOutput",
    "RootVariable",
    "VariableValidation",
    "for_each_module",
]


class PerModule(Executable):
    """The work of a value in one instance of its module."""

    __slots__ = ("_name", "_work")

    def __init__(self, name: str, work: Callable[[], Sequence[Diagnostic]]) -> None:
        self._name = name
        self._work = work

    @property
    def name(self) -> str:
        return self._name

    async def execute(self, _context: NodeContext) -> Sequence[Diagnostic]:
        return self._work()


def for_each_module(
    name: str, modules: Iterable[ModuleInstance], work: Callable[[ModuleInstance], Sequence[Diagnostic]]
) -> Graph[Vertex]:
    """Return a subgraph of vertices that do not wait for each other, one per module instance. `name` is the name of the
    value inside its module."""
    graph: Graph[Vertex] = Graph()
    for module in modules:
        graph.add(PerModule(module.prefix(name), partial(work, module)))
    return graph


class RootVariable(InModule, Referenceable, Temporary, Executable):
    def __init__(self, variable: Variable, given: GivenValue | None, flavour: Flavour) -> None:
        self.variable = variable
        self.module = ROOT_PATH
        self.is_temporary = not flavour.variables_have_reference_vertices
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
    """A variable of a called module. It is visible inside the module and evaluated in the parent."""

    is_temporary = True

    def __init__(self, variable: Variable, tree: ConfigTree, parent: ConfigTree, flavour: Flavour) -> None:
        self.variable = variable
        self.tree = tree
        self.parent = parent
        self.module = tree.path
        self._flavour = flavour

    @property
    def name(self) -> str:
        return input_vertex_name(self.module, self.variable.name, self._flavour)

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module, f"var.{self.variable.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        assert self.tree.call is not None
        argument = self.tree.call.body.attributes.get(self.variable.name)
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
    """The rules of a variable. It has the variable's name too, so that a reference to the variable waits for its
    rules."""

    def __init__(self, variable: Variable, tree: ConfigTree, flavour: Flavour, *, is_destroying: bool) -> None:
        self.variable = variable
        self.tree = tree
        self.module = tree.path
        self.is_temporary = are_rules_temporary(variable, flavour, is_destroying=is_destroying)
        self._flavour = flavour

    @property
    def name(self) -> str:
        return rules_vertex_name(self.module, self.variable.name, self._flavour)

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module, f"var.{self.variable.name}")]

    def references(self) -> Sequence[ScopedSubject]:
        """Return the references except those to the variable itself: rules name it to read its value, not to wait for
        this vertex."""
        own = InputVariable(self.variable.name)
        found = conditions_references(self.tree, self.variable.validations)
        return [reference for reference in found if reference.subject != own]

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        problems: list[Diagnostic] = []
        for module in context.expander.modules(self.module):
            problems += validate_variable(context, module, self.variable)
        return problems


class LocalVertex(InModule, Referenceable, Referencer, Temporary, Expandable, Expander):
    is_temporary = True

    def __init__(self, declaration: LocalDeclaration, tree: ConfigTree) -> None:
        self.declaration = declaration
        self.tree = tree
        self.module = tree.path

    @property
    def _local_name(self) -> str:
        return f"local.{self.declaration.name}"

    @property
    def name(self) -> str:
        return f"{self.module.prefix(self._local_name)} (expand)"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return [(self.module, self._local_name)]

    def references(self) -> Sequence[ScopedSubject]:
        return expression_references(self.tree, self.declaration.expression)

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        modules = context.expander.modules(self.module)
        work = for_each_module(
            self._local_name, modules, lambda module: evaluate_local(context, module, self.declaration)
        )
        return work, ()


class OutputVertex(InModule, Referenceable, Referencer, Temporary, Expandable, Expander):
    """An output. In the parent module it has two names: `module.m.o`, and `module.m`, because a reference to the whole
    module reads the output too. An output of the root has none; it is not temporary, because it is saved."""

    def __init__(self, block: OutputBlock, tree: ConfigTree, *, is_destroying: bool) -> None:
        self.block = block
        self.tree = tree
        self.module = tree.path
        self.is_temporary = bool(tree.path.names)
        self._is_deleted = is_destroying and not self.is_temporary

    @property
    def name(self) -> str:
        return f"{self.module.prefix(f'output.{self.block.name}')} (expand)"

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        return output_names(self.module, self.block.name)

    def references(self) -> Sequence[ScopedSubject]:
        """Return what the value refers to. An output that is going to be deleted needs no value."""
        return [] if self._is_deleted else output_references(self.tree, self.block)

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
    """A root output that is going to be removed from the state."""

    is_temporary = False

    def __init__(self, output_name: str) -> None:
        self._output_name = output_name

    @property
    def name(self) -> str:
        return f"output.{self._output_name} (destroy)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        return delete_output(context, self._output_name)
