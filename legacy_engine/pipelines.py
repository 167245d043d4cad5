"""Which steps build which graph, in which order. The order is part of the behaviour.

For instance, dependencies are attached before unused vertices are pruned, so that what an object depends on is recorded
in full; and while applying, create-before-destroy is forced before the edges of destroying exist, because it spreads
along references, not along the order of destroying.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from legacy_engine.transforms.attach import attach_blocks, attach_schemas, attach_state
from legacy_engine.transforms.build_context import BuildContext, Transform, VertexGraph
from legacy_engine.transforms.close import close_ephemeral_resources, close_providers, close_root
from legacy_engine.transforms.destroy_order import (
    force_create_before_destroy,
    order_destroys,
    reverse_create_before_destroy,
)
from legacy_engine.transforms.expansion import close_removed_modules, expand_modules
from legacy_engine.transforms.objects import add_changes, add_orphans, add_removed_outputs, add_state_objects
from legacy_engine.transforms.providers import connect_function_providers, connect_providers
from legacy_engine.transforms.prune import prune_unused
from legacy_engine.transforms.references import (
    attach_dependencies,
    attach_dependencies_and_read_order,
    connect_references,
)
from legacy_engine.transforms.targets import apply_targets
from legacy_engine.transforms.vertices import (
    add_checks,
    add_imports,
    add_locals,
    add_module_variables,
    add_outputs,
    add_resources,
    add_root_variables,
    add_variable_validations,
    delay_check_data,
)
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.graph import Graph

__all__ = ["build_graph"]

_PLAN: Final[Sequence[Transform]] = (
    add_resources,
    add_imports,
    add_root_variables,
    add_module_variables,
    add_variable_validations,
    add_locals,
    add_outputs,
    add_checks,
    add_orphans,
    add_state_objects,
    attach_state,
    add_removed_outputs,
    attach_blocks,
    connect_providers,
    close_removed_modules,
    attach_schemas,
    connect_function_providers,
    expand_modules,
    connect_references,
    attach_dependencies_and_read_order,
    order_destroys,
    prune_unused,
    apply_targets,
    force_create_before_destroy,
    close_ephemeral_resources,
    close_providers,
    close_root,
)

_APPLY: Final[Sequence[Transform]] = (
    add_resources,
    add_root_variables,
    add_module_variables,
    add_variable_validations,
    add_locals,
    add_outputs,
    add_changes,
    add_checks,
    attach_state,
    add_removed_outputs,
    attach_blocks,
    connect_providers,
    close_removed_modules,
    attach_schemas,
    connect_function_providers,
    expand_modules,
    connect_references,
    attach_dependencies,
    delay_check_data,
    force_create_before_destroy,
    order_destroys,
    reverse_create_before_destroy,
    prune_unused,
    apply_targets,
    close_ephemeral_resources,
    close_providers,
    close_root,
)

_EVAL: Final[Sequence[Transform]] = (
    add_resources,
    add_root_variables,
    add_module_variables,
    add_locals,
    add_outputs,
    attach_blocks,
    attach_state,
    connect_providers,
    attach_schemas,
    connect_function_providers,
    expand_modules,
    connect_references,
    close_providers,
    close_root,
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
    """Return a graph that can be walked, or the reasons why there is none. Edges implied by others are left in: they
    change no order, and finding them costs more than keeping them."""
    graph: VertexGraph = Graph()
    for transform in _PIPELINES[build.operation]:
        problems = transform(graph, build)
        if has_errors(problems):
            return graph, problems
    return graph, graph.problems()
