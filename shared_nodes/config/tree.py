"""The module tree: a module, the call that made it part of the tree, and the modules it calls in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from shared_nodes.addresses.module import ROOT_PATH, ModulePath
from shared_nodes.addresses.resource import ConfigResource
from shared_nodes.config.blocks import ModuleCallBlock, ResourceBlock
from shared_nodes.config.module import Module
from shared_nodes.record import record
from shared_nodes.values.value import Value

__all__ = ["ConfigTree"]


@record
class ConfigTree:
    """One module call in the configuration, without instance keys. The root has no `call`."""

    module: Module
    path: ModulePath = ROOT_PATH
    call: ModuleCallBlock | None = None
    version: str = ""
    """The version that is installed, as the manifest says; empty if it says none."""

    children: dict[str, ConfigTree] = field(default_factory=dict)
    provider_instances: dict[tuple[str, str | None], Mapping[str, Value]] = field(default_factory=dict)
    """For each provider block with `for_each`, by local name and alias: the keys of its instances, and what they see as
    `each.value`."""

    def at(self, path: ModulePath) -> ConfigTree | None:
        """Return the module at a path from the root of the whole tree. Only valid on the root."""
        node: ConfigTree | None = self
        for name in path.names:
            node = node.children.get(name) if node is not None else None
        return node

    def resource(self, address: ConfigResource) -> ResourceBlock | None:
        node = self.at(address.module)
        return None if node is None else node.module.resources.get(address.resource)

    def walk(self) -> Iterator[ConfigTree]:
        """Yield this module and all below it, parents first, siblings by name."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(node.children[name] for name in sorted(node.children, reverse=True))
