"""Import blocks go to the resource they import into, which then refers to whatever they refer to. Those into a resource
that is not declared get a vertex of their own, to say so in its turn."""

from __future__ import annotations

from collections import defaultdict

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.import_without_block import ImportWithoutBlock
from legacy_engine.nodes.resource import ResourceVertex
from legacy_engine.nodes.validate_resource import ValidateResource
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import import_references
from shared_nodes.nodes.statements.imports import ImportTarget, misplaced_imports

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    problems = misplaced_imports(build.imports, build.config, build.schemas)
    if problems:
        return problems
    by_resource: dict[ConfigResource, list[ImportTarget]] = defaultdict(list)
    for target in build.imports:
        by_resource[target.resource].append(target)
    if not by_resource:
        return []
    for vertex in graph.vertices():
        if isinstance(vertex, ResourceVertex) and vertex.address in by_resource:
            _attach(vertex, by_resource.pop(vertex.address), build)
    for address, targets in by_resource.items():
        is_validating = build.operation is Operation.VALIDATE
        node = build.config.at(address.module)
        missing = (ValidateResource if is_validating else ImportWithoutBlock)(address, node, None)
        _attach(missing, targets, build)
        graph.add(missing)
    return []


def _attach(vertex: ResourceVertex, targets: list[ImportTarget], build: BuildContext) -> None:
    """What an import block says is always meant in the root module."""
    vertex.imports = tuple(targets)
    vertex.extra_references = tuple(
        reference for target in targets for reference in import_references(build.config, target)
    )
