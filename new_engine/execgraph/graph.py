"""The execution graph: operations, what each takes, and what each waits for. Frozen, comparable, and without values.

Everything is a row of a table, and a `Ref` names a row. The operands of an operation are addresses, other operations,
and, at the first operation of a leg, a waiter: the operations that must have ended before the leg may begin. Operands
come before what takes them, while waiters may name what comes later: so only waiters can close a cycle, which `check`
finds.

    r[0] = ResourceInstancePrior(terraform_data.a)
    w[0] = after r[9]
    r[1] = ResourceInstanceCurrentMeta(terraform_data.a, provider["terraform.io/builtin/terraform"], r[0], w[0])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Final, NewType, TypeVar

from new_engine.execgraph.opcodes import SIGNATURES, Opcode, OperandType
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, ResourceMode
from shared_nodes.addresses.resource_sets import ResourceSets
from shared_nodes.operations.graph import components
from shared_nodes.record import record

__all__ = [
    "ExecutionGraph",
    "InstanceRecord",
    "ObjectKey",
    "OperationNode",
    "Ref",
    "RefKind",
    "ResourceRecord",
    "WaiterRef",
    "object_order",
    "type_of",
]


class RefKind(StrEnum):
    INSTANCE = "instance"
    PROVIDER = "provider"
    DEPOSED_KEY = "deposed key"
    OPERATION = "r"
    WAITER = "w"

    # References are keys everywhere, and the `__hash__` of Enum is not implemented in C.
    __hash__ = str.__hash__


@record(order=True)
class Ref:
    """A row of one of the tables."""

    kind: RefKind
    index: int

    def __str__(self) -> str:
        return f"{self.kind}[{self.index}]"


WaiterRef = NewType("WaiterRef", Ref)
"""A reference to a waiter: the only thing that operations can be added to later."""

ObjectKey = tuple[AbsResourceInstance, str | None]
"""An object of an instance: the current one, or the one under a deposed key."""


@record
class OperationNode:
    opcode: Opcode
    operands: tuple[Ref | None, ...]


@record
class ResourceRecord:
    """What a resource refers to directly. Only this is stored: everything it depends on would grow with the square of a
    chain's length, and is computed on demand."""

    depends_on: tuple[ConfigResource, ...] = ()


@record
class InstanceRecord:
    """What is recorded with the object of an instance, besides its value. If `dependencies` is None, those of its
    resource apply, which is all that is known unless dependencies are exact."""

    create_before_destroy: bool = False
    dependencies: tuple[ConfigResource, ...] | None = None


