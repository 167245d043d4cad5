"""Objects whose resource block is gone: each is planned by itself, to be destroyed or forgotten."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.plan_orphan import PlanOrphan
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """An instance with nothing but deposed objects is no orphan: those are planned one by one."""
    if build.operation is Operation.PLAN_DESTROY:
        return []
    for address, instance in build.state.instances():
        if instance.current is not None and build.config.resource(address.config) is None:
            graph.add(PlanOrphan(address, build))
    return []
