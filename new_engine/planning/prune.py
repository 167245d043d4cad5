"""Dropping what an operation has no use for: values that nothing refers to, and blocks whose instances nothing needs.

This happens when everything is destroyed, while planning and while applying; some products do it in every apply. What
is dropped is neither evaluated nor checked again, and no provider is configured because of it. References to such a
block, for instance from an output of the root, see what the state has. The same set is dropped when the order of legs
is found and when they are carried out: what is dropped orders nothing, and if a target selects nothing else, nothing is
done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from new_engine.discovery.dependencies import Dependencies
from new_engine.nodes.check import CheckNode
from new_engine.nodes.instance import UnwantedNode
from new_engine.nodes.leg import LegNode, ResultNode
from new_engine.nodes.module import ModuleCallNode, ModuleEnd
from new_engine.nodes.node import Node
from new_engine.nodes.provider import ProviderNode
from new_engine.nodes.resource import ApplyResource, EphemeralResource
from new_engine.nodes.values import LocalNode, ModuleVariable, OutputNode, RemovedOutput, RootVariable, VariableRules

__all__ = ["is_lasting", "prune_unused"]

_VALUES: Final = LocalNode | RootVariable | ModuleVariable | VariableRules | OutputNode
_REFER_TO_NOTHING: Final = RootVariable | ModuleEnd | RemovedOutput
_DESTROYED: Final = UnwantedNode | LegNode
_NEED_INSTANCES: Final = (
    ApplyResource
    | ModuleCallNode
    | LocalNode
    | ModuleVariable
    | CheckNode
    | EphemeralResource
    | UnwantedNode
    | LegNode
    | ResultNode
    | ProviderNode
)


def prune_unused(dependencies: Dependencies) -> Dependencies:
    """Drop what is not needed, if everything is being destroyed or the product does so in every apply."""
    table = dependencies.table
    if table.is_destroying and table.flavour.destroys_with_needs_alone:
        return dependencies.without(_not_needed_to_destroy(dependencies))
    if table.is_destroying or table.flavour.prunes_every_apply:
        return dependencies.without(_unused_nodes(dependencies))
    return dependencies


def _not_needed_to_destroy(dependencies: Dependencies) -> set[Node]:
    """Return everything except what is destroyed and what that needs. Operations are not nodes, so for these it keeps
    their providers. Outputs of the root, which are about to be removed, stay as well."""
    destroyed = (node for node in dependencies.nodes if isinstance(node, _DESTROYED))
    needed = _with_needs(dependencies, (*dependencies.table.serving, *destroyed))
    return {node for node in _all_nodes(dependencies) if node not in needed and not _is_root_output(node)}


def _is_root_output(node: Node) -> bool:
    return isinstance(node, RemovedOutput) or (isinstance(node, OutputNode) and node.is_root)


def _unused_nodes(dependencies: Dependencies) -> set[Node]:
    """Return the nodes that are not needed. Dropping one node may make what it waited for useless as well, which is
    then examined again."""
    below = {node: tuple(dependencies.through_results(node)) for node in _all_nodes(dependencies)}
    serving = frozenset(dependencies.table.serving)
    users: dict[Node, dict[Node, None]] = {node: {} for node in below}
    for node, waited in below.items():
        for other in waited:
            users[other][node] = None
    dropped: set[Node] = set()
    pending = dict.fromkeys(below)
    while pending:
        node, _ = pending.popitem()
        if node in dropped or node in serving:
            continue
        if not _is_needed(node, users[node], is_destroying=dependencies.table.is_destroying):
            dropped.add(node)
            for other in below[node]:
                users[other].pop(node, None)
                pending[other] = None
    return dropped


def is_lasting(node: Node) -> bool:
    """Whether a node stays even if nothing refers to it."""
    if isinstance(node, RootVariable | VariableRules):
        return not node.is_temporary
    return isinstance(node, OutputNode) and node.is_root


def _all_nodes(dependencies: Dependencies) -> Collection[Node]:
    return _with_needs(dependencies, (*dependencies.nodes, *dependencies.table.used_providers))


def _with_needs(dependencies: Dependencies, nodes: Iterable[Node]) -> Collection[Node]:
    """Return the nodes and everything they depend on, in the order they are met."""
    found = dict.fromkeys(nodes)
    pending = list(found)
    while pending:
        for node in dependencies.through_results(pending.pop()):
            if node not in found:
                found[node] = None
                pending.append(node)
    return found


def _is_needed(node: Node, users: Collection[Node], *, is_destroying: bool) -> bool:
    if is_lasting(node):
        return True
    if isinstance(node, _VALUES):
        return any(not isinstance(user, _REFER_TO_NOTHING) for user in users)
    if isinstance(node, ApplyResource | EphemeralResource | ModuleCallNode) or (
        is_destroying and isinstance(node, ModuleEnd)
    ):
        return any(_needs_instances(user, is_destroying=is_destroying) for user in users)
    return bool(users) or not isinstance(node, ProviderNode)


def _needs_instances(user: Node, *, is_destroying: bool) -> bool:
    """Whether a user needs the instances of what it waits for. The root has exactly one instance, so its outputs do not
    need them. The end of a module needs them only while everything is destroyed: otherwise waiting for a module means
    waiting for what happens in it."""
    if isinstance(user, ModuleEnd):
        return is_destroying
    return isinstance(user, _NEED_INSTANCES) or (isinstance(user, OutputNode) and not user.is_root)
