"""One vertex for each resource block of the module tree."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Vertex
from legacy_engine.nodes.apply_resource import ApplyResource
from legacy_engine.nodes.ephemeral import EphemeralResource
from legacy_engine.nodes.eval_resource import EvalResource
from legacy_engine.nodes.plan_resource import PlanResource
from legacy_engine.nodes.validate_resource import ValidateResource
from shared_nodes.addresses.resource import ConfigResource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Planning to destroy everything looks at the state instead; only ephemeral resources may be needed all the
    same, to configure a provider."""
    for node in build.config.walk():
        for resource, block in node.module.resources.items():
            if build.operation is not Operation.PLAN_DESTROY or resource.mode is ResourceMode.EPHEMERAL:
                graph.add(_vertex(ConfigResource(node.path, resource), node, block, build))
    return []


def _vertex(address: ConfigResource, node: ConfigTree, block: ResourceBlock, build: BuildContext) -> Vertex:
    if build.operation is Operation.VALIDATE:
        return ValidateResource(address, node, block)
    if build.operation is Operation.EVAL:
        return EvalResource(address, node, block)
    if address.resource.mode is ResourceMode.EPHEMERAL:
        return EphemeralResource(address, node, block)
    if build.operation.is_planning:
        return PlanResource(address, node, block, build)
    return ApplyResource(address, node, block, build)
