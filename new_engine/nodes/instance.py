"""Nodes about single objects: planned as wanted, as unwanted, as deposed, or to be destroyed; or opened.

InstanceNode    base class of everything about one instance
PlanInstance    a wanted instance of a block
PlanOrphan      an object whose key, or whose module instance, its block does not want any more
OpenInstance    an instance of an ephemeral block
UnwantedNode    base class of objects of the state that no block expands to:
  OrphanNode      a current object whose block is gone
  DeposedNode     a deposed object
  RemovalNode     base class of objects that are planned in the order in which they are destroyed:
    OrderedDeposedNode  a deposed object
    DestroyNode         a current object in destroy mode
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from new_engine.nodes.node import Evaluator, Node, NodeLookup
from new_engine.nodes.provider import ChosenProvider
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.provider_configurations import ProviderChoice
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.expander import Repetition
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.provider.choice import ProviderUser, choose_instance
from shared_nodes.nodes.references import destroy_references
from shared_nodes.nodes.resource.data import DataPlan, plan_data
from shared_nodes.nodes.resource.deposed import DeposedPlan, plan_deposed
from shared_nodes.nodes.resource.destroy import DestroyPlan, plan_destroy_instance
from shared_nodes.nodes.resource.ephemeral import EphemeralOpen, close_ephemeral, open_ephemeral
from shared_nodes.nodes.resource.orphan import OrphanPlan, plan_orphan
from shared_nodes.nodes.resource.plan import ManagedPlan, plan_managed
from shared_nodes.nodes.statements.removed import removed_destroys
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.plan.importing import ImportKey

__all__ = [
    "DeposedNode",
    "DestroyNode",
    "InstanceNode",
    "OpenInstance",
    "OrderedDeposedNode",
    "OrphanNode",
    "PlanInstance",
    "PlanOrphan",
    "RemovalNode",
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

    def choose_provider(
        self,
        evaluator: Evaluator,
        choice: ProviderChoice,
        repetition: Repetition | None = None,
        *,
        deposed: str | None = None,
        is_removed: bool = False,
    ) -> tuple[ProviderInstance | None, list[Diagnostic]]:
        """Return the instance of the provider configuration to use, or None and the reason why there is none."""
        recorded = evaluator.inputs.state.provider_of(self.instance)
        user = ProviderUser(self.instance, choice, recorded, repetition, deposed, is_removed)
        return choose_instance(evaluator.context, user)


class PlanInstance(InstanceNode):
    def __init__(
        self,
        instance: AbsResourceInstance,
        tree: ConfigTree,
        block: ResourceBlock,
        choice: ProviderChoice,
        import_key: ImportKey | None,
    ) -> None:
        super().__init__(instance)
        self._tree = tree
        self._block = block
        self._choice = choice
        self._import_key = import_key

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        context, address, choice = evaluator.context, self.address, self._choice
        if evaluator.is_instance_deferred(self.instance, self._tree, self._block, choice.configuration):
            return ()
        repetition = context.expander.resource(self.instance.containing)
        provider, problems = self.choose_provider(evaluator, choice, repetition)
        if provider is None:
            return problems
        previous = evaluator.inputs.previous_address(self.instance)
        if self.instance.resource.mode is ResourceMode.DATA:
            facts = evaluator.facts_of(address)
            data = DataPlan(
                self.instance,
                self._tree,
                self._block,
                provider,
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
            provider,
            repetition,
            dependencies=evaluator.dependencies_of(self.instance),
            create_before_destroy=evaluator.creates_first(address),
            import_key=self._import_key,
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
        choice: ProviderChoice,
    ) -> None:
        super().__init__(instance)
        self._resource = resource
        self._tree = tree
        self._block = block
        self._choice = choice

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        """Open the instance. Closing is arranged first, because opening may fail half-way: closing finds out what there
        is to close."""
        context, choice = evaluator.context, self._choice
        if evaluator.is_instance_deferred(self.instance, self._tree, self._block, choice.configuration):
            return ()
        repetition = context.expander.resource(self.instance.containing)
        provider, problems = self.choose_provider(evaluator, choice, repetition)
        if provider is None:
            return problems
        evaluator.when_served(self._resource, partial(close_ephemeral, context, self.instance))
        request = EphemeralOpen(self.instance, self._tree, self._block, provider, repetition)
        if context.operation.is_planning:
            facts = evaluator.facts_of(self.address)
            request = replace(request, dependencies=facts.dependencies, waits_for=facts.read_after)
        return await open_ephemeral(context, request)


class PlanOrphan(InstanceNode):
    """An object that its block does not want any more. `block` is None if it is gone; then `choice` is exactly the
    recorded one, or None if no provider is needed."""

    def __init__(
        self,
        instance: AbsResourceInstance,
        block: ResourceBlock | None,
        choice: ProviderChoice | None,
        inputs: PlanInput,
    ) -> None:
        super().__init__(instance)
        self.block = block
        self._choice = choice
        self._inputs = inputs

    @property
    def name(self) -> str:
        return f"{self.instance} (orphan)"

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        provider, problems = self._removing_provider(evaluator)
        if provider is None:
            return problems
        previous = self._inputs.previous_address(self.instance)
        context = evaluator.context
        destroys = removed_destroys(self._inputs.removed, self.instance, context.flavour)
        request = OrphanPlan(self.instance, provider, previous, self.block, destroys)
        return await plan_orphan(context, request)

    def _removing_provider(self, evaluator: Evaluator) -> tuple[ProviderInstance | None, list[Diagnostic]]:
        """Return the provider to work with. Data is only dropped, whichever provider has read it. Expanding the block
        has recorded the configuration that its resource has now."""
        recorded = evaluator.context.working.provider_of(self.instance)
        if self._choice is None or self.instance.resource.mode is ResourceMode.DATA:
            return recorded, []
        return choose_instance(evaluator.context, ProviderUser(self.instance, self._choice, recorded))


class UnwantedNode(PlanOrphan):
    """An object of the state that no block expands to. Nothing refers to it, and it waits only for its provider."""

    def __init__(
        self,
        instance: AbsResourceInstance,
        block: ResourceBlock | None,
        provider: ChosenProvider | None,
        inputs: PlanInput,
    ) -> None:
        super().__init__(instance, block, None if provider is None else provider.choice, inputs)
        self.provider = provider

    def needs(self, _lookup: NodeLookup) -> Iterable[Node]:
        return () if self.provider is None else (self.provider.node,)


class OrphanNode(UnwantedNode):
    pass


class DeposedNode(UnwantedNode):
    def __init__(
        self,
        instance: AbsResourceInstance,
        key: str,
        block: ResourceBlock | None,
        provider: ChosenProvider | None,
        inputs: PlanInput,
    ) -> None:
        super().__init__(instance, block, provider, inputs)
        self._key = key

    @property
    def name(self) -> str:
        return f"{self.instance} (deposed {self._key})"

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        assert self.provider is not None
        choice = self.provider.choice
        provider, problems = self.choose_provider(evaluator, choice, deposed=self._key, is_removed=True)
        if provider is None:
            return problems
        context = evaluator.context
        previous = self._inputs.previous_address(self.instance)
        destroys = removed_destroys(self._inputs.removed, self.instance, context.flavour)
        request = DeposedPlan(self.instance, provider, previous, self.block, destroys, deposed=self._key)
        return await plan_deposed(context, request)


class RemovalNode(UnwantedNode):
    """An object to be removed. It is planned after the objects that were recorded to depend on it: if one of these must
    not be destroyed, it must not either."""

    in_module = False

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        yield from super().needs(lookup)
        yield from lookup.removed_before(self.instance)


class OrderedDeposedNode(DeposedNode, RemovalNode):
    pass


class DestroyNode(RemovalNode):
    """A current object in destroy mode. It waits for what decides whether the object may be destroyed."""

    def needs(self, lookup: NodeLookup) -> Iterable[Node]:
        yield from super().needs(lookup)
        tree = lookup.config.at(self.module)
        if tree is not None and self.block is not None:
            yield from lookup.seen_from(self.instance, destroy_references(tree, self.block))

    @property
    def name(self) -> str:
        """The address without keys, although the node is about one instance: that is what the original prints."""
        return f"{self.instance.config} (destroy)"

    async def evaluate(self, evaluator: Evaluator) -> Sequence[Diagnostic]:
        assert self.provider is not None
        provider, problems = self.choose_provider(evaluator, self.provider.choice, is_removed=True)
        if provider is None:
            return problems
        previous = self._inputs.previous_address(self.instance)
        request = DestroyPlan(self.instance, provider, previous, self.block)
        return await plan_destroy_instance(evaluator.context, request)
