"""Moved objects: `moved` statements, and the moves implied by adding or removing `count`, applied to a state.

An endpoint is a pattern. Written in a module, it matches the same place in every instance of that module; if it is a
whole resource or module call, it matches all their instances. The two endpoints of a statement are made equal in kind:
if either is an instance, both are.

Statements run in an order that makes chains and nestings work. If there is no such order, none of them is applied, and
validation reports the cycle later, when other problems are known. An object is never moved onto another: the move is
blocked, with a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from typing import Final

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ModuleInstance, ModulePath, ModuleStep
from shared_nodes.addresses.parse import Target, parse_target
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, Resource
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, warning
from shared_nodes.lang.source import Range
from shared_nodes.record import record
from shared_nodes.state.model import ResourceState, State

__all__ = [
    "BlockedMove",
    "Endpoint",
    "EndpointKind",
    "MoveResults",
    "MoveStatement",
    "apply_moves",
    "blocked_moves_warning",
    "explicit_moves",
    "implied_moves",
    "move_statements",
    "statement_cycles",
    "unified_endpoints",
]


class _Any(Enum):
    KEY = "*"


_ANY: Final = _Any.KEY
"""Matches any key in a pattern."""

_StepPattern = tuple[str, "InstanceKey | _Any"]


class EndpointKind(Enum):
    MODULE_CALL = "module call"
    MODULE_INSTANCE = "module instance"
    RESOURCE = "resource"
    RESOURCE_INSTANCE = "resource instance"

    @property
    def is_module(self) -> bool:
        return self in (EndpointKind.MODULE_CALL, EndpointKind.MODULE_INSTANCE)


@record
class Endpoint:
    """One side of a statement. `module` and `key` are relative to `declared_in`. For a module, the last step of
    `module` is the module itself, and a `MODULE_CALL` matches all its instances."""

    declared_in: ModulePath
    kind: EndpointKind
    module: ModuleInstance
    resource: Resource | None = None
    key: InstanceKey = None

    def __str__(self) -> str:
        """Return the pattern as messages spell it: `module.m[*].terraform_data.a[*]`."""
        prefix = "".join(f"module.{name}[*]." for name in self.declared_in.names)
        relative = str(self._subject(self.module))
        wild = "[*]" if self.kind in (EndpointKind.MODULE_CALL, EndpointKind.RESOURCE) else ""
        return f"{prefix}{relative}{wild}"

    def _subject(self, module: ModuleInstance) -> Target:
        if self.resource is None:
            return module
        if self.kind is EndpointKind.RESOURCE:
            return AbsResource(module, self.resource)
        return AbsResourceInstance(module, self.resource, self.key)

    def within(self, instance: ModuleInstance) -> Target:
        """Return the address in one instance of the module that declares it."""
        return self._subject(ModuleInstance((*instance.steps, *self.module.steps)))

    @property
    def pattern(self) -> tuple[_StepPattern, ...]:
        """The path of the module, or of the module that contains the resource."""
        declared: list[_StepPattern] = [(name, _ANY) for name in self.declared_in.names]
        steps: list[_StepPattern] = [(step.name, step.key) for step in self.module.steps]
        if self.kind is EndpointKind.MODULE_CALL:
            steps[-1] = (steps[-1][0], _ANY)
        return (*declared, *steps)

    def selects_module(self, module: ModuleInstance) -> bool:
        """Whether this is the module of the endpoint, or the one that contains its resource."""
        return len(self.pattern) == len(module.steps) and _patterns_agree(self.pattern, _exact_pattern(module))

    def selects_resource(self, address: AbsResource) -> bool:
        return self.resource == address.resource and self.selects_module(address.module)

    def may_be(self, other: Endpoint) -> bool:
        """Whether both can match the same object."""
        if self.kind.is_module is not other.kind.is_module or len(self.pattern) != len(other.pattern):
            return False
        if self.resource != other.resource or not _patterns_agree(self.pattern, other.pattern):
            return False
        wild = EndpointKind.RESOURCE in (self.kind, other.kind)
        return wild or self.key == other.key

    def is_inside(self, other: Endpoint) -> bool:
        """Whether it can match a part of something that the other matches."""
        mine, theirs = self.pattern, other.pattern
        if len(theirs) > len(mine) or not _patterns_agree(mine[: len(theirs)], theirs):
            return False
        if other.kind.is_module:
            return not self.kind.is_module or len(mine) > len(theirs)
        return (
            other.kind is EndpointKind.RESOURCE
            and self.kind is EndpointKind.RESOURCE_INSTANCE
            and len(mine) == len(theirs)
            and self.resource == other.resource
        )


def _exact_pattern(module: ModuleInstance) -> tuple[_StepPattern, ...]:
    return tuple((step.name, step.key) for step in module.steps)


def _patterns_agree(left: Sequence[_StepPattern], right: Sequence[_StepPattern]) -> bool:
    return all(
        name == other and (key == other_key or _ANY in (key, other_key))
        for (name, key), (other, other_key) in zip(left, right, strict=True)
    )


@record
class MoveStatement:
    source: Endpoint
    target: Endpoint
    range: Range
    implied: bool = False

    def __str__(self) -> str:
        first = self.range.first
        return f"{self.range.source.filename}:{first.line},{first.column}: {self.source} → {self.target}"

    @property
    def only_changes_module_keys(self) -> bool:
        both = (self.source.kind, self.target.kind)
        return both == (EndpointKind.MODULE_INSTANCE,) * 2 and self.source.module.path == self.target.module.path


def unified_endpoints(module: ModulePath, source: Target, target: Target) -> tuple[Endpoint, Endpoint] | None:
    """Return the endpoints of a statement in a module, or None if one is a module and the other a resource."""
    if isinstance(source, ModuleInstance) is not isinstance(target, ModuleInstance):
        return None
    names_instance = _names_instance(source) or _names_instance(target)
    return _endpoint(module, source, names_instance), _endpoint(module, target, names_instance)


def _names_instance(address: Target) -> bool:
    if isinstance(address, ModuleInstance):
        return address.steps[-1].key is not None
    return isinstance(address, AbsResourceInstance)


def _endpoint(module: ModulePath, address: Target, is_instance: bool) -> Endpoint:
    if isinstance(address, ModuleInstance):
        kind = EndpointKind.MODULE_INSTANCE if is_instance else EndpointKind.MODULE_CALL
        return Endpoint(module, kind, address)
    kind = EndpointKind.RESOURCE_INSTANCE if is_instance else EndpointKind.RESOURCE
    key = address.key if isinstance(address, AbsResourceInstance) else None
    return Endpoint(module, kind, address.module, address.resource, key)


def move_statements(config: ConfigTree, state: State, flavour: Flavour = TERRAFORM_1_11) -> list[MoveStatement]:
    """Return all statements of the configuration, then those implied by comparing it with the state."""
    explicit = explicit_moves(config)
    implied = implied_moves(config, state, explicit)
    if flavour.module_moves_are_implied:
        implied += _implied_module_moves(config, state, explicit)
    return [*explicit, *implied]


def explicit_moves(config: ConfigTree) -> list[MoveStatement]:
    """Return the `moved` statements. Faulty endpoints are skipped: they were reported when the configuration
    was read."""
    statements: list[MoveStatement] = []
    for node in config.walk():
        for block in node.module.moved:
            source, target = (parse_target(end, node.module.flavour) for end in (block.source, block.target))
            if isinstance(source, Diagnostic) or isinstance(target, Diagnostic):
                continue
            endpoints = unified_endpoints(node.path, source, target)
            if endpoints is not None:
                statements.append(MoveStatement(*endpoints, block.range))
    return statements


def implied_moves(config: ConfigTree, state: State, explicit: Sequence[MoveStatement]) -> list[MoveStatement]:
    """Return moves from no key to the first index where `count` was added, and back where it was removed. A resource
    that is part of a statement has none: its author may want to keep another instance."""
    statements: list[MoveStatement] = []
    for address in sorted(state.resources, key=lambda resource: resource.sort_key):
        block = config.resource(address.config)
        if block is None:
            continue
        instances = state.resources[address].instances
        if block.count is not None and None in instances:
            source, target, where = None, 0, block.count.range
        elif block.count is None and block.for_each is None and 0 in instances:
            source, target, where = 0, None, block.range
        else:
            continue
        if any(one.source.selects_resource(address) or one.target.selects_resource(address) for one in explicit):
            continue
        endpoints = (_instance_endpoint(address, source), _instance_endpoint(address, target))
        statements.append(MoveStatement(*endpoints, where, implied=True))
    return statements


def _implied_module_moves(config: ConfigTree, state: State, explicit: Sequence[MoveStatement]) -> list[MoveStatement]:
    """Return the corresponding moves of module calls, whose only instance moves with everything in it. Like the
    original, this takes no notice of modules that have no resources of their own, and leaves a module alone if a
    statement is about it or about a resource directly in it."""
    statements: list[MoveStatement] = []
    ends = [end for statement in explicit for end in (statement.source, statement.target)]
    for module in _containing_modules(state):
        node = config.at(module.path)
        call = None if node is None else node.call
        if call is None or call.for_each is not None:
            continue
        last, key = module.steps[-1], None if call.count is None else 0
        if last.key == key or last.key not in (None, 0) or any(end.selects_module(module) for end in ends):
            continue
        endpoints = (_module_endpoint(module), _module_endpoint(module.parent.child(last.name, key)))
        where = call.range if call.count is None else call.count.range
        statements.append(MoveStatement(*endpoints, where, implied=True))
    return statements


def _module_endpoint(module: ModuleInstance) -> Endpoint:
    return Endpoint(ModulePath(), EndpointKind.MODULE_INSTANCE, module)


def _instance_endpoint(address: AbsResource, key: InstanceKey) -> Endpoint:
    return Endpoint(ModulePath(), EndpointKind.RESOURCE_INSTANCE, address.module, address.resource, key)


def _depends_on(first: MoveStatement, second: MoveStatement) -> bool:
    """Whether the second statement must run before the first."""
    if first.source.may_be(second.target):
        return True
    nested = (
        first.source.is_inside(second.target)
        or first.target.is_inside(second.target)
        or second.source.is_inside(first.source)
        or second.target.is_inside(first.source)
    )
    if not nested:
        return False
    declared_above = len(first.target.declared_in.names) < len(second.target.declared_in.names)
    return not (declared_above and first.only_changes_module_keys)


def _dependencies(statements: Sequence[MoveStatement]) -> dict[int, list[int]]:
    """Return, by position, which statements must run before each statement."""
    positions = range(len(statements))
    return {
        one: [other for other in positions if other != one and _depends_on(statements[one], statements[other])]
        for one in positions
    }


def statement_cycles(statements: Sequence[MoveStatement]) -> list[list[MoveStatement]]:
    """Return groups of statements each of which would have to run before itself."""
    reachable = _find_reachable(_dependencies(statements))
    groups: list[list[MoveStatement]] = []
    seen: set[int] = set()
    for position in range(len(statements)):
        if position in seen or position not in reachable[position]:
            continue
        group = [other for other in sorted(reachable[position]) if position in reachable[other]]
        seen.update(group)
        groups.append([statements[other] for other in group])
    return groups


def _find_reachable(edges: dict[int, list[int]]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for start, following in edges.items():
        pending, reached = list(following), set[int]()
        while pending:
            one = pending.pop()
            if one not in reached:
                reached.add(one)
                pending.extend(edges[one])
        found[start] = reached
    return found


@record
class BlockedMove:
    actual: Target
    wanted: Target


@record(frozen=False)
class MoveResults:
    """The result of moving objects. `changes` maps the current address of an object to its address in the last run;
    after several moves, to the first one. `explicit` are the current addresses to which a `moved` block was the last to
    lead. `blocked` is keyed by the address that the object keeps."""

    changes: dict[AbsResourceInstance, AbsResourceInstance] = field(default_factory=dict)
    explicit: set[AbsResourceInstance] = field(default_factory=set)
    blocked: dict[Target, BlockedMove] = field(default_factory=dict)

    def moves(self) -> list[tuple[AbsResourceInstance, AbsResourceInstance]]:
        """Return pairs of old and new address."""
        return [(source, target) for target, source in self.changes.items()]

    def _record(self, statement: MoveStatement, source: AbsResourceInstance, target: AbsResourceInstance) -> None:
        self.changes[target] = self.changes.pop(source, source)
        self.explicit.discard(source)
        if not statement.implied:
            self.explicit.add(target)

    def _block(self, actual: Target, wanted: Target) -> None:
        self.blocked[actual] = BlockedMove(actual, wanted)


def apply_moves(statements: Sequence[MoveStatement], state: State) -> MoveResults:
    """Move objects in the state."""
    results = MoveResults()
    sorter = TopologicalSorter(_dependencies(statements))
    try:
        order = list(sorter.static_order())
    except CycleError:
        return results
    for position in order:
        statement = statements[position]
        if statement.source.kind.is_module:
            _move_modules(statement, state, results)
        else:
            _move_resources(statement, state, results)
    return results


def _containing_modules(state: State) -> list[ModuleInstance]:
    return sorted({address.module for address in state.resources}, key=lambda module: module.sort_key)


def _move_modules(statement: MoveStatement, state: State, results: MoveResults) -> None:
    for module in _containing_modules(state):
        destination = _module_destination(statement, module)
        if destination is None:
            continue
        if destination in _containing_modules(state):
            results._block(module, destination)
            continue
        for address in [address for address in state.resources if address.module == module]:
            _move_resource(statement, state, address, AbsResource(destination, address.resource), results)


def _module_destination(statement: MoveStatement, module: ModuleInstance) -> ModuleInstance | None:
    """Return the new address of a module that the source matches, or that is inside such a module."""
    source, target = statement.source, statement.target
    length = len(source.pattern)
    if len(module.steps) < length or not _patterns_agree(source.pattern, _exact_pattern(module)[:length]):
        return None
    declared = module.steps[: len(source.declared_in.names)]
    moved = list(target.module.steps)
    if target.kind is EndpointKind.MODULE_CALL:
        moved[-1] = ModuleStep(moved[-1].name, module.steps[length - 1].key)
    return ModuleInstance((*declared, *moved, *module.steps[length:]))


def _move_resources(statement: MoveStatement, state: State, results: MoveResults) -> None:
    source, target = statement.source, statement.target
    assert target.resource is not None
    selected = [address for address in state.resources if source.selects_resource(address)]
    for address in sorted(selected, key=lambda resource: resource.sort_key):
        declared = address.module.steps[: len(source.declared_in.names)]
        destination = AbsResource(ModuleInstance((*declared, *target.module.steps)), target.resource)
        if source.kind is EndpointKind.RESOURCE:
            if destination in state.resources:
                results._block(address, destination)
            else:
                _move_resource(statement, state, address, destination, results)
        elif source.key in state.resources[address].instances:
            moved = address.instance(source.key), destination.instance(target.key)
            _move_instance(statement, state, *moved, results)


def _move_resource(
    statement: MoveStatement, state: State, source: AbsResource, target: AbsResource, results: MoveResults
) -> None:
    resource = state.resources.pop(source)
    for key in resource.keys_in_order():
        results._record(statement, source.instance(key), target.instance(key))
    state.resources[target] = resource


def _move_instance(
    statement: MoveStatement,
    state: State,
    source: AbsResourceInstance,
    target: AbsResourceInstance,
    results: MoveResults,
) -> None:
    if state.instance(target) is not None:
        results._block(source, target)
        return
    resource = state.resources[source.containing]
    instance = resource.instances.pop(source.key)
    if not resource.instances:
        del state.resources[source.containing]
    destination = state.resources.setdefault(target.containing, ResourceState(resource.provider))
    destination.instances[target.key] = instance
    results._record(statement, source, target)


def blocked_moves_warning(results: MoveResults, flavour: Flavour) -> list[Diagnostic]:
    if not results.blocked:
        return []
    product = flavour.product
    items = "".join(
        f"\n  - {blocked.actual} could not move to {blocked.wanted}" for blocked in _sorted_blocked(results)
    )
    return [
        warning(
            "Unresolved resource instance address changes",
            f"{product} tried to adjust resource instance addresses in the prior state based on change information "
            "recorded in the configuration, but some adjustments did not succeed due to existing objects already at "
            f"the intended addresses:{items}\n\n{product} has planned to destroy these objects. If {product}'s "
            "proposed changes aren't appropriate, you must first resolve the conflicts using the "
            f'"{flavour.command} state" subcommands and then create a new plan.',
        )
    ]


def _sorted_blocked(results: MoveResults) -> Iterable[BlockedMove]:
    return sorted(results.blocked.values(), key=lambda blocked: str(blocked.actual))
