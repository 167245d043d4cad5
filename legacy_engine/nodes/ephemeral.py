"""Ephemeral resources: opened when something needs them, closed when nothing does any more."""

from __future__ import annotations

from collections.abc import Sequence

from legacy_engine.capabilities import Executable, Expandable, ProviderConsumer, ProviderRequest, Vertex
from legacy_engine.nodes.resource import ResourceInstanceVertex, ResourceVertex
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import ResourceExpansion, expand_resource
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.nodes.resource.ephemeral import EphemeralClose, EphemeralOpen, close_ephemeral, open_ephemeral
from shared_nodes.operations.graph import Graph

__all__ = ["CloseEphemeral", "EphemeralResource"]


class EphemeralResource(ResourceVertex, Expandable):
    @property
    def name(self) -> str:
        return f"{self.address} (expand)"

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        assert self.block is not None
        assert self.provider is not None
        graph: Graph[Vertex] = Graph()
        problems: list[Diagnostic] = []
        for module in context.expander.modules(self.module):
            address = AbsResource(module, self.address.resource)
            found = await expand_resource(context, ResourceExpansion(address, self.block, self.provider))
            problems += found
            if not has_errors(found):
                repetition = context.expander.resource(address)
                for key in repetition.keys:
                    graph.add(self._instance(address.instance(key), repetition))
        return graph, problems

    def _instance(self, address: AbsResourceInstance, repetition: Repetition) -> _OpenInstance:
        vertex = _OpenInstance(address, repetition)
        vertex.node, vertex.block, vertex.schema = self.node, self.block, self.schema
        vertex.provider = self.provider
        return vertex


class _OpenInstance(ResourceInstanceVertex, Executable):
    def __init__(self, instance: AbsResourceInstance, repetition: Repetition) -> None:
        super().__init__(instance)
        self._repetition = repetition

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.node is not None
        assert self.block is not None
        assert self.provider is not None
        request = EphemeralOpen(self.instance, self.node, self.block, self.provider, self._repetition)
        return await open_ephemeral(context, request)


class CloseEphemeral(ProviderConsumer, Executable):
    """Uses the provider as well, so that the provider is there until it is done."""

    def __init__(self, resource: ResourceVertex) -> None:
        self._resource = resource
        self.provider = resource.provider

    @property
    def name(self) -> str:
        return f"{self._resource.address} (close)"

    def provider_request(self) -> ProviderRequest | None:
        return self._resource.provider_request()

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.provider is not None
        problems: list[Diagnostic] = []
        for instance in context.expander.instances(self._resource.address):
            problems += await close_ephemeral(context, EphemeralClose(instance, self.provider))
        return problems
