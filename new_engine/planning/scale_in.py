"""The order of C07: what used an object is updated before the object is destroyed.

This concerns only an object that is deleted for good and another that is updated in place. Everything else keeps the
order of `leg_order.py`. If the two orders contradict each other, because something the object depended on is changed as
well, the old one stays: an order that can be followed matters more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from new_engine.nodes.leg import LegKind, LegNode
from new_engine.planning.leg_order import Edges
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.plan.change import Action

__all__ = ["update_dependents_first"]


def update_dependents_first(
    edges: Edges,
    recorded: Mapping[LegNode, tuple[ConfigResource, ...]],
    reaches: Callable[[LegNode, LegNode, Edges], bool],
) -> Edges:
    """Reverse the edges that C07 concerns. `recorded` are the dependencies of each leg's object; `reaches(a, b, edges)`
    returns whether a waits for b, directly or not."""
    turned: Edges = defaultdict(dict, {waiting: dict(others) for waiting, others in edges.items()})
    for waiting, others in edges.items():
        for other in others:
            if not _is_scale_in(waiting, other) or other.address not in recorded.get(waiting, ()):
                continue
            del turned[waiting][other]
            if reaches(waiting, other, turned):
                turned[waiting][other] = None
            else:
                turned[other][waiting] = None
    return turned


def _is_scale_in(waiting: LegNode, other: LegNode) -> bool:
    return (
        waiting.leg.kind is LegKind.APPLY
        and waiting.leg.action is Action.UPDATE
        and other.leg.kind is LegKind.DESTROY
        and other.leg.action is Action.DELETE
        and other.leg.deposed is None
    )
