"""Closing what was opened: ephemeral resources, providers, and at last the root module."""

from __future__ import annotations

from collections.abc import Iterable

from legacy_engine.nodes.capabilities import ProviderConsumer, ProviderVertex, Referencer, Vertex
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
    find_users = _all_users if build.flavour.ephemerals_close_after_checks else _last_users
    for vertex in graph.vertices():
        if isinstance(vertex, ResourceVertex) and vertex.address.resource.mode is ResourceMode.EPHEMERAL:
            closer = CloseEphemeral(vertex)
            graph.connect(closer, vertex)
            for user in list(find_users(graph, vertex)):
                graph.connect(closer, user)
    return []


def _all_users(graph: VertexGraph, opened: Vertex) -> Iterable[Vertex]:
    return [user for user in graph.all_dependents(opened) if isinstance(user, Referencer)]


def _last_users(graph: VertexGraph, opened: Vertex) -> Iterable[Vertex]:
    """Yield the first users on each way from the resource that no other one uses directly. What only comes after them,
    such as the data sources of checks, is not looked at."""
    seen, pending = {opened}, [opened]
    while pending:
        for user in graph.dependents(pending.pop()):
            if user in seen:
                continue
            seen.add(user)
            if isinstance(user, Referencer) and not any(isinstance(it, Referencer) for it in graph.dependents(user)):
                yield user
            else:
                pending.append(user)


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
