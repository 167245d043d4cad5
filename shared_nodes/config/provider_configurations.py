"""Which provider configuration serves which request.

A configuration belongs to a module. A module call may pass one on to the called module, possibly under another name;
configurations without an alias are also inherited from the closest ancestor module that has one, but an inherited one
cannot be passed on. A configuration that was passed on is only another name for the caller's. A provider that is used
without being configured has an empty default configuration in the root module.

A configuration may have several instances. What refers to it then has a key, which chooses one of them: a resource for
each of its instances, or a module call for everything in each of its instances.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderSource
from shared_nodes.addresses.resource import ConfigResource, Resource
from shared_nodes.config.blocks import ImportBlock, ProviderBlock, ProviderRequirement, ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record
from shared_nodes.values.value import Value

__all__ = [
    "ProviderChoice",
    "ProviderConfiguration",
    "ProviderConfigurations",
    "ProviderRequest",
    "recorded_provider",
    "requested_by_import",
    "requested_provider",
]


@record(eq=False)
class ProviderConfiguration:
    """One configuration, compared by identity. `tree` is the module that declares it; without a block the provider is
    configured with nothing."""

    config: AbsProviderConfig
    tree: ConfigTree
    block: ProviderBlock | None

    @property
    def instances(self) -> Mapping[str, Value] | None:
        """The keys of its instances, and what they see as `each.value`; None if there is only one, without a key."""
        if self.block is None or self.block.for_each is None:
            return None
        return self.tree.provider_instances[self.block.key]

    @property
    def is_empty(self) -> bool:
        return self.block is None or not (self.block.body.attributes or self.block.body.blocks)


@record
class ProviderRequest:
    """The configuration that something asks for, and the key of one of its instances. If `is_recorded` is set, the
    state names the configuration, and one inherited from a parent module cannot replace it."""

    config: AbsProviderConfig
    key: Expression | None = None
    is_recorded: bool = False


def requested_provider(tree: ConfigTree, resource: Resource, block: ResourceBlock | None) -> ProviderRequest:
    """Return what a resource of this module asks for."""
    reference = None if block is None else block.provider
    alias, key = (None, None) if reference is None else (reference.alias, reference.instance_key)
    return ProviderRequest(AbsProviderConfig(tree.module.source_of(resource), tree.path, alias), key)


def requested_by_import(config: ConfigTree, resource: ConfigResource, block: ImportBlock) -> ProviderRequest:
    """Return what an import asks for into a resource that has no block itself. Its argument is one of the root module,
    where all imports are."""
    tree = config.at(resource.module)
    assert tree is not None, "imports into missing modules are refused before"
    if block.provider is None:
        return requested_provider(tree, resource.resource, None)
    source = config.module.source_for(block.provider.local_name)
    return ProviderRequest(AbsProviderConfig(source, resource.module, block.provider.alias))


def recorded_provider(config: AbsProviderConfig) -> ProviderRequest:
    """Return what an object asks for whose block is gone."""
    return ProviderRequest(config, is_recorded=True)


@record
class ProviderChoice:
    """The configuration that serves a request, and the expression that chooses one of its instances, if it has several:
    in the resource that asks; or, if `called` is given, in the call of that module."""

    configuration: ProviderConfiguration
    key: Expression | None = None
    called: ModulePath | None = None
    is_recorded: bool = False

    @property
    def config(self) -> AbsProviderConfig:
        return self.configuration.config


class ProviderConfigurations:
    """All configurations of a module tree by address. Several addresses may lead to one configuration."""

    __slots__ = ("_child_blocks_stand", "_known", "_root", "_supplies_aliases", "problems")

    def __init__(self, config: ConfigTree, *, child_blocks_stand: bool = False, supplies_aliases: bool = False) -> None:
        """Collect the configurations of a tree. If `child_blocks_stand` is set, a block with an alias in a called
        module is never replaced by what its caller passes. If `supplies_aliases` is set, the root module has an empty
        configuration for each alias that it requires of its callers."""
        self._child_blocks_stand = child_blocks_stand
        self._supplies_aliases = supplies_aliases
        self._root = config
        self._known: dict[AbsProviderConfig, ProviderChoice] = {}
        self.problems: list[Diagnostic] = []
        """The first configuration that a call passes although its module has none, as the original reports it."""
        for tree in config.walk():
            self._declare(tree)
            self._enter_passed(tree)

    def resolve(self, request: ProviderRequest) -> ProviderChoice | None:
        """Return what serves a request, or None."""
        self._add_default(request.config.source)
        if request.is_recorded:
            recorded = self._known.get(request.config)
            return None if recorded is None else ProviderChoice(recorded.configuration, is_recorded=True)
        found = self._find_inherited(request.config)
        return found if found is None or request.key is None else replace(found, key=request.key, called=None)

    def offering_functions(self, config: AbsProviderConfig) -> ProviderConfiguration | None:
        """Return the configuration whose functions are called by this name: that of the module itself, or the default
        one of the root module, which is not asked about its alias. A provider without a configuration offers its
        functions all the same."""
        found = self._known.get(config) or self._known.get(AbsProviderConfig(config.source))
        return None if found is None else found.configuration

    def _declare(self, tree: ConfigTree) -> None:
        if tree.call is None:
            for requirement in tree.module.required_providers.values():
                self._declare_required(tree, requirement)
        for (local_name, alias), block in tree.module.providers.items():
            self._add(AbsProviderConfig(tree.module.source_for(local_name), tree.path, alias), tree, block)

    def _declare_required(self, root: ConfigTree, requirement: ProviderRequirement) -> None:
        self._add(AbsProviderConfig(requirement.source), root, None)
        if self._supplies_aliases and (requirement.local_name, None) not in root.module.providers:
            for reference in requirement.configuration_aliases:
                self._add(AbsProviderConfig(requirement.source, alias=reference.alias), root, None)

    def _add(self, config: AbsProviderConfig, tree: ConfigTree, block: ProviderBlock | None) -> None:
        existing = self._known.get(config)
        if existing is None or existing.configuration.block is None:
            self._known[config] = ProviderChoice(ProviderConfiguration(config, tree, block))

    def _enter_passed(self, tree: ConfigTree) -> None:
        """Enter what the call passes. A block with contents wins over a configuration that is passed in; an empty block
        only declares that one is expected."""
        if tree.call is None:
            return
        for (name, alias), reference in tree.call.providers.items():
            source = tree.module.source_for(name)
            own = AbsProviderConfig(source, tree.path, alias)
            given = AbsProviderConfig(source, tree.path.parent, reference.alias)
            passed, existing = self._known.get(given), self._known.get(own)
            if passed is None and not self.problems:
                self.problems.append(error(f"missing provider {given}"))
            if existing is not None and alias is not None and self._child_blocks_stand:
                continue
            if passed is not None and (existing is None or existing.configuration.is_empty):
                key = reference.instance_key
                self._known[own] = passed if key is None else replace(passed, key=key, called=tree.path)

    def _find_inherited(self, config: AbsProviderConfig) -> ProviderChoice | None:
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
