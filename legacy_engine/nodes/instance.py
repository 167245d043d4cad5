"""Vertices about single objects: planned, opened, created, updated, read, destroyed or forgotten.

PlanInstance            a wanted instance, planned or read
PlanOrphan              a current object that the configuration does not want any more
PlanDeposed             a deposed object, planned to be destroyed or forgotten; OrderedPlanDeposed if that has an order
PlanDestroy             a current object in destroy mode
OpenInstance            an instance of an ephemeral resource, opened
ApplyInstance           a planned change that creates, updates or reads
DestroyInstance         a current object, destroyed
DestroyDeposed          a deposed object, destroyed
ForgetInstance          a current object that is only dropped from the state
ForgetDeposed           a deposed object that is only dropped from the state
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from legacy_engine.nodes.capabilities import (
    CreateBeforeDestroyAware,
    Creator,
    DependencyHolder,
    Destroyer,
    Executable,
)
from legacy_engine.nodes.node import ResourceInstanceVertex, ResourceVertex
from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.references import ScopedSubject
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.config.provider_configurations import ProviderRequest
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import evaluate_repetition
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.references import destroy_references
from shared_nodes.nodes.resource import destroy, forget
from shared_nodes.nodes.resource.apply import ManagedApply, apply_managed
from shared_nodes.nodes.resource.data import DataApply, DataPlan, apply_data, plan_data
from shared_nodes.nodes.resource.deposed import DeposedPlan, plan_deposed
from shared_nodes.nodes.resource.destroy import DestroyPlan, plan_destroy_instance
from shared_nodes.nodes.resource.ephemeral import EphemeralOpen, open_ephemeral
from shared_nodes.nodes.resource.orphan import OrphanPlan, plan_orphan
from shared_nodes.nodes.resource.plan import ManagedPlan, plan_managed
from shared_nodes.nodes.statements.removed import RemovedStatement, removed_destroys, removed_statement_for
from shared_nodes.operations.plan_apply import PlanInput
from shared_nodes.plan.change import Action
from shared_nodes.plan.importing import ImportKey

__all__ = [
    "ApplyInstance",
    "DestroyDeposed",
    "DestroyInstance",
    "ForgetDeposed",
    "ForgetInstance",
    "OpenInstance",
    "OrderedForgetDeposed",
    "OrderedForgetInstance",
    "OrderedPlanDeposed",
    "PlanDeposed",
    "PlanDestroy",
    "PlanInstance",
    "PlanOrphan",
]


# Planning


class PlanInstance(ResourceInstanceVertex, Executable):
    """A wanted instance. It is created when its block is expanded, with everything the block's vertex has learnt by
    then."""

    def __init__(
        self,
        instance: AbsResourceInstance,
        declared: ResourceVertex,
        inputs: PlanInput,
        *,
        repetition: Repetition,
        dependencies: tuple[ConfigResource, ...],
        create_before_destroy: bool,
        import_key: ImportKey | None,
    ) -> None:
        super().__init__(instance, declared)
        self._inputs = inputs
        self._repetition = repetition
        self._dependencies = dependencies
        self._create_before_destroy = create_before_destroy
        self._import_key = import_key

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.tree is not None
        assert self.block is not None
        provider, problems = self.choose_provider(context, self._repetition)
        if provider is None:
            return problems
        previous = self._inputs.previous_address(self.instance)
        if self.instance.resource.mode is ResourceMode.DATA:
            data = DataPlan(
                self.instance,
                self.tree,
                self.block,
                provider,
                self._repetition,
                dependencies=self._dependencies,
                waits_for=tuple(self.depends_on),
                previous_address=previous,
            )
            return await plan_data(context, data)
        managed = ManagedPlan(
            self.instance,
            self.tree,
            self.block,
            provider,
            self._repetition,
            dependencies=self._dependencies,
            create_before_destroy=self._create_before_destroy,
            import_key=self._import_key,
            previous_address=previous,
        )
        return await plan_managed(context, managed)


class PlanOrphan(ResourceInstanceVertex, Executable):
    def __init__(
        self, instance: AbsResourceInstance, inputs: PlanInput, declared: ResourceVertex | None = None
    ) -> None:
        super().__init__(instance, declared)
        self._inputs = inputs

    @property
    def name(self) -> str:
        return f"{self.instance} (orphan)"

    def provider_request(self) -> ProviderRequest | None:
        """Ask for no provider for data without a block: it is only dropped."""
        if self.address.resource.mode is ResourceMode.DATA and self.block is None:
            return None
        return super().provider_request()

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        provider, problems = self._removing_provider(context)
        if provider is None:
            return problems
        previous = self._inputs.previous_address(self.instance)
        destroys = removed_destroys(self._inputs.removed, self.instance, context.flavour)
        return await plan_orphan(context, OrphanPlan(self.instance, provider, previous, self.block, destroys))

    def _removing_provider(self, context: NodeContext) -> tuple[ProviderInstance | None, list[Diagnostic]]:
        """Return the provider to work with. Data is only dropped, whichever provider has read it. Expanding the block
        has recorded the configuration that its resource has now."""
        self.stored_provider = context.working.provider_of(self.instance)
        if self.address.resource.mode is ResourceMode.DATA:
            return self.stored_provider, []
        return self.choose_provider(context)


class PlanDeposed(ResourceInstanceVertex, Executable):
    def __init__(self, instance: AbsResourceInstance, key: str, inputs: PlanInput) -> None:
        super().__init__(instance)
        self._key = key
        self._inputs = inputs

    @property
    def name(self) -> str:
        return f"{self.instance} (deposed {self._key})"

    def reference_names(self) -> list[tuple[ModulePath, str]]:
        return []

    def references(self) -> list[ScopedSubject]:
        """Return no references: whether the object may be destroyed was checked before it was deposed."""
        return []

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        provider, problems = self.choose_provider(context, deposed=self._key, is_removed=True)
        if provider is None:
            return problems
        previous = self._inputs.previous_address(self.instance)
        destroys = removed_destroys(self._inputs.removed, self.instance, context.flavour)
        request = DeposedPlan(self.instance, provider, previous, self.block, destroys, deposed=self._key)
        return await plan_deposed(context, request)


class OrderedPlanDeposed(PlanDeposed, Destroyer):
    """A deposed object that is planned in the order in which objects are destroyed."""


class _Removal(ResourceInstanceVertex, Destroyer, Executable):
    """The removal of a current object."""

    def references(self) -> list[ScopedSubject]:
        return [] if self.tree is None or self.block is None else destroy_references(self.tree, self.block)


class PlanDestroy(_Removal):
    def __init__(self, instance: AbsResourceInstance, inputs: PlanInput) -> None:
        super().__init__(instance)
        self._inputs = inputs

    @property
    def name(self) -> str:
        """The address without keys, although the vertex is about one instance: that is what the original prints."""
        return f"{self.address} (destroy)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        provider, problems = self.choose_provider(context, is_removed=True)
        if provider is None:
            return problems
        previous = self._inputs.previous_address(self.instance)
        return await plan_destroy_instance(context, DestroyPlan(self.instance, provider, previous, self.block))


# Planning and applying


class OpenInstance(ResourceInstanceVertex, Executable):
    def __init__(
        self,
        instance: AbsResourceInstance,
        declared: ResourceVertex,
        repetition: Repetition,
        dependencies: tuple[ConfigResource, ...],
    ) -> None:
        super().__init__(instance, declared)
        self._repetition = repetition
        self._dependencies = dependencies

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.tree is not None
        assert self.block is not None
        provider, problems = self.choose_provider(context, self._repetition)
        if provider is None:
            return problems
        request = EphemeralOpen(self.instance, self.tree, self.block, provider, self._repetition)
        if context.operation.is_planning:
            request = replace(request, dependencies=self._dependencies, waits_for=tuple(self.depends_on))
        return await open_ephemeral(context, request)


# Applying


class ApplyInstance(ResourceInstanceVertex, Creator, CreateBeforeDestroyAware, DependencyHolder, Executable):
    """A planned change that creates, updates or reads. `deposed_key` is the key under which the old object is deposed,
    if the new one is created first."""

    def __init__(self, instance: AbsResourceInstance, action: Action, deposed_key: str | None) -> None:
        super().__init__(instance)
        self.is_no_op = action is Action.NO_OP
        self._deposed_key = deposed_key
        self._forced = False

    @property
    def create_before_destroy(self) -> bool:
        return self._forced or (self.block is not None and bool(self.block.lifecycle.create_before_destroy))

    def force_create_before_destroy(self) -> None:
        self._forced = True

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        assert self.tree is not None
        assert self.block is not None
        repetition, problems = self._find_repetition(context)
        if repetition is None:
            return problems
        provider, problems = self.choose_provider(context, repetition)
        if provider is None:
            return problems
        if self.instance.resource.mode is ResourceMode.DATA:
            data = DataApply(self.instance, self.tree, self.block, provider, repetition)
            return await apply_data(context, data)
        managed = ManagedApply(
            self.instance,
            self.tree,
            self.block,
            provider,
            repetition,
            dependencies=self.dependencies,
            create_before_destroy=self.create_before_destroy,
            deposed_key=self._deposed_key,
        )
        return await apply_managed(context, managed)

    def _find_repetition(self, context: NodeContext) -> tuple[Repetition | None, Sequence[Diagnostic]]:
        """Return the repetition that the vertex of the block registered; evaluate it here if that vertex was pruned."""
        assert self.block is not None
        known = context.expander.known_resource(self.instance.containing)
        if known is not None:
            return known, ()
        return evaluate_repetition(context.scope(self.instance.module), self.block)


class _Destroy(_Removal, CreateBeforeDestroyAware):
    def reference_names(self) -> Iterable[tuple[ModulePath, str]]:
        """Return no names: no vertex waits for a destroy because of a reference."""
        return []


class DestroyInstance(_Destroy):
    def __init__(self, instance: AbsResourceInstance, removed: Sequence[RemovedStatement]) -> None:
        super().__init__(instance)
        self._removed = removed

    @property
    def name(self) -> str:
        return f"{self.instance} (destroy)"

    @property
    def create_before_destroy(self) -> bool:
        """Whether it is recorded with the object: its block may be gone, and where the order was forced by a
        dependent, only the record shows it."""
        if self.current is not None:
            return self.current.create_before_destroy
        return self.block is not None and bool(self.block.lifecycle.create_before_destroy)

    def provider_request(self) -> ProviderRequest | None:
        """Ask for no provider for data: it is only dropped."""
        return super().provider_request() if self.address.resource.mode is ResourceMode.MANAGED else None

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        provider, problems = self._destroying_provider(context)
        if provider is None:
            return problems
        statement = removed_statement_for(self._removed, self.address, context.flavour)
        source = statement.block if self.block is None and statement is not None else self.block
        request = destroy.DestroyRequest(
            self.instance,
            provider,
            None,
            self.block,
            provisioners=() if source is None else source.provisioners,
            connection=None if source is None else source.connection,
        )
        return await destroy.destroy_instance(context, request)

    def _destroying_provider(self, context: NodeContext) -> tuple[ProviderInstance | None, list[Diagnostic]]:
        """Return the provider to work with. Data is only dropped, whichever provider has read it."""
        if self.address.resource.mode is ResourceMode.DATA:
            return self.stored_provider, []
        return self.choose_provider(context, is_removed=True)


class DestroyDeposed(_Destroy):
    def __init__(self, instance: AbsResourceInstance, key: str) -> None:
        super().__init__(instance)
        self.deposed = key

    @property
    def create_before_destroy(self) -> bool:
        """Always true: an object is deposed because its replacement is created first."""
        return True

    @property
    def name(self) -> str:
        return f"{self.instance} (destroy deposed {self.deposed})"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        provider, problems = self.choose_provider(context, deposed=self.deposed, is_removed=True)
        if provider is None:
            return problems
        request = destroy.DestroyDeposedRequest(self.instance, provider, None, self.block, deposed=self.deposed)
        return await destroy.destroy_deposed(context, request)


class ForgetInstance(ResourceInstanceVertex, Executable):
    """Drops a current object from the state. It is ordered by references alone."""

    @property
    def name(self) -> str:
        return f"{self.instance} (forget)"

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        return await forget.forget_instance(context, forget.ForgetRequest(self.instance))


class ForgetDeposed(ResourceInstanceVertex, Executable):
    """Drops a deposed object from the state. Nothing refers to such an object, and it refers to nothing."""

    def __init__(self, instance: AbsResourceInstance, key: str) -> None:
        super().__init__(instance)
        self.deposed = key

    @property
    def name(self) -> str:
        return f"{self.instance} (forget deposed {self.deposed})"

    def reference_names(self) -> list[tuple[ModulePath, str]]:
        return []

    def references(self) -> list[ScopedSubject]:
        return []

    async def execute(self, context: NodeContext) -> Sequence[Diagnostic]:
        provider, problems = self.choose_provider(context, deposed=self.deposed, is_removed=True)
        if provider is None:
            return problems
        return await forget.forget_deposed(context, forget.ForgetDeposedRequest(self.instance, provider, self.deposed))


class OrderedForgetInstance(_Removal, ForgetInstance):
    """Drops a current object from the state, in the order in which it would be destroyed."""


class OrderedForgetDeposed(ForgetDeposed, Destroyer):
    """Drops a deposed object from the state, in the order in which a current object would be destroyed: it does not
    count as one whose replacement is created first."""
