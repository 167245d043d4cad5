"""Writes the version 4 state file exactly as the original does, byte by byte.

Objects may be in either form, decoded or as they were read. Schemas are needed only for the decoded ones.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from shared_nodes.addresses.key import InstanceKey, key_sort
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderInstance, ProviderSource
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource, Resource, ResourceMode
from shared_nodes.providers.schema import ProviderSchema, ResourceSchema, implied_type
from shared_nodes.state.model import (
    CheckResult,
    InstanceObject,
    InstanceState,
    ObjectStatus,
    OutputState,
    ResourceState,
    State,
)
from shared_nodes.state.reading import FORMAT_VERSION, StateMeta, read_state, state_from_instance
from shared_nodes.values.json import JsonNumber, JsonWriter, Tree, path_to_json, type_to_json, value_to_json
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import marks_by_path
from shared_nodes.values.stored import unknown_as_null
from shared_nodes.values.value import Value

__all__ = [
    "Schemas",
    "StateMeta",
    "encode_object",
    "identity_members",
    "instance_to_json",
    "read_state",
    "schema_of",
    "state_content",
    "state_from_instance",
    "state_pieces",
    "write_state",
]

Schemas = Mapping[ProviderSource, ProviderSchema]


def write_state(state: State, meta: StateMeta, schemas: Schemas) -> str:
    """Return the text of the file. Raises JsonError for a value without a JSON form (an infinite number)."""
    return "".join(state_pieces(meta, state_content(state, schemas)))


def state_pieces(meta: StateMeta, content: str) -> tuple[str, ...]:
    """Return the text of the file in pieces, without joining them: a state can have hundreds of megabytes, most of them
    in `content`."""
    tree: dict[str, Tree] = {
        "version": JsonNumber(str(FORMAT_VERSION)),
        "terraform_version": meta.terraform_version,
        "serial": JsonNumber(str(meta.serial)),
        "lineage": meta.lineage,
    }
    return (f"{{\n  {JsonWriter(indent=2).members(tree)},\n  ", content, "\n}\n")


def state_content(state: State, schemas: Schemas) -> str:
    """Return the part of the file that depends only on the state's content, not on its lineage, serial or version."""
    tree: dict[str, Tree] = {
        "outputs": _outputs_to_json(state),
        "resources": _resources_to_json(state, schemas),
        "check_results": _checks_to_json(state.check_results),
    }
    return JsonWriter(indent=2).members(tree)


def _outputs_to_json(state: State) -> Tree:
    return {name: _output_to_json(state.outputs[name]) for name in sorted(state.outputs)}


def _output_to_json(output: OutputState) -> Tree:
    value = unknown_as_null(output.value.unmark_deep()[0])
    tree: dict[str, Tree] = {"value": value_to_json(value), "type": type_to_json(value.type)}
    if output.sensitive:
        tree["sensitive"] = True
    if output.deprecated:
        tree["deprecated"] = output.deprecated
    return tree


def _resources_to_json(state: State, schemas: Schemas) -> list[Tree]:
    """Return resources in the order of their printed addresses, so `module.m[10]` comes before `module.m[2]`."""
    saved = [address for address in state.resources if address.resource.mode is not ResourceMode.EPHEMERAL]
    saved.sort(key=lambda a: (str(a.module), a.resource.mode, a.resource.type, a.resource.name))
    return [_resource_to_json(address, state.resources[address], schemas) for address in saved]


def instance_to_json(
    state: State, address: AbsResourceInstance, schemas: Schemas, *, with_dependencies: bool = True
) -> Tree:
    """Return one instance in the form of the file, as a resource without other instances. None if there is no such
    instance, or nothing of it is saved because it is data still to be read."""
    resource = state.resources.get(address.containing)
    instance = resource.instances.get(address.key) if resource is not None else None
    if resource is None or instance is None:
        return None
    if not with_dependencies and instance.current is not None:
        instance = replace(instance, current=replace(instance.current, dependencies=()))
    alone = ResourceState(resource.provider, {address.key: instance})
    return _resource_to_json(address.containing, alone, schemas) if _is_saved(instance) else None


def _is_saved(instance: InstanceState) -> bool:
    return bool(instance.deposed) or (
        instance.current is not None and instance.current.status is not ObjectStatus.PLANNED
    )


