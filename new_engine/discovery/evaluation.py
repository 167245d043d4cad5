"""Evaluating nodes: each once, when it is first needed, after everything it waits for.

A node waits for its dependencies by their promises, so the order of everything emerges from which node needs which.
Then its expressions are evaluated by the functions both engines share, which find everything they name in the context.
If anything a node waits for has failed, the node is skipped and counts as failed too, without a diagnostic: users see
causes, not consequences. However many nodes wait for a node, its diagnostics are kept exactly once.

Nodes that wait for each other are reported as one cycle with all its members, and none of them is evaluated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from new_engine.compat.deferral import Deferral
from new_engine.compat.exact_dependencies.origins import ValueOrigins
from new_engine.compat.profile import CompatProfile
from new_engine.concurrency.promises import Once, PromiseSession, SelfDependency
from new_engine.discovery.dependencies import Dependencies
from new_engine.discovery.node_table import NodeTable
from new_engine.execgraph.graph import Ref
from new_engine.execgraph.run import Execution
from new_engine.nodes.instance import InstanceNode
from new_engine.nodes.leg import ResultNode
from new_engine.nodes.module import ModuleEnd
from new_engine.nodes.node import Node
from new_engine.nodes.provider import ProviderNode
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.analysis import ResourceFacts
from shared_nodes.config.blocks import OutputBlock, ResourceBlock
from shared_nodes.config.provider_configurations import ProviderConfiguration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.operations.graph import cycle_error
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.values.marks import NO_MARKS

__all__ = ["Evaluation"]


class Evaluation:
    """The evaluation of all nodes of one operation. It is the `Evaluator` of the nodes."""

    def __init__(
        self,
        session: PromiseSession,
        dependencies: Dependencies,
        context: NodeContext,
        *,
        creating_first: Collection[ConfigResource] = (),
        origins: ValueOrigins | None = None,
        deferral: Deferral | None = None,
        execute: Callable[[Evaluation], Execution] | None = None,
    ) -> None:
        """Prepare to evaluate the nodes. `creating_first` are resources whose objects are replaced by creating the new
        one first. `execute` makes the execution that is followed while applying; its operations use this evaluation in
        turn."""
        self.context = context
        self.deferral = deferral
        self.diagnostics: list[Diagnostic] = []
        self._session = session
        self._dependencies = dependencies
        self._creating_first = creating_first
        self._origins = origins
        self._visits: dict[Node, Once[bool]] = {}
        self._instances: dict[Node, Once[list[Diagnostic] | None]] = {}
        self._cycles: dict[SelfDependency, None] = {}
        self._closers: list[Callable[[], Awaitable[object]]] = []
        self._closings: list[Once[bool]] = []
        self.execution: Execution | None = None if execute is None else execute(self)

    @property
    def table(self) -> NodeTable:
        return self._dependencies.table

    @property
    def inputs(self) -> PlanInput:
        return self._dependencies.table.inputs

    @property
    def profile(self) -> CompatProfile:
        return self._dependencies.table.profile

    # Evaluating nodes

    async def evaluate(self, nodes: Sequence[Node]) -> None:
        """Evaluate these nodes and everything they wait for."""
        self._session.begin([self.visit(node) for node in nodes])
        await self.succeeded(nodes)

    def expect(self, nodes: Iterable[Node]) -> None:
        """Announce nodes that will be evaluated later, so that closing something after all its users waits for them."""
        for node in nodes:
            self.visit(node)

    def visit(self, node: Node) -> Once[bool]:
        """Return whether the node succeeds, as something that can be awaited."""
        visit = self._visits.get(node)
        if visit is None:
            visit = self._visits[node] = self._session.once(node.name, partial(self._visit, node), node.origin)
        return visit

    async def _visit(self, node: Node) -> bool:
        if not await self.succeeded(self._dependencies.of(node)):
            return False
        problems = await node.evaluate(self)
        self.diagnostics.extend(problems)
        succeeded = not has_errors(problems)
        if succeeded and self._origins is not None:
            node.record_origins(self._origins)
        return succeeded

    async def succeeded(self, nodes: Iterable[Node]) -> bool:
        """Wait for nodes, and return whether all of them succeeded."""
        promises = [self.visit(node).promise for node in nodes]
        return await self._session.all_true(promises, self._note_cycle)

    def _note_cycle(self, cycle: SelfDependency) -> None:
        self._cycles[cycle] = None

    @property
    def cycles(self) -> list[Diagnostic]:
        """The cycles that were found. They are kept apart from other problems: a configuration in which nodes wait for
        each other has no meaning, and nothing else about it is worth reporting."""
        return sorted((_report_cycle(cycle) for cycle in self._cycles), key=lambda problem: problem.summary)

    async def fan_out(
        self, instances: Sequence[Node], waits: Mapping[Node, Sequence[Node]] | None = None
    ) -> list[Diagnostic]:
        """Evaluate the instances of a block concurrently and return what they report. They are a part of their block:
        it waits for all of them, and it fails if one of them does. `waits` has for an instance the other instances it
        waits for."""
        if len(instances) == 1:
            return list(await instances[0].evaluate(self))
        visits = {
            instance: self._session.once(
                instance.name, partial(self._visit_instance, instance, () if waits is None else waits.get(instance, ()))
            )
            for instance in instances
        }
        self._instances.update(visits)
        promises = self._session.begin(list(visits.values()))
        await self._session.settled(promises)
        problems: dict[int, list[Diagnostic]] = {}
        for promise in promises:
            try:
                found = promise.result or []
            except SelfDependency as cycle:
                found = [_report_cycle(cycle)]
                problems[id(cycle)] = found
            else:
                problems[id(promise)] = found
        return [problem for found in problems.values() for problem in found]

    async def _visit_instance(self, instance: Node, siblings: Sequence[Node]) -> list[Diagnostic] | None:
        """Evaluate an instance. Return None if it was skipped."""
        if siblings:
            promises = [self._instances[sibling].promise for sibling in siblings]
            await self._session.settled(promises)
            if any(promise.result is None or has_errors(promise.result) for promise in promises):
                return None
        return list(await instance.evaluate(self))

    async def operation_succeeded(self, operation: Ref) -> bool:
        assert self.execution is not None
        return await self.execution.succeeded(operation)

    # Questions of nodes

    def facts_of(self, address: ConfigResource) -> ResourceFacts:
        return self._dependencies.analysis.of(address)

    def creates_first(self, address: ConfigResource) -> bool:
        return address in self._creating_first

    def is_instance_deferred(
        self,
        instance: AbsResourceInstance,
        tree: ConfigTree,
        block: ResourceBlock,
        provider: ProviderConfiguration | None,
    ) -> bool:
        """Whether an instance is left to a later run. If origins are recorded at all, this also records those of the
        instance."""
        if self._origins is None:
            return False
        marks = self._origins.record_instance(instance, block, provider)
        return self.deferral is not None and self.deferral.defers_instance(instance, tree, block, marks)

    def is_output_deferred(self, block: OutputBlock) -> bool:
        if self.deferral is None:
            return False
        marks = NO_MARKS if self._origins is None else self._origins.output_marks(ROOT_INSTANCE, block)
        return self.deferral.defers_output(block, marks)

    def dependencies_of(self, instance: AbsResourceInstance) -> tuple[ConfigResource, ...]:
        """Return what is recorded with the object of an instance: what its values were computed from, if dependencies
        are exact, and otherwise everything its block refers to. `is_instance_deferred` must have been called before."""
        if self._origins is not None and self.profile.exact_dependencies:
            return self._origins.dependencies(instance)
        return self._dependencies.analysis.of(instance.config).dependencies

    # Closing

    def at_the_end(self, close: Callable[[], Awaitable[object]]) -> None:
        self._closers.append(close)

    def when_served(self, opened: Node, close: Callable[[], Awaitable[Sequence[Diagnostic]]]) -> None:
        """Close what a node has opened, as soon as everything that uses it has succeeded. If a user fails, it stays
        open, as it does in the original. This is not left to the end: a provider may not live until then, and a token
        should be held no longer than necessary."""
        closing = self._session.once(f"{opened.name} (close)", partial(self._close_served, opened, close))
        self._closings.append(closing)
        self._session.begin([closing])

    async def _close_served(self, opened: Node, close: Callable[[], Awaitable[Sequence[Diagnostic]]]) -> bool:
        users, operations = self._users(opened)
        served = await self.succeeded([user for user in users if user in self._visits])
        if self.execution is not None:
            served = await self.execution.succeeded(*operations) and served
            providers = {user.config for user in users if isinstance(user, ProviderNode)}
            served = await self.execution.served_by(providers) and served
        if not served:
            return False
        self.diagnostics.extend(await close())
        return True

    async def close(self) -> None:
        """Close everything that was opened, in reverse order, also after failures."""
        await self._session.settled(self._session.begin(self._closings))
        while self._closers:
            await self._closers.pop()()
        self.context.forget_scopes()
        self.execution = None  # it holds the operations, and these hold this evaluation

    def _users(self, opened: Node) -> tuple[dict[Node, None], set[Ref]]:
        """Return the node and everything that uses it, directly or not. While applying that includes operations that
        only come after a user, whatever they are about, and what uses their results; data sources of checks only if
        `_precedes_checks` says so."""
        reach = self._dependencies.reach
        users = {opened: None} | reach.all_above([opened])
        operations: set[Ref] = set()
        results = [node for node in self._dependencies.nodes if isinstance(node, ResultNode)]
        checks = [node for node in results if node.belongs_to_check]
        while self.execution is not None:
            left_out = [] if self._precedes_checks(users) else [node for node in checks if node not in users]
            found = self.execution.followers(
                (node.operation for node in results if node in users), without=(node.operation for node in left_out)
            )
            if found == operations:
                break
            operations = found
            later = [node for node in results if node.operation in operations and node not in users]
            users |= dict.fromkeys(later) | reach.all_above(later)
        return users, operations

    def _precedes_checks(self, users: Collection[Node]) -> bool:
        """Whether data sources of checks count as users, which come after all managed resources. Terraform only goes on
        to them from one that something else uses, except another managed resource."""
        if self.context.flavour.ephemerals_close_after_checks:
            return True
        managed = {node for node in users if isinstance(node, ResultNode) and _is_managed(node)}
        used, hidden = set[Node](), set[Node]()
        for node, dependencies in self._dependencies.reach.dependencies.items():
            if not isinstance(node, ModuleEnd):
                (hidden if _is_managed(node) else used).update(managed.intersection(dependencies))
        assert self.execution is not None
        used |= {node for node in managed - hidden if self.execution.precedes_deletion(node.operation)}
        return bool(used - hidden)


def _is_managed(node: Node) -> bool:
    return isinstance(node, InstanceNode) and node.instance.resource.mode is ResourceMode.MANAGED


def _report_cycle(cycle: SelfDependency) -> Diagnostic:
    return cycle_error(member.name for member in cycle.members)
