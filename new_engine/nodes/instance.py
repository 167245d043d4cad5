"""Single instances and single objects: planned as wanted, as unwanted, as deposed, or to be destroyed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from new_engine.nodes.node import Node
from new_engine.nodes.provider import ProviderNode
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.data import DataPlan, plan_data
from shared_nodes.nodes.resource.deposed import DeposedPlan, plan_deposed
from shared_nodes.nodes.resource.destroy import DestroyPlan, plan_destroy_instance
from shared_nodes.nodes.resource.orphan import OrphanPlan, plan_orphan
from shared_nodes.nodes.resource.plan import ManagedPlan, plan_managed
from shared_nodes.nodes.statements.removed import is_forgotten
from shared_nodes.operations.plan_apply import PlanInput

if TYPE_CHECKING:
    from new_engine.compiled import Compiled
    from new_engine.evaluation import Evaluation
    from new_engine.nodes.resource import PlanResource

__all__ = ["DeposedNode", "DestroyNode", "InstanceNode", "OrphanNode", "PlanInstance", "PlanOrphan", "UnwantedNode"]


class InstanceNode(Node):
    """One of those a block fans out to. `siblings` are the others of them it waits for."""

    def __init__(self, instance: AbsResourceInstance) -> None:
        self.instance = instance
        self.module = instance.module.path
        self.siblings: Sequence[InstanceNode] = ()

    @property
    def name(self) -> str:
        return str(self.instance)

    @property
    def address(self) -> ConfigResource:
        return self.instance.config


class PlanInstance(InstanceNode):
    def __init__(self, instance: AbsResourceInstance, resource: PlanResource, import_id: str | None) -> None:
        super().__init__(instance)
        self._resource = resource
        self._import_id = import_id

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        resource, context, compiled = self._resource, evaluation.context, evaluation.compiled
        if evaluation.is_put_off(self.instance, resource):
            return ()
        node, block, provider = resource.node, resource.block, resource.provider_config
        repetition = context.expander.resource(self.instance.containing)
        facts = compiled.analysis.of(resource.address)
        previous = compiled.start.previous_address(self.instance)
        if self.instance.resource.mode is ResourceMode.DATA:
            data = DataPlan(
                self.instance,
                node,
                block,
                provider,
                repetition,
                dependencies=facts.dependencies,
                waits_for=facts.read_after,
                previous_address=previous,
            )
            return await plan_data(context, data)
        managed = ManagedPlan(
            self.instance,
            node,
            block,
            provider,
            repetition,
            dependencies=evaluation.dependencies_of(self.instance),
            create_before_destroy=resource.address in compiled.creating_first,
            import_id=self._import_id,
            previous_address=previous,
        )
        return await plan_managed(context, managed)


class PlanOrphan(InstanceNode):
    """`block` None where it is gone, and then `provider` is exactly the recorded one."""

    def __init__(
        self,
        instance: AbsResourceInstance,
        block: ResourceBlock | None,
        provider: ProviderNode | None,
        start: PlanInput,
    ) -> None:
        super().__init__(instance)
        self.block = block
        self.provider = provider
        self._start = start

    @property
    def name(self) -> str:
        return f"{self.instance} (orphan)"

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        context = evaluation.context
        provider = self._provider(context.working.resources[self.instance.containing].provider)
        previous = self._start.previous_address(self.instance)
        forget = is_forgotten(self._start.removed, self.instance)
        request = OrphanPlan(self.instance, provider, previous, self.block, forget=forget)
        return await plan_orphan(context, request)

    def _provider(self, recorded: AbsProviderConfig) -> AbsProviderConfig:
        return recorded if self.provider is None else self.provider.config


class UnwantedNode(PlanOrphan):
    """An object of the state that no block fans out to: nobody refers to it, and it waits only for its provider.
    `request` is the provider configuration it asks for; without a block only the very one that was recorded will do.
    None where no provider is needed after all."""

    def __init__(
        self,
        instance: AbsResourceInstance,
        block: ResourceBlock | None,
        request: AbsProviderConfig | None,
        start: PlanInput,
    ) -> None:
        super().__init__(instance, block, None, start)
        self._request = request

    def provider_request(self) -> AbsProviderConfig | None:
        return self._request

    def needs(self, _compiled: Compiled) -> Iterable[Node]:
        return () if self.provider is None else (self.provider,)


class OrphanNode(UnwantedNode):
    """The current object of an instance whose block is gone."""

    def __init__(self, instance: AbsResourceInstance, recorded: AbsProviderConfig, start: PlanInput) -> None:
        """Data is dropped without asking anybody."""
        is_data = instance.resource.mode is ResourceMode.DATA
        super().__init__(instance, None, None if is_data else recorded, start)


class _Removal(UnwantedNode):
    """Planned after those that were recorded to depend on it: if one of these may not go, it may not either."""

    in_module = False

    def needs(self, compiled: Compiled) -> Iterable[Node]:
        yield from super().needs(compiled)
        yield from compiled.removed_before(self)


class DeposedNode(_Removal):
    def __init__(
        self,
        instance: AbsResourceInstance,
        key: str,
        block: ResourceBlock | None,
        request: AbsProviderConfig,
        start: PlanInput,
    ) -> None:
        super().__init__(instance, block, request, start)
        self._key = key

    @property
    def name(self) -> str:
        return f"{self.instance} (deposed {self._key})"

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        assert self.provider is not None
        start = self._start
        previous = start.previous_address(self.instance)
        forget = is_forgotten(start.removed, self.instance)
        request = DeposedPlan(
            self.instance, self.provider.config, previous, self.block, deposed=self._key, forget=forget
        )
        return await plan_deposed(evaluation.context, request)


class DestroyNode(_Removal):
    """A current object, in destroy mode."""

    @property
    def name(self) -> str:
        """Without keys, although it is about one instance: so the original calls it."""
        return f"{self.instance.config} (destroy)"

    async def evaluate(self, evaluation: Evaluation) -> Sequence[Diagnostic]:
        assert self.provider is not None
        previous = self._start.previous_address(self.instance)
        request = DestroyPlan(self.instance, self.provider.config, previous, self.block)
        return await plan_destroy_instance(evaluation.context, request)
