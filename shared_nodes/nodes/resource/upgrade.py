"""Stored objects, upgraded to the current schema.

The state keeps an object as it was written, with the version of its schema. Before use, its provider is called to
upgrade it, even if the version is current: only then are attributes that the schema no longer has dropped before the
call. For an older version the provider gets everything, because only the provider can convert it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.context.node_context import MovedObject, NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.provider.diagnostics import attributed
from shared_nodes.nodes.resource.instance import resource_schema
from shared_nodes.providers.contract import FlatAttributes, MoveRequest, ReadObject
from shared_nodes.providers.schema import ResourceSchema, implied_type
from shared_nodes.state.model import InstanceObject
from shared_nodes.values.json import JsonError, JsonNumber, Tree, implied_value, value_from_json, value_to_json
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import mark_at_paths, strip_marks
from shared_nodes.values.types import ListType, MapType, ObjectType, SetType, TupleType, Type
from shared_nodes.values.value import Value

__all__ = ["current_object", "without_removed_attributes"]


async def current_object(
    context: NodeContext, address: AbsResourceInstance, provider: ProviderInstance, stored: InstanceObject | None
) -> tuple[InstanceObject | None, list[Diagnostic]]:
    """Return the object with its value, or None if there is none or it cannot be read. An object that was changed in
    this run is treated like one from a state file: its provider is called every time."""
    if stored is None:
        return None, []
    schema = resource_schema(context, provider, address.resource)
    if schema is None:
        message = (
            f"no schema available for {address} while reading state; this is a bug in {context.flavour.product} and "
            "should be reported"
        )
        return None, [error(message)]
    moved = context.to_convert.get(address) if stored.value is None else None
    stored = _as_stored(stored, schema)
    if address.resource.mode is not ResourceMode.MANAGED:
        value, problems = _decode(stored, schema)
    elif moved is not None:
        converted = await _convert(context, address, provider, stored, moved)
        value, problems = converted.value, list(converted.problems)
        if context.flavour.moved_objects_are_converted_when_read:
            problems = _placed(context, address, problems)
        stored = replace(stored, private=converted.private)
    else:
        value, problems = await _upgrade(context, address, provider, stored, schema)
    if value is None or has_errors(problems):
        return None, problems
    identity, found = await _current_identity(context, address, provider, stored, schema)
    problems = [*problems, *found]
    if has_errors(found):
        return None, problems
    marked = mark_at_paths(value, [(path, frozenset((SENSITIVE,))) for path in stored.stored_sensitive])
    current = replace(
        stored,
        value=marked,
        stored=None,
        stored_flat=None,
        stored_identity={},
        identity=identity,
        stored_version=0,
        stored_sensitive=(),
        schema_version=schema.version,
    )
    return current, problems


def _as_stored(current: InstanceObject, schema: ResourceSchema) -> InstanceObject:
    if current.value is None:
        return current
    value, marks = strip_marks(current.value)
    return replace(
        current,
        value=None,
        stored=value_to_json(value, implied_type(schema.block)),
        stored_version=current.schema_version,
        stored_sensitive=tuple(path for path, found in marks if SENSITIVE in found),
    )


def _decode(stored: InstanceObject, schema: ResourceSchema) -> tuple[Value | None, list[Diagnostic]]:
    """Decode a result of a data source. It is not upgraded: if it no longer fits, it will be read again anyway."""
    wanted = implied_type(schema.block)
    try:
        return value_from_json(without_removed_attributes(stored.stored, wanted), wanted), []
    except JsonError as failure:
        return None, [error(str(failure))]


async def _convert(
    context: NodeContext,
    address: AbsResourceInstance,
    provider: ProviderInstance,
    stored: InstanceObject,
    moved: MovedObject,
) -> ReadObject:
    """Let the provider take over an object that has come from another type or another provider."""
    request = MoveRequest(
        str(moved.provider),
        moved.address.resource.type,
        stored.stored_version,
        stored.stored_attributes,
        stored.private,
        address.resource.type,
    )
    return await context.provider_of(provider).move(request)


async def _upgrade(
    context: NodeContext,
    address: AbsResourceInstance,
    provider: ProviderInstance,
    stored: InstanceObject,
    schema: ResourceSchema,
) -> tuple[Value | None, list[Diagnostic]]:
    if stored.stored_version > schema.version:
        name = str(provider.source) if context.flavour.provider_problems_name_it_fully else provider.source.type
        detail = (
            f"The current state of {address} was created by a newer provider version than is currently selected. "
            f"Upgrade the {name} provider to work with this state."
        )
        return None, [error("Resource instance managed by newer provider version", detail)]
    attributes = stored.stored_attributes
    if stored.stored_version == schema.version and not isinstance(attributes, FlatAttributes):
        attributes = without_removed_attributes(attributes, implied_type(schema.block))
    connection = context.provider_of(provider)
    answer = await connection.upgrade(address.resource.type, stored.stored_version, attributes)
    return answer.value, _placed(context, address, answer.problems)


async def _current_identity(
    context: NodeContext,
    address: AbsResourceInstance,
    provider: ProviderInstance,
    stored: InstanceObject,
    schema: ResourceSchema,
) -> tuple[Value | None, list[Diagnostic]]:
    """Return what identifies an object to its provider. What the state has is upgraded only from an older version, and
    may be of any shape: it is not looked at before it is sent."""
    if not stored.stored_identity:
        return stored.identity, []
    tree = stored.stored_identity.get("identity")
    known = 0 if schema.identity is None else schema.identity.version
    version = _identity_version(stored.stored_identity)
    if version > known:
        detail = (
            f"The current identity of {address} was created by a newer provider version than is currently selected. "
            f"Upgrade the {provider.source} provider to work with this identity."
        )
        return None, [error("Resource identity managed by newer provider version", detail)]
    if version < known:
        connection = context.provider_of(provider)
        answer = await connection.upgrade_identity(address.resource.type, version, tree)
        return answer.identity, _placed(context, address, answer.problems)
    try:
        return implied_value(tree), []
    except JsonError as failure:
        return None, [error(str(failure))]


def _identity_version(stored: Mapping[str, Tree]) -> int:
    found = stored.get("identity_schema_version")
    return int(found.text) if isinstance(found, JsonNumber) and found.text.isdecimal() else 0


def _placed(context: NodeContext, address: AbsResourceInstance, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Place problems of a provider in the block of the object."""
    block = context.config.resource(address.config)
    return attributed(problems, None if block is None else block.body, address)


def without_removed_attributes(stored: Tree, wanted: Type) -> Tree:
    """Return the stored attributes without those that the type does not have, at every depth."""
    if isinstance(stored, dict):
        if isinstance(wanted, ObjectType):
            known = wanted.attributes
            kept = {name: part for name, part in stored.items() if name in known}
            return {name: without_removed_attributes(part, known[name]) for name, part in kept.items()}
        if isinstance(wanted, MapType):
            return {name: without_removed_attributes(part, wanted.element) for name, part in stored.items()}
    if isinstance(stored, list):
        if isinstance(wanted, ListType | SetType):
            return [without_removed_attributes(part, wanted.element) for part in stored]
        if isinstance(wanted, TupleType) and len(wanted.elements) == len(stored):
            parts = zip(stored, wanted.elements, strict=True)
            return [without_removed_attributes(part, element) for part, element in parts]
    return stored
