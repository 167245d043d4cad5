"""What resource and provider vertices need to know: their blocks, schemas and objects."""

from __future__ import annotations

from legacy_engine.nodes.capabilities import StateHolder
from legacy_engine.nodes.node import ResourceVertex
from legacy_engine.nodes.provider import ConfigureProvider
from legacy_engine.transforms.build_context import BuildContext, VertexGraph
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.configure import missing_schemas

__all__ = ["attach_blocks", "attach_provider_schema", "attach_schemas", "attach_state"]


def attach_blocks(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Give resource vertices the block that declares them, if it (still) exists."""
    for vertex in graph:
        if isinstance(vertex, ResourceVertex) and vertex.block is None:
            tree = build.config.at(vertex.address.module)
            vertex.tree = tree
            vertex.block = None if tree is None else tree.module.resources.get(vertex.address.resource)
    return []


def attach_schemas(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Give resource and provider vertices their schemas: without one, references in a body cannot be distinguished from
    names."""
    for vertex in graph:
        if isinstance(vertex, ResourceVertex) and vertex.block is not None and vertex.tree is not None:
            schema = build.schema_of(vertex.tree, vertex.address.resource)
            vertex.schema = None if schema is None else schema.block
        elif isinstance(vertex, ConfigureProvider):
            attach_provider_schema(vertex, build)
    return missing_schemas(build.state, build.config, build.schemas)


def attach_provider_schema(vertex: ConfigureProvider, build: BuildContext) -> None:
    provider = build.schemas.get(vertex.declared.config.source)
    vertex.schema = None if provider is None else provider.provider


def attach_state(graph: VertexGraph, build: BuildContext) -> list[Diagnostic]:
    """Give instance vertices their current object: its recorded dependencies and flags decide the order of destroying,
    and its provider is the one to destroy it with."""
    for vertex in graph:
        if isinstance(vertex, StateHolder):
            vertex.attach_object(build.state)
    return []
