"""Instances of a configuration as it is now: their absolute addresses, and what the cloud calls them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.generate.model import Module, Node, Repetition, Sort
from harness.generate.printing import instance_addresses

__all__ = ["Instance", "instances", "module_addresses"]


@dataclass(frozen=True, slots=True)
class Instance:
    node: Node
    address: str
    cloud_name: str


def instances(root: Module, *sorts: Sort) -> list[Instance]:
    return list(_instances(root, "", "", sorts))


def _instances(module: Module, path: str, prefix: str, sorts: tuple[Sort, ...]) -> Iterator[Instance]:
    for node in module.alive(*sorts, Sort.CALL):
        for address, key in zip(instance_addresses(node), _suffixes(node), strict=True):
            name = prefix + node.cloud_name + key
            if node.sort is Sort.CALL and node.module is not None:
                inner = prefix if node.module.keeps_names else f"{name}-"
                yield from _instances(node.module, f"{path}{address}.", inner, sorts)
            else:
                yield Instance(node, path + address, name)


def _suffixes(node: Node) -> list[str]:
    if node.repeat is None:
        return [""]
    keys = node.repeat.current_keys
    if node.repeat.repetition is Repetition.COUNT:
        return [f"-{index}" for index in range(len(keys))]
    return [f"-{key}" for key in keys]


def module_addresses(root: Module) -> list[str]:
    """Of the calls in the root, without keys and with them."""
    calls = root.alive(Sort.CALL)
    return [one for call in calls for one in {f"module.{call.name}": None, **dict.fromkeys(instance_addresses(call))}]
