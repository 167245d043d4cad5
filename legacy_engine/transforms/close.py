"""Closing what was opened: ephemeral resources, providers, and at last the root module."""

from __future__ import annotations

from legacy_engine.nodes.capabilities import ProviderConsumer, ProviderVertex, Referencer
from legacy_engine.nodes.module import CloseModule
from legacy_engine.nodes.node import ResourceVertex
from legacy_engine.nodes.provider import CloseProvider
from legacy_engine.nodes.resource import CloseEphemeral
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.addresses.module import ROOT_PATH
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["close_ephemeral_resources", "close_providers", "close_root"]


def close_ephemeral_resources(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Close ephemeral resources after their last user. The close vertex is a user of the provider too, so that the
    provider is closed after it."""
    if build.operation is Operation.VALIDATE:
        return []
    for vertex in graph.vertices():
        if isinstance(vertex, ResourceVertex) and vertex.address.resource.mode is ResourceMode.EPHEMERAL:
            closer = CloseEphemeral(vertex)
            graph.connect(closer, vertex)
            for user in graph.all_dependents(vertex):
                if isinstance(user, Referencer):
                    graph.connect(closer, user)
    return []


def close_providers(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    """Close each provider after its last user."""
    closers = {}
    for vertex in graph.vertices():
        if isinstance(vertex, ProviderVertex):
            closer = closers[vertex.declared] = CloseProvider(vertex.declared)
            graph.connect(closer, vertex)
    for vertex in graph.vertices():
        if isinstance(vertex, ProviderConsumer) and vertex.provider is not None:
            served_by = vertex.provider.configuration
            if served_by in closers:
                graph.connect(closers[served_by], vertex)
    return []


def close_root(graph: VertexGraph, _build: BuildContext) -> list[Diagnostic]:
    """Add one last vertex that waits for everything."""
    ends = graph.roots()
    root = CloseModule(ROOT_PATH)
    graph.add(root)
    for vertex in ends:
        graph.connect(root, vertex)
    return []
