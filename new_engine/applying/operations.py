"""What each operation of the execution graph does.

An operation gets everything it needs as operands: addresses from the graph, and results of earlier operations of its
leg. The planned change is looked up by address, because the plan holds it next to the graph. The state is written only
here, by the operations that apply, depose, read or forget.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from new_engine.concurrency.call_limit import CallLimit
from new_engine.discovery.evaluation import Evaluation
from new_engine.execgraph.graph import ExecutionGraph, OperationNode
from new_engine.execgraph.opcodes import Opcode
from new_engine.execgraph.run import DependencyFailed
from new_engine.nodes.node import Node
from new_engine.nodes.resource import ResourceNode
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.context.expander import Repetition
from shared_nodes.context.repetition import evaluate_repetition
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.apply import (
    ManagedApply,
    Settled,
    make_room,
    perform_managed,
    planned_change,
    settle_managed,
)
from shared_nodes.nodes.resource.data import DataApply, apply_data
from shared_nodes.nodes.resource.destroy import DestroyDeposedRequest, DestroyRequest, destroy_deposed, destroy_instance
from shared_nodes.nodes.resource.forget import ForgetDeposedRequest, ForgetRequest, forget_deposed, forget_instance
from shared_nodes.nodes.statements.removed import RemovedStatement, removed_statement_for
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject

__all__ = ["Operations"]

_Result = tuple[Any, Sequence[Diagnostic]]


@record
class Metadata:
    """The object that a leg is about. `deposed` is the key of a deposed object; or the key under which the current
    object was deposed to make room for the new one."""

    instance: AbsResourceInstance
    provider: ProviderInstance
    deposed: str | None = None


@record
class Deposed:
    """The current object was deposed under this key."""

    key: str


@record
class Desired:
    """An instance of a block whose references are all known by now."""

    resource: ResourceNode
    repetition: Repetition


@record
class FinalPlan:
    """What is to be done, with everything known. If `request` is None, an object is destroyed."""

    metadata: Metadata
    request: ManagedApply | None = None
    settled: Settled | None = None
    deposed_key: str | None = None


class Operations:
    """The operations of one apply."""

    __slots__ = ("_evaluation", "_graph", "_limit", "_removed")

    def __init__(
        self, evaluation: Evaluation, graph: ExecutionGraph, removed: Sequence[RemovedStatement], limit: CallLimit
    ) -> None:
        self._evaluation = evaluation
        self._graph = graph
        self._removed = removed
        self._limit = limit

    async def perform(self, operation: OperationNode, operands: Sequence[Any]) -> _Result:
        return await _METHODS[operation.opcode](self, *operands)

    async def current_meta(
        self, instance: AbsResourceInstance, provider: ProviderInstance, prior: object, _waited: None
    ) -> _Result:
        key = prior.key if isinstance(prior, Deposed) else None
        return Metadata(instance, provider, key), ()

    async def deposed_meta(
        self, instance: AbsResourceInstance, provider: ProviderInstance, key: str, _waited: None
    ) -> _Result:
        return Metadata(instance, provider, key), ()

    async def prior(self, instance: AbsResourceInstance) -> _Result:
        return self._evaluation.context.working.current(instance), ()

    async def already_deposed(self, metadata: Metadata) -> _Result:
        instance = self._evaluation.context.working.instance(metadata.instance)
        return None if instance is None else instance.deposed.get(metadata.deposed or ""), ()

    async def desired(self, metadata: Metadata) -> _Result:
        """Wait until everything the block refers to is evaluated. No other operation waits for the evaluation of
        expressions."""
        evaluation, table = self._evaluation, self._evaluation.table
        resource = table.declared(metadata.instance)
        assert resource is not None, f"{metadata.instance} is planned without a block"
        waits: list[Node] = [*table.calls_around(resource.module), *table.provider_of(metadata.provider.config)]
        waits += table.apply_waits(metadata.instance, resource)
        if not await evaluation.succeeded(waits):
            raise DependencyFailed(str(metadata.instance))
        known = evaluation.context.expander.known_resource(metadata.instance.containing)
        if known is not None:
            return Desired(resource, known), ()
        repetition, problems = evaluate_repetition(evaluation.context.scope(metadata.instance.module), resource.block)
        return None if repetition is None else Desired(resource, repetition), problems

    async def final_plan(self, metadata: Metadata, desired: Desired | None, _prior: InstanceObject | None) -> _Result:
        if desired is None:
            return FinalPlan(metadata), ()
        context = self._evaluation.context
        request = self._request(metadata, desired)
        planned = planned_change(context, request)
        if planned is None:
            return FinalPlan(metadata, request), ()
        key = metadata.deposed or make_room(context, request, planned)
        settled, problems = await settle_managed(context, request, planned)
        return FinalPlan(metadata, request, settled, key), problems

    def _request(self, metadata: Metadata, desired: Desired) -> ManagedApply:
        resource, instance = desired.resource, metadata.instance
        return ManagedApply(
            instance,
            resource.tree,
            resource.block,
            metadata.provider,
            desired.repetition,
            dependencies=self._graph.recorded_dependencies(instance),
            create_before_destroy=self._graph.instance_records[instance].create_before_destroy,
            deposed_key=metadata.deposed,
        )

    async def perform_depose(self, metadata: Metadata, desired: Desired, key: str) -> _Result:
        context = self._evaluation.context
        request = self._request(replace(metadata, deposed=key), desired)
        planned = planned_change(context, request)
        assert planned is not None, f"{metadata.instance} is to be replaced, and is not"
        make_room(context, request, planned)
        return Deposed(key), ()

    async def apply(self, plan: FinalPlan, _fallback: object) -> _Result:
        if plan.request is None:
            return None, await self._destroy(plan.metadata)
        if plan.settled is None:
            return None, ()
        context = self._evaluation.context
        holding = self._limit.holding_place() if plan.request.block.provisioners else nullcontext()
        async with holding:
            problems = await perform_managed(context, plan.request, plan.settled, plan.deposed_key)
        return context.working.current(plan.metadata.instance), problems

    async def _destroy(self, metadata: Metadata) -> list[Diagnostic]:
        """Destroy an object. Data is only dropped, which needs no provider, so none is configured for it."""
        evaluation, table = self._evaluation, self._evaluation.table
        context, instance, provider = evaluation.context, metadata.instance, metadata.provider
        is_managed = instance.resource.mode is ResourceMode.MANAGED
        if is_managed and not await evaluation.succeeded(table.provider_of(provider.config)):
            raise DependencyFailed(str(instance))
        block = table.config.resource(instance.config)
        if metadata.deposed is not None:
            request = DestroyDeposedRequest(instance, provider, None, block, deposed=metadata.deposed)
            return await destroy_deposed(context, request)
        statement = removed_statement_for(self._removed, instance.config, context.flavour)
        source = statement.block if block is None and statement is not None else block
        destroying = DestroyRequest(
            instance,
            provider,
            None,
            block,
            provisioners=() if source is None else source.provisioners,
            connection=None if source is None else source.connection,
        )
        return await destroy_instance(context, destroying)

    async def data_read(self, metadata: Metadata, desired: Desired) -> _Result:
        context, resource = self._evaluation.context, desired.resource
        request = DataApply(metadata.instance, resource.tree, resource.block, metadata.provider, desired.repetition)
        problems = await apply_data(context, request)
        return context.working.current(metadata.instance), problems

    async def forget(self, metadata: Metadata) -> _Result:
        context = self._evaluation.context
        if not await self._evaluation.succeeded(self._evaluation.table.provider_of(metadata.provider.config)):
            raise DependencyFailed(str(metadata.instance))
        if metadata.deposed is None:
            return None, await forget_instance(context, ForgetRequest(metadata.instance))
        request = ForgetDeposedRequest(metadata.instance, metadata.provider, metadata.deposed)
        return None, await forget_deposed(context, request)


_METHODS: Final[dict[Opcode, Callable[..., Awaitable[_Result]]]] = {
    Opcode.CURRENT_META: Operations.current_meta,
    Opcode.DESIRED: Operations.desired,
    Opcode.PRIOR: Operations.prior,
    Opcode.FINAL_PLAN: Operations.final_plan,
    Opcode.APPLY: Operations.apply,
    Opcode.PERFORM_DEPOSE: Operations.perform_depose,
    Opcode.DEPOSED_META: Operations.deposed_meta,
    Opcode.ALREADY_DEPOSED: Operations.already_deposed,
    Opcode.DATA_READ: Operations.data_read,
    Opcode.FORGET: Operations.forget,
}
