"""In which order legs run: the rules that no reference expresses.

References determine what must exist before something is created or updated. That an object is destroyed before what it
depended on follows from what the state recorded. For B, which depends on A:

    apply(A)   waits for  destroy(A)    one instance: the old object is destroyed first
    apply(B)   waits for  destroy(A)    B is updated once it is settled what happens to A
    destroy(A) waits for  destroy(B)    nothing is destroyed while its users exist
    apply(A)   waits for  destroy(B)    nor changed while users exist that are about to be destroyed

If an object is replaced by creating the new one first, destroying the old one is the last thing to happen, so each of
these edges from an applying leg to its destroying leg is reversed. The dependencies of
B are those recorded with its object, if there is one, since they hold as long as the object exists; a new object has
those of the configuration.

The function is pure: legs and what is known about them in, edges out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from new_engine.nodes.leg import LegKind, LegNode
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.plan.change import Action

__all__ = ["Edges", "order_legs"]

Edges = dict[LegNode, dict[LegNode, None]]
"""For each leg, the legs it waits for."""


def order_legs(
    legs: Sequence[LegNode],
    recorded: Mapping[LegNode, tuple[ConfigResource, ...]],
    creates_first: Callable[[LegNode], bool],
    is_reachable: Callable[[LegNode, LegNode, Edges], bool],
) -> Edges:
    """Return the edges between legs. `recorded` are the dependencies of each leg's object; `creates_first` returns for
    a destroying leg whether it comes last. `is_reachable(a, b, edges)` returns whether a waits for b already, directly
    or not; it is only called for objects of different providers."""
    return _reverse_create_first(_edges_without_exception(legs, recorded, is_reachable), creates_first)


def _edges_without_exception(
    legs: Sequence[LegNode],
    recorded: Mapping[LegNode, tuple[ConfigResource, ...]],
    is_reachable: Callable[[LegNode, LegNode, Edges], bool],
) -> Edges:
    edges: Edges = defaultdict(dict)
    applies = [leg for leg in legs if leg.leg.kind is LegKind.APPLY]
    removals = [leg for leg in legs if leg.is_removal]
    halves = [leg for leg in legs if leg.leg.action is Action.FORGET_THEN_CREATE]
    forgotten = {leg.instance: leg for leg in halves if leg.leg.kind is LegKind.FORGET}
    for leg in applies:
        if leg.instance in forgotten:
            edges[leg][forgotten[leg.instance]] = None
    if not removals:
        return edges
    of_instance = _group_by(removals, lambda leg: leg.instance)
    removed = _group_by(removals, lambda leg: leg.address)
    changed = _group_by([leg for leg in applies if not leg.leg.is_no_op], lambda leg: leg.address)
    for leg in applies:
        edges[leg].update(dict.fromkeys(of_instance.get(leg.instance, ())))
    for leg in applies:
        if not leg.leg.is_no_op:
            for other in _legs_of(recorded[leg], removed):
                if leg.instance.sees(other.instance):
                    edges[leg][other] = None
    for leg in removals:
        for dependency in recorded[leg]:
            for other in [*removed.get(dependency, ()), *changed.get(dependency, ())]:
                if leg.instance.sees(other.instance) and not _is_impossible(leg, other, edges, is_reachable):
                    edges[other][leg] = None
    return edges


def _is_impossible(
    removal: LegNode, waiting: LegNode, edges: Edges, is_reachable: Callable[[LegNode, LegNode, Edges], bool]
) -> bool:
    """Whether an edge must be left out. A provider may be configured with what another provider manages, and then a
    strict order can be impossible. So an edge between objects of different providers that would close a cycle is left
    out."""
    return removal.provider_node is not waiting.provider_node and is_reachable(removal, waiting, edges)


def _reverse_create_first(edges: Edges, creates_first: Callable[[LegNode], bool]) -> Edges:
    turned: Edges = defaultdict(dict)
    for waiting, others in edges.items():
        for other in others:
            if waiting.leg.kind is LegKind.APPLY and other.is_removal and creates_first(other):
                turned[other][waiting] = None
            else:
                turned[waiting][other] = None
    return turned


def _group_by(legs: Iterable[LegNode], key: Callable[[LegNode], object]) -> Mapping[object, list[LegNode]]:
    found: dict[object, list[LegNode]] = defaultdict(list)
    for leg in legs:
        found[key(leg)].append(leg)
    return found


def _legs_of(dependencies: Iterable[ConfigResource], legs: Mapping[object, list[LegNode]]) -> Iterable[LegNode]:
    for dependency in dependencies if len(legs) > 0 else ():
        yield from legs.get(dependency, ())
