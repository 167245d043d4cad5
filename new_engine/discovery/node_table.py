"""All nodes of one operation, and what each name leads to.

A table is immutable. It stores no edges: `dependencies.py` reads them off the references of a node when they are first
needed, and a node that is never needed has none. That is how it differs from a graph.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from new_engine.compat.profile import CompatProfile
from new_engine.nodes.check import CheckReport
from new_engine.nodes.instance import InstanceNode, RemovalNode
from new_engine.nodes.module import ModuleCallNode, ModuleEnd
from new_engine.nodes.node import Name, Node
from new_engine.nodes.provider import ProviderNode
from new_engine.nodes.resource import ResourceNode
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.namesakes import Namesakes
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.state.model import State

__all__ = ["NodeTable", "waits_for_block"]


class NodeTable:
    """All nodes of one operation. `nodes` are evaluated for their own sake, in the order they were declared; others
    only if a node needs them. `serving` are the providers of all operations of an apply, `called` those whose
    functions a node calls."""

    def __init__(
        self,
        config: ConfigTree,
        inputs: PlanInput,
        flavour: Flavour,
        profile: CompatProfile,
        nodes: Iterable[Node] = (),
        *,
        only_needed: Collection[Node] = (),
        serving: Sequence[ProviderNode] = (),
        called: Mapping[Node, Sequence[ProviderNode]] | None = None,
    ) -> None:
        """Index the nodes by name. `nodes` has all of them, `only_needed` those that are not evaluated for their own
        sake."""
        self.config: Final = config
        self.inputs: Final = inputs
        self.flavour: Final = flavour
        self.profile: Final = profile
        self.serving: Final = tuple(serving)
        self._called: Final = called or {}
        self.nodes: Final[list[Node]] = []
        self.used_providers: Final[list[ProviderNode]] = []
        self._named: dict[Name, Namesakes[Node]] = defaultdict(Namesakes)
        self._members: dict[ModulePath, list[Node]] = defaultdict(list)
        self._calls: dict[ModulePath, ModuleCallNode] = {}
        self._ends: dict[ModulePath, ModuleEnd] = {}
        self._reports: dict[tuple[ModulePath, str], CheckReport] = {}
        self._resources: dict[ConfigResource, ResourceNode] = {}
        for node in nodes:
            if node not in only_needed:
                self.nodes.append(node)
            self._enter(node)

    def _enter(self, node: Node) -> None:
        module = node.instance.module if isinstance(node, InstanceNode) else None
        for name in node.names():
            self._named[name].add(node, module)
        if node.in_module:
            self._members[node.module].append(node)
        match node:
            case ModuleCallNode():
                self._calls[node.module] = node
            case ModuleEnd():
                self._ends[node.module] = node
            case ResourceNode():
                self._resources[node.address] = node
            case CheckReport():
                self._reports[node.module, node.check_name] = node
            case ProviderNode():
                self.used_providers.append(node)

    @property
    def state(self) -> State:
        return self.inputs.state

    @property
    def is_destroying(self) -> bool:
        return self.inputs.operation.is_destroying

    # Names

    def targets_of(self, references: Iterable[ScopedSubject]) -> Iterator[Node]:
        """Return the nodes that references lead to."""
        for reference in references:
            found = self._find(reference)
            if found is not None:
                yield from found.everything

    def seen_from(
        self, instance: AbsResourceInstance, references: Iterable[ScopedSubject], *, with_own: bool = False
    ) -> Iterator[Node]:
        """Return the nodes that references of one instance lead to, without what other instances of its module have,
        and without nodes about the instance itself, unless `with_own` is set."""
        for reference in references:
            found = self._find(reference)
            if found is not None:
                for node in found.seen_from(instance.module):
                    if with_own or not isinstance(node, InstanceNode) or node.instance != instance:
                        yield node

    def _find(self, reference: ScopedSubject) -> Namesakes[Node] | None:
        """Look for the exact name and then for more general ones. An undeclared name leads nowhere; evaluation reports
        it."""
        for name in reference.names:
            found = self._named.get(name)
            if found is not None:
                return found
        return None

    def declared(self, instance: AbsResourceInstance) -> ResourceNode | None:
        """Return the node of the block that declares an instance."""
        return self._resources.get(instance.config)

    def called_by(self, node: Node) -> Sequence[ProviderNode]:
        """Return the providers whose functions a node calls."""
        return self._called.get(node, ())

    def provider_of(self, config: AbsProviderConfig) -> Iterable[ProviderNode]:
        """Return the node of a provider configuration; nothing if no node needs it."""
        return [provider for provider in self.used_providers if provider.config == config]

    # What nodes need besides what they refer to

    def calls_around(self, module: ModulePath) -> Iterable[ModuleCallNode]:
        """Return the call that finds the instances of a module; nothing for the root."""
        call = self._calls.get(module)
        return () if call is None else (call,)

    def members_of(self, module: ModulePath) -> Iterator[Node]:
        """Return everything that the end of a module waits for."""
        yield from self.calls_around(module)
        for node in self._members.get(module, ()):
            if not (self.flavour.modules_close_before_checks and node.belongs_to_check):
                yield node
        for path, end in self._ends.items():
            if path != module and module.contains(path):
                yield end

    def report_of(self, module: ModulePath, check: str) -> Iterable[CheckReport]:
        """Return the node that declares the instances of a check, if there is one."""
        report = self._reports.get((module, check))
        return () if report is None else (report,)

    def removed_before(self, instance: AbsResourceInstance) -> Iterator[RemovalNode]:
        """Return removals of objects that were recorded to depend on this instance."""
        for other in self._removals_by_dependency.get(instance.config, ()):
            if instance.sees(other.instance):
                yield other

    @cached_property
    def _removals_by_dependency(self) -> dict[ConfigResource, list[RemovalNode]]:
        removals: dict[ConfigResource, list[RemovalNode]] = defaultdict(list)
        for node in self.nodes:
            if isinstance(node, RemovalNode):
                current = self.state.current(node.instance)
                for dependency in () if current is None else current.dependencies:
                    removals[dependency].append(node)
        return removals

    def apply_waits(self, instance: AbsResourceInstance, declared: ResourceNode) -> Iterator[Node]:
        """Return what creating, updating or reading an instance waits for because of its block."""
        if waits_for_block(self.flavour, instance):
            yield declared
        yield from self.seen_from(instance, declared.block_references())
        yield from self.called_by(declared)


def waits_for_block(flavour: Flavour, instance: AbsResourceInstance) -> bool:
    """Whether applying an instance waits until the instances of its block are known."""
    has_keys = any(step.key is not None for step in instance.module.steps)
    return not has_keys or flavour.applies_after_expansion_in_keyed_modules
