"""Values of names while an operation runs: variables, locals, resources and modules, from the working state.

Resources are seen as they are in the working state, with planned objects in place of those that do not exist yet. An
object that is about to be deleted is not visible, except while everything is being destroyed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from operator import is_
from typing import Final, Protocol

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.config.blocks import OutputBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.deprecation import mark_deprecated_parts
from shared_nodes.context.expander import InstanceExpander, Repetition
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import Flavour
from shared_nodes.plan.change import Action, Changes, ResourceChange, ResourceChanges
from shared_nodes.providers.schema import SchemaBlock, implied_type
from shared_nodes.record import record
from shared_nodes.state.model import InstanceObject, ObjectStatus, OutputState, ResourceState, State
from shared_nodes.state.object_values import mark_sensitive, object_value
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE, Deprecation, Marks
from shared_nodes.values.types import DYNAMIC, ListType, MapType, ObjectType
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    FALSE,
    NULL_DYNAMIC,
    TRUE,
    Value,
    null,
    object_of,
    string,
    tuple_of,
    unknown,
)
from shared_nodes.world import World

__all__ = ["NamedValues"]


_WITHOUT_RECORD: Final[Mapping[str | None, Value]] = {
    "count": tuple_of(()),
    "for_each": object_of({}),
    None: DYNAMIC_UNKNOWN,
}


class WalkContext(Protocol):
    """The part of a `NodeContext` that values are read from."""

    @property
    def operation(self) -> Operation: ...

    @property
    def world(self) -> World: ...

    @property
    def flavour(self) -> Flavour: ...

    @property
    def working(self) -> State: ...

    @property
    def changes(self) -> Changes: ...

    @property
    def expander(self) -> InstanceExpander: ...

    @property
    def variables(self) -> Mapping[tuple[ModuleInstance, str], Value]: ...

    @property
    def unsettled(self) -> Collection[AbsResource | ModuleInstance]: ...

    def block_of(self, node: ConfigTree, resource: Resource) -> SchemaBlock | None: ...


@record
class _SeenInstance:
    current: InstanceObject | None
    change: ResourceChange | None
    value: Value | None
    """None for an instance that expressions must not see."""


@record
class _SeenResource:
    """The value of a resource when it was last read, and what it was computed from.

    It stays valid while state and changes have the same records at the same revisions. After that, each instance stays
    valid while its object and its change, which are frozen, are identical. So every object is decoded once, however
    often the resource is read and however many other instances change in between.
    """

    record: ResourceState
    record_revision: int
    changes: ResourceChanges | None
    changes_revision: int
    instances: Mapping[InstanceKey, _SeenInstance]
    value: Value

    def is_current(self, record: ResourceState, changes: ResourceChanges | None) -> bool:
        return (
            self.record is record
            and self.record_revision == record.revision
            and self.changes is changes
            and (changes is None or self.changes_revision == changes.revision)
        )


@record
class _SeenModules:
    """The value of a module call when it was last read. It stays valid while every output of every instance is the
    recorded one, or is still missing."""

    repetition: Repetition
    instances: Sequence[ModuleInstance]
    outputs: Sequence[OutputState | None]
    values: Sequence[Value]
    value: Value


class NamedValues:
    """The values of the names of one module instance."""

    __slots__ = ("_context", "_is_validating", "_module", "_node", "_seen_modules", "_seen_resources")

    def __init__(self, context: WalkContext, module: ModuleInstance, node: ConfigTree) -> None:
        self._context = context
        self._module = module
        self._node = node
        self._is_validating = context.operation is Operation.VALIDATE
        self._seen_resources: dict[Resource, _SeenResource] = {}
        self._seen_modules: dict[str, _SeenModules] = {}

    def variable(self, name: str) -> Value:
        declaration = self._node.module.variables[name]
        if self._is_validating:
            return declaration.unknown_value()
        return self._context.variables.get((self._module, name), DYNAMIC_UNKNOWN)

    def local(self, name: str) -> Value:
        return self._context.working.locals.get((self._module, name), DYNAMIC_UNKNOWN)

    def path(self, name: str) -> Value:
        if name == "cwd":
            return string(str(self._context.world.files.working_directory))
        return string("." if name == "root" else self._node.module.directory)

    def terraform(self, name: str) -> Value:
        if name == "workspace":
            return string("default")
        return (TRUE if self._context.operation.is_applying else FALSE).mark(EPHEMERAL)

    def resource(self, resource: Resource) -> Value:
        if self._is_validating:
            return self._validated_resource(resource)
        address = AbsResource(self._module, resource)
        if self._context.unsettled and address in self._context.unsettled:
            return DYNAMIC_UNKNOWN
        record = self._context.working.resources.get(address)
        if record is None:
            return self._without_record(resource)
        changes = self._context.changes.of_resource(address)
        seen = self._seen_resources.get(resource)
        if seen is None or not seen.is_current(record, changes):
            instances = self._read_instances(resource, record, changes, seen.instances if seen is not None else {})
            value = self._combine_instances(resource, instances)
            revision = changes.revision if changes is not None else 0
            seen = _SeenResource(record, record.revision, changes, revision, instances, value)
            self._seen_resources[resource] = seen
        return seen.value

    def _validated_resource(self, resource: Resource) -> Value:
        """Return an unknown value. While validating, a repeated resource may have any number of instances."""
        value = self._validated_value(resource)
        return value.mark(EPHEMERAL) if resource.mode is ResourceMode.EPHEMERAL else value

    def _validated_value(self, resource: Resource) -> Value:
        if not self._context.flavour.validation_knows_resource_types:
            return DYNAMIC_UNKNOWN
        block, schema = self._node.module.resources[resource], self._context.block_of(self._node, resource)
        value = DYNAMIC_UNKNOWN
        if block.count is None and block.for_each is None and schema is not None:
            types = implied_type(schema).attributes
            attributes = object_of({name: unknown(attribute) for name, attribute in types.items()})
            marked = mark_sensitive(attributes, schema)
            marked = mark_deprecated_parts(marked, schema, resource, self._context.flavour)
            is_marked = marked is not attributes and block.enabled is None
            value = marked if is_marked else unknown(implied_type(schema))
        return value

    def _without_record(self, resource: Resource) -> Value:
        """Return the value of a resource that the working state does not have. Planning and applying remove the record
        of a resource without instances; in other operations it may have some, which are only not known yet. An
        ephemeral resource has no record, so its expansion decides whether it is enabled."""
        block = self._node.module.resources[resource]
        is_settled = self._context.operation in (Operation.PLAN, Operation.APPLY)
        if block.enabled is None or block.repetition is not None:
            is_known = is_settled or resource.mode is ResourceMode.EPHEMERAL
            return _WITHOUT_RECORD[block.repetition] if is_known else DYNAMIC_UNKNOWN
        if resource.mode is ResourceMode.EPHEMERAL:
            is_settled = self._context.expander.known_resource(AbsResource(self._module, resource)) is not None
        return self._null_instance(resource) if is_settled else self._unknown_instance(resource)

    def _read_instances(
        self,
        resource: Resource,
        record: ResourceState,
        changes: ResourceChanges | None,
        earlier: Mapping[InstanceKey, _SeenInstance],
    ) -> dict[InstanceKey, _SeenInstance]:
        planned = changes.objects if changes is not None else {}
        found = {}
        for key, instance in record.instances.items():
            current, change = instance.current, planned.get((key, None))
            seen = earlier.get(key)
            if seen is None or seen.current is not current or seen.change is not change:
                seen = _SeenInstance(current, change, self._instance_value(resource, current, change))
            found[key] = seen
        return found

    def _combine_instances(self, resource: Resource, instances: Mapping[InstanceKey, _SeenInstance]) -> Value:
        """Combine all instances into one value, in the shape that the repetition of the block implies."""
        block = self._node.module.resources[resource]
        repetition = block.repetition
        values = {key: seen.value for key, seen in instances.items() if seen.value is not None}
        if repetition == "for_each":
            return object_of({key: value for key, value in values.items() if isinstance(key, str)})
        if repetition == "count":
            length = max((key + 1 for key in values if isinstance(key, int)), default=0)
            missing = self._unknown_instance(resource)
            return tuple_of([values.get(index, missing) for index in range(length)])
        if None in values:
            return values[None]
        return self._unknown_instance(resource) if block.enabled is None else self._null_instance(resource)

    def _null_instance(self, resource: Resource) -> Value:
        """Return the value of a disabled resource."""
        return null(self._unknown_instance(resource).type)

    def _unknown_instance(self, resource: Resource) -> Value:
        """Return an instance that does not exist (yet): unknown, of the type it will have."""
        schema = self._context.block_of(self._node, resource)
        return DYNAMIC_UNKNOWN if schema is None else unknown(implied_type(schema))

    def _instance_value(
        self, resource: Resource, current: InstanceObject | None, change: ResourceChange | None
    ) -> Value | None:
        destroying = self._context.operation is Operation.DESTROY
        if change is not None and change.action is Action.DELETE and not destroying:
            return None
        if current is None:
            return self._unknown_instance(resource)
        schema = self._context.block_of(self._node, resource)
        planned = change.after if change is not None and current.status is ObjectStatus.PLANNED else None
        if schema is None:
            return DYNAMIC_UNKNOWN if planned is None else planned
        value = object_value(current, schema) if planned is None else mark_sensitive(planned, schema)
        return mark_deprecated_parts(value, schema, resource, self._context.flavour)

    def module(self, name: str) -> Value:
        if self._is_validating:
            return self._validated_module(name)
        if self._context.unsettled and self._module.child(name) in self._context.unsettled:
            return DYNAMIC_UNKNOWN
        repetition = self._context.expander.call(self._module, name)
        seen = self._seen_modules.get(name)
        if seen is None or seen.repetition is not repetition:
            instances = [self._module.child(name, key) for key in repetition.keys]
            seen = _SeenModules(repetition, instances, (), (), DYNAMIC_UNKNOWN)
        child = self._node.children[name]
        outputs = self._recorded_outputs(child, seen.instances)
        if not seen.values or not all(map(is_, outputs, seen.outputs)):
            seen = self._read_modules(child, seen, outputs)
            self._seen_modules[name] = seen
        return seen.value

    def _recorded_outputs(self, child: ConfigTree, instances: Sequence[ModuleInstance]) -> list[OutputState | None]:
        """Return the outputs of all instances, one instance after the other; None for an output that is not evaluated
        yet."""
        names, recorded_of = child.module.outputs, self._context.working.outputs_of
        return [recorded.get(name) for instance in instances for recorded in (recorded_of(instance),) for name in names]

    def _read_modules(
        self, child: ConfigTree, seen: _SeenModules, outputs: Sequence[OutputState | None]
    ) -> _SeenModules:
        """Compute the value again. Only instances with a new output are rebuilt. A module with `enabled` is null as
        long as it has no output: whether it is disabled or declares none makes no difference."""
        width = len(child.module.outputs)
        values = []
        for number in range(len(seen.instances)):
            part = slice(number * width, (number + 1) * width)
            if seen.values and all(map(is_, outputs[part], seen.outputs[part])):
                values.append(seen.values[number])
            else:
                values.append(self._module_value(child, seen.instances[number], outputs[part]))
        is_absent = seen.repetition.kind == "enabled" and all(output is None for output in outputs)
        value = NULL_DYNAMIC if is_absent else _combine_modules(seen.repetition, values)
        return _SeenModules(seen.repetition, seen.instances, outputs, values, value)

    def _module_value(
        self, child: ConfigTree, instance: ModuleInstance, outputs: Sequence[OutputState | None]
    ) -> Value:
        """Return the outputs recorded so far as an object; outputs that are not evaluated yet are unknown."""
        values: dict[str, Value] = {}
        for (name, declaration), recorded in zip(child.module.outputs.items(), outputs, strict=True):
            value = recorded.value if recorded is not None else DYNAMIC_UNKNOWN
            values[name] = value.with_marks(self._output_marks(instance, declaration))
        return object_of(values)

    def _output_marks(self, instance: ModuleInstance, output: OutputBlock) -> Marks:
        """Return the marks that the declaration of an output adds.

        Quirk `planned-outputs-have-one-mark`: while planning, each kind of mark takes the place of the one before.
        """
        marks: list[Hashable] = []
        if output.sensitive and self._context.flavour.sensitive_outputs_mark_values:
            marks.append(SENSITIVE)
        if output.ephemeral:
            marks.append(EPHEMERAL)
        if output.deprecated:
            marks.append(Deprecation(f"{instance.steps[-1]}.{output.name}", output.deprecated))
        return frozenset(marks[-1:] if self._context.operation.is_planning else marks)

    def _validated_module(self, name: str) -> Value:
        """Return an unknown value: while validating, outputs may have any value, and a repeated module any number of
        instances."""
        child = self._node.children.get(name)
        if child is None:
            return DYNAMIC_UNKNOWN
        one = ObjectType(dict.fromkeys(sorted(child.module.outputs), DYNAMIC))
        match self._node.module.module_calls[name].repetition:
            case "count":
                return unknown(ListType(one))
            case "for_each":
                return unknown(MapType(one))
            case None:
                return unknown(one)


def _combine_modules(repetition: Repetition, values: Sequence[Value]) -> Value:
    if repetition.kind == "count":
        return tuple_of(values)
    if repetition.kind == "for_each":
        return object_of({str(key): value for key, value in zip(repetition.keys, values, strict=True)})
    return values[0]
