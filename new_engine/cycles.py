"""Nodes that wait for each other, or for themselves: told in the words of the graph engine, before anything happens.

References cannot make a node wait for itself, but what a state says can: after it was edited by hand, an object may
name its own resource among what it depends on, and would have to go before itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from new_engine.nodes.node import Node
from shared_nodes.lang.diagnostics import Diagnostic, error

__all__ = ["cycles", "self_references"]


def cycles(components: Iterable[Sequence[Node]], among: Collection[Node] | None = None) -> list[Diagnostic]:
    """Of those components that have several members; only those that are `among` some, where these are given: whoever
    is selected brings along all it waits for, so that a cycle is selected as a whole or not at all."""
    found = [component for component in components if len(component) > 1]
    if among is not None and found:
        selected = set(among)
        found = [component for component in found if not selected.isdisjoint(component)]
    return [error(f"Cycle: {names}") for names in sorted(", ".join(sorted(node.name for node in one)) for one in found)]


def self_references(nodes: Iterable[Node]) -> list[Diagnostic]:
    return [error(f"Self reference: {node.name}") for node in nodes]
