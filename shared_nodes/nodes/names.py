"""Values of names while an operation runs: variables, locals, resources and modules, from the working state.

Resources are seen as the working state has them, with planned objects in place of those that do not exist yet. An
object that is about to be deleted is not seen, except while everything is being destroyed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.resource import AbsResource, Resource
from shared_nodes.config.tree import ConfigTree
from shared_nodes.nodes.objects import object_value
from shared_nodes.plan.change import Action
from shared_nodes.providers.schema import implied_type
from shared_nodes.state.model import InstanceState, ObjectStatus
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import BOOL, DYNAMIC, ListType, MapType, ObjectType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, FALSE, TRUE, Value, object_of, string, tuple_of, unknown

if TYPE_CHECKING:
    from shared_nodes.nodes.context import NodeContext

__all__ = ["EngineNames"]


class EngineNames:
    """The names of one module instance."""

    __slots__ = ("_context", "_module", "_node")

    def __init__(self, context: NodeContext, module: ModuleInstance, node: ConfigTree) -> None:
        self._context = context
        self._module = module
        self._node = node

    @property
    def _is_validating(self) -> bool:
        return self._context.operation.value == "validate"

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
        if self._is_validating:
            return unknown(BOOL).mark(EPHEMERAL)
        return (TRUE if self._context.operation.is_applying else FALSE).mark(EPHEMERAL)

    def resource(self, resource: Resource) -> Value:
        if self._is_validating:
            return DYNAMIC_UNKNOWN
        address = AbsResource(self._module, resource)
        block = self._node.module.resources[resource]
        record = self._context.working.resources.get(address)
        if record is None:
            return {"count": tuple_of(()), "for_each": object_of({}), None: DYNAMIC_UNKNOWN}[block.repetition]
        values = {
            key: value
            for key, instance in record.instances.items()
            if (value := self._instance_value(address, key, instance)) is not None
        }
        if block.repetition == "for_each":
            return object_of({key: value for key, value in values.items() if isinstance(key, str)})
        missing = self._unknown_instance(resource)
        if block.repetition == "count":
            length = max((key + 1 for key in values if isinstance(key, int)), default=0)
            return tuple_of([values.get(index, missing) for index in range(length)])
        return values.get(None, missing)

    def _unknown_instance(self, resource: Resource) -> Value:
        """An instance that is not there (yet): of the type it will have."""
        schema = self._context.block_of(self._node, resource)
        return DYNAMIC_UNKNOWN if schema is None else unknown(implied_type(schema))

    def _instance_value(self, address: AbsResource, key: InstanceKey, instance: InstanceState) -> Value | None:
        """None for an instance that is not to be seen."""
        change = self._context.changes.of(address.instance(key))
        destroying = self._context.operation.value == "destroy"
        if change is not None and change.action is Action.DELETE and not destroying:
            return None
        current = instance.current
        if current is None:
            return self._unknown_instance(address.resource)
        if current.status is ObjectStatus.PLANNED and change is not None:
            return change.after
        schema = self._context.block_of(self._node, address.resource)
        return DYNAMIC_UNKNOWN if schema is None else object_value(current, schema)

    def module(self, name: str) -> Value:
        if self._is_validating:
            return self._validated_module(name)
        repetition = self._context.expander.call(self._module, name)
        instances = {key: self._module_value(self._module.child(name, key)) for key in repetition.keys}
        if repetition.kind == "count":
            return tuple_of(instances.values())
        if repetition.kind == "for_each":
            return object_of({str(key): value for key, value in instances.items()})
        return instances[None]

    def _module_value(self, module: ModuleInstance) -> Value:
        """Its outputs as recorded so far; those not evaluated yet are unknown."""
        child = self._context.config.at(module.path)
        assert child is not None
        outputs = self._context.working.outputs_of(module)
        values: dict[str, Value] = {}
        for name, declaration in child.module.outputs.items():
            value = outputs[name].value if name in outputs else DYNAMIC_UNKNOWN
            if declaration.sensitive and self._context.flavour.sensitive_outputs_mark_values:
                value = value.mark(SENSITIVE)
            values[name] = value.mark(EPHEMERAL) if declaration.ephemeral else value
        return object_of(values)

    def _validated_module(self, name: str) -> Value:
        """While validating, outputs may be anything, sensitive or not, and a repeated module may have any number of
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
