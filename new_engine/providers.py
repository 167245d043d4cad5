"""Which provider configuration serves whom.

A configuration belongs to a module. A module may pass one on to a module it calls, under another name perhaps; those
without an alias are also inherited without being passed. What nobody configured has the empty configuration, of the
root module.
"""

from __future__ import annotations

from collections.abc import Mapping

from new_engine.nodes.provider import ProviderNode
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderSource
from shared_nodes.config.blocks import ProviderBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.providers.schema import ProviderSchema

__all__ = ["ProviderTable"]


class ProviderTable:
    """Several addresses may lead to one configuration."""

    __slots__ = ("_child_blocks_stand", "_known", "_root", "_schemas")

    def __init__(
        self, config: ConfigTree, schemas: Mapping[ProviderSource, ProviderSchema], *, child_blocks_stand: bool = False
    ) -> None:
        """`child_blocks_stand`: an aliased block in a module is never replaced by what its caller passes (C06)."""
        self._child_blocks_stand = child_blocks_stand
        self._root = config
        self._schemas = schemas
        self._known: dict[AbsProviderConfig, ProviderNode] = {}
        for node in config.walk():
            self._declare(node)
            self._pass_on(node)

    def _declare(self, node: ConfigTree) -> None:
        if node.call is None:
            for requirement in node.module.required_providers.values():
                self._add(AbsProviderConfig(requirement.source), node, None)
        for (local_name, alias), block in node.module.providers.items():
            self._add(AbsProviderConfig(node.module.source_for(local_name), node.path, alias), node, block)

    def _add(self, config: AbsProviderConfig, node: ConfigTree, block: ProviderBlock | None) -> None:
        existing = self._known.get(config)
        if existing is None or existing.block is None:
            schema = self._schemas.get(config.source)
            self._known[config] = ProviderNode(config, node, block, None if schema is None else schema.provider)

    def _pass_on(self, node: ConfigTree) -> None:
        """A block that says something wins over a configuration passed in; an empty one only declares that there is
        to be one."""
        if node.call is None:
            return
        for (name, alias), reference in node.call.providers.items():
            source = node.module.source_for(name)
            own = AbsProviderConfig(source, node.path, alias)
            passed = self._inherited(AbsProviderConfig(source, node.path.parent, reference.alias))
            existing = self._known.get(own)
            if existing is not None and alias is not None and self._child_blocks_stand:
                continue
            if passed is not None and (existing is None or existing.is_empty):
                self._known[own] = passed

    def use_by_default(self, source: ProviderSource) -> None:
        """Somebody needs this provider: there is a configuration of the root module for it, an empty one if need be."""
        config = AbsProviderConfig(source)
        if config not in self._known:
            self._add(config, self._root, None)

    def resolve(self, config: AbsProviderConfig, *, exact: bool) -> ProviderNode | None:
        """`exact`: it is the one recorded in the state, and none inherited from a parent may stand in for it."""
        return self._known.get(config) if exact else self._inherited(config)

    def _inherited(self, config: AbsProviderConfig) -> ProviderNode | None:
        """Only configurations without an alias are inherited."""
        found = self._known.get(config)
        while found is None and config.alias is None and config.module.names:
            config = AbsProviderConfig(config.source, config.module.parent)
            found = self._known.get(config)
        if found is None and config.alias is None:
            self.use_by_default(config.source)
            return self._known[config]
        return found
