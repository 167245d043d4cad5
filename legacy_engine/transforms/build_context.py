"""What transforms know while they build a graph: the configuration, the state, and what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from legacy_engine.nodes.capabilities import Vertex
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import AbsResourceInstance, Resource
from shared_nodes.config.inputs import GivenValue
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.operations.graph import Graph
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.operations.session import Session
from shared_nodes.plan.change import Changes
from shared_nodes.providers.schema import ProviderSchema, ResourceSchema
from shared_nodes.record import record
from shared_nodes.state.model import State

__all__ = ["BuildContext", "Transform", "VertexGraph"]

VertexGraph = Graph[Vertex]


def _depose_nothing(address: AbsResourceInstance) -> str:
    raise AssertionError(f"{address} would be deposed, and only applying deposes objects")


@record
class BuildContext:
    """What a transform knows besides the graph. It is complete once created: by `for_walk` for planning, validating and
    evaluating, by `for_apply` for applying a plan."""

    inputs: PlanInput
    config: ConfigTree
    schemas: Mapping[ProviderSource, ProviderSchema]
    flavour: Flavour
    variables: Mapping[str, GivenValue]
    changes: Changes = field(default_factory=Changes)
    """The changes to apply. Empty unless a plan is applied."""

    deposed_key: Callable[[AbsResourceInstance], str] = _depose_nothing
    """Returns a new key for the current object of an instance that is about to be deposed."""

    @staticmethod
    def for_walk(session: Session, inputs: PlanInput) -> BuildContext:
        request = session.request
        return BuildContext(inputs, request.config, session.schemas, request.flavour, request.variables)

    @staticmethod
    def for_apply(
        session: Session,
        inputs: PlanInput,
        changes: Changes,
        deposed_key: Callable[[AbsResourceInstance], str],
    ) -> BuildContext:
        request = session.request
        return BuildContext(
            inputs, request.config, session.schemas, request.flavour, request.variables, changes, deposed_key
        )

    @property
    def operation(self) -> Operation:
        return self.inputs.operation

    @property
    def state(self) -> State:
        """The state that vertices get their objects from: the input state while planning, the refreshed one while
        applying."""
        return self.inputs.state

    def schema_of(self, tree: ConfigTree, resource: Resource) -> ResourceSchema | None:
        provider = self.schemas.get(tree.module.source_of(resource))
        return None if provider is None else provider.resource(resource)


Transform = Callable[[VertexGraph, BuildContext], list[Diagnostic]]
"""A step of building: changes the graph, and returns what is wrong with the configuration."""
