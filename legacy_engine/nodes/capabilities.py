"""What a vertex can do, one small class per capability. Transforms and walker ask for these, hardly ever for a class of
vertex.

A vertex takes part in a step of building or walking by inheriting the class of that capability, so its bases show at a
glance how it is treated. The letters are those of the table in `nodes/__init__.py`.

A member that raises NotImplementedError must be defined by every vertex that has the capability
(`tests/unit/legacy_engine/nodes/test_capabilities.py` checks that). Abstract base classes would enforce the same, but
building a graph consists mostly of asking for capabilities, and with their metaclass `isinstance` takes seven to nine
times as long: 130 to 180 ns instead of 20.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.config.provider_configurations import ProviderChoice, ProviderConfiguration, ProviderRequest
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.operations.graph import Graph
from shared_nodes.state.model import InstanceObject, State

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
    "ProviderVertex",
    "Referenceable",
    "Referencer",
    "StateHolder",
    "Temporary",
    "Vertex",
]


class Vertex:
    """A vertex of a graph, compared by identity. The name is used in messages and drawings."""

    @property
    def name(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self.name}>"


class InModule(Vertex):
    """M: belongs to a module, so it waits until the module is expanded, and the module is closed after it."""

    module: ModulePath


class Referenceable(Vertex):
    """R: can be referred to by any of these names in these modules."""

    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        raise NotImplementedError


class Referencer(Vertex):
    """F: refers to other vertices, and waits for them."""

    def references(self) -> Sequence[ScopedSubject]:
        raise NotImplementedError


class ProviderConsumer(Vertex):
    """P: works through a provider. `provider` is the configuration to use, and the choice among its instances, once the
    request is resolved."""

    provider: ProviderChoice | None = None

    def provider_request(self) -> ProviderRequest | None:
        """Return the configuration to use, or None if no provider is needed after all."""
        raise NotImplementedError


class ProviderVertex(InModule):
    """V: a provider configuration."""

    declared: ProviderConfiguration


class InstanceVertex(Vertex):
    """I: one resource instance."""

    instance: AbsResourceInstance


class Creator(InstanceVertex):
    """C: creates or updates an object."""

    is_no_op: bool


class Destroyer(InstanceVertex):
    """D: destroys an object. It refers only to what decides whether the object may be destroyed."""


class CreateBeforeDestroyAware(Vertex):
    """B: knows in which order its object is replaced."""

    @property
    def create_before_destroy(self) -> bool:
        raise NotImplementedError

    def force_create_before_destroy(self) -> None:
        """Replace the object by creating the new one first, because something that depends on it is replaced that way.
        A vertex whose order is fixed by its object ignores this."""


class Executable(Vertex):
    """X: does something when its turn comes."""

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        raise NotImplementedError


class Expandable(Vertex):
    """E: makes a subgraph when its turn comes, from what is known by then."""

    async def expand(self, context: NodeContext) -> tuple[Graph[Vertex], Sequence[Diagnostic]]:
        raise NotImplementedError


class DependencyHolder(Vertex):
    """A: holds all resources it depends on, directly or not. They are listed only on demand: in a long chain the lists
    are much larger than the graph."""

    _dependency_sets: ResourceSets | None = None
    _dependency_set: int = 0

    def hold_dependencies(self, sets: ResourceSets, dependencies: int) -> None:
        self._dependency_sets = sets
        self._dependency_set = dependencies

    @property
    def dependencies(self) -> tuple[ConfigResource, ...]:
        return () if self._dependency_sets is None else self._dependency_sets.members(self._dependency_set)


class StateHolder(InstanceVertex):
    """S: holds the current object of its instance and the provider recorded for it, if there are any."""

    current: InstanceObject | None
    stored_provider: ProviderInstance | None

    def attach_object(self, state: State) -> None:
        """Take over the object and the provider that the state has for the instance."""
        self.stored_provider = state.provider_of(self.instance)
        self.current = state.current(self.instance)


class Temporary(Vertex):
    """Y: a value needed only while others refer to it."""

    is_temporary: bool


class Expander(Vertex):
    """K: exists only so that others can expand. It is pruned when nothing is left to expand."""
