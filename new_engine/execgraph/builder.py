"""Building a graph: one method per opcode, which returns the reference that later operations take.

Nothing is sorted or renumbered: equal calls in equal order give equal graphs, and a reference returned here is the same
in the graph. Operands are checked at once, by an assertion: a wrong operand is a bug of the planner, and the stack
trace should point at it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from new_engine.execgraph.graph import (
    ExecutionGraph,
    InstanceRecord,
    ObjectKey,
    OperationNode,
    Ref,
    RefKind,
    ResourceRecord,
    WaiterRef,
    type_of,
)
from new_engine.execgraph.opcodes import Opcode, operand_problem
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource

__all__ = ["GraphBuilder"]


class GraphBuilder:
    """Operations take only what was added before them, since a reference exists once its operation does. To wait for
    something that is added later, an operation takes a waiter, the one thing that can be added to."""

    __slots__ = (
        "_deletions",
        "_deposed_keys",
        "_instance_records",
        "_instances",
        "_operations",
        "_providers",
        "_resources",
        "_results",
        "_waiters",
    )

    def __init__(self) -> None:
        self._instances: dict[AbsResourceInstance, Ref] = {}
        self._providers: dict[ProviderInstance, Ref] = {}
        self._deposed_keys: dict[str, Ref] = {}
        self._operations: list[OperationNode] = []
        self._waiters: list[dict[Ref, None]] = []
        self._resources: dict[ConfigResource, ResourceRecord] = {}
        self._instance_records: dict[AbsResourceInstance, InstanceRecord] = {}
        self._results: dict[AbsResourceInstance, Ref] = {}
        self._deletions: dict[ObjectKey, Ref] = {}

    # Operations, in the order of their opcodes

    def current_meta(
        self, instance: AbsResourceInstance, provider: ProviderInstance, prior: Ref | None, waiter: WaiterRef
    ) -> Ref:
        return self._add(Opcode.CURRENT_META, self._instance(instance), self._provider(provider), prior, waiter)

    def desired(self, metadata: Ref) -> Ref:
        return self._add(Opcode.DESIRED, metadata)

    def prior(self, instance: AbsResourceInstance) -> Ref:
        return self._add(Opcode.PRIOR, self._instance(instance))

    def final_plan(self, metadata: Ref, desired: Ref | None, prior: Ref | None) -> Ref:
        return self._add(Opcode.FINAL_PLAN, metadata, desired, prior)

    def apply(self, final_plan: Ref, fallback: Ref | None = None) -> Ref:
        return self._add(Opcode.APPLY, final_plan, fallback)

    def perform_depose(self, metadata: Ref, desired: Ref, deposed_key: str) -> Ref:
        return self._add(Opcode.PERFORM_DEPOSE, metadata, desired, self._deposed_key(deposed_key))

    def deposed_meta(
        self, instance: AbsResourceInstance, provider: ProviderInstance, deposed_key: str, waiter: WaiterRef
    ) -> Ref:
        operands = self._instance(instance), self._provider(provider), self._deposed_key(deposed_key), waiter
        return self._add(Opcode.DEPOSED_META, *operands)

    def already_deposed(self, metadata: Ref) -> Ref:
        return self._add(Opcode.ALREADY_DEPOSED, metadata)

    def data_read(self, metadata: Ref, desired: Ref) -> Ref:
        return self._add(Opcode.DATA_READ, metadata, desired)

    def forget(self, metadata: Ref) -> Ref:
        return self._add(Opcode.FORGET, metadata)

    # Waiters

    def waiter(self) -> WaiterRef:
        self._waiters.append({})
        return WaiterRef(Ref(RefKind.WAITER, len(self._waiters) - 1))

    def add(self, waiter: WaiterRef, operation: Ref) -> None:
        """Make whatever takes the waiter begin after this operation. Adding it again changes nothing."""
        assert waiter.kind is RefKind.WAITER, f"{waiter} is no waiter"
        assert operation.kind is RefKind.OPERATION, f"only operations can be waited for, not {operation}"
        assert operation.index < len(self._operations), f"there is no {operation}"
        self._waiters[waiter.index][operation] = None

    # What is recorded about instances and resources; once each, because an address planned twice is a bug

    def set_result(self, instance: AbsResourceInstance, operation: Ref) -> None:
        assert instance not in self._results, f"{instance} already has a result"
        assert operation.kind is RefKind.OPERATION, f"{operation} is no operation"
        self._results[instance] = operation

    def set_deletion(self, instance: AbsResourceInstance, deposed_key: str | None, operation: Ref) -> None:
        assert (instance, deposed_key) not in self._deletions, f"{instance} is already deleted"
        assert operation.kind is RefKind.OPERATION, f"{operation} is no operation"
        self._deletions[instance, deposed_key] = operation

    def record_resource(self, resource: ConfigResource, depends_on: Iterable[ConfigResource]) -> None:
        assert resource not in self._resources, f"{resource} is already recorded"
        self._resources[resource] = ResourceRecord(tuple(depends_on))

    def record_instance(
        self,
        instance: AbsResourceInstance,
        *,
        create_before_destroy: bool,
        dependencies: tuple[ConfigResource, ...] | None = None,
    ) -> None:
        assert instance not in self._instance_records, f"{instance} is already recorded"
        self._instance_records[instance] = InstanceRecord(create_before_destroy, dependencies)

    def finish(self) -> ExecutionGraph:
        """Return the graph as it is now. What is added afterwards is not in it."""
        return ExecutionGraph(
            tuple(self._instances),
            tuple(self._providers),
            tuple(self._deposed_keys),
            tuple(self._operations),
            tuple(map(tuple, self._waiters)),
            dict(self._resources),
            dict(self._instance_records),
            dict(self._results),
            dict(self._deletions),
        )

    def _add(self, opcode: Opcode, *operands: Ref | None) -> Ref:
        problem = operand_problem(opcode, tuple([type_of(operand, self._operations) for operand in operands]))
        assert problem is None, problem
        self._operations.append(OperationNode(opcode, operands))
        return Ref(RefKind.OPERATION, len(self._operations) - 1)

    def _instance(self, instance: AbsResourceInstance) -> Ref:
        return _row(RefKind.INSTANCE, self._instances, instance)

    def _provider(self, provider: ProviderInstance) -> Ref:
        return _row(RefKind.PROVIDER, self._providers, provider)

    def _deposed_key(self, key: str) -> Ref:
        return _row(RefKind.DEPOSED_KEY, self._deposed_keys, key)


K = TypeVar("K")


def _row(kind: RefKind, table: dict[K, Ref], key: K) -> Ref:
    """Return the row of something in a table, and add it if it is new."""
    row = table.get(key)
    if row is None:
        row = table[key] = Ref(kind, len(table))
    return row
