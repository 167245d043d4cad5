"""Provider configurations, and who uses which.

A configuration comes from a block, is passed to a module by its call, or is inherited from the closest ancestor module
that has one. What was passed is only another name for the parent's, so it gets no vertex of its own. Each provider
that is used has a default configuration in the root module, and configurations nobody uses are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import ProviderConsumer, ProviderRequest
from legacy_engine.nodes.provider import ConfigureProvider
from shared_nodes.addresses.module import ROOT_PATH
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.config.blocks import ProviderBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import missing_configuration

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    consumers = [vertex for vertex in graph if isinstance(vertex, ProviderConsumer)]
    requests = [(vertex, request) for vertex in consumers if (request := vertex.provider_request()) is not None]
    known = _Configurations(build)
    known.add_declared()
    known.add_defaults(request for _, request in requests)
    problems = []
    for vertex, request in requests:
        found = known.resolve(request)
        if found is None:
            problems.append(missing_configuration(vertex.name, request.config))
            continue
        vertex.provider = found.config
        graph.connect(vertex, found)
    return problems


class _Configurations:
    """By address. Several addresses may lead to one vertex."""

    __slots__ = ("_build", "_vertices")

    def __init__(self, build: BuildContext) -> None:
        self._build = build
        self._vertices: dict[AbsProviderConfig, ConfigureProvider] = {}

    def add_declared(self) -> None:
        for node in self._build.config.walk():
            if node.call is None:
                for requirement in node.module.required_providers.values():
                    self._add(AbsProviderConfig(requirement.source), node, None)
            for (local_name, alias), block in node.module.providers.items():
                self._add(AbsProviderConfig(node.module.source_for(local_name), node.path, alias), node, block)
            self._add_passed(node)

    def _add(self, config: AbsProviderConfig, node: ConfigTree, block: ProviderBlock | None) -> None:
        existing = self._vertices.get(config)
        if existing is None or existing.block is None:
            self._vertices[config] = ConfigureProvider(config, node, block)

    def _add_passed(self, node: ConfigTree) -> None:
        """A block that says something wins over a configuration passed in; an empty one only declares that there is
        to be one."""
        if node.call is None:
            return
        for (child_name, child_alias), reference in node.call.providers.items():
            source = node.module.source_for(child_name)
            own = AbsProviderConfig(source, node.path, child_alias)
            passed = self._vertices.get(AbsProviderConfig(source, node.path.parent, reference.alias))
            passed = passed or self._inherited(AbsProviderConfig(source, node.path.parent, reference.alias))
            existing = self._vertices.get(own)
            if passed is not None and (existing is None or existing.is_empty):
                self._vertices[own] = passed

    def add_defaults(self, requests: Iterator[ProviderRequest]) -> None:
        for request in requests:
            self._add_default(AbsProviderConfig(request.config.source))

    def _add_default(self, config: AbsProviderConfig) -> None:
        if config not in self._vertices:
            self._vertices[config] = ConfigureProvider(config, self._build.config, None)

    def resolve(self, request: ProviderRequest) -> ConfigureProvider | None:
        found = self._vertices.get(request.config)
        return found if found is not None or request.exact else self._inherited(request.config)

    def _inherited(self, config: AbsProviderConfig) -> ConfigureProvider | None:
        """Only configurations without an alias are inherited."""
        while config.alias is None and config.module.names:
            config = AbsProviderConfig(config.source, config.module.parent)
            if config in self._vertices:
                return self._vertices[config]
        if config.alias is None and config.module == ROOT_PATH:
            self._add_default(config)
            return self._vertices[config]
        return None
