"""Each module call gets a vertex that finds its instances, before anything inside, and one that comes after all inside.

Destroying is not bound to modules: it is ordered by recorded dependencies alone, also when a module is gone.
"""

from __future__ import annotations

from legacy_engine.build import BuildContext, VertexGraph
from legacy_engine.capabilities import Destroyer, InModule, Vertex
from legacy_engine.nodes.check import CheckVertex
from legacy_engine.nodes.module import CloseModule, ExpandModule
from legacy_engine.nodes.resource import ResourceVertex
from shared_nodes.addresses.module import ModulePath
from shared_nodes.lang.diagnostics import Diagnostic

__all__ = ["transform"]


def transform(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    members: dict[ModulePath, list[Vertex]] = {}
    for vertex in graph.vertices():
        if isinstance(vertex, InModule) and not isinstance(vertex, Destroyer | CloseModule):
            members.setdefault(vertex.module, []).append(vertex)
    expanders: dict[ModulePath, ExpandModule] = {}
    closers: dict[ModulePath, CloseModule] = {}
    for node in build.config.walk():
        if node.call is None:
            continue
        parent = build.config.at(node.path.parent)
        assert parent is not None
        expander = expanders[node.path] = ExpandModule(node, parent, node.call)
        closer = closers[node.path] = CloseModule(node.path)
        graph.connect(closer, expander)
        if node.path.parent in expanders:
            graph.connect(expander, expanders[node.path.parent])
        for vertex in members.get(node.path, ()):
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
    return isinstance(vertex, CheckVertex)
