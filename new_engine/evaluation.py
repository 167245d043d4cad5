"""Evaluating nodes: each once, when first asked for, after everything it waits for.

A node whose turn comes waits for its dependencies by their promises, so that the order of everything emerges from who
asks whom. Then its expressions are evaluated by the functions both engines share, which find all they name in the
context already. Where anything a node waits for has failed, the node is passed over, and counts as failed itself
without saying so: users see causes, not consequences. Exactly one visit keeps what a node reports, however many ask.

Nodes that wait for each other are reported as one cycle with all its members, and none of them is evaluated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

from new_engine.compiled import Compiled
from new_engine.deferral import Deferral
from new_engine.execgraph.graph import Ref
from new_engine.execgraph.run import Execution
from new_engine.marks import Marking
from new_engine.nodes.instance import InstanceNode
from new_engine.nodes.leg import ResultNode
from new_engine.nodes.node import Node
from new_engine.nodes.provider import ProviderNode
from new_engine.nodes.resource import ResourceNode
from new_engine.promises import Once, PromiseFailure, SelfDependency, Session
from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.config.blocks import OutputBlock
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.values.marks import NO_MARKS

__all__ = ["Evaluation"]


class Evaluation:
    """One operation's look at everything."""

    def __init__(self, session: Session, compiled: Compiled, context: NodeContext) -> None:
        self.session = session
        self.execution: Execution | None = None
        self.compiled = compiled
        self.context = context
        self.diagnostics: list[Diagnostic] = []
        self.marking: Marking | None = None
        self.deferral: Deferral | None = None
        self._visits: dict[Node, Once[bool]] = {}
        self._instances: dict[InstanceNode, Once[list[Diagnostic] | None]] = {}
        self._circles: dict[SelfDependency, None] = {}
        self._closers: list[Callable[[], Awaitable[object]]] = []
        self._closings: list[Once[bool]] = []

    async def look_at(self, nodes: Sequence[Node]) -> None:
        """Cycles are noted here as well: whoever waits for all nodes may get its turn before their members do."""
        self.session.begin([self.visit(node) for node in nodes])
        await self.succeeded(nodes)

    def expect(self, nodes: Iterable[Node]) -> None:
        """These will be looked at, although nobody has asked yet: who waits for all users of something waits for them,
        too."""
        for node in nodes:
            self.visit(node)

    def visit(self, node: Node) -> Once[bool]:
        """Whether the node succeeded, once that is known."""
        visit = self._visits.get(node)
        if visit is None:
            visit = self._visits[node] = self.session.once(node.name, partial(self._visit, node), node.origin)
        return visit

    async def _visit(self, node: Node) -> bool:
        if not await self.succeeded(self.compiled.dependencies(node)):
            return False
        problems = await node.evaluate(self)
        self.diagnostics.extend(problems)
        succeeded = not has_errors(problems)
        if succeeded and self.marking is not None:
            self.marking.note(node)
        return succeeded

    async def succeeded(self, nodes: Iterable[Node]) -> bool:
        """Whether all of them did."""
        promises = [self.visit(node).promise for node in nodes]
        await self.session.settled(promises)
        succeeded = True
        for promise in promises:
            try:
                succeeded = promise.result and succeeded
            except SelfDependency as circle:
                self._circles[circle] = None
                succeeded = False
            except PromiseFailure:
                succeeded = False
        return succeeded

    @property
    def cycles(self) -> list[Diagnostic]:
        """Kept apart from other problems: where nodes wait for each other the configuration has no meaning, and
        nothing else about it is worth saying."""
        return sorted((_cycle(circle) for circle in self._circles), key=lambda cycle: cycle.summary)

    async def fan_out(self, instances: Sequence[InstanceNode]) -> list[Diagnostic]:
        """What the instances of a block report, evaluated side by side. They are a part of their block: it waits for
        all of them, and it fails if one of them does."""
        if len(instances) == 1:
            return list(await instances[0].evaluate(self))
        visits = {
            instance: self.session.once(instance.name, partial(self._visit_instance, instance))
            for instance in instances
        }
        self._instances.update(visits)
        promises = self.session.begin(list(visits.values()))
        await self.session.settled(promises)
        problems: dict[int, list[Diagnostic]] = {}
        for promise in promises:
            try:
                found = promise.result or []
            except SelfDependency as circle:
                found = [_cycle(circle)]
                problems[id(circle)] = found
            else:
                problems[id(promise)] = found
        return [problem for found in problems.values() for problem in found]

    async def _visit_instance(self, instance: InstanceNode) -> list[Diagnostic] | None:
        """None where it was passed over."""
        if instance.siblings:
            promises = [self._instances[sibling].promise for sibling in instance.siblings]
            await self.session.settled(promises)
            if any(promise.result is None or has_errors(promise.result) for promise in promises):
                return None
        return list(await instance.evaluate(self))

    def in_each(
        self, modules: Iterable[ModuleInstance], evaluate: Callable[[ModuleInstance], Sequence[Diagnostic]]
    ) -> Sequence[Diagnostic]:
        """The same in each instance of a module. There is nothing to wait for, so it happens in the worker's turn."""
        return [problem for module in modules for problem in evaluate(module)]

    def is_put_off(self, instance: AbsResourceInstance, resource: ResourceNode) -> bool:
        """Whether an instance is left to another run. What it depends on is noted as well, where that is asked for."""
        if self.marking is None:
            return False
        marks = self.marking.note_instance(instance, resource)
        deferral = self.deferral
        return deferral is not None and deferral.puts_off_instance(instance, resource.node, resource.block, marks)

    def is_output_put_off(self, block: OutputBlock) -> bool:
        """Of the root."""
        if self.deferral is None:
            return False
        marks = NO_MARKS if self.marking is None else self.marking.output_marks(ROOT_INSTANCE, block)
        return self.deferral.puts_off_output(block, marks)

    def dependencies_of(self, instance: AbsResourceInstance) -> tuple[ConfigResource, ...]:
        """What is recorded with the object of an instance that was asked about before: by its values, or by all that
        its block names."""
        if self.marking is not None and self.compiled.profile.exact_dependencies:
            return self.marking.dependencies(instance)
        return self.compiled.analysis.of(instance.config).dependencies

    def at_the_end(self, close: Callable[[], Awaitable[object]]) -> None:
        self._closers.append(close)

    def when_served(self, opened: Node, close: Callable[[], Awaitable[Sequence[Diagnostic]]]) -> None:
        """Close what a node has opened, as soon as everybody is done who uses it. What somebody used who failed stays
        open, as it does in the original. Not at the end: a provider may live long enough for the one and not for the
        other, and a token is to be held no longer than it has to be."""
        closing = self.session.once(f"{opened.name} (close)", partial(self._close_served, opened, close))
        self._closings.append(closing)
        self.session.begin([closing])

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
        """What was opened, in reverse order, also after failures."""
        await self.session.settled(self.session.begin(self._closings))
        while self._closers:
            await self._closers.pop()()
        self.context.forget_scopes()
        self.execution = None

    def _users(self, opened: Node) -> tuple[dict[Node, None], set[Ref]]:
        """The node, and everything that uses it in any way. While applying that is also what only comes after a user,
        whatever it is about, and who uses that in turn."""
        users = {opened: None} | self.compiled.reach.all_above([opened])
        operations: set[Ref] = set()
        results = [node for node in self.compiled.nodes if isinstance(node, ResultNode)]
        while self.execution is not None:
            found = self.execution.followers(node.operation for node in results if node in users)
            if found == operations:
                break
            operations = found
            later = [node for node in results if node.operation in operations and node not in users]
            users |= dict.fromkeys(later) | self.compiled.reach.all_above(later)
        return users, operations


def _cycle(circle: SelfDependency) -> Diagnostic:
    return error(f"Cycle: {', '.join(member.name for member in circle.members)}")
