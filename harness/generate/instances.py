"""Instances of the current configuration, with their absolute addresses and their names in the cloud."""

from __future__ import annotations

from collections.abc import Iterator

from harness.generate.model import BlockKind, ModelBlock, ModelModule, RepetitionKind
from harness.generate.printing import instance_addresses
from shared_nodes.record import record

__all__ = ["ModelInstance", "find_instances", "module_call_addresses"]


@record
class ModelInstance:
    block: ModelBlock
    address: str
    cloud_name: str


def find_instances(root: ModelModule, *kinds: BlockKind) -> list[ModelInstance]:
    return list(_yield_instances(root, "", "", kinds))


def _yield_instances(
    module: ModelModule, path: str, prefix: str, kinds: tuple[BlockKind, ...]
) -> Iterator[ModelInstance]:
    for block in module.live_blocks(*kinds, BlockKind.CALL):
        for address, key in zip(instance_addresses(block), _name_suffixes(block), strict=True):
            name = prefix + block.cloud_name + key
            if block.kind is BlockKind.CALL and block.module is not None:
                inner = prefix if block.module.keeps_names else f"{name}-"
                yield from _yield_instances(block.module, f"{path}{address}.", inner, kinds)
            else:
                yield ModelInstance(block, path + address, name)


def _name_suffixes(block: ModelBlock) -> list[str]:
    if block.repeat is None:
        return [""]
    keys = block.repeat.current_keys
    if block.repeat.repetition is RepetitionKind.COUNT:
        return [f"-{index}" for index in range(len(keys))]
    return [f"-{key}" for key in keys]


def module_call_addresses(root: ModelModule) -> list[str]:
    """Return the addresses of the module calls in the root, with and without keys."""
    calls = root.live_blocks(BlockKind.CALL)
    return [one for call in calls for one in {f"module.{call.name}": None, **dict.fromkeys(instance_addresses(call))}]
