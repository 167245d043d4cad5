"""In which order objects are replaced.

A block can ask for creating the new object first. Then everything it depends on must do so as well, whatever the other
blocks say: an object that is still in use cannot be destroyed before the replacement of its user exists. The order
passes from dependents to dependencies only. It also holds for objects that are not replaced now: it is recorded with
them, and decides when they are destroyed.
"""

from __future__ import annotations

from collections.abc import Iterable

from new_engine.discovery.dependencies import Dependencies
from new_engine.nodes.node import Node
from new_engine.nodes.resource import PlanResource
from shared_nodes.addresses.resource import ConfigResource

__all__ = ["find_creating_first"]


def find_creating_first(dependencies: Dependencies, nodes: Iterable[Node]) -> frozenset[ConfigResource]:
    """Return the resources among the planned nodes that are replaced by creating first. Nodes that targets leave out
    force nothing."""
    planned = [node for node in nodes if isinstance(node, PlanResource)]
    initial = [node for node in planned if node.block.lifecycle.create_before_destroy]
    if not initial:
        return frozenset()
    below = dependencies.reach.all_below(initial)
    return frozenset(node.address for node in planned if node in below)
