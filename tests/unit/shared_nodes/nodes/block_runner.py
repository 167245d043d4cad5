"""Runs node logic without an engine: one block, passed from plan to apply to the next plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import trio

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource, Resource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.loading import load_configuration
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation, PlanOptions
from shared_nodes.context.repetition import ResourceExpansion, expand_resource
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.nodes.resource.apply import ManagedApply, apply_managed
from shared_nodes.nodes.resource.deposed import DeposedPlan, plan_deposed
from shared_nodes.nodes.resource.destroy import (
    DestroyDeposedRequest,
    DestroyPlan,
    DestroyRequest,
    destroy_deposed,
    destroy_instance,
    plan_destroy_instance,
)
from shared_nodes.nodes.resource.orphan import OrphanPlan, plan_orphan
from shared_nodes.nodes.resource.plan import ManagedPlan, plan_managed
from shared_nodes.plan.change import Action, Changes, ResourceChange
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.providers.builtin import BuiltinProvider
from shared_nodes.providers.contract import ApplyRequest, ApplyResponse, PlanRequest, PlanResponse, ReadObject
from shared_nodes.state.model import InstanceObject, State
from shared_nodes.values.value import NULL_DYNAMIC, Value, null
from shared_nodes.world import World

RESOURCE = Resource(ResourceMode.MANAGED, "terraform_data", "a")
ADDRESS = AbsResource(ROOT_INSTANCE, RESOURCE)
PROVIDER = ProviderInstance(AbsProviderConfig(BUILTIN))
CONFIG_ADDRESS = ConfigResource(ADDRESS.module.path, RESOURCE)

ONE = 'resource "terraform_data" "a" {\n  input = "one"\n}\n'
TWO = 'resource "terraform_data" "a" {\n  input = "two"\n}\n'
REPLACED = 'resource "terraform_data" "a" {\n  input = "one"\n  triggers_replace = "x"\n}\n'
CREATED_FIRST = REPLACED.replace("}", "  lifecycle {\n    create_before_destroy = true\n  }\n}")


class FaultyProvider(BuiltinProvider):
    """The builtin provider, with answers that a test may change."""

    bend_apply: Callable[[ApplyRequest, ApplyResponse], ApplyResponse] = staticmethod(lambda _request, answer: answer)
    bend_plan: Callable[[PlanRequest, PlanResponse], PlanResponse] = staticmethod(lambda _request, answer: answer)
    bend_read: Callable[[Value], ReadObject | None] = staticmethod(lambda _current: None)

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        return self.bend_apply(request, await super().apply(request))

    async def plan(self, request: PlanRequest) -> PlanResponse:
        return self.bend_plan(request, await super().plan(request))

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        return self.bend_read(current) or await super().read(type_name, current, private, provider_meta, identity)


FAILURE = replace(error("Failed", "On purpose."), attribute=())
"""A problem of the whole block, as providers report what is not about one attribute."""


@dataclass
class BlockRunner:
    """The state, the provider that a test may make fail, and all events emitted."""

    directory: Path
    state: State = field(default_factory=State)
    events: list[Event] = field(default_factory=list)
    flavour: Flavour = TERRAFORM_1_11

    def __post_init__(self) -> None:
        self.world = World.confined(self.directory, 1, datetime(2026, 1, 2, tzinfo=UTC))
        self.provider = FaultyProvider(self.world)

    def context(self, text: str, operation: Operation, **options: Any) -> NodeContext:
        (self.directory / "main.tf").write_text(text)
        tree, problems = load_configuration(self.world.files, self.flavour)
        assert tree is not None, problems
        return NodeContext(
            operation,
            tree,
            self.world,
            self.flavour,
            {BUILTIN: self.provider.schema},
            lambda _config: self.provider,
            EventSink(self.events.append),
            self.state.copy(),
            self.state.copy(),
            self.state.copy(),
            options=replace(PlanOptions(), **options),
        )

    def plan(self, text: str, **options: Any) -> Walk:
        """Plan every declared instance, every orphan and every deposed object."""
        request = {name: options.pop(name) for name in ("import_key", "dependencies") if name in options}
        walk = Walk(self.context(text, Operation.PLAN, **options))

        async def work() -> None:
            repetition = await walk.expand()
            for key in repetition.keys if repetition else ():
                walk.problems += await plan_managed(walk.context, walk.managed_plan(key, repetition, **request))
            for address, instance in list(self.state.instances()):
                wanted = repetition is not None and walk.block is not None and address.key in repetition.keys
                if instance.current is not None and not wanted:
                    orphan = OrphanPlan(address, PROVIDER, block=walk.block)
                    walk.problems += await plan_orphan(walk.context, orphan)
                for key in instance.deposed:
                    deposed = DeposedPlan(address, PROVIDER, block=walk.block, deposed=key)
                    walk.problems += await plan_deposed(walk.context, deposed)

        trio.run(work)
        return walk

    def plan_destroy(self, text: str, **options: Any) -> Walk:
        walk = Walk(self.context(text, Operation.PLAN_DESTROY, **options))

        async def work() -> None:
            for address, _ in self.state.instances():
                request = DestroyPlan(address, PROVIDER, block=walk.block)
                walk.problems += await plan_destroy_instance(walk.context, request)

        trio.run(work)
        return walk

    def apply(self, text: str, plan: Walk, dependencies: Sequence[ConfigResource] = ()) -> Walk:
        """Apply the planned changes in an order that any engine would allow for a single resource."""
        self.state = plan.context.refreshed
        walk = Walk(self.context(text, Operation.APPLY))
        walk.context.changes = Changes(dict(plan.context.changes.resources))

        async def work() -> None:
            repetition = await walk.expand()
            for change in plan.context.changes.in_order():
                await self._apply_change(walk, change, repetition, tuple(dependencies))

        trio.run(work)
        self.state = walk.context.working
        return walk

    async def _apply_change(
        self,
        walk: Walk,
        change: ResourceChange,
        repetition: Repetition | None,
        dependencies: tuple[ConfigResource, ...],
    ) -> None:
        address, block = change.address, walk.block
        if change.deposed is not None:
            request = DestroyDeposedRequest(address, PROVIDER, block=block, deposed=change.deposed)
            walk.problems += await destroy_deposed(walk.context, request)
            return
        if change.action in (Action.DELETE, Action.DELETE_THEN_CREATE):
            provisioners = block.provisioners if block is not None else ()
            gone = DestroyRequest(address, PROVIDER, block=block, provisioners=provisioners)
            walk.problems += await destroy_instance(walk.context, gone)
        if change.action is Action.DELETE or walk.problems:
            return
        assert block is not None
        assert repetition is not None
        key = "0ddba11a" if change.action is Action.CREATE_THEN_DELETE else None
        cbd = bool(block.lifecycle.create_before_destroy)
        node = walk.context.config
        managed = ManagedApply(address, node, block, PROVIDER, repetition, dependencies, cbd, key)
        walk.problems += await apply_managed(walk.context, managed)
        if key is not None and not walk.problems:
            walk.problems += await destroy_deposed(walk.context, DestroyDeposedRequest(address, PROVIDER, deposed=key))


@dataclass
class Walk:
    """One plan or apply: its context and its problems."""

    context: NodeContext
    problems: list[Diagnostic] = field(default_factory=list)

    @property
    def block(self) -> ResourceBlock | None:
        return self.context.config.module.resources.get(RESOURCE)

    async def expand(self) -> Repetition | None:
        if self.block is None:
            return None
        self.problems += await expand_resource(self.context, ResourceExpansion(ADDRESS, self.block, PROVIDER.config))
        return self.context.expander.known_resource(ADDRESS)

    def managed_plan(self, key: InstanceKey, repetition: Repetition | None, **given: Any) -> ManagedPlan:
        assert self.block is not None
        assert repetition is not None
        cbd = bool(self.block.lifecycle.create_before_destroy)
        node = self.context.config
        plan = ManagedPlan(ADDRESS.instance(key), node, self.block, PROVIDER, repetition, create_before_destroy=cbd)
        return replace(plan, **given)

    @property
    def actions(self) -> dict[str, str]:
        """The planned actions by address, with the deposed key and the reason, if any."""
        return {
            f"{change.address}{f' {change.deposed}' if change.deposed else ''}": " ".join(
                filter(None, (change.action, change.reason))
            )
            for change in self.context.changes.in_order()
        }

    def change(self, key: InstanceKey = None) -> ResourceChange:
        change = self.context.changes.of(ADDRESS.instance(key))
        assert change is not None
        return change

    def object(self, key: InstanceKey = None) -> InstanceObject | None:
        return self.context.working.current(ADDRESS.instance(key))

    @property
    def summaries(self) -> list[str]:
        return [problem.summary for problem in self.problems]


def attribute(found: InstanceObject | None, name: str) -> Value:
    """Return an attribute of an object that must exist."""
    assert found is not None
    assert found.value is not None
    part: Value = found.value.payload[name]
    return part


def with_attribute(value: Value | None, name: str, part: Value) -> Value:
    """Return an object with one attribute replaced."""
    assert value is not None
    return Value(value.type, {**value.payload, name: part})


def refuse_creation(_request: object, answer: ApplyResponse) -> ApplyResponse:
    """The answer of a provider that failed and created nothing."""
    assert answer.value is not None
    return ApplyResponse(null(answer.value.type), problems=[FAILURE])


def instance(key: InstanceKey = None) -> AbsResourceInstance:
    return ADDRESS.instance(key)


def apply_text(runner: BlockRunner, text: str) -> None:
    walk = runner.apply(text, runner.plan(text))
    assert walk.problems == []


def lifecycle(text: str, content: str) -> str:
    return text.rstrip("}\n") + f"\n  lifecycle {{\n    {content}\n  }}\n}}\n"
