"""Each call of the protocol as a call of the provider contract.

What a binary sends is read by the schema of the provider, and its answer written by it. Two things of the contract do
not cross the wire. The address of an object is not sent, so `owner_of` has to find one where ids depend on it. And a
provider that no longer responds has no diagnostic to send: the call gets no answer, and the binary words that itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Final

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.diagnostics import diagnostic_messages
from harness.plugins.wire.functions import function_message
from harness.plugins.wire.methods import Major
from harness.plugins.wire.paths import path_message
from harness.plugins.wire.schemas import identity_schemas_message, provider_schema_message
from harness.plugins.wire.status import RpcError, Status
from harness.plugins.wire.values import value_from_message, value_message
from harness.simulation.simcloud.faulty import is_no_response
from shared_nodes.lang.function import ArgumentError, FunctionError
from shared_nodes.providers.contract import (
    ApplyRequest,
    FlatAttributes,
    MoveRequest,
    PlanRequest,
    Problems,
    Provider,
    ReadDataRequest,
    StoredAttributes,
)
from shared_nodes.providers.schema import ProviderSchema, SchemaBlock, implied_type
from shared_nodes.record import record
from shared_nodes.values.json import loads
from shared_nodes.values.types import DYNAMIC, ObjectType, Type
from shared_nodes.values.value import NULL_DYNAMIC, Value, object_of, unknown

__all__ = ["ANSWERS", "Answer", "OwnerOf", "ServedProvider"]

OwnerOf = Callable[[str, Value], str]
"""Finds the address of a new object by its type and its planned value."""


@record
class ServedProvider:
    provider: Provider
    major: Major = Major.SIX
    owner_of: OwnerOf = lambda _type_name, _planned: ""

    @property
    def schema(self) -> ProviderSchema:
        return self.provider.schema

    def managed_type(self, type_name: str) -> Type:
        return implied_type(self.schema.managed[type_name].block)

    def identity(self, type_name: str, message: pb.ResourceIdentityData) -> Value | None:
        schema = self.schema.managed[type_name].identity
        if schema is None or not message.HasField("identity_data"):
            return None
        return value_from_message(message.identity_data, schema.type)

    def identity_message(self, type_name: str, identity: Value | None) -> pb.ResourceIdentityData | None:
        schema = self.schema.managed[type_name].identity
        if identity is None or schema is None:
            return None
        return pb.ResourceIdentityData(identity_data=value_message(identity, schema.type))

    def meta(self, message: pb.DynamicValue) -> Value:
        block = self.schema.provider_meta
        return NULL_DYNAMIC if block is None else value_from_message(message, implied_type(block))


Answer = Callable[[ServedProvider, Any], Awaitable[Message]]


def _configuration(block: SchemaBlock, message: pb.DynamicValue) -> Value:
    """Read a configuration. One that is unknown as a whole, which no engine of ours sends, becomes an object of unknown
    attributes: simulated providers look at these."""
    type_of_block = implied_type(block)
    value = value_from_message(message, type_of_block)
    if value.is_known or not isinstance(type_of_block, ObjectType):
        return value
    return object_of({name: unknown(ty) for name, ty in type_of_block.attributes.items()})


def _written(value: Value | None, ty: Type) -> pb.DynamicValue | None:
    """Write a value; where problems left none, the field stays empty, which counts as null."""
    return None if value is None else value_message(value, ty)


def _told(problems: Problems) -> list[pb.Diagnostic]:
    if any(map(is_no_response, problems)):
        raise RpcError(Status.UNAVAILABLE, "the provider has crashed")
    return diagnostic_messages(problems)


def _stored(message: pb.RawState) -> StoredAttributes:
    if not message.json:
        return FlatAttributes(dict(message.flatmap))
    return loads(message.json.decode("utf-8", "surrogateescape"))


# What the provider offers


async def _get_provider_schema(at: ServedProvider, _request: pb.GetProviderSchemaRequest) -> Message:
    return provider_schema_message(at.schema, at.provider.functions, at.major)


async def _get_identity_schemas(at: ServedProvider, _request: pb.GetResourceIdentitySchemasRequest) -> Message:
    return identity_schemas_message(at.schema)


async def _get_functions(at: ServedProvider, _request: pb.GetFunctionsRequest) -> Message:
    return pb.GetFunctionsResponse(functions={one.name: function_message(one) for one in at.provider.functions})


async def _call_function(at: ServedProvider, request: pb.CallFunctionRequest) -> Message:
    function = next((one for one in at.provider.functions if one.name == request.name), None)
    if function is None:
        return pb.CallFunctionResponse(error=pb.FunctionError(text=f"there is no function {request.name}"))
    given = enumerate(request.arguments)
    try:
        arguments = [value_from_message(message, function.parameter_at(index).type) for index, message in given]
        result = function.call(arguments)
    except ArgumentError as failure:
        return pb.CallFunctionResponse(error=pb.FunctionError(text=failure.message, function_argument=failure.index))
    except FunctionError as failure:
        return pb.CallFunctionResponse(error=pb.FunctionError(text=failure.message))
    announced = function.return_type if isinstance(function.return_type, Type) else DYNAMIC
    return pb.CallFunctionResponse(result=value_message(result, announced))


# Configuration


async def _validate_provider(at: ServedProvider, request: pb.ValidateProviderConfigRequest) -> Message:
    """Only protocol 5 lets a provider change its configuration here; ours do not."""
    problems = await at.provider.validate_provider_config(_configuration(at.schema.provider, request.config))
    prepared = request.config if at.major is Major.FIVE else None
    return pb.ValidateProviderConfigResponse(prepared_config=prepared, diagnostics=_told(problems))


async def _validate_resource(at: ServedProvider, request: pb.ValidateResourceConfigRequest) -> Message:
    config = _configuration(at.schema.managed[request.type_name].block, request.config)
    problems = await at.provider.validate_resource_config(request.type_name, config)
    return pb.ValidateResourceConfigResponse(diagnostics=_told(problems))


async def _validate_data(at: ServedProvider, request: pb.ValidateDataResourceConfigRequest) -> Message:
    config = _configuration(at.schema.data[request.type_name].block, request.config)
    problems = await at.provider.validate_data_config(request.type_name, config)
    return pb.ValidateDataResourceConfigResponse(diagnostics=_told(problems))


async def _validate_ephemeral(at: ServedProvider, request: pb.ValidateEphemeralResourceConfigRequest) -> Message:
    config = _configuration(at.schema.ephemeral[request.type_name].block, request.config)
    problems = await at.provider.validate_ephemeral_config(request.type_name, config)
    return pb.ValidateEphemeralResourceConfigResponse(diagnostics=_told(problems))


async def _configure(at: ServedProvider, request: pb.ConfigureProviderRequest) -> Message:
    problems = await at.provider.configure(_configuration(at.schema.provider, request.config))
    return pb.ConfigureProviderResponse(diagnostics=_told(problems))


# Managed objects


async def _upgrade(at: ServedProvider, request: pb.UpgradeResourceStateRequest) -> Message:
    answer = await at.provider.upgrade(request.type_name, request.version, _stored(request.raw_state))
    upgraded = _written(answer.value, at.managed_type(request.type_name))
    return pb.UpgradeResourceStateResponse(upgraded_state=upgraded, diagnostics=_told(answer.problems))


async def _upgrade_identity(at: ServedProvider, request: pb.UpgradeResourceIdentityRequest) -> Message:
    stored = loads(request.raw_identity.json.decode("utf-8", "surrogateescape"))
    answer = await at.provider.upgrade_identity(request.type_name, request.version, stored)
    upgraded = at.identity_message(request.type_name, answer.identity)
    return pb.UpgradeResourceIdentityResponse(upgraded_identity=upgraded, diagnostics=_told(answer.problems))


async def _read(at: ServedProvider, request: pb.ReadResourceRequest) -> Message:
    ty = at.managed_type(request.type_name)
    current, meta = value_from_message(request.current_state, ty), at.meta(request.provider_meta)
    identity = at.identity(request.type_name, request.current_identity)
    answer = await at.provider.read(request.type_name, current, request.private, meta, identity)
    return pb.ReadResourceResponse(
        new_state=_written(answer.value, ty),
        private=answer.private,
        diagnostics=_told(answer.problems),
        new_identity=at.identity_message(request.type_name, answer.identity),
    )


async def _plan(at: ServedProvider, request: pb.PlanResourceChangeRequest) -> Message:
    ty = at.managed_type(request.type_name)
    answer = await at.provider.plan(
        PlanRequest(
            request.type_name,
            value_from_message(request.prior_state, ty),
            value_from_message(request.proposed_new_state, ty),
            value_from_message(request.config, ty),
            request.prior_private,
            at.meta(request.provider_meta),
            at.identity(request.type_name, request.prior_identity),
        )
    )
    return pb.PlanResourceChangeResponse(
        planned_state=_written(answer.value, ty),
        requires_replace=map(path_message, answer.requires_replace),
        planned_private=answer.private,
        diagnostics=_told(answer.problems),
        legacy_type_system=answer.legacy_types,
        planned_identity=at.identity_message(request.type_name, answer.identity),
    )


async def _apply(at: ServedProvider, request: pb.ApplyResourceChangeRequest) -> Message:
    ty = at.managed_type(request.type_name)
    planned = value_from_message(request.planned_state, ty)
    answer = await at.provider.apply(
        ApplyRequest(
            request.type_name,
            value_from_message(request.prior_state, ty),
            planned,
            value_from_message(request.config, ty),
            request.planned_private,
            at.owner_of(request.type_name, planned),
            at.meta(request.provider_meta),
            at.identity(request.type_name, request.planned_identity),
        )
    )
    return pb.ApplyResourceChangeResponse(
        new_state=_written(answer.value, ty),
        private=answer.private,
        diagnostics=_told(answer.problems),
        legacy_type_system=answer.legacy_types,
        new_identity=at.identity_message(request.type_name, answer.identity),
    )


async def _import(at: ServedProvider, request: pb.ImportResourceStateRequest) -> Message:
    identity = at.identity(request.type_name, request.identity)
    if identity is None:
        answer = await at.provider.import_object(request.type_name, request.id)
    else:
        answer = await at.provider.import_by_identity(request.type_name, identity)
    objects = [
        pb.ImportResourceStateResponse.ImportedResource(
            type_name=one.type_name,
            state=value_message(one.value, at.managed_type(one.type_name)),
            private=one.private,
            identity=at.identity_message(one.type_name, one.identity),
        )
        for one in answer.objects
    ]
    return pb.ImportResourceStateResponse(imported_resources=objects, diagnostics=_told(answer.problems))


async def _move(at: ServedProvider, request: pb.MoveResourceStateRequest) -> Message:
    answer = await at.provider.move(
        MoveRequest(
            request.source_provider_address,
            request.source_type_name,
            request.source_schema_version,
            _stored(request.source_state),
            request.source_private,
            request.target_type_name,
        )
    )
    moved = _written(answer.value, at.managed_type(request.target_type_name))
    return pb.MoveResourceStateResponse(
        target_state=moved, target_private=answer.private, diagnostics=_told(answer.problems)
    )


# Data sources and ephemeral resources


async def _read_data(at: ServedProvider, request: pb.ReadDataSourceRequest) -> Message:
    block = at.schema.data[request.type_name].block
    given = ReadDataRequest(request.type_name, _configuration(block, request.config), at.meta(request.provider_meta))
    answer = await at.provider.read_data(given)
    return pb.ReadDataSourceResponse(
        state=_written(answer.value, implied_type(block)), diagnostics=_told(answer.problems)
    )


async def _open(at: ServedProvider, request: pb.OpenEphemeralResourceRequest) -> Message:
    block = at.schema.ephemeral[request.type_name].block
    answer = await at.provider.open_ephemeral(request.type_name, _configuration(block, request.config))
    return pb.OpenEphemeralResourceResponse(
        result=_written(answer.value, implied_type(block)),
        private=answer.private,
        renew_at=_timestamp(answer.renew_at),
        diagnostics=_told(answer.problems),
    )


async def _renew(at: ServedProvider, request: pb.RenewEphemeralResourceRequest) -> Message:
    answer = await at.provider.renew_ephemeral(request.type_name, request.private)
    return pb.RenewEphemeralResourceResponse(
        private=answer.private, renew_at=_timestamp(answer.renew_at), diagnostics=_told(answer.problems)
    )


async def _close(at: ServedProvider, request: pb.CloseEphemeralResourceRequest) -> Message:
    problems = await at.provider.close_ephemeral(request.type_name, request.private)
    return pb.CloseEphemeralResourceResponse(diagnostics=_told(problems))


def _timestamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    message = Timestamp()
    message.FromDatetime(moment)
    return message


# The end


async def _stop(at: ServedProvider, _request: pb.StopProviderRequest) -> Message:
    await at.provider.stop()
    return pb.StopProviderResponse()


ANSWERS: Final[Mapping[str, Answer]] = {
    "GetProviderSchema": _get_provider_schema,
    "GetResourceIdentitySchemas": _get_identity_schemas,
    "GetFunctions": _get_functions,
    "CallFunction": _call_function,
    "ValidateProviderConfig": _validate_provider,
    "ValidateResourceConfig": _validate_resource,
    "ValidateDataResourceConfig": _validate_data,
    "ValidateEphemeralResourceConfig": _validate_ephemeral,
    "ConfigureProvider": _configure,
    "UpgradeResourceState": _upgrade,
    "UpgradeResourceIdentity": _upgrade_identity,
    "ReadResource": _read,
    "PlanResourceChange": _plan,
    "ApplyResourceChange": _apply,
    "ImportResourceState": _import,
    "MoveResourceState": _move,
    "ReadDataSource": _read_data,
    "OpenEphemeralResource": _open,
    "RenewEphemeralResource": _renew,
    "CloseEphemeralResource": _close,
    "StopProvider": _stop,
}
"""By the name of the call. A call that is not here is unknown to the provider, which every engine can bear."""
