"""In which order objects are replaced.

Creating first is what a block asks for; and what its dependencies have to do as well, whatever their blocks say: an
object that is still in use cannot go before the replacement of its user is there. The order passes from dependents to
dependencies only, and holds for objects that are not replaced now: it is recorded with them, and decides when they are
destroyed.
"""

from __future__ import annotations

from collections.abc import Iterable

from new_engine.compiled import Compiled
from new_engine.nodes.node import Node
from new_engine.nodes.resource import PlanResource
from shared_nodes.addresses.resource import ConfigResource

__all__ = ["creating_first"]


def creating_first(compiled: Compiled, nodes: Iterable[Node]) -> frozenset[ConfigResource]:
    """Among the nodes that are planned: what targets leave out forces nothing."""
    planned = [node for node in nodes if isinstance(node, PlanResource)]
    asking = [node for node in planned if node.block.lifecycle.create_before_destroy]
    if not asking:
        return frozenset()
    below = compiled.reach.all_below(asking)
    return frozenset(node.address for node in planned if node in below)
