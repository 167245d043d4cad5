"""Dependencies looked at as a whole, before anything is evaluated.

Everything here is read off the same references that evaluation waits for, so the two cannot drift apart. Who depends on
something cannot be asked of promises, which know only what they wait for. Here it can: of nodes, for as long as an
operation lasts; and of resources, as the plain data that validation returns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from new_engine.nodes.instance import InstanceNode
from new_engine.nodes.module_call import ModuleCallNode
from new_engine.nodes.node import Node
from new_engine.nodes.resource import ResourceNode
from shared_nodes.addresses.references import ResourceInstance, ScopedSubject
from shared_nodes.addresses.resource import ConfigResource, Resource, ResourceMode
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.config.analysis import ConfigAnalysis, ResourceFacts
from shared_nodes.nodes.references import depends_on_references
from shared_nodes.operations.graph import components

if TYPE_CHECKING:
    from new_engine.compiled import Compiled

__all__ = ["Reach", "analyse"]


@dataclass(frozen=True, slots=True)
class Reach:
    """All nodes of an operation, each after all it waits for, cycles together; and what follows for resources."""

    components: Sequence[Sequence[Node]]
    resources: ConfigAnalysis
    dependencies: Mapping[Node, Sequence[Node]]

    def all_below(self, nodes: Iterable[Node]) -> dict[Node, None]:
        """The nodes themselves and everything they wait for in any way."""
        found = dict.fromkeys(nodes)
        pending = list(found)
        while pending:
            for node in self.dependencies[pending.pop()]:
                if node not in found:
                    found[node] = None
                    pending.append(node)
        return found

    def all_above(self, nodes: Iterable[Node]) -> dict[Node, None]:
        """Everything that waits for any of them in any way."""
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


def analyse(compiled: Compiled) -> Reach:
    edges: dict[Node, tuple[Node, ...]] = {}

    def waits(node: Node) -> tuple[Node, ...]:
        awaited = edges[node] = tuple(compiled.waits(node))
        return awaited

    found = list(components(compiled.nodes, waits))
    nodes = [node for component in found for node in component]
    resources = [node for node in nodes if isinstance(node, ResourceNode)]
    several = [node for node in nodes if isinstance(node, ResourceNode | InstanceNode)]
    sets = ResourceSets(node.address for node in several)
    own: dict[Node, int] = {node: sets.of(node.address) for node in several}
    below, next_to = _pass_up(found, edges, own, sum({sets.of(node.address) for node in resources}))
    search = _ReadAfter(compiled, sets, below)
    facts = {
        node.address: ResourceFacts(
            node.address,
            None if node.provider is None else node.provider.config,
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
    """For each node, all resources below it, and those of them with no declared one in between: of what is not declared
    nobody can ask what lies behind it. Sets go up once, from what is waited for to who waits. A cycle counts as one
    node: it will be reported where it is met."""
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
    """What data and ephemeral resources must not be read before: a pending change to any of these defers them.

    That is what `depends_on` names, their own or that of a module call around them; and managed resources the block
    refers to directly, because whoever reads about an object wants to see it as it will be. Where a name is not a
    resource but a module or a value, all resources behind it count.
    """

    __slots__ = ("_below", "_compiled", "_modules", "_sets")

    def __init__(self, compiled: Compiled, sets: ResourceSets, below: Mapping[Node, int]) -> None:
        self._compiled = compiled
        self._sets = sets
        self._below = below
        self._modules: dict[Node, int] = {}

    def of(self, node: ResourceNode) -> tuple[ConfigResource, ...]:
        if node.address.resource.mode is ResourceMode.MANAGED:
            return ()
        named = [*depends_on_references(node.node, node.block.depends_on), *_managed(node.references())]
        found = self._around(node)
        for target in self._compiled.behind(named):
            if target is node:
                continue
            found |= self._sets.of(target.address) if isinstance(target, ResourceNode) else self._below.get(target, 0)
        return self._sets.members(found)

    def _around(self, node: Node) -> int:
        found = 0
        for call in self._compiled.calls_around(node.module if node.in_module else node.module.parent):
            if call not in self._modules:
                self._modules[call] = self._of_call(call)
            found |= self._modules[call]
        return found

    def _of_call(self, call: ModuleCallNode) -> int:
        """For a module, resources behind the named ones count as well."""
        found = self._around(call)
        for target in self._compiled.behind(call.depends_on()):
            if isinstance(target, ResourceNode):
                found |= self._sets.of(target.address)
            found |= self._below.get(target, 0)
        return found


def _managed(references: Iterable[ScopedSubject]) -> Iterator[ScopedSubject]:
    for reference in references:
        subject = reference.subject
        resource = subject.resource if isinstance(subject, ResourceInstance) else subject
        if isinstance(resource, Resource) and resource.mode is ResourceMode.MANAGED:
            yield ScopedSubject(reference.module, resource)
