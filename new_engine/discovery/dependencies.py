"""What each node waits for, and what follows from that as a whole, before anything is evaluated.

Everything here is read off the same references that evaluation waits for, so the two cannot disagree. Promises know
only what they wait for, and cannot be asked what depends on a node. `Reach` can, as long as an operation lasts; and
`ConfigAnalysis` has what follows for resources, as the plain data that validation returns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from new_engine.discovery.node_table import NodeTable
from new_engine.nodes.instance import InstanceNode
from new_engine.nodes.leg import LegNode, ResultNode
from new_engine.nodes.module import ModuleCallNode
from new_engine.nodes.node import Node
from new_engine.nodes.provider import ProviderNode
from new_engine.nodes.resource import ResourceNode
from shared_nodes.addresses.references import ScopedSubject, resource_of
from shared_nodes.addresses.resource import ConfigResource, Resource, ResourceMode
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.config.analysis import ConfigAnalysis, ResourceFacts
from shared_nodes.nodes.references import depends_on_references
from shared_nodes.operations.graph import components
from shared_nodes.record import record

__all__ = ["Dependencies", "Reach"]


class Dependencies:
    """The edges between the nodes of a table, computed on first use. The object never changes: `without` and
    `with_order` return new ones."""

    def __init__(
        self,
        table: NodeTable,
        *,
        dropped: frozenset[Node] = frozenset(),
        before: Mapping[LegNode, tuple[LegNode, ...]] | None = None,
    ) -> None:
        """Take the edges of a table. No node waits for those in `dropped`. `before` has for a leg the legs that come
        before it, in addition to those it refers to."""
        self.table: Final = table
        self.nodes: Final = [node for node in table.nodes if node not in dropped] if dropped else table.nodes
        self._dropped = dropped
        self._before = before or {}
        self._found: dict[Node, tuple[Node, ...]] = {}

    def without(self, nodes: Collection[Node]) -> Dependencies:
        """Return the edges without these nodes: no node waits for them any more."""
        return Dependencies(self.table, dropped=frozenset(nodes), before=self._before)

    def with_order(self, before: Mapping[LegNode, Iterable[LegNode]]) -> Dependencies:
        """Give each of these legs its place in the order. What is known about other nodes is kept."""
        order = {leg: tuple(legs) for leg, legs in before.items()}
        ordered = Dependencies(self.table, dropped=self._dropped, before={**self._before, **order})
        ordered._found = {node: found for node, found in self._found.items() if node not in order}
        return ordered

    def of(self, node: Node) -> tuple[Node, ...]:
        """Return everything a node waits for, each node once, never the node itself."""
        found = self._found.get(node)
        if found is None:
            several = dict.fromkeys(self._find(node))
            several.pop(node, None)
            found = self._found[node] = tuple([other for other in several if other not in self._dropped])
        return found

    def _find(self, node: Node) -> Iterator[Node]:
        table = self.table
        if node.in_module:
            yield from table.calls_around(node.module)
        yield from table.targets_of(node.references())
        yield from table.called_by(node)
        yield from node.needs(table)
        if isinstance(node, LegNode):
            yield from self.before(node)

    @property
    def serving(self) -> list[ProviderNode]:
        """The providers of all operations of an apply: they have users even if all that is done is to destroy."""
        return [node for node in self.table.serving if node not in self._dropped]

    def before(self, leg: LegNode) -> tuple[LegNode, ...]:
        """Return the legs that come before a leg because of its place in the order."""
        return self._before.get(leg, ())

    def through_results(self, node: Node) -> Iterator[Node]:
        """Return what a node depends on, for callers that do not await it. A result is that of an operation, which is
        not a node; this includes what the operation waits for."""
        table = self.table
        if isinstance(node, ResultNode) and (declared := table.declared(node.instance)) is not None:
            seen = [*table.calls_around(declared.module), *table.apply_waits(node.instance, declared)]
            seen += () if declared.provider is None else (declared.provider.node,)
            yield from (other for other in dict.fromkeys(seen) if other not in self._dropped and other is not node)
        yield from self.of(node)

    @cached_property
    def reach(self) -> Reach:
        return _find_reach(self)

    @property
    def analysis(self) -> ConfigAnalysis:
        """What depends on what, as far as the configuration states it."""
        return self.reach.resources


@record
class Reach:
    """All nodes of an operation in `components`, each after everything it waits for, members of a cycle together; and
    what follows for resources."""

    components: Sequence[Sequence[Node]]
    resources: ConfigAnalysis
    dependencies: Mapping[Node, Sequence[Node]]

    def all_below(self, nodes: Iterable[Node]) -> dict[Node, None]:
        """Return the nodes themselves and everything they wait for, directly or not."""
        found = dict.fromkeys(nodes)
        pending = list(found)
        while pending:
            for node in self.dependencies[pending.pop()]:
                if node not in found:
                    found[node] = None
                    pending.append(node)
        return found

    def all_above(self, nodes: Iterable[Node]) -> dict[Node, None]:
        """Return everything that waits for any of the nodes, directly or not."""
        above: dict[Node, list[Node]] = defaultdict(list)
        for component in self.components:
            for node in component:
                for dependency in self.dependencies[node]:
                    above[dependency].append(node)
        found: dict[Node, None] = {}
        pending = list(nodes)
        while pending:
            for node in above.get(pending.pop(), ()):
                if node not in found:
                    found[node] = None
                    pending.append(node)
        return found


def _find_reach(dependencies: Dependencies) -> Reach:
    edges: dict[Node, tuple[Node, ...]] = {}

    def waits(node: Node) -> tuple[Node, ...]:
        awaited = edges[node] = tuple(dependencies.through_results(node))
        return awaited

    found = list(components([*dependencies.nodes, *dependencies.serving], waits))
    nodes = [node for component in found for node in component]
    resources = [node for node in nodes if isinstance(node, ResourceNode)]
    several = [node for node in nodes if isinstance(node, ResourceNode | InstanceNode)]
    sets = ResourceSets(node.address for node in several)
    own: dict[Node, int] = {node: sets.of(node.address) for node in several}
    below, next_to = _pass_up(found, edges, own, sum({sets.of(node.address) for node in resources}))
    search = _ReadAfter(dependencies.table, sets, below)
    facts = {
        node.address: ResourceFacts(
            node.address,
            None if node.provider is None else node.provider.choice.config,
            sets.members(next_to[node] & ~own[node]),
            search.of(node),
            bool(node.block.lifecycle.create_before_destroy),
            sets,
            below[node] & ~own[node],
        )
        for node in resources
    }
    return Reach(found, ConfigAnalysis(facts), edges)


def _pass_up(
    found: Sequence[Sequence[Node]], edges: Mapping[Node, Sequence[Node]], own: Mapping[Node, int], declared: int
) -> tuple[dict[Node, int], dict[Node, int]]:
    """For each node, return all resources below it, and those of them with no declared one in between: a resource that
    is not declared has no facts to look up. Sets are passed up once, from what is waited for to what waits. A cycle
    counts as one node; it is reported where it is found."""
    below: dict[Node, int] = {}
    next_to: dict[Node, int] = {}
    for component in found:
        everything = nearest = 0
        for node in component:
            for dependency in edges[node]:
                mine = own.get(dependency, 0)
                everything |= below.get(dependency, 0) | mine
                nearest |= mine if mine & declared else mine | next_to.get(dependency, 0)
        for node in component:
            below[node] = everything
            next_to[node] = nearest
    return below, next_to


class _ReadAfter:
    """What data and ephemeral resources must not be read before: a pending change to any of these defers the read.

    That is what `depends_on` names, their own or that of a module call around them; and managed resources the block
    refers to directly, because data about an object should describe it as it will be. Where a name is not a resource
    but a module or a value, all resources behind it count.
    """

    __slots__ = ("_below", "_modules", "_sets", "_table")

    def __init__(self, table: NodeTable, sets: ResourceSets, below: Mapping[Node, int]) -> None:
        self._table = table
        self._sets = sets
        self._below = below
        self._modules: dict[Node, int] = {}

    def of(self, node: ResourceNode) -> tuple[ConfigResource, ...]:
        if node.address.resource.mode is ResourceMode.MANAGED:
            return ()
        named = [*depends_on_references(node.tree, node.block.depends_on), *_managed_resources(node.references())]
        found = self._resources_of_calls_around(node)
        for target in self._table.targets_of(named):
            if target is node:
                continue
            found |= self._sets.of(target.address) if isinstance(target, ResourceNode) else self._below.get(target, 0)
        return self._sets.members(found)

    def _resources_of_calls_around(self, node: Node) -> int:
        found = 0
        for call in self._table.calls_around(node.module if node.in_module else node.module.parent):
            if call not in self._modules:
                self._modules[call] = self._resources_of_call(call)
            found |= self._modules[call]
        return found

    def _resources_of_call(self, call: ModuleCallNode) -> int:
        """Return what `depends_on` of a module call names, and the resources behind it."""
        found = self._resources_of_calls_around(call)
        for target in self._table.targets_of(call.depends_on()):
            if isinstance(target, ResourceNode):
                found |= self._sets.of(target.address)
            found |= self._below.get(target, 0)
        return found


def _managed_resources(references: Iterable[ScopedSubject]) -> Iterator[ScopedSubject]:
    for reference in references:
        resource = resource_of(reference.subject)
        if isinstance(resource, Resource) and resource.mode is ResourceMode.MANAGED:
            yield ScopedSubject(reference.module, resource)
