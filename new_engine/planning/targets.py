"""Which nodes targets and exclusions leave: the selected ones, and everything they wait for."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from new_engine.discovery.dependencies import Dependencies, Reach
from new_engine.execgraph.graph import ExecutionGraph
from new_engine.nodes.instance import InstanceNode
from new_engine.nodes.node import Node
from new_engine.nodes.resource import ImportWithoutBlock, ResourceNode
from new_engine.nodes.values import OutputNode
from new_engine.planning.prune import is_lasting
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.plan.targets import contains_any, is_part_of, selects

__all__ = ["selected_nodes"]

_Resource = ResourceNode | ImportWithoutBlock | InstanceNode


def selected_nodes(dependencies: Dependencies, settled: ExecutionGraph | None = None) -> list[Node]:
    """Return the nodes that targets and exclusions leave, in the order they were declared; all of them if there are
    none. `settled` is the graph of a plan, which says which lasting values are left; without one, or if it does not say
    so because nothing changes, this is worked out here. Blocks leave out single instances when they are expanded."""
    inputs = dependencies.table.inputs
    if not inputs.targets and not inputs.excludes:
        return dependencies.nodes
    reach = dependencies.reach
    addresses = {node: address for node in dependencies.nodes if (address := _address(node)) is not None}
    if inputs.targets:
        selected = [node for node, address in addresses.items() if selects(inputs.targets, address)]
    else:
        selected = _without_excluded(reach, addresses, inputs.excludes)
    kept = reach.all_below(selected)
    lasting = [node for node in dependencies.nodes if is_lasting(node)]
    if settled is None or settled.outputs is None:
        kept.update(dict.fromkeys(node for node in lasting if _is_kept_with(kept, node, reach)))
    else:
        kept.update(dict.fromkeys(node for node in lasting if _is_listed(node, settled)))
    kept = reach.all_below(kept)
    return [node for node in dependencies.nodes if node in kept]


def _is_listed(node: Node, graph: ExecutionGraph) -> bool:
    if isinstance(node, OutputNode):
        return node.block.name in (graph.outputs or ())
    return node.name in (graph.rules or ())


def _address(node: Node) -> AbsResourceInstance | ConfigResource | None:
    if isinstance(node, InstanceNode):
        return node.instance
    return node.address if isinstance(node, ResourceNode | ImportWithoutBlock) else None


def _is_kept_with(kept: Collection[Node], value: Node, reach: Reach) -> bool:
    """Whether a value depends on resources, and all of them are kept."""
    resources = [below for below in reach.all_below([value]) if isinstance(below, _Resource)]
    return bool(resources) and all(resource in kept for resource in resources)


def _without_excluded(
    reach: Reach, addresses: Mapping[Node, AbsResourceInstance | ConfigResource], excludes: tuple[Target, ...]
) -> list[Node]:
    """Return everything but the excluded resources and what depends on them. Excluding one instance keeps its block and
    its siblings, but drops all dependents of the resource."""
    dropped = {node for node, address in addresses.items() if contains_any(excludes, address)}
    for node, address in addresses.items():
        if node in dropped or selects(excludes, address):
            above = reach.all_above([node])
            dropped.update(other for other in above if other in addresses and not is_part_of(addresses[other], address))
    return [node for node in addresses if node not in dropped]
