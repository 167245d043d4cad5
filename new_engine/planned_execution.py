"""What the engine keeps with a plan: the execution graph, and the intended changes it was made with.

It is saved with the plan and read again when the file is applied. A plan that is applied at once passes it on as it is.
"""

from __future__ import annotations

from dataclasses import field

from new_engine.compat.profile import Adopted, adopted_by
from new_engine.execgraph.codec import dump, load
from new_engine.execgraph.graph import ExecutionGraph
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.plan import Plan
from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["PlannedExecution", "execution_of"]


@record
class PlannedExecution:
    graph: ExecutionGraph = field(default_factory=ExecutionGraph)
    adopted: Adopted = field(default_factory=Adopted)
    is_missing: bool = False
    """Whether the plan came without an execution. That differs from an empty graph: targets can leave out everything
    that is planned."""

    def tree(self) -> Tree:
        return {**dump(self.graph), **self.adopted.tree}


def execution_of(plan: Plan) -> PlannedExecution | Diagnostic:
    """Return what was kept with a plan; without any there is nothing to do. Nothing in a file is trusted."""
    kept = plan.execution
    if isinstance(kept, PlannedExecution):
        return kept
    if kept is None:
        return PlannedExecution(is_missing=True)
    graph, adopted = load(plan.execution_tree), adopted_by(plan.execution_tree)
    if isinstance(graph, Diagnostic):
        return graph
    return adopted if isinstance(adopted, Diagnostic) else PlannedExecution(graph, adopted)
