"""Check blocks: which instances there are is reported before anything of them runs; then nested data is read; then the
assertions are evaluated. Nothing is checked while everything is destroyed."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.check import CheckVertex, ReportCheck
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    if build.is_destroying:
        return []
    nested = {
        vertex.address: vertex
        for vertex in graph
        if isinstance(vertex, ResourceVertex) and vertex.block is not None and vertex.block.check is not None
    }
    for node in build.config.walk():
        for block in node.module.checks.values():
            check = CheckVertex(block, node)
            graph.add(check)
            if build.operation is not Operation.PLAN:
                continue
            report = ReportCheck(block, node)
            graph.connect(check, report)
            if block.data is not None:
                graph.connect(nested[ConfigResource(node.path, block.data.resource)], report)
    return []
