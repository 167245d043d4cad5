"""Schemas on the wire.

The messages of the two versions differ in one respect: only protocol 6 has nested attributes. Reading therefore accepts
either, while writing needs the version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.functions import function_message
from harness.plugins.wire.methods import Major
from harness.plugins.wire.types import type_from_wire, type_to_wire
from harness.plugins.wire.wire_error import WireError
from shared_nodes.lang.function import Function
from shared_nodes.providers.schema import (
    BlockType,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributes,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.values.paths import AttributeStep

__all__ = [
    "identity_schemas_from_message",
    "identity_schemas_message",
    "provider_schema_from_message",
    "provider_schema_message",
    "schema_from_message",
    "schema_message",
]

_NESTINGS: Final = {
    Nesting.SINGLE: pb.NESTING_SINGLE,
    Nesting.LIST: pb.NESTING_LIST,
    Nesting.SET: pb.NESTING_SET,
    Nesting.MAP: pb.NESTING_MAP,
    Nesting.GROUP: pb.NESTING_GROUP,
}
_NESTINGS_BY_NUMBER: Final[Mapping[int, Nesting]] = {int(number): nesting for nesting, number in _NESTINGS.items()}

_SchemaMessage = pb.Schema | pb.Schema5
_BlockMessage = pb.Block | pb.Block5
_AttributeMessage = pb.Attribute | pb.Attribute5
_ProviderMessage = pb.GetProviderSchemaResponse | pb.GetProviderSchemaResponse5


# To the wire


class _Messages(NamedTuple):
    """The messages of one version of the protocol. Only an attribute differs, and with it everything that holds one."""

    provider: Callable[..., _ProviderMessage]
    schema: Callable[..., _SchemaMessage]
    block: Callable[..., _BlockMessage]
    nested_block: Callable[..., pb.NestedBlock | pb.NestedBlock5]
    attribute: Callable[..., _AttributeMessage]


_MESSAGES: Final[Mapping[Major, _Messages]] = {
    Major.FIVE: _Messages(pb.GetProviderSchemaResponse5, pb.Schema5, pb.Block5, pb.NestedBlock5, pb.Attribute5),
    Major.SIX: _Messages(pb.GetProviderSchemaResponse, pb.Schema, pb.Block, pb.NestedBlock, pb.Attribute),
}


def provider_schema_message(schema: ProviderSchema, functions: Iterable[Function], major: Major) -> _ProviderMessage:
    meta = schema.provider_meta
    return _MESSAGES[major].provider(
        provider=schema_message(ResourceSchema(schema.provider), major),
        provider_meta=None if meta is None else schema_message(ResourceSchema(meta), major),
        resource_schemas=_schema_messages(schema.managed, major),
        data_source_schemas=_schema_messages(schema.data, major),
        ephemeral_resource_schemas=_schema_messages(schema.ephemeral, major),
        functions={function.name: function_message(function) for function in functions},
        server_capabilities=pb.ServerCapabilities(
            plan_destroy=schema.plans_destroy,
            get_provider_schema_optional=True,
            move_resource_state=schema.moves_state,
        ),
    )


def _schema_messages(schemas: Mapping[str, ResourceSchema], major: Major) -> dict[str, _SchemaMessage]:
    return {name: schema_message(schema, major) for name, schema in schemas.items()}


def schema_message(schema: ResourceSchema, major: Major) -> _SchemaMessage:
    """Write a schema. Nested attributes cannot be written in protocol 5."""
    return _MESSAGES[major].schema(version=schema.version, block=_block_message(schema.block, major))


def _block_message(block: SchemaBlock, major: Major) -> _BlockMessage:
    return _MESSAGES[major].block(
        attributes=[_attribute_message(name, attribute, major) for name, attribute in block.attributes.items()],
        block_types=[
            _MESSAGES[major].nested_block(
                type_name=name,
                block=_block_message(nested.block, major),
                nesting=_NESTINGS[nested.nesting],
                min_items=nested.min_items,
                max_items=nested.max_items,
            )
            for name, nested in block.block_types.items()
        ],
        deprecated=block.deprecated,
        deprecation_message=block.deprecation_message,
    )


def _attribute_message(name: str, attribute: SchemaAttribute, major: Major) -> _AttributeMessage:
    nested = {} if attribute.nested is None else {"nested_type": _nested_message(name, attribute.nested, major)}
    return _MESSAGES[major].attribute(
        name=name,
        type=b"" if attribute.type is None else type_to_wire(attribute.type),
        required=attribute.required,
        optional=attribute.optional,
        computed=attribute.computed,
        sensitive=attribute.sensitive,
        deprecated=attribute.deprecated,
        deprecation_message=attribute.deprecation_message,
        write_only=attribute.write_only,
        **nested,
    )


def _nested_message(name: str, nested: NestedAttributes, major: Major) -> pb.NestedType:
    if major is Major.FIVE:
        raise WireError("protocol 5 has no nested attributes", (AttributeStep(name),))
    message = pb.NestedType(nesting=_NESTINGS[nested.nesting])
    for inner, attribute in nested.attributes.items():
        part = _attribute_message(inner, attribute, major)
        assert isinstance(part, pb.Attribute)
        message.attributes.append(part)
    return message


def identity_schemas_message(schema: ProviderSchema) -> pb.GetResourceIdentitySchemasResponse:
    """Write the identities of all types that have one."""
    found = {name: _identity_message(one.identity) for name, one in schema.managed.items() if one.identity is not None}
    return pb.GetResourceIdentitySchemasResponse(identity_schemas=found)


def _identity_message(identity: IdentitySchema) -> pb.ResourceIdentitySchema:
    attributes = [
        pb.ResourceIdentitySchema.IdentityAttribute(
            name=name,
            type=type_to_wire(attribute.type),
            required_for_import=attribute.required,
            optional_for_import=attribute.optional,
        )
        for name, attribute in identity.attributes.items()
    ]
    return pb.ResourceIdentitySchema(version=identity.version, identity_attributes=attributes)


# From the wire


def provider_schema_from_message(message: _ProviderMessage) -> ProviderSchema:
    """Read everything a provider offers, except for its functions, which need something that calls them."""
    capabilities = message.server_capabilities
    return ProviderSchema(
        provider=_block(message.provider.block),
        managed=_schemas(message.resource_schemas),
        data=_schemas(message.data_source_schemas),
        ephemeral=_schemas(message.ephemeral_resource_schemas),
        provider_meta=_block(message.provider_meta.block) if message.HasField("provider_meta") else None,
        plans_destroy=capabilities.plan_destroy,
        moves_state=capabilities.move_resource_state,
    )


def identity_schemas_from_message(
    schema: ProviderSchema, message: pb.GetResourceIdentitySchemasResponse
) -> ProviderSchema:
    """Return the schema with the identities that a provider names in another answer. Those of types that the schema
    does not have mean nothing."""
    managed = dict(schema.managed)
    for name in sorted(message.identity_schemas.keys() & managed.keys()):
        managed[name] = replace(managed[name], identity=_identity(message.identity_schemas[name]))
    return replace(schema, managed=managed)


def _identity(message: pb.ResourceIdentitySchema) -> IdentitySchema:
    attributes = {
        one.name: IdentityAttribute(type_from_wire(one.type), one.required_for_import, one.optional_for_import)
        for one in message.identity_attributes
    }
    return IdentitySchema(attributes, message.version)


def _schemas(messages: Mapping[str, pb.Schema] | Mapping[str, pb.Schema5]) -> dict[str, ResourceSchema]:
    found: dict[str, ResourceSchema] = {}
    for name in sorted(messages):
        try:
            found[name] = schema_from_message(messages[name])
        except WireError as failure:
            raise failure.below(AttributeStep(name)) from None
    return found


def schema_from_message(message: _SchemaMessage) -> ResourceSchema:
    try:
        return ResourceSchema(_block(message.block), message.version)
    except RecursionError as failure:
        raise WireError("the schema is nested too deeply") from failure


def _block(message: _BlockMessage) -> SchemaBlock:
    block_types: dict[str, BlockType] = {}
    for nested in message.block_types:
        inner = _block(nested.block)
        nesting = _nesting(nested.nesting, nested.type_name)
        block_types[nested.type_name] = BlockType(nesting, inner, nested.min_items, nested.max_items)
    attributes = _attributes(message.attributes)
    return SchemaBlock(attributes, block_types, message.deprecated, message.deprecation_message)


def _attributes(messages: Iterable[_AttributeMessage]) -> dict[str, SchemaAttribute]:
    return {message.name: _attribute(message) for message in messages}


def _attribute(message: _AttributeMessage) -> SchemaAttribute:
    nested = None
    if isinstance(message, pb.Attribute) and message.HasField("nested_type"):
        nesting = _nesting(message.nested_type.nesting, message.name)
        nested = NestedAttributes(nesting, _attributes(message.nested_type.attributes))
    try:
        ty = type_from_wire(message.type) if nested is None else None
    except WireError as failure:
        raise failure.below(AttributeStep(message.name)) from None
    return SchemaAttribute(
        ty,
        nested,
        required=message.required,
        optional=message.optional,
        computed=message.computed,
        sensitive=message.sensitive,
        write_only=message.write_only,
        deprecated=message.deprecated,
        deprecation_message=message.deprecation_message,
    )


def _nesting(number: int, name: str) -> Nesting:
    nesting = _NESTINGS_BY_NUMBER.get(number)
    if nesting is None:
        raise WireError(f"there is no nesting mode {number}", (AttributeStep(name),))
    return nesting
