"""What a vertex can do, one small class a capability: transformers look for these, never for a kind of vertex.

A vertex takes part in a step of building or walking by inheriting the class of that capability, so the bases of a
vertex say at a glance how it is treated. The letters are those of the table in `nodes/__init__.py`.

A member that raises NotImplementedError is what the capability asks of its vertex: every class in `nodes/` that has the
capability defines it (`tests/unit/legacy_engine/test_capabilities.py` looks). Abstract base classes would say the same,
but asking for a capability is what building a graph does most, and `isinstance` takes seven to nine times as long with
their metaclass: 130 to 180 ns instead of 20.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.state.model import InstanceObject

if TYPE_CHECKING:
    from shared_nodes.context.node_context import NodeContext
    from shared_nodes.operations.graph import Graph

__all__ = [
    "CreateBeforeDestroyAware",
    "Creator",
    "DependencyHolder",
    "Destroyer",
    "Executable",
    "Expandable",
    "Expander",
    "InModule",
    "InstanceVertex",
    "ProviderConsumer",
    "ProviderRequest",
    "ProviderVertex",
    "Referenceable",
    "Referencer",
    "StateHolder",
    "Targetable",
    "Temporary",
    "Vertex",
]


class Vertex:
    """Told apart by identity. The name is what messages and drawings call it."""

    @property
    def name(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self.name}>"


class InModule(Vertex):
    """M: stands in a module, so it waits until the module is expanded, and the module is closed after it."""

    module: ModulePath


class Referenceable(Vertex):
    """R: others may refer to it, by any of these names in these modules."""

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        raise NotImplementedError


class Referencer(Vertex):
    """F: refers to others, and waits for them."""

    def references(self) -> Sequence[ScopedSubject]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ProviderRequest:
    """A provider configuration as asked for. `exact`: it is the one recorded in the state, and none inherited from a
    parent module may stand in for it."""

    config: AbsProviderConfig
    exact: bool = False


class ProviderConsumer(Vertex):
    """P: works through a provider. `provider` is the configuration to use, once the request is resolved."""

    provider: AbsProviderConfig | None = None

    def provider_request(self) -> ProviderRequest | None:
        """None where no provider is needed after all."""
        raise NotImplementedError


class ProviderVertex(InModule):
    """V: a provider configuration."""

    config: AbsProviderConfig


class InstanceVertex(Vertex):
    """I: one resource instance."""

    instance: AbsResourceInstance


class Creator(InstanceVertex):
    """C: creates or updates an object."""

    is_no_op: bool


class Destroyer(InstanceVertex):
    """D: destroys an object."""


class CreateBeforeDestroyAware(Vertex):
    """B: knows in which order its object is replaced."""

    @property
    def create_before_destroy(self) -> bool:
        raise NotImplementedError

    def force_create_before_destroy(self) -> None:
        """Because something that depends on it is replaced that way. A vertex may refuse: the object decides."""


class Targetable(Vertex):
    """T: only some of its instances may be wanted."""

    targets: tuple[Target, ...]
    excludes: tuple[Target, ...]


class Executable(Vertex):
    """X."""

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        raise NotImplementedError


class Expandable(Vertex):
    """E: makes a subgraph when its turn comes, with what is known then."""

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        raise NotImplementedError


class DependencyHolder(Vertex):
    """A: is told all resources it depends on, directly or not. Listing them is left for when somebody asks: in a long
    chain the lists are much larger than the graph."""

    _dependency_sets: ResourceSets | None = None
    _dependency_set: int = 0

    def hold_dependencies(self, sets: ResourceSets, dependencies: int) -> None:
        self._dependency_sets = sets
        self._dependency_set = dependencies

    @property
    def dependencies(self) -> tuple[ConfigResource, ...]:
        return () if self._dependency_sets is None else self._dependency_sets.members(self._dependency_set)


class StateHolder(InstanceVertex):
    """S: is given the current object of its instance, and the provider recorded for it, where there are such."""

    current: InstanceObject | None
    stored_provider: AbsProviderConfig | None


class Temporary(Vertex):
    """Y: a value needed only while others refer to it."""

    is_temporary: bool


class Expander(Vertex):
    """K: exists only so that others can expand; dropped when nothing is left to expand."""
