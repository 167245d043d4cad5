"""The base class of nodes, and what a node may ask of the engine.

A node is one thing of the configuration or the state that is evaluated once. It has names by which others refer to it,
it knows what it refers to and what else it needs, and it can be evaluated. It knows no other node: a `NodeLookup` finds
the nodes behind its names, and an `Evaluator` decides when it is evaluated. Both are protocols, so that nodes import
neither of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol

from new_engine.compat.deferral import Deferral
from new_engine.compat.exact_dependencies.origins import ValueOrigins
from new_engine.compat.profile import CompatProfile
from new_engine.execgraph.graph import Ref
from shared_nodes.addresses.module import ModuleInstance, ModulePath
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.config.analysis import ResourceFacts
from shared_nodes.config.blocks import OutputBlock, ResourceBlock
from shared_nodes.config.provider_configurations import ProviderConfiguration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Range
from shared_nodes.operations.plan_apply import PlanInput

__all__ = ["Evaluator", "Name", "Node", "NodeLookup", "evaluate_in_each"]

Name = tuple[ModulePath, str]
"""The name of something, and the module in which it has that name."""


class Node:
    """A node, compared by identity. `name` is used in messages; `module` is the module the node belongs to."""

    module: ModulePath
    origin: Range | None = None
    in_module: bool = True
    """Whether it waits until the instances of its module are known, and the end of the module waits for it."""

    belongs_to_check: bool = False

    @property
    def name(self) -> str:
        """The name, defined by each class (`tests/unit/new_engine/nodes/test_nodes.py` checks that). An abstract base
        class would make every `isinstance` of a node seven times as slow, and looking up nodes consists mostly of
        those."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def names(self) -> Iterable[Name]:
        """Return the names by which expressions refer to this node."""
        return ()

    def references(self) -> Sequence[ScopedSubject]:
        """Return what this node refers to, and therefore waits for."""
        return ()

    def needs(self, _lookup: NodeLookup) -> Iterable[Node]:
        """Return what this node waits for without referring to it."""
        return ()

    async def evaluate(self, _evaluator: Evaluator) -> Sequence[Diagnostic]:
        """Evaluate the node. This is called once, after everything it waits for has succeeded."""
        return ()

    def record_origins(self, _origins: ValueOrigins) -> None:
        """Record what the node was computed from. This is called after the node was evaluated without errors, if the
        engine is asked for exact dependencies."""


class NodeLookup(Protocol):
    """Finds the nodes that a node waits for."""

    @property
    def config(self) -> ConfigTree: ...

    def targets_of(self, references: Iterable[ScopedSubject]) -> Iterable[Node]:
        """Return the nodes that references lead to."""

    def seen_from(
        self, instance: AbsResourceInstance, references: Iterable[ScopedSubject], *, with_own: bool = False
    ) -> Iterable[Node]:
        """Return the nodes that references of one instance lead to, without what other instances of its module have,
        and without nodes about the instance itself, unless `with_own` is set."""

    def calls_around(self, module: ModulePath) -> Iterable[Node]:
        """Return the call that finds the instances of a module; nothing for the root."""

    def members_of(self, module: ModulePath) -> Iterable[Node]:
        """Return everything that the end of a module waits for."""

    def report_of(self, module: ModulePath, check: str) -> Iterable[Node]:
        """Return the node that declares the instances of a check, if there is one."""

    def removed_before(self, instance: AbsResourceInstance) -> Iterable[Node]:
        """Return removals of objects that were recorded to depend on this instance."""


class Evaluator(Protocol):
    """What a node may use while it is evaluated."""

    @property
    def context(self) -> NodeContext: ...

    @property
    def inputs(self) -> PlanInput: ...

    @property
    def profile(self) -> CompatProfile: ...

    @property
    def deferral(self) -> Deferral | None: ...

    def facts_of(self, address: ConfigResource) -> ResourceFacts:
        """Return what the configuration alone states about the dependencies of a resource."""

    def dependencies_of(self, instance: AbsResourceInstance) -> tuple[ConfigResource, ...]:
        """Return what is recorded as dependencies with the object of an instance."""

    def creates_first(self, address: ConfigResource) -> bool:
        """Whether objects of a resource are replaced by creating the new one first."""

    def is_instance_deferred(
        self,
        instance: AbsResourceInstance,
        tree: ConfigTree,
        block: ResourceBlock,
        provider: ProviderConfiguration | None,
    ) -> bool:
        """Whether an instance is left to a later run. Call this before `dependencies_of`."""

    def is_output_deferred(self, block: OutputBlock) -> bool:
        """Whether an output of the root is left to a later run."""

    async def fan_out(
        self, instances: Sequence[Node], waits: Mapping[Node, Sequence[Node]] | None = None
    ) -> list[Diagnostic]:
        """Evaluate the instances of a block concurrently and return what they report. `waits` has for an instance the
        other instances it waits for."""

    async def operation_succeeded(self, operation: Ref) -> bool:
        """Wait for an operation of the execution graph that is being followed."""

    def at_the_end(self, close: Callable[[], Awaitable[object]]) -> None:
        """Call `close` when everything was evaluated, also after failures; last opened, first closed."""

    def when_served(self, opened: Node, close: Callable[[], Awaitable[Sequence[Diagnostic]]]) -> None:
        """Call `close` as soon as everything that uses a node has succeeded."""


def evaluate_in_each(
    modules: Iterable[ModuleInstance], evaluate: Callable[[ModuleInstance], Sequence[Diagnostic]]
) -> Sequence[Diagnostic]:
    """Evaluate something in each instance of a module, one after the other, since there is nothing to wait for."""
    return [problem for module in modules for problem in evaluate(module)]
