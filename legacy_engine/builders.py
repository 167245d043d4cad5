"""Which transformers build which graph, in which order. The order is part of the behaviour.

For instance, dependencies are attached before unused vertices are pruned, so that what an object depends on is recorded
in full; and while applying, create-before-destroy is forced before the edges of destroying exist, because it spreads
along references, not along the order of destroying.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from legacy_engine.build import BuildContext, Transform, VertexGraph
from legacy_engine.transforms import (
    attach_config,
    attach_dependencies,
    attach_depends_on,
    attach_schema,
    attach_state,
    check,
    check_start,
    close_provider,
    close_resource,
    close_root,
    config,
    create_before_destroy_edge,
    destroy_edge,
    diff,
    forced_create_before_destroy,
    import_target,
    local,
    module_expansion,
    orphan_output,
    orphan_resource,
    output,
    providers,
    prune_unused,
    reference,
    removed_module,
    state,
    targeting,
    variable,
    variable_validation,
)
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.graph import Graph

__all__ = ["build_graph"]

_PLAN: Final[Sequence[Transform]] = (
    config.transform,
    import_target.transform,
    variable.transform_root,
    variable.transform_module,
    variable_validation.transform,
    local.transform,
    output.transform,
    check.transform,
    orphan_resource.transform,
    state.transform,
    attach_state.transform,
    orphan_output.transform,
    attach_config.transform,
    providers.transform,
    removed_module.transform,
    attach_schema.transform,
    module_expansion.transform,
    reference.transform,
    attach_dependencies.transform,
    attach_depends_on.transform,
    destroy_edge.transform,
    prune_unused.transform,
    targeting.transform,
    forced_create_before_destroy.transform,
    close_resource.transform,
    close_provider.transform,
    close_root.transform,
)

_APPLY: Final[Sequence[Transform]] = (
    config.transform,
    variable.transform_root,
    variable.transform_module,
    variable_validation.transform,
    local.transform,
    output.transform,
    diff.transform,
    check.transform,
    attach_state.transform,
    orphan_output.transform,
    attach_config.transform,
    providers.transform,
    removed_module.transform,
    attach_schema.transform,
    module_expansion.transform,
    reference.transform,
    attach_dependencies.transform,
    check_start.transform,
    forced_create_before_destroy.transform,
    destroy_edge.transform,
    create_before_destroy_edge.transform,
    prune_unused.transform,
    targeting.transform,
    close_resource.transform,
    close_provider.transform,
    close_root.transform,
)

_EVAL: Final[Sequence[Transform]] = (
    config.transform,
    variable.transform_root,
    variable.transform_module,
    local.transform,
    output.transform,
    attach_config.transform,
    attach_state.transform,
    providers.transform,
    attach_schema.transform,
    module_expansion.transform,
    reference.transform,
    close_provider.transform,
    close_root.transform,
)

_PIPELINES: Final = {
    Operation.VALIDATE: _PLAN,
    Operation.PLAN: _PLAN,
    Operation.PLAN_DESTROY: _PLAN,
    Operation.APPLY: _APPLY,
    Operation.DESTROY: _APPLY,
    Operation.EVAL: _EVAL,
}


def build_graph(build: BuildContext) -> tuple[VertexGraph, list[Diagnostic]]:
    """A graph that can be walked, or the reasons why there is none. Edges implied by others are left in: they change
    no order, and finding them costs more than they do."""
    graph: VertexGraph = Graph()
    for transform in _PIPELINES[build.operation]:
        problems = transform(graph, build)
        if has_errors(problems):
            return graph, problems
    build.resources_below.clear()  # vertices hold the context: with this they would hold each other for good
    return graph, graph.problems()
