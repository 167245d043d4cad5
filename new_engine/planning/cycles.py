"""Nodes that wait for each other, or for themselves, reported in the words of the graph engine before anything happens.

References cannot make a node wait for itself, but the state can: after it was edited by hand, an object may be recorded
to depend on its own resource, and would have to be destroyed before itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from new_engine.nodes.node import Node
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.operations.graph import cycle_error, self_reference_error

__all__ = ["find_cycles", "report_self_references"]


def find_cycles(components: Iterable[Sequence[Node]], among: Collection[Node] | None = None) -> list[Diagnostic]:
    """Report each component with several members. With `among`, only cycles of selected nodes: a selected node brings
    along everything it waits for, so that a cycle is selected as a whole or not at all."""
    found = [component for component in components if len(component) > 1]
    if among is not None and found:
        selected = set(among)
        found = [component for component in found if not selected.isdisjoint(component)]
    members = [sorted(node.name for node in component) for component in found]
    return [cycle_error(names) for names in sorted(members, key=", ".join)]


def report_self_references(nodes: Iterable[Node]) -> list[Diagnostic]:
    return [self_reference_error(node.name) for node in nodes]
