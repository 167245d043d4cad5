"""The beginning and the end of each module."""

from __future__ import annotations

from legacy_engine.nodes.capabilities import Destroyer, InModule, Vertex
from legacy_engine.nodes.check import CheckVertex, ReportCheck
from legacy_engine.nodes.module import CloseModule, ExpandModule
from legacy_engine.nodes.node import ResourceVertex
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.addresses.module import ModulePath
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["close_removed_modules", "expand_modules"]


def expand_modules(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Give each module call a vertex that finds its instances, before anything in the module, and one that comes after
    everything in it. Destroying is not bound to modules: it is ordered by recorded dependencies alone, also when the
    module is gone."""
    members: dict[ModulePath, list[Vertex]] = {}
    for vertex in graph.vertices():
        if isinstance(vertex, InModule) and not isinstance(vertex, Destroyer | CloseModule):
            members.setdefault(vertex.module, []).append(vertex)
    expanders: dict[ModulePath, ExpandModule] = {}
    closers: dict[ModulePath, CloseModule] = {}
    for tree in build.config.walk():
        if tree.call is None:
            continue
        parent = build.config.at(tree.path.parent)
        assert parent is not None
        expander = expanders[tree.path] = ExpandModule(tree, parent, tree.call)
        closer = closers[tree.path] = CloseModule(tree.path)
        graph.connect(closer, expander)
        if tree.path.parent in expanders:
            graph.connect(expander, expanders[tree.path.parent])
        for vertex in members.get(tree.path, ()):
            graph.connect(vertex, expander)
            if not (build.flavour.modules_close_before_checks and _belongs_to_check(vertex)):
                graph.connect(closer, vertex)
    for path, closer in closers.items():
        ancestor = path.parent
        while ancestor.names:
            graph.connect(closers[ancestor], closer)
            ancestor = ancestor.parent
    return []


def _belongs_to_check(vertex: Vertex) -> bool:
    if isinstance(vertex, ResourceVertex):
        return vertex.block is not None and vertex.block.check is not None
    return isinstance(vertex, CheckVertex | ReportCheck)


def close_removed_modules(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Add the end of each module that is in the state but not in the configuration."""
    paths = dict.fromkeys(address.module.path for address in build.state.resources)
    for path in paths:
        if build.config.at(path) is None:
            graph.add(CloseModule(path))
    return []
