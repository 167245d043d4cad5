"""Vertices for what the configuration declares: resources, imports, values and checks."""

from __future__ import annotations

from collections import defaultdict

from legacy_engine.nodes.capabilities import Vertex
from legacy_engine.nodes.check import CheckVertex, ReportCheck, StartChecks
from legacy_engine.nodes.instance import ApplyInstance
from legacy_engine.nodes.node import ResourceVertex
from legacy_engine.nodes.resource import (
    ApplyResource,
    EphemeralResource,
    EvalResource,
    ImportWithoutBlock,
    PlanResource,
    ValidateResource,
)
from legacy_engine.nodes.values import LocalVertex, ModuleVariable, OutputVertex, RootVariable, VariableValidation
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.addresses.resource import ConfigResource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.provider_configurations import requested_by_import
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import import_references
from shared_nodes.nodes.statements.import_targets import ImportTarget, misplaced_imports

__all__ = [
    "add_checks",
    "add_imports",
    "add_locals",
    "add_module_variables",
    "add_outputs",
    "add_resources",
    "add_root_variables",
    "add_variable_validations",
    "delay_check_data",
]


def add_resources(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add one vertex per resource block. In destroy mode objects of the state are planned instead, and only ephemeral
    resources are added: a provider may be configured with them."""
    for tree in build.config.walk():
        for resource, block in tree.module.resources.items():
            if build.operation is not Operation.PLAN_DESTROY or resource.mode is ResourceMode.EPHEMERAL:
                graph.add(_make_resource(ConfigResource(tree.path, resource), tree, block, build))
    return []


def _make_resource(address: ConfigResource, tree: ConfigTree, block: ResourceBlock, build: BuildContext) -> Vertex:
    if build.operation is Operation.VALIDATE:
        return ValidateResource(address, tree, block)
    if build.operation is Operation.EVAL:
        return EvalResource(address, tree, block)
    if address.resource.mode is ResourceMode.EPHEMERAL:
        return EphemeralResource(address, tree, block, build.inputs)
    if build.operation.is_planning:
        return PlanResource(address, tree, block, build.inputs)
    return ApplyResource(address, tree, block, build.flavour)


def add_imports(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Attach import blocks to the resource they import into, which then waits for everything they refer to. Imports
    into a resource that is not declared get a vertex of their own, which reports that."""
    problems = misplaced_imports(build.inputs.imports, build.config, build.schemas)
    if problems:
        return problems
    by_resource: dict[ConfigResource, list[ImportTarget]] = defaultdict(list)
    for target in build.inputs.imports:
        by_resource[target.resource].append(target)
    if not by_resource:
        return []
    for vertex in graph.vertices():
        if isinstance(vertex, ResourceVertex) and vertex.address in by_resource:
            _attach_imports(vertex, by_resource.pop(vertex.address), build)
    for address, targets in by_resource.items():
        is_validating = build.operation is Operation.VALIDATE
        tree = build.config.at(address.module)
        missing = (ValidateResource if is_validating else ImportWithoutBlock)(address, tree, None)
        _attach_imports(missing, targets, build)
        missing.import_request = requested_by_import(build.config, address, targets[0].block)
        graph.add(missing)
    return []


def _attach_imports(vertex: ResourceVertex, targets: list[ImportTarget], build: BuildContext) -> None:
    """Attach import blocks to a vertex. Their references are always resolved in the root module."""
    vertex.imports = tuple(targets)
    vertex.extra_references = tuple(
        reference for target in targets for reference in import_references(build.config, target)
    )


def add_root_variables(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add the variables of the root module, with the values the user gave."""
    for variable in build.config.module.variables.values():
        graph.add(RootVariable(variable, build.variables.get(variable.name), build.flavour))
    return []


def add_module_variables(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add the variables of all other modules. Arguments of calls were compared with the declarations when the
    configuration was loaded."""
    for tree in build.config.walk():
        if tree.call is not None:
            parent = build.config.at(tree.path.parent)
            assert parent is not None
            for variable in tree.module.variables.values():
                graph.add(ModuleVariable(variable, tree, parent, build.flavour))
    return []


def add_variable_validations(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add the rules of each variable that has some. Rules may refer to anything, so they cannot be part of the variable
    itself; references to the variable wait for them too."""
    is_destroying = build.operation.is_destroying
    for vertex in graph.vertices():
        if not isinstance(vertex, RootVariable | ModuleVariable):
            continue
        if vertex.variable.validations or build.flavour.variables_have_reference_vertices:
            tree = vertex.tree if isinstance(vertex, ModuleVariable) else build.config
            rules = VariableValidation(vertex.variable, tree, build.flavour, is_destroying=is_destroying)
            graph.connect(rules, vertex)
    return []


def add_locals(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for tree in build.config.walk():
        for declaration in tree.module.locals.values():
            graph.add(LocalVertex(declaration, tree))
    return []


def add_outputs(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for tree in build.config.walk():
        for block in tree.module.outputs.values():
            graph.add(OutputVertex(block, tree, is_destroying=build.operation.is_destroying))
    return []


def add_checks(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add check blocks. The instances of a check are reported first, then its nested data is read, then its assertions
    are evaluated. Nothing is checked while everything is destroyed."""
    if build.operation.is_destroying:
        return []
    nested = {
        vertex.address: vertex
        for vertex in graph
        if isinstance(vertex, ResourceVertex) and vertex.block is not None and vertex.block.check is not None
    }
    for tree in build.config.walk():
        for block in tree.module.checks.values():
            check = CheckVertex(block, tree)
            graph.add(check)
            if build.operation is not Operation.PLAN:
                continue
            report = ReportCheck(block, tree)
            graph.connect(check, report)
            if block.data is not None:
                graph.connect(nested[ConfigResource(tree.path, block.data.resource)], report)
    return []


def delay_check_data(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    """Read data nested in checks only after all managed resources were created or updated, so that checks see the
    result. Destroying is not waited for."""
    instances = [vertex for vertex in graph if isinstance(vertex, ApplyInstance)]
    nested = [vertex for vertex in instances if vertex.block is not None and vertex.block.check is not None]
    if not nested:
        return []
    start = StartChecks()
    graph.add(start)
    for vertex in nested:
        graph.connect(vertex, start)
    for vertex in instances:
        if _is_managed(vertex) and not any(_is_managed(user) for user in graph.dependents(vertex)):
            graph.connect(start, vertex)
    return []


def _is_managed(vertex: Vertex) -> bool:
    return isinstance(vertex, ApplyInstance) and vertex.address.resource.mode is ResourceMode.MANAGED