@record
class ExecutionGraph:
    """The graph of one plan. `results` maps an instance to the operation after which its value is final, `deletions` an
    object to the operation after which it is gone. The result of an instance that is only deleted is its prior object:
    others may read it until then. `outputs` are the root outputs that are updated, and `rules` names the nodes of the
    rules of variables that are checked for their own sake; without targets both are None, which means all of them. They
    are listed because what targets leave out of the operations cannot be seen in the graph, and they may refer to
    it."""

    instances: tuple[AbsResourceInstance, ...] = ()
    providers: tuple[ProviderInstance, ...] = ()
    deposed_keys: tuple[str, ...] = ()
    operations: tuple[OperationNode, ...] = ()
    waiters: tuple[tuple[Ref, ...], ...] = ()
    resources: Mapping[ConfigResource, ResourceRecord] = field(default_factory=dict)
    instance_records: Mapping[AbsResourceInstance, InstanceRecord] = field(default_factory=dict)
    results: Mapping[AbsResourceInstance, Ref] = field(default_factory=dict)
    deletions: Mapping[ObjectKey, Ref] = field(default_factory=dict)
    outputs: frozenset[str] | None = None
    rules: frozenset[str] | None = None
    _closure: list[_Closure] = field(default_factory=list, init=False, compare=False, repr=False)

    def predecessors(self, ref: Ref) -> list[Ref]:
        """Return what an operation or waiter waits for itself: operations, and waiters among its operands."""
        if ref.kind is RefKind.WAITER:
            return list(self.waiters[ref.index])
        operands = self.operations[ref.index].operands
        return [operand for operand in operands if operand is not None and operand.kind in _RUNNABLE]

    def order(self) -> list[Ref]:
        """Return operations and waiters, each after everything it waits for, otherwise as they were added. Members of a
        cycle are adjacent, in no such order."""
        return [ref for component in self.waiting_components() for ref in component]

    def waiting_components(self) -> Iterator[list[Ref]]:
        nodes = [Ref(RefKind.OPERATION, index) for index in range(len(self.operations))]
        nodes += [Ref(RefKind.WAITER, index) for index in range(len(self.waiters))]
        return components(nodes, self.predecessors)

    def precedes(self, earlier: Ref, later: Ref) -> bool:
        """Whether the second operation never begins before the first has ended, because it waits for it, directly or
        not. Each call is a search, so ask it only about single pairs."""
        pending, seen = [later], {later}
        while pending:
            before = self.predecessors(pending.pop())
            if earlier in before:
                return True
            pending += [ref for ref in before if ref not in seen]
            seen.update(before)
        return False

    def followers(self, refs: Iterable[Ref]) -> set[Ref]:
        """Return operations that never begin before one of these has ended, because they wait for it, directly or
        not."""
        waiting: dict[Ref, list[Ref]] = {}
        for kind, count in ((RefKind.OPERATION, len(self.operations)), (RefKind.WAITER, len(self.waiters))):
            for ref in (Ref(kind, index) for index in range(count)):
                for before in self.predecessors(ref):
                    waiting.setdefault(before, []).append(ref)
        pending, found = list(refs), set[Ref]()
        while pending:
            after = [ref for ref in waiting.get(pending.pop(), ()) if ref not in found]
            found.update(after)
            pending += after
        return {ref for ref in found if ref.kind is RefKind.OPERATION}

    def called_providers(self) -> list[AbsProviderConfig]:
        """Return the configurations of the providers that operations call. Data that is only dropped calls none."""
        called: dict[AbsProviderConfig, None] = {}
        for node in self.operations:
            match node.operands:
                case (Ref(RefKind.INSTANCE, instance), Ref(RefKind.PROVIDER, provider), *_):
                    address = self.instances[instance]
                    if address.resource.mode is ResourceMode.MANAGED or (address, None) not in self.deletions:
                        called[self.providers[provider].config] = None
        return list(called)

    def dependencies_of(self, resource: ConfigResource) -> tuple[ConfigResource, ...]:
        """Return everything a resource depends on, directly or not, in the order of printed addresses, without
        itself: what is recorded with its objects. The first call costs time linear in the references, each answer
        its length."""
        if not self._closure:
            self._closure.append(_Closure.of(self.resources))
        return self._closure[0].dependencies_of(resource)

    def recorded_dependencies(self, instance: AbsResourceInstance) -> tuple[ConfigResource, ...]:
        """Return what is recorded as dependencies with the object of an instance."""
        exact = self.instance_records[instance].dependencies
        return self.dependencies_of(instance.config) if exact is None else exact

    def text(self) -> str:
        """Return one line per element, each after those it waits for; then what instances and objects end with, and
        what is recorded with them."""
        lines = [f"{ref} = {self._element_text(ref)}" for ref in self.order()]
        lines += [f"result {instance} = {ref}" for instance, ref in _sorted(self.results)]
        for (instance, key), ref in sorted(self.deletions.items(), key=object_order):
            lines.append(f"deletion {instance}{f' deposed {key}' if key is not None else ''} = {ref}")
        for resource, kept_resource in sorted(self.resources.items(), key=lambda item: str(item[0])):
            lines.append(f"resource {resource} = depends on {_join_texts(kept_resource.depends_on)}")
        for instance, kept in _sorted(self.instance_records):
            exact = "" if kept.dependencies is None else f", depends on {_join_texts(kept.dependencies)}"
            lines.append(
                f"instance {instance} = create before destroy: {str(kept.create_before_destroy).lower()}{exact}"
            )
        if self.outputs is not None:
            lines.append(f"outputs = {_join_texts(sorted(self.outputs))}")
        if self.rules is not None:
            lines.append(f"rules = {_join_texts(sorted(self.rules))}")
        return "".join(f"{line}\n" for line in lines)

    def _element_text(self, ref: Ref) -> str:
        if ref.kind is RefKind.WAITER:
            return f"after {_join_texts(self.waiters[ref.index])}"
        node = self.operations[ref.index]
        return f"{SIGNATURES[node.opcode].name}({', '.join(map(self._operand_text, node.operands))})"

    def _operand_text(self, ref: Ref | None) -> str:
        match ref:
            case None:
                return "nil"
            case Ref(RefKind.INSTANCE, index):
                return str(self.instances[index])
            case Ref(RefKind.PROVIDER, index):
                return str(self.providers[index])
            case Ref(RefKind.DEPOSED_KEY, index):
                return self.deposed_keys[index]
        return str(ref)


_RUNNABLE: Final = (RefKind.OPERATION, RefKind.WAITER)
_PLAIN_TYPES: Final = {
    RefKind.INSTANCE: OperandType.INSTANCE,
    RefKind.PROVIDER: OperandType.PROVIDER,
    RefKind.DEPOSED_KEY: OperandType.DEPOSED_KEY,
    RefKind.WAITER: OperandType.WAITER,
}


def type_of(ref: Ref | None, operations: Sequence[OperationNode] | Mapping[int, OperationNode]) -> OperandType | None:
    """Return the type of what a reference refers to, among these operations; None for nil."""
    if ref is None or ref.kind is not RefKind.OPERATION:
        return None if ref is None else _PLAIN_TYPES[ref.kind]
    return SIGNATURES[operations[ref.index].opcode].result


@record
class _Closure:
    """The set of everything that each resource depends on."""

    sets: ResourceSets
    below: Mapping[ConfigResource, int]

    @classmethod
    def of(cls, resources: Mapping[ConfigResource, ResourceRecord]) -> _Closure:
        def direct(resource: ConfigResource) -> tuple[ConfigResource, ...]:
            return resources[resource].depends_on if resource in resources else ()

        named = dict.fromkeys(resources)
        named.update(dict.fromkeys(each for resource in resources for each in direct(resource)))
        sets = ResourceSets(named)
        below: dict[ConfigResource, int] = {}
        for component in components(named, direct):
            found = 0
            for resource in component:
                for dependency in direct(resource):
                    found |= sets.of(dependency) | below.get(dependency, 0)
            below.update(dict.fromkeys(component, found))
        return cls(sets, below)

    def dependencies_of(self, resource: ConfigResource) -> tuple[ConfigResource, ...]:
        if resource not in self.below:
            return ()
        return self.sets.members(self.below[resource] & ~self.sets.of(resource))


V = TypeVar("V")


def _sorted(mapping: Mapping[AbsResourceInstance, V]) -> list[tuple[AbsResourceInstance, V]]:
    return sorted(mapping.items(), key=lambda item: item[0].sort_key)


def object_order(item: tuple[ObjectKey, Ref]) -> tuple[object, ...]:
    (instance, key), _ = item
    return (instance.sort_key, key is not None, key or "")


def _join_texts(items: Iterable[object]) -> str:
    return ", ".join(map(str, items)) or "nothing"
