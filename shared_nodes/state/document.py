"""The published JSON form of a state (`show -json`, format version 1.0), and the parts that plans share with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Final

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.providers.schema import ResourceSchema
from shared_nodes.record import record
from shared_nodes.state.file import Schemas, identity_members, schema_of
from shared_nodes.state.model import CheckedObject, CheckResult, InstanceObject, ObjectStatus, ResourceState, State
from shared_nodes.state.object_values import object_value
from shared_nodes.state.stored_addresses import parse_instance
from shared_nodes.values.json import JsonNumber, Tree, sensitive_shape, type_to_json, value_to_json

__all__ = [
    "MissingSchemaError",
    "ModuleRecords",
    "SchemaVersionError",
    "checks_document",
    "key_to_json",
    "require_current_versions",
    "resource_record",
    "state_document",
]

FORMAT_VERSION: Final = "1.0"


class MissingSchemaError(Exception):
    """An object cannot be shown without the schema of its type, which determines the meaning of its JSON."""

    def __init__(self, address: AbsResourceInstance, source: ProviderSource) -> None:
        super().__init__(f"no schema found for {address} (in provider {source})")


class SchemaVersionError(Exception):
    """An object was stored with another version of its schema. Only its provider could read it."""


def require_current_versions(state: State, schemas: Schemas) -> None:
    """Raise SchemaVersionError if an object in a file that is only shown needs an upgrade first."""
    for address in sorted(state.resources, key=lambda resource: resource.sort_key):
        resource = state.resources[address]
        schema = schema_of(schemas, resource.provider, address.resource)
        for key in resource.keys_in_order() if schema is not None else ():
            instance = resource.instances[key]
            for stored in filter(None, [instance.current, *instance.deposed.values()]):
                if schema is not None and stored.value is None and stored.schema_version != schema.version:
                    raise SchemaVersionError(
                        f"schema version {stored.schema_version} for {address.instance(key)} in state does not match "
                        f"version {schema.version} from the provider"
                    )


def state_document(
    state: State, schemas: Schemas, flavour: Flavour = TERRAFORM_1_11, written_by: str = ""
) -> dict[str, Tree]:
    """Return the JSON form of a state. `written_by` is the version named in the state's file; the flavour's version is
    used for a state that has not been saved. An empty state has no values. Raises MissingSchemaError, and JsonError for
    attributes that do not fit their schema."""
    document: dict[str, Tree] = {
        "format_version": FORMAT_VERSION,
        "terraform_version": written_by or flavour.version,
    }
    if not state.is_empty:
        values: dict[str, Tree] = {}
        if state.outputs:
            values["outputs"] = {name: _output(state, name) for name in sorted(state.outputs)}
        values["root_module"] = _modules(state, schemas)
        document["values"] = values
    if state.check_results:
        document["checks"] = checks_document(state.check_results)
    return document


def _output(state: State, name: str) -> Tree:
    output = state.outputs[name]
    value = output.value.unmark_deep()[0]
    document: dict[str, Tree] = {"sensitive": output.sensitive}
    if output.deprecated:
        document["deprecated"] = output.deprecated
    return {**document, "value": value_to_json(value), "type": type_to_json(value.type)}


# The tree of modules


@record(frozen=False)
class ModuleRecords:
    """Resource records grouped by module instance. Intermediate modules are included even if they are empty."""

    _records: dict[ModuleInstance, list[Tree]] = field(default_factory=lambda: {ROOT_INSTANCE: []})

    def ensure_module(self, module: ModuleInstance) -> list[Tree]:
        for depth in range(1, len(module.steps)):
            self._records.setdefault(ModuleInstance(module.steps[:depth]), [])
        return self._records.setdefault(module, [])

    def add(self, module: ModuleInstance, record: Tree) -> None:
        self.ensure_module(module).append(record)

    def document(self, order: Callable[[list[Tree]], list[Tree]] = list) -> Tree:
        """Build the tree of modules. Children are ordered by their printed address, resources by `order`, in which
        states and plans differ."""
        children: dict[ModuleInstance, list[ModuleInstance]] = {}
        for module in self._records:
            if module.steps:
                children.setdefault(module.parent, []).append(module)
        return self._document_of(ROOT_INSTANCE, children, order)

    def _document_of(
        self,
        module: ModuleInstance,
        children: Mapping[ModuleInstance, list[ModuleInstance]],
        order: Callable[[list[Tree]], list[Tree]],
    ) -> dict[str, Tree]:
        tree: dict[str, Tree] = {}
        if self._records[module]:
            tree["resources"] = order(self._records[module])
        if module.steps:
            tree["address"] = str(module)
        inside = sorted(children.get(module, ()), key=str)
        below: list[Tree] = [self._document_of(child, children, order) for child in inside]
        if below:
            tree["child_modules"] = below
        return tree


def _modules(state: State, schemas: Schemas) -> Tree:
    modules = ModuleRecords()
    for address in sorted(state.resources, key=lambda resource: resource.sort_key):
        resource = state.resources[address]
        records = modules.ensure_module(address.module)
        schema = schema_of(schemas, resource.provider, address.resource)
        for key in resource.keys_in_order():
            records.extend(_instance_records(address.instance(key), resource, key, schema))
    return modules.document()


def _instance_records(
    address: AbsResourceInstance, resource: ResourceState, key: InstanceKey, schema: ResourceSchema | None
) -> Iterable[Tree]:
    instance = resource.instances[key]
    objects = [(None, instance.current), *sorted(instance.deposed.items())]
    for deposed, stored in objects:
        if stored is None or stored.status is ObjectStatus.PLANNED:
            continue
        if schema is None:
            raise MissingSchemaError(address, resource.provider.source)
        yield _state_record(address, resource.provider.source, schema, stored, deposed)


def _state_record(
    address: AbsResourceInstance,
    source: ProviderSource,
    schema: ResourceSchema,
    stored: InstanceObject,
    deposed: str | None,
) -> Tree:
    record = resource_record(address, source)
    value = object_value(stored, schema.block)
    version = stored.schema_version if stored.value is None else schema.version
    record["schema_version"] = JsonNumber(str(version))
    if not value.is_null:
        record["values"] = value_to_json(value.unmark_deep()[0])
    record["sensitive_values"] = sensitive_shape(value)
    if stored.dependencies:
        record["depends_on"] = [*ConfigResource.texts(stored.dependencies)]
    if stored.status is ObjectStatus.TAINTED:
        record["tainted"] = True
    if deposed:
        record["deposed_key"] = deposed
    return record | (identity_members(stored.identity, schema) or {**stored.stored_identity})


def resource_record(address: AbsResourceInstance, source: ProviderSource) -> dict[str, Tree]:
    """Return the fields with which every record of a resource instance begins."""
    resource = address.resource
    record: dict[str, Tree] = {
        "address": str(address),
        "mode": resource.mode.value,
        "type": resource.type,
        "name": resource.name,
    }
    if address.key is not None:
        record["index"] = key_to_json(address.key)
    record["provider_name"] = str(source)
    return record


def key_to_json(key: InstanceKey) -> Tree:
    return JsonNumber(str(key)) if isinstance(key, int) else key


# Checks


def checks_document(results: Iterable[CheckResult]) -> Tree:
    documents = [_check(result) for result in sorted(results, key=lambda result: result.address)]
    return [*documents]


_PUBLISHED_KINDS: Final = {"output": "output_value"}


def _check(result: CheckResult) -> Tree:
    module, name = _split(result.kind, result.address)
    address: dict[str, Tree] = {"kind": _PUBLISHED_KINDS.get(result.kind, result.kind), "name": name}
    if result.kind == "resource":
        resource = parse_instance(result.address).resource
        address |= {"mode": resource.mode.value, "type": resource.type, "name": resource.name}
    if module:
        address["module"] = module
    address["to_display"] = result.address
    document: dict[str, Tree] = {"address": _sorted_by_name(address), "status": result.status}
    if result.objects:
        ordered = sorted(result.objects, key=lambda checked: checked.address)
        document["instances"] = [_checked_object_document(result.kind, checked) for checked in ordered]
    return document


def _checked_object_document(kind: str, checked: CheckedObject) -> Tree:
    module, _ = _split(kind, checked.address)
    address: dict[str, Tree] = {"to_display": checked.address}
    if module:
        address["module"] = module
    if kind == "resource" and (key := parse_instance(checked.address).key) is not None:
        address["instance_key"] = key_to_json(key)
    document: dict[str, Tree] = {"address": _sorted_by_name(address), "status": checked.status}
    if checked.failures:
        document["problems"] = [{"message": message} for message in sorted(checked.failures)]
    return document


def _sorted_by_name(tree: dict[str, Tree]) -> Tree:
    return {name: tree[name] for name in sorted(tree)}


def _split(kind: str, address: str) -> tuple[str, str]:
    """Split `module.m.output.o` into module and name. A module's key may contain dots, but a name never does."""
    if kind == "resource":
        instance = parse_instance(address)
        return str(instance.module), instance.resource.name
    head, _, name = address.rpartition(".")
    return head.removesuffix(kind).removesuffix("."), name