def _resource_to_json(address: AbsResource, resource: ResourceState, schemas: Schemas) -> Tree:
    tree: dict[str, Tree] = {"module": str(address.module)} if address.module.steps else {}
    tree["mode"] = address.resource.mode.value
    tree["type"] = address.resource.type
    tree["name"] = address.resource.name
    has_keys = any(instance.provider_key is not None for instance in resource.instances.values())
    if not has_keys:
        tree["provider"] = str(resource.provider)
    schema = schema_of(schemas, resource.provider, address.resource)
    instances: list[Tree] = []
    for key in sorted(resource.instances, key=key_sort):
        instance = resource.instances[key]
        objects = [("", instance.current), *sorted(instance.deposed.items())]
        provider = str(ProviderInstance(resource.provider, instance.provider_key)) if has_keys else None
        instances.extend(
            _instance_to_json(key, deposed, provider, stored, schema)
            for deposed, stored in objects
            if stored is not None and stored.status is not ObjectStatus.PLANNED
        )
    tree["instances"] = instances
    return tree


def _instance_to_json(
    key: InstanceKey, deposed: str, provider: str | None, stored: InstanceObject, schema: ResourceSchema | None
) -> dict[str, Tree]:
    encoded = encode_object(stored, schema)
    tree: dict[str, Tree] = {}
    if key is not None:
        tree["index_key"] = JsonNumber(str(key)) if isinstance(key, int) else key
    if encoded.status is ObjectStatus.TAINTED:
        tree["status"] = "tainted"
    if deposed:
        tree["deposed"] = deposed
    if provider is not None:
        tree["provider"] = provider
    tree["schema_version"] = JsonNumber(str(encoded.stored_version))
    if encoded.stored_flat is None:
        tree["attributes"] = encoded.stored
    else:
        tree["attributes_flat"] = {name: encoded.stored_flat[name] for name in sorted(encoded.stored_flat)}
    tree["sensitive_attributes"] = [path_to_json(path) for path in encoded.stored_sensitive]
    if encoded.private:
        tree["private"] = base64.b64encode(encoded.private).decode()
    if encoded.dependencies:
        texts = ConfigResource.texts(encoded.dependencies)
        if encoded is not stored:
            texts.sort()
        tree["dependencies"] = cast("list[Tree]", texts)
    if encoded.create_before_destroy:
        tree["create_before_destroy"] = True
    if encoded.skip_destroy:
        tree["skip_destroy"] = True
    return {**tree, **encoded.stored_identity}


def encode_object(stored: InstanceObject, schema: ResourceSchema | None) -> InstanceObject:
    """Return the object with its attributes as JSON. An object that was never decoded is returned unchanged."""
    if stored.value is None:
        return stored
    assert schema is not None, "an object can only have been decoded with its schema"
    value, marks = stored.value.unmark_deep()
    sensitive = [path for path, found in marks_by_path(stored.value) if SENSITIVE in found] if marks else []
    return replace(
        stored,
        value=None,
        stored=value_to_json(unknown_as_null(value), implied_type(schema.block)),
        stored_version=schema.version,
        stored_sensitive=tuple(sensitive),
        schema_version=schema.version,
        identity=None,
        stored_identity=identity_members(stored.identity, schema),
    )


def identity_members(identity: Value | None, schema: ResourceSchema) -> dict[str, Tree]:
    """Return the members of a record that say how an object is identified. Unknown parts of it are not known here."""
    if identity is None:
        return {}
    version = 0 if schema.identity is None else schema.identity.version
    return {
        "identity": value_to_json(unknown_as_null(identity)),
        "identity_schema_version": JsonNumber(str(version)),
    }


def schema_of(schemas: Schemas, provider: AbsProviderConfig, resource: Resource) -> ResourceSchema | None:
    schema = schemas.get(provider.source)
    if schema is None:
        return None
    kinds = {ResourceMode.MANAGED: schema.managed, ResourceMode.DATA: schema.data}
    return kinds.get(resource.mode, schema.ephemeral).get(resource.type)


def _checks_to_json(results: Iterable[CheckResult] | None) -> Tree:
    found = list(results or ())
    return [*map(_check_to_json, found)] if found else None


def _check_to_json(result: CheckResult) -> Tree:
    objects: list[Tree] = []
    for checked in result.objects or ():
        tree: dict[str, Tree] = {"object_addr": checked.address, "status": checked.status}
        if checked.failures:
            tree["failure_messages"] = [*checked.failures]
        objects.append(tree)
    return {
        "object_kind": result.kind,
        "config_addr": result.address,
        "status": result.status,
        "objects": objects or None,
    }
