"""Which provider configuration serves which request.

A configuration belongs to a module. A module call may pass one on to the called module, possibly under another name;
configurations without an alias are also inherited from the closest ancestor module that has one. A configuration that
was passed on is only another name for the caller's. A provider that is used without being configured has an empty
default configuration in the root module.
"""

from __future__ import annotations

from dataclasses import dataclass

from shared_nodes.addresses.provider import AbsProviderConfig, ProviderSource
from shared_nodes.addresses.resource import Resource
from shared_nodes.config.blocks import ProviderBlock, ResourceBlock
from shared_nodes.config.tree import ConfigTree

__all__ = ["ProviderConfiguration", "ProviderConfigurations", "requested_provider"]


@dataclass(frozen=True, slots=True, eq=False)
class ProviderConfiguration:
    """One configuration, compared by identity. `tree` is the module that declares it; without a block the provider is
    configured with nothing."""

    config: AbsProviderConfig
    tree: ConfigTree
    block: ProviderBlock | None

    @property
    def is_empty(self) -> bool:
        return self.block is None or not (self.block.body.attributes or self.block.body.blocks)


def requested_provider(tree: ConfigTree, resource: Resource, block: ResourceBlock | None) -> AbsProviderConfig:
    """Return the configuration that a resource of this module asks for."""
    alias = None if block is None or block.provider is None else block.provider.alias
    return AbsProviderConfig(tree.module.source_of(resource), tree.path, alias)


class ProviderConfigurations:
    """All configurations of a module tree by address. Several addresses may lead to one configuration."""

    __slots__ = ("_child_blocks_stand", "_known", "_root")

    def __init__(self, config: ConfigTree, *, child_blocks_stand: bool = False) -> None:
        """Collect the configurations of a tree. If `child_blocks_stand` is set, a block with an alias in a called
        module is never replaced by what its caller passes."""
        self._child_blocks_stand = child_blocks_stand
        self._root = config
        self._known: dict[AbsProviderConfig, ProviderConfiguration] = {}
        for tree in config.walk():
            self._declare(tree)
            self._enter_passed(tree)

    def resolve(self, request: AbsProviderConfig, *, exact: bool) -> ProviderConfiguration | None:
        """Return the configuration that serves a request, or None. If `exact` is set, the request names the
        configuration recorded in the state, and one inherited from a parent module cannot replace it."""
        self._add_default(request.source)
        return self._known.get(request) if exact else self._find_inherited(request)

    def _declare(self, tree: ConfigTree) -> None:
        if tree.call is None:
            for requirement in tree.module.required_providers.values():
                self._add(AbsProviderConfig(requirement.source), tree, None)
        for (local_name, alias), block in tree.module.providers.items():
            self._add(AbsProviderConfig(tree.module.source_for(local_name), tree.path, alias), tree, block)

    def _add(self, config: AbsProviderConfig, tree: ConfigTree, block: ProviderBlock | None) -> None:
        existing = self._known.get(config)
        if existing is None or existing.block is None:
            self._known[config] = ProviderConfiguration(config, tree, block)

    def _enter_passed(self, tree: ConfigTree) -> None:
        """Enter what the call passes. A block with contents wins over a configuration that is passed in; an empty block
        only declares that one is expected."""
        if tree.call is None:
            return
        for (name, alias), reference in tree.call.providers.items():
            source = tree.module.source_for(name)
            own = AbsProviderConfig(source, tree.path, alias)
            passed = self._find_inherited(AbsProviderConfig(source, tree.path.parent, reference.alias))
            existing = self._known.get(own)
            if existing is not None and alias is not None and self._child_blocks_stand:
                continue
            if passed is not None and (existing is None or existing.is_empty):
                self._known[own] = passed

    def _find_inherited(self, config: AbsProviderConfig) -> ProviderConfiguration | None:
        """Return the configuration of the module or of its closest ancestor that has one. Only configurations without
        an alias are inherited."""
        found = self._known.get(config)
        while found is None and config.alias is None and config.module.names:
            config = AbsProviderConfig(config.source, config.module.parent)
            found = self._known.get(config)
        if found is None and config.alias is None:
            self._add_default(config.source)
            return self._known[config]
        return found

    def _add_default(self, source: ProviderSource) -> None:
        """Make sure that a provider that is used has a configuration in the root module, if need be an empty one."""
        config = AbsProviderConfig(source)
        if config not in self._known:
            self._add(config, self._root, None)
