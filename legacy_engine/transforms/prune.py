"""Dropping values that nothing refers to and expansions that nothing needs. While everything is destroyed it may be
impossible to evaluate them, and their failure would stop the destroy."""

from __future__ import annotations

from legacy_engine.nodes.capabilities import (
    Destroyer,
    Expandable,
    Expander,
    InstanceVertex,
    ProviderConsumer,
    ProviderVertex,
    Referencer,
    Temporary,
    Vertex,
)
from legacy_engine.nodes.module import CloseModule
from legacy_engine.nodes.resource import EphemeralResource
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["prune_unused"]


def prune_unused(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Drop what is not needed. Dropping one vertex may make those it waited for useless too, so these are examined
    again; also those that a provider without users would have been configured with."""
    if build.operation.is_destroying and build.flavour.destroys_with_needs_alone:
        return _keep_destroyed(graph)
    if not build.operation.is_destroying and not (build.flavour.prunes_every_apply and build.operation.is_applying):
        return []
    pending = dict.fromkeys(graph)
    while pending:
        vertex, _ = pending.popitem()
        if vertex in graph and not _is_needed(graph, vertex, is_destroying=build.operation.is_destroying):
            pending.update(dict.fromkeys(graph.dependencies(vertex)))
            graph.remove(vertex)
        if not pending:
            pending = _prune_providers(graph)
    return []


def _keep_destroyed(graph: VertexGraph) -> list[Diagnostic]:
    """Keep what is destroyed and what that needs, mostly its providers and what they are configured with; and the
    outputs of the root, which are about to be removed."""
    destroyed = [vertex for vertex in graph if isinstance(vertex, Destroyer)]
    kept = {*destroyed, *graph.all_dependencies(*destroyed)}
    for vertex in graph.vertices():
        is_root_output = isinstance(vertex, Temporary) and not vertex.is_temporary
        if vertex not in kept and not is_root_output:
            graph.remove(vertex)
    return []


def _is_needed(graph: VertexGraph, vertex: Vertex, *, is_destroying: bool) -> bool:
    if isinstance(vertex, Temporary):
        return not vertex.is_temporary or any(isinstance(user, Referencer) for user in graph.dependents(vertex))
    if _only_expands(vertex, is_destroying=is_destroying):
        return any(_needs_expansion(user, is_destroying=is_destroying) for user in graph.dependents(vertex))
    return True


def _only_expands(vertex: Vertex, *, is_destroying: bool) -> bool:
    """Whether a vertex exists only for expansion; one that would open what nothing uses counts as such. While
    everything is destroyed, this includes the end of a module. Otherwise the end of a module stays but keeps nothing
    alive: waiting for a module means waiting for what happens in it, not for blocks in which nothing does."""
    return isinstance(vertex, Expander | EphemeralResource) or (is_destroying and isinstance(vertex, CloseModule))


def _needs_expansion(user: Vertex, *, is_destroying: bool) -> bool:
    """Whether a user needs the instances of what it waits for. Outputs of the root do not: the root module always has
    exactly one instance."""
    if _only_expands(user, is_destroying=is_destroying) or isinstance(user, Expandable):
        return not (isinstance(user, Temporary) and not user.is_temporary)
    return isinstance(user, InstanceVertex | ProviderVertex)


def _prune_providers(graph: VertexGraph) -> dict[Vertex, None]:
    """Drop the providers without users. Return what they waited for."""
    waited_for: dict[Vertex, None] = {}
    for vertex in graph.vertices():
        if isinstance(vertex, ProviderVertex):
            users = graph.all_dependents(vertex)
            if not any(isinstance(user, ProviderConsumer | Referencer) for user in users):
                waited_for.update(dict.fromkeys(graph.dependencies(vertex)))
                graph.remove(vertex)
    return waited_for
