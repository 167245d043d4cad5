"""A graph as JSON: what a plan file holds, and how it is read again.

    {"version": 1,
     "elements": [{"instance": "terraform_data.a"}, {"provider": "..."}, {"waiter": []}, [1, 0, 1, null, 2], ...],
     "operations": [3, ...], "waiters": [2, ...],
     "results": {"terraform_data.a": 6}, "deletions": [["terraform_data.b", null, 9]],
     "resources": {"terraform_data.b": ["terraform_data.a"]},
     "instances": {"terraform_data.a": {"create_before_destroy": false}}}

An instance may also have "dependencies" of its own, in the same form as those of a resource. With targets there are
"outputs", the names of those that are updated, and "rules", the nodes of the rules of variables that are checked.

Numbers are positions of elements, except the first one of an operation, its opcode. Elements refer only to elements
before them: a file cannot even express a cycle. Since that is not the order in which a builder numbered them,
`operations` and `waiters` list their elements by number, and a graph is read with every reference as it was.

Equal graphs give equal bytes. Nothing is trusted when reading: whatever the tree is, the outcome is a graph without a
bad reference, operand or address, or one diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Final, TypeVar

from new_engine.execgraph.graph import (
    ExecutionGraph,
    InstanceRecord,
    ObjectKey,
    OperationNode,
    Ref,
    RefKind,
    ResourceRecord,
    object_order,
    type_of,
)
from new_engine.execgraph.opcodes import Opcode, operand_problem
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.pattern import pattern
from shared_nodes.record import record
from shared_nodes.state.stored_addresses import (
    AddressError,
    parse_config_resource,
    parse_instance,
)
from shared_nodes.state.stored_providers import parse_provider_instance
from shared_nodes.values.json import JsonNumber, Tree
from shared_nodes.values.text import quoted

__all__ = ["dump", "load", "unusable_graph_problem"]

_VERSION: Final = JsonNumber("1")


# Writing


def dump(graph: ExecutionGraph) -> dict[str, Tree]:
    """Return a graph as a tree. `check.problems` must find nothing wrong with it."""
    elements, positions = _elements(graph)
    by_number = sorted(positions)
    return {
        "version": _VERSION,
        "elements": elements,
        "operations": [positions[ref] for ref in by_number if ref.kind is RefKind.OPERATION],
        "waiters": [positions[ref] for ref in by_number if ref.kind is RefKind.WAITER],
        "results": {str(instance): positions[graph.results[instance]] for instance in _in_order(graph.results)},
        "deletions": [
            [str(instance), key, positions[ref]]
            for (instance, key), ref in sorted(graph.deletions.items(), key=object_order)
        ],
        "resources": {
            str(resource): [*map(str, graph.resources[resource].depends_on)]
            for resource in sorted(graph.resources, key=str)
        },
        "instances": {
            str(instance): _instance_record(graph.instance_records[instance])
            for instance in _in_order(graph.instance_records)
        },
        **{name: [*sorted(names)] for name, names in _named_values(graph) if names is not None},
    }


def _named_values(graph: ExecutionGraph) -> Iterable[tuple[str, frozenset[str] | None]]:
    return ("outputs", graph.outputs), ("rules", graph.rules)


def _instance_record(record: InstanceRecord) -> Tree:
    tree: dict[str, Tree] = {"create_before_destroy": record.create_before_destroy}
    if record.dependencies is not None:
        tree["dependencies"] = [*ConfigResource.texts(record.dependencies)]
    return tree


def _elements(graph: ExecutionGraph) -> tuple[list[Tree], dict[Ref, JsonNumber]]:
    """Return all elements, addresses first since they need nothing, and the position of each."""
    elements: list[Tree] = []
    positions: dict[Ref, JsonNumber] = {}

    def place(ref: Ref, element: Tree) -> None:
        positions[ref] = JsonNumber(str(len(elements)))
        elements.append(element)

    for kind, key, addresses in _address_tables(graph):
        for index, address in enumerate(addresses):
            place(Ref(kind, index), {key: str(address)})
    for ref in graph.order():
        if ref.kind is RefKind.WAITER:
            place(ref, {"waiter": [positions[member] for member in graph.waiters[ref.index]]})
        else:
            node = graph.operations[ref.index]
            operands = [None if operand is None else positions[operand] for operand in node.operands]
            place(ref, [JsonNumber(str(node.opcode.value)), *operands])
    return elements, positions


def _address_tables(graph: ExecutionGraph) -> Iterable[tuple[RefKind, str, Iterable[object]]]:
    yield RefKind.INSTANCE, "instance", graph.instances
    yield RefKind.PROVIDER, "provider", graph.providers
    yield RefKind.DEPOSED_KEY, "deposed", graph.deposed_keys


def _in_order(instances: Iterable[AbsResourceInstance]) -> list[AbsResourceInstance]:
    return sorted(instances, key=lambda instance: instance.sort_key)


# Reading


class _Malformed(Exception):
    """The reason, worded to follow "The plan file's execution graph cannot be used: "."""


def load(tree: Tree) -> ExecutionGraph | Diagnostic:
    try:
        return _graph(_record(tree, "it"))
    except _Malformed as failure:
        return unusable_graph_problem(str(failure))


def unusable_graph_problem(problem: str) -> Diagnostic:
    detail = (
        f"The plan file's execution graph cannot be used: {problem}. The file was changed after it was saved, or "
        "saved by another version. Make a new plan."
    )
    return error("Invalid execution graph in plan file", detail)


def _graph(record: Mapping[str, Tree]) -> ExecutionGraph:
    if record.get("version") != _VERSION:
        raise _Malformed("its version is not 1, the only one known here")
    elements = _list(_part(record, "elements"), '"elements"')
    reading = _Reading(
        _numbering(record, "operations", len(elements)),
        _numbering(record, "waiters", len(elements)),
    )
    for element in elements:
        reading.read(element)
    reading.finish()
    return ExecutionGraph(
        tuple(reading.instances),
        tuple(reading.providers),
        tuple(reading.deposed_keys),
        tuple(node for _, node in sorted(reading.operations.items())),
        tuple(members for _, members in sorted(reading.waiters.items())),
        dict(_resources(record)),
        dict(_instance_records(record)),
        dict(_results(record, reading)),
        _deletions(record, reading),
        _names(record, "outputs"),
        _names(record, "rules"),
    )


@record(frozen=False)
class _Reading:
    """The elements read so far: `refs` by position, and the tables."""

    operation_numbers: Mapping[int, int]
    waiter_numbers: Mapping[int, int]
    refs: list[Ref] = field(default_factory=list)
    instances: list[AbsResourceInstance] = field(default_factory=list)
    providers: list[ProviderInstance] = field(default_factory=list)
    deposed_keys: list[str] = field(default_factory=list)
    operations: dict[int, OperationNode] = field(default_factory=dict)
    waiters: dict[int, tuple[Ref, ...]] = field(default_factory=dict)

    def read(self, element: Tree) -> None:
        at = f"element {len(self.refs)}"
        match element:
            case [opcode, *operands]:
                ref = self._operation(at, opcode, operands)
            case {"waiter": members, **rest} if not rest:
                ref = self._waiter(at, _list(members, at))
            case {"instance": text, **rest} if not rest:
                self.instances.append(_instance(text, at))
                ref = Ref(RefKind.INSTANCE, len(self.instances) - 1)
            case {"provider": text, **rest} if not rest:
                self.providers.append(_provider(text, at))
                ref = Ref(RefKind.PROVIDER, len(self.providers) - 1)
            case {"deposed": str() as key, **rest} if not rest:
                self.deposed_keys.append(key)
                ref = Ref(RefKind.DEPOSED_KEY, len(self.deposed_keys) - 1)
            case _:
                raise _Malformed(f"{at} is neither an operation, nor a waiter, an address or a deposed key")
        self.refs.append(ref)

    def finish(self) -> None:
        if len(self.operations) != len(self.operation_numbers) or len(self.waiters) != len(self.waiter_numbers):
            raise _Malformed("its numbering names elements that are of another kind")

    def operation(self, tree: Tree, where: str) -> Ref:
        ref = self._ref(tree, where)
        if ref.kind is not RefKind.OPERATION:
            raise _Malformed(f"{where} refers to an element that is no operation")
        return ref

    def _operation(self, at: str, code: Tree, operands: list[Tree]) -> Ref:
        opcode = _OPCODES.get(code.text) if isinstance(code, JsonNumber) else None
        if opcode is None:
            raise _Malformed(f"{at} has an opcode that is not known here")
        refs = tuple(None if operand is None else self._ref(operand, at) for operand in operands)
        problem = operand_problem(opcode, tuple([type_of(ref, self.operations) for ref in refs]))
        if problem is not None:
            raise _Malformed(f"{at} does not fit its operation, {problem}")
        number = self.operation_numbers.get(len(self.refs))
        if number is None:
            raise _Malformed(f'{at} is an operation that "operations" does not list')
        if any(ref is not None and ref.kind is RefKind.OPERATION and ref.index > number for ref in refs):
            raise _Malformed(f"{at} is numbered before an operation that it takes")
        self.operations[number] = OperationNode(opcode, refs)
        return Ref(RefKind.OPERATION, number)

    def _waiter(self, at: str, members: list[Tree]) -> Ref:
        number = self.waiter_numbers.get(len(self.refs))
        if number is None:
            raise _Malformed(f'{at} is a waiter that "waiters" does not list')
        self.waiters[number] = tuple(self.operation(member, at) for member in members)
        return Ref(RefKind.WAITER, number)

    def _ref(self, tree: Tree, where: str) -> Ref:
        position = _position(tree, where)
        if position >= len(self.refs):
            raise _Malformed(f"{where} refers to element {position}, which does not come before it")
        return self.refs[position]


_OPCODES: Final = {str(opcode.value): opcode for opcode in Opcode}
_POSITION: Final = pattern(r"0|[1-9][0-9]{0,8}")


def _position(tree: Tree, where: str) -> int:
    if not isinstance(tree, JsonNumber) or _POSITION.fullmatch(tree.text) is None:
        raise _Malformed(f"{where} has something else where the position of an element is required")
    return int(tree.text)


def _numbering(record: Mapping[str, Tree], name: str, count: int) -> dict[int, int]:
    """Return for the position of each element its number among its kind."""
    where = f'"{name}"'
    positions = [_position(tree, where) for tree in _list(_part(record, name), where)]
    numbers = {position: number for number, position in enumerate(positions)}
    if len(numbers) != len(positions):
        raise _Malformed(f"{where} lists an element twice")
    if any(position >= count for position in positions):
        raise _Malformed(f"{where} lists an element that does not exist")
    return numbers


def _results(record: Mapping[str, Tree], reading: _Reading) -> Iterable[tuple[AbsResourceInstance, Ref]]:
    for text, tree in _record(_part(record, "results"), '"results"').items():
        yield _instance(text, '"results"'), reading.operation(tree, f"the result of {text}")


def _deletions(record: Mapping[str, Tree], reading: _Reading) -> dict[ObjectKey, Ref]:
    where = '"deletions"'
    found: dict[ObjectKey, Ref] = {}
    for entry in _list(_part(record, "deletions"), where):
        match entry:
            case [text, (None | str()) as key, position]:
                found_key = _instance(text, where), key
            case _:
                raise _Malformed(f"{where} has an entry that is not an address, a deposed key or null, and a position")
        if found_key in found:
            raise _Malformed(f"{where} has two entries for one object")
        found[found_key] = reading.operation(position, where)
    return found


def _resources(record: Mapping[str, Tree]) -> Iterable[tuple[ConfigResource, ResourceRecord]]:
    where = '"resources"'
    for text, tree in _record(_part(record, "resources"), where).items():
        depends_on = tuple(_resource(dependency, where) for dependency in _list(tree, where))
        yield _resource(text, where), ResourceRecord(depends_on)


def _instance_records(record: Mapping[str, Tree]) -> Iterable[tuple[AbsResourceInstance, InstanceRecord]]:
    where = '"instances"'
    for text, tree in _record(_part(record, "instances"), where).items():
        match tree:
            case {"create_before_destroy": bool() as create_before_destroy, **rest} if not rest:
                yield _instance(text, where), InstanceRecord(create_before_destroy)
            case {"create_before_destroy": bool() as create_before_destroy, "dependencies": [*found], **rest} if (
                not rest
            ):
                dependencies = tuple(_resource(each, where) for each in found)
                yield _instance(text, where), InstanceRecord(create_before_destroy, dependencies)
            case _:
                raise _Malformed(
                    f'{where} must say of each one "create_before_destroy", true or false, and maybe "dependencies"'
                )


def _names(record: Mapping[str, Tree], part: str) -> frozenset[str] | None:
    if part not in record:
        return None
    names = _list(record[part], f'"{part}"')
    found = frozenset(name for name in names if isinstance(name, str))
    if len(found) != len(names):
        raise _Malformed(f'"{part}" must be different names')
    return found


# Parts


def _part(record: Mapping[str, Tree], name: str) -> Tree:
    if name not in record:
        raise _Malformed(f'it has no "{name}"')
    return record[name]


def _record(tree: Tree, where: str) -> dict[str, Tree]:
    if not isinstance(tree, dict):
        raise _Malformed(f"{where} must be an object")
    return tree


def _list(tree: Tree, where: str) -> list[Tree]:
    if not isinstance(tree, list):
        raise _Malformed(f"{where} has something else where a list is required")
    return tree


T = TypeVar("T")


def _address(tree: Tree, where: str, what: str, parse: Callable[[str], T | None]) -> T:
    """Parse an address. It must be spelled as it is printed: another spelling could name the same thing twice."""
    if not isinstance(tree, str):
        raise _Malformed(f"{where} has something else where the address of a {what} is required")
    try:
        address = parse(tree)
    except AddressError:
        address = None
    if address is None or str(address) != tree:
        raise _Malformed(f"{where} has {quoted(tree)}, which is no address of a {what}")
    return address


def _instance(tree: Tree, where: str) -> AbsResourceInstance:
    return _address(tree, where, "resource instance", parse_instance)


def _provider(tree: Tree, where: str) -> ProviderInstance:
    return _address(tree, where, "provider configuration", parse_provider_instance)


def _resource(tree: Tree, where: str) -> ConfigResource:
    return _address(tree, where, "resource", parse_config_resource)
