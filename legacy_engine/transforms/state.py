"""Objects that are planned because the state has them, whatever the configuration says: deposed ones always, and in
destroy mode all others too."""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.nodes.plan_deposed import PlanDeposed
from legacy_engine.nodes.plan_destroy import PlanDestroy
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    for address, instance in build.state.instances():
        if instance.current is not None and build.operation is Operation.PLAN_DESTROY:
            graph.add(PlanDestroy(address, build))
        for key in sorted(instance.deposed):
            graph.add(PlanDeposed(address, key, build))
    return []
