"""Which nodes targets and exclusions leave: those selected, and everything they wait for."""

from __future__ import annotations

from collections.abc import Collection

from new_engine.analysis import Reach
from new_engine.compiled import Compiled
from new_engine.nodes.instance import InstanceNode
from new_engine.nodes.node import Node
from new_engine.nodes.output import OutputNode
from new_engine.nodes.resource import ImportWithoutBlock, PlanResource, ResourceNode
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.plan.targets import contains_any, generalised

__all__ = ["selected_nodes"]

_Resource = ResourceNode | ImportWithoutBlock | InstanceNode


def selected_nodes(compiled: Compiled, outputs: Collection[str] | None = None) -> list[Node]:
    """In the order of compiling. Without targets and exclusions, all. Which outputs there are is worked out, unless a
    plan has settled it."""
    targets, excludes = compiled.start.targets, compiled.start.excludes
    if not targets and not excludes:
        return compiled.nodes
    reach = compiled.reach
    if targets:
        selected = [node for node in compiled.nodes if is_selected(node, targets)]
    else:
        selected = _not_excluded(compiled, excludes)
    for node in selected if targets else compiled.nodes:
        if isinstance(node, PlanResource):
            node.targets, node.excludes = targets, excludes
    kept = reach.all_below(selected)
    found = (node for node in compiled.nodes if isinstance(node, OutputNode) and node.is_root)
    if outputs is None:
        kept.update(dict.fromkeys(node for node in found if _is_kept_with(kept, node, reach)))
    else:
        kept.update(dict.fromkeys(node for node in found if node.block.name in outputs))
    kept = reach.all_below(kept)
    return [node for node in compiled.nodes if node in kept]


def is_selected(node: Node, targets: Collection[Target]) -> bool:
    """A node that stands for a whole block is selected if any of its instances could be."""
    address = _address(node)
    if isinstance(address, AbsResourceInstance):
        return contains_any(targets, address)
    if isinstance(address, ConfigResource):
        return contains_any([generalised(target) for target in targets], address)
    return False


def _address(node: Node) -> AbsResourceInstance | ConfigResource | None:
    if isinstance(node, InstanceNode):
        return node.instance
    return node.address if isinstance(node, ResourceNode | ImportWithoutBlock) else None


def _is_kept_with(kept: Collection[Node], output: OutputNode, reach: Reach) -> bool:
    """Whether all resources of an output are kept, and it has some."""
    resources = [below for below in reach.all_below([output]) if isinstance(below, _Resource)]
    return bool(resources) and all(resource in kept for resource in resources)


def _not_excluded(compiled: Compiled, excludes: tuple[Target, ...]) -> list[Node]:
    """Everything but the excluded and what depends on it. Excluding one instance leaves its block and its siblings, but
    takes away all dependents of the resource."""
    resources = {node: address for node in compiled.nodes if (address := _address(node)) is not None}
    dropped = {node for node, address in resources.items() if contains_any(excludes, address)}
    for node, address in resources.items():
        if node in dropped or is_selected(node, excludes):
            above = compiled.reach.all_above([node])
            dropped.update(other for other in above if other in resources and not _is_part(resources[other], address))
    return [node for node in resources if node not in dropped]


def _is_part(address: AbsResourceInstance | ConfigResource, whole: AbsResourceInstance | ConfigResource) -> bool:
    if isinstance(whole, ConfigResource):
        return whole == (address.config if isinstance(address, AbsResourceInstance) else address)
    return address == whole
