"""What transformers know while they build a graph: the configuration, the state, and what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from legacy_engine.capabilities import Vertex
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource, Resource
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.config.inputs import GivenValue
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.statements.imports import ImportTarget
from shared_nodes.nodes.statements.removed import RemovedStatement
from shared_nodes.operations.graph import Graph
from shared_nodes.operations.session import Session
from shared_nodes.plan.change import Changes
from shared_nodes.providers.schema import ProviderSchema, ResourceSchema
from shared_nodes.state.model import State

__all__ = ["BuildContext", "Transform", "VertexGraph", "build_context"]

VertexGraph = Graph[Vertex]


@dataclass(slots=True)
class BuildContext:
    """`state` is what vertices get their objects from: the input state while planning, the refreshed one while
    applying. `changes` is there only while applying."""

    operation: Operation
    config: ConfigTree
    state: State
    schemas: Mapping[ProviderSource, ProviderSchema]
    flavour: Flavour
    variables: Mapping[str, GivenValue] = field(default_factory=dict)
    changes: Changes = field(default_factory=Changes)
    options: PlanOptions = field(default_factory=PlanOptions)
    targets: tuple[Target, ...] = ()
    excludes: tuple[Target, ...] = ()
    imports: tuple[ImportTarget, ...] = ()
    resolved_imports: dict[AbsResourceInstance, str] = field(default_factory=dict)
    """Identifiers of what is to be imported, known once the vertices of the resources were expanded."""

    removed: tuple[RemovedStatement, ...] = ()
    moved_from: Mapping[AbsResourceInstance, AbsResourceInstance] = field(default_factory=dict)
    """Where objects were in the last run, if that was elsewhere."""

    deposed_key: Callable[[AbsResourceInstance], str] = lambda _address: "00000000"
    """A new key for the object of an instance that is about to be deposed."""

    resource_sets: ResourceSets = field(default_factory=ResourceSets)
    resources_below: dict[Vertex, int] = field(default_factory=dict)
    """Which resources a vertex depends on, directly or not: one of `resource_sets`. While the graph is built."""

    _by_block: dict[ConfigResource, list[AbsResource]] | None = None

    @property
    def is_destroying(self) -> bool:
        """A plan in destroy mode, or its apply."""
        return self.operation in (Operation.PLAN_DESTROY, Operation.DESTROY)

    def state_resources(self, address: ConfigResource) -> list[AbsResource]:
        """A resource block in all module instances the state knows it in."""
        if self._by_block is None:
            self._by_block = {}
            for resource in sorted(self.state.resources, key=lambda resource: resource.sort_key):
                self._by_block.setdefault(resource.config, []).append(resource)
        return self._by_block.get(address, [])

    def schema_of(self, node: ConfigTree, resource: Resource) -> ResourceSchema | None:
        provider = self.schemas.get(node.module.source_of(resource))
        return None if provider is None else provider.resource(resource)


Transform = Callable[[VertexGraph, BuildContext], list[Diagnostic]]


def build_context(session: Session, operation: Operation, state: State) -> BuildContext:
    request = session.request
    return BuildContext(operation, request.config, state, session.schemas, request.flavour, variables=request.variables)
