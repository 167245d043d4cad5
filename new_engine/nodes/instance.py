"""Nodes about single objects: planned as wanted, as unwanted, as deposed, or to be destroyed; or opened.

InstanceNode    base class of everything about one instance
PlanInstance    a wanted instance of a block
PlanOrphan      an object whose key, or whose module instance, its block does not want any more
OpenInstance    an instance of an ephemeral block
UnwantedNode    base class of objects of the state that no block expands to:
  OrphanNode      a current object whose block is gone
  DeposedNode     a deposed object
  DestroyNode     a current object in destroy mode
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from new_engine.nodes.node import Evaluator, Node, NodeLookup
from new_engine.nodes.provider import ProviderNode
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.data import DataPlan, plan_data
from shared_nodes.nodes.resource.deposed import DeposedPlan, plan_deposed
from shared_nodes.nodes.resource.destroy import DestroyPlan, plan_destroy_instance
from shared_nodes.nodes.resource.ephemeral import EphemeralClose, EphemeralOpen, close_ephemeral, open_ephemeral
from shared_nodes.nodes.resource.orphan import OrphanPlan, plan_orphan
from shared_nodes.nodes.resource.plan import ManagedPlan, plan_managed
from shared_nodes.nodes.statements.removed import is_forgotten
from shared_nodes.operations.plan_apply import PlanInput

__all__ = [
    "DeposedNode",
    "DestroyNode",
    "InstanceNode",
    "OpenInstance",
    "OrphanNode",
    "PlanInstance",
    "PlanOrphan",
    "UnwantedNode",
]


class InstanceNode(Node):
    def __init__(self, instance: AbsResourceInstance) -> None:
        self.instance = instance
        self.module = instance.module.path

    @property
    def name(self) -> str:
        return str(self.instance)

    @property
    def address(self) -> ConfigResource:
        return self.instance.config


class PlanInstance(InstanceNode):
    def __init__(
        self,
        instance: AbsResourceInstance,
        tree: ConfigTree,
        block: ResourceBlock,
        provider: ProviderNode,
        import_id: str | None,
    ) -> None:
        super().__init__(instance)
        self._tree = tree
        self._block = block
        self._provider = provider
        self._import_id = import_id

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context, address, provider = evaluator.context, self.address, self._provider
        if evaluator.is_instance_deferred(self.instance, self._tree, self._block, provider.declared):
            return ()
        repetition = context.expander.resource(self.instance.containing)
        previous = evaluator.inputs.previous_address(self.instance)
        if self.instance.resource.mode is ResourceMode.DATA:
            facts = evaluator.facts_of(address)
            data = DataPlan(
                self.instance,
                self._tree,
                self._block,
                provider.config,
                repetition,
                dependencies=facts.dependencies,
                waits_for=facts.read_after,
                previous_address=previous,
            )
            return await plan_data(context, data)
        managed = ManagedPlan(
            self.instance,
            self._tree,
            self._block,
            provider.config,
            repetition,
            dependencies=evaluator.dependencies_of(self.instance),
            create_before_destroy=evaluator.creates_first(address),
            import_id=self._import_id,
            previous_address=previous,
        )
        return await plan_managed(context, managed)


class OpenInstance(InstanceNode):
    """An instance of an ephemeral block. `resource` is the node of the block: the instance stays open until everything
    that uses that node is done."""

    def __init__(
        self,
        instance: AbsResourceInstance,
        resource: Node,
        tree: ConfigTree,
        block: ResourceBlock,
        provider: ProviderNode,
    ) -> None:
        super().__init__(instance)
        self._resource = resource
        self._tree = tree
        self._block = block
        self._provider = provider

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        """Open the instance. Closing is arranged first, because opening may fail half-way: closing finds out what there
        is to close."""
        context, provider = evaluator.context, self._provider
        if evaluator.is_instance_deferred(self.instance, self._tree, self._block, provider.declared):
            return ()
        repetition = context.expander.resource(self.instance.containing)
        closing = EphemeralClose(self.instance, provider.config)
        evaluator.when_served(self._resource, partial(close_ephemeral, context, closing))
        request = EphemeralOpen(self.instance, self._tree, self._block, provider.config, repetition)
        return await open_ephemeral(context, request)


class PlanOrphan(InstanceNode):
    """An object that its block does not want any more. `block` is None if it is gone; then `provider` is exactly the
    recorded one, or None if none is needed."""

    def __init__(
        self,
        instance: AbsResourceInstance,
        block: ResourceBlock | None,
        provider: ProviderNode | None,
        inputs: PlanInput,
    ) -> None:
        super().__init__(instance)
        self.block = block
        self.provider = provider
        self._inputs = inputs

    @property
    def name(self) -> str:
        return f"{self.instance} (orphan)"

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context = evaluator.context
        provider = self._provider_config(context.working.resources[self.instance.containing].provider)
        previous = self._inputs.previous_address(self.instance)
        forgets = is_forgotten(self._inputs.removed, self.instance)
        request = OrphanPlan(self.instance, provider, previous, self.block, forget=forgets)
        return await plan_orphan(context, request)

    def _provider_config(self, recorded: AbsProviderConfig) -> AbsProviderConfig:
        return recorded if self.provider is None else self.provider.config


class UnwantedNode(PlanOrphan):
    """An object of the state that no block expands to. Nothing refers to it, and it waits only for its provider."""

    def needs(self, _lookup: NodeLookup) -> Iterable[Node]:
        return () if self.provider is None else (self.provider,)


class OrphanNode(UnwantedNode):
    pass


class _Removal(UnwantedNode):
    """An object to be removed. It is planned after the objects that were recorded to depend on it: if one of these must
    not be destroyed, it must not either."""

    in_module = False

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        yield from super().needs(lookup)
        yield from lookup.removed_before(self.instance)


class DeposedNode(_Removal):
    def __init__(
        self,
        instance: AbsResourceInstance,
        key: str,
        block: ResourceBlock | None,
        provider: ProviderNode | None,
        inputs: PlanInput,
    ) -> None:
        super().__init__(instance, block, provider, inputs)
        self._key = key

    @property
    def name(self) -> str:
        return f"{self.instance} (deposed {self._key})"

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        assert self.provider is not None
        previous = self._inputs.previous_address(self.instance)
        forgets = is_forgotten(self._inputs.removed, self.instance)
        request = DeposedPlan(
            self.instance, self.provider.config, previous, self.block, deposed=self._key, forget=forgets
        )
        return await plan_deposed(evaluator.context, request)


class DestroyNode(_Removal):
    @property
    def name(self) -> str:
        """The address without keys, although the node is about one instance: that is what the original prints."""
        return f"{self.instance.config} (destroy)"

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        assert self.provider is not None
        previous = self._inputs.previous_address(self.instance)
        request = DestroyPlan(self.instance, self.provider.config, previous, self.block)
        return await plan_destroy_instance(evaluator.context, request)
