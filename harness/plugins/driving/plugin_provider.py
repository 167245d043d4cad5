"""The provider contract, over calls to a plugin.

Each instance has a process of its own, which is started by its first call: a plugin can be configured only once. An
answer that cannot be translated is a problem in place of the value, and so is a call without an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import trio
from google.protobuf.message import DecodeError, Message
from google.protobuf.timestamp_pb2 import Timestamp

from harness.plugins.driving.failures import call_problem
from harness.plugins.driving.handshake import PluginStartError
from harness.plugins.driving.plugin_process import PluginProcess
from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.diagnostics import diagnostics_from_messages
from harness.plugins.wire.methods import Major, method_path, response_type
from harness.plugins.wire.paths import path_from_message
from harness.plugins.wire.status import RpcError, Status
from harness.plugins.wire.values import raw_state_message, value_from_message, value_message
from harness.plugins.wire.wire_error import WireError
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.function import Function
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    Imported,
    ImportedObject,
    MoveRequest,
    OpenedEphemeral,
    PlanRequest,
    PlanResponse,
    Problems,
    ReadDataRequest,
    ReadObject,
    RenewedEphemeral,
    StoredAttributes,
    UpgradedIdentity,
)
from shared_nodes.providers.schema import ProviderSchema, ResourceSchema, implied_type
from shared_nodes.values.json import Tree
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, ObjectType
from shared_nodes.values.value import NULL_DYNAMIC, Value, null

__all__ = ["PluginProvider", "call_plugin"]

StartPlugin = Callable[[], Awaitable[PluginProcess]]

_CAPABILITIES: Final = pb.ClientCapabilities(write_only_attributes_allowed=True)
"""What the engine can do: it knows write-only attributes, and it does not accept deferred actions."""


_UNREADABLE: Final = "grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data"


class _NoAnswerError(Exception):
    """There is no usable answer, and this is what is reported."""

    def __init__(self, *problems: Diagnostic) -> None:
        super().__init__(*problems)
        self.problems: Final = list(problems)


async def call_plugin(plugin: PluginProcess, call: str, request: Message) -> Any:
    """Make a call and return the message that answers it. RpcError if there is none."""
    answer = await plugin.channel.call(method_path(call, plugin.major), request.SerializeToString())
    try:
        return response_type(call, plugin.major).FromString(answer)
    except DecodeError as failure:
        raise RpcError(Status.INTERNAL, _UNREADABLE) from failure


class PluginProvider:
    """An instance of a provider. `asks_schema` says that the plugin has to be asked for its schema first, although that
    is known."""

    def __init__(
        self,
        schema: ProviderSchema,
        functions: Sequence[Function],
        start: StartPlugin,
        version: str,
        *,
        asks_schema: bool = False,
    ) -> None:
        self._schema = schema
        self._functions = functions
        self._start = start
        self._version = version
        self._asks_schema = asks_schema
        self._starting = trio.Lock()
        self._plugin: PluginProcess | None = None

    @property
    def schema(self) -> ProviderSchema:
        return self._schema

    @property
    def functions(self) -> Sequence[Function]:
        return self._functions

    # The path of every call

    async def _call(self, call: str, request: Message) -> Any:
        plugin = await self._started()
        try:
            return await call_plugin(plugin, call, request)
        except RpcError as failure:
            raise _NoAnswerError(call_problem(failure, call, plugin.major)) from failure

    async def _started(self) -> PluginProcess:
        async with self._starting:
            if self._plugin is None:
                try:
                    self._plugin = await self._start()
                    if self._asks_schema:
                        await call_plugin(self._plugin, "GetProviderSchema", pb.GetProviderSchemaRequest())
                except PluginStartError as failure:
                    raise _NoAnswerError(error(str(failure))) from failure
                except RpcError as failure:
                    raise _NoAnswerError(call_problem(failure, "GetProviderSchema", Major.SIX)) from failure
            return self._plugin

    async def _problems_of(self, call: str, make_request: Callable[[], Message]) -> Problems:
        """Make a call that is answered by diagnostics alone."""
        try:
            answer = await self._call(call, make_request())
        except _NoAnswerError as failure:
            return failure.problems
        except WireError as failure:
            return [error(str(failure))]
        return diagnostics_from_messages(answer.diagnostics)

    def _type_of(self, type_name: str) -> ObjectType:
        return _block_type(self._schema.managed, type_name, "resource type")

    def _meta(self, meta: Value) -> pb.DynamicValue | None:
        """What a provider that accepts `provider_meta` gets, null if there is none. Others get nothing."""
        if self._schema.provider_meta is None:
            return None
        ty = implied_type(self._schema.provider_meta)
        return value_message(null(ty) if meta.type is DYNAMIC else meta, ty)

    def _identity_message(self, type_name: str, identity: Value | None) -> pb.ResourceIdentityData | None:
        schema = self._schema.managed[type_name].identity
        if identity is None or schema is None:
            return None
        return pb.ResourceIdentityData(identity_data=value_message(identity, schema.type))

    def _identity_of(self, type_name: str, message: pb.ResourceIdentityData) -> Value | None:
        """Read an identity. Of a type that has none by its schema, none is read."""
        schema = self._schema.managed[type_name].identity
        if schema is None or not message.HasField("identity_data"):
            return None
        return value_from_message(message.identity_data, schema.type)

    # Configuration

    async def validate_provider_config(self, config: Value) -> Problems:
        return await self._problems_of(
            "ValidateProviderConfig",
            lambda: pb.ValidateProviderConfigRequest(config=value_message(config, implied_type(self._schema.provider))),
        )

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        return await self._problems_of(
            "ValidateResourceConfig",
            lambda: pb.ValidateResourceConfigRequest(
                type_name=type_name,
                config=value_message(config, self._type_of(type_name)),
                client_capabilities=_CAPABILITIES,
            ),
        )

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        return await self._problems_of(
            "ValidateDataResourceConfig",
            lambda: pb.ValidateDataResourceConfigRequest(
                type_name=type_name,
                config=value_message(config, _block_type(self._schema.data, type_name, "data source")),
            ),
        )

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        return await self._problems_of(
            "ValidateEphemeralResourceConfig",
            lambda: pb.ValidateEphemeralResourceConfigRequest(
                type_name=type_name,
                config=value_message(config, _block_type(self._schema.ephemeral, type_name, "ephemeral resource type")),
            ),
        )

    async def configure(self, config: Value) -> Problems:
        return await self._problems_of(
            "ConfigureProvider",
            lambda: pb.ConfigureProviderRequest(
                terraform_version=self._version,
                config=value_message(config, implied_type(self._schema.provider)),
                client_capabilities=_CAPABILITIES,
            ),
        )

    # Reading

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        try:
            ty = self._type_of(type_name)
            request = pb.UpgradeResourceStateRequest(
                type_name=type_name, version=version, raw_state=raw_state_message(attributes)
            )
            answer = await self._call("UpgradeResourceState", request)
            return _read_object(answer, answer.upgraded_state, ty, b"")
        except (_NoAnswerError, WireError) as failure:
            return ReadObject(None, problems=_reported(failure))

    async def upgrade_identity(self, type_name: str, version: int, stored: Tree) -> UpgradedIdentity:
        try:
            request = pb.UpgradeResourceIdentityRequest(
                type_name=type_name, version=version, raw_identity=raw_state_message(stored)
            )
            answer = await self._call("UpgradeResourceIdentity", request)
            identity = self._identity_of(type_name, answer.upgraded_identity)
        except (_NoAnswerError, WireError) as failure:
            return UpgradedIdentity(None, _reported(failure))
        problems = diagnostics_from_messages(answer.diagnostics)
        if identity is None and not has_errors(problems):
            detail = (
                f"The provider returned a nil identity for {quoted(type_name)} after UpgradeResourceIdentity without "
                "reporting an error. This is a bug in the provider."
            )
            problems.append(error("Provider returned no identity after upgrade", detail))
        return UpgradedIdentity(identity, problems)

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        try:
            ty = self._type_of(type_name)
            request = pb.ReadResourceRequest(
                type_name=type_name,
                current_state=value_message(current, ty),
                private=private,
                provider_meta=self._meta(provider_meta),
                client_capabilities=_CAPABILITIES,
                current_identity=self._identity_message(type_name, identity),
            )
            answer = await self._call("ReadResource", request)
            found = _read_object(answer, answer.new_state, ty, answer.private)
            return replace(found, identity=self._identity_of(type_name, answer.new_identity))
        except (_NoAnswerError, WireError) as failure:
            return ReadObject(None, private, _reported(failure))

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        return await self._import(
            type_name,
            lambda: pb.ImportResourceStateRequest(
                type_name=type_name, id=identifier, client_capabilities=_CAPABILITIES
            ),
        )

    async def import_by_identity(self, type_name: str, identity: Value) -> Imported:
        return await self._import(
            type_name,
            lambda: pb.ImportResourceStateRequest(
                type_name=type_name,
                identity=self._identity_message(type_name, identity),
                client_capabilities=_CAPABILITIES,
            ),
        )

    async def _import(self, type_name: str, make_request: Callable[[], Message]) -> Imported:
        try:
            answer = await self._call("ImportResourceState", make_request())
            ty = self._type_of(type_name)
        except (_NoAnswerError, WireError) as failure:
            return Imported((), _reported(failure))
        problems = diagnostics_from_messages(answer.diagnostics)
        objects: list[ImportedObject] = []
        for one in answer.imported_resources:
            try:
                value, identity = value_from_message(one.state, ty), self._identity_of(type_name, one.identity)
                objects.append(ImportedObject(one.type_name, value, one.private, identity))
            except WireError as failure:
                problems += _reported(failure)
        return Imported(objects, problems, answer.HasField("deferred"))

    async def move(self, request: MoveRequest) -> ReadObject:
        try:
            ty = self._type_of(request.target_type_name)
            answer = await self._call(
                "MoveResourceState",
                pb.MoveResourceStateRequest(
                    source_provider_address=request.source_provider,
                    source_type_name=request.source_type_name,
                    source_schema_version=request.source_schema_version,
                    source_state=raw_state_message(request.source_attributes),
                    target_type_name=request.target_type_name,
                    source_private=request.source_private,
                ),
            )
            return _read_object(answer, answer.target_state, ty, answer.target_private)
        except (_NoAnswerError, WireError) as failure:
            return ReadObject(None, problems=_reported(failure))

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        try:
            ty = _block_type(self._schema.data, request.type_name, "data source")
            answer = await self._call(
                "ReadDataSource",
                pb.ReadDataSourceRequest(
                    type_name=request.type_name,
                    config=value_message(request.config, ty),
                    provider_meta=self._meta(request.provider_meta),
                    client_capabilities=_CAPABILITIES,
                ),
            )
            return _read_object(answer, answer.state, ty, b"")
        except (_NoAnswerError, WireError) as failure:
            return ReadObject(None, problems=_reported(failure))

    # Changing

    async def plan(self, request: PlanRequest) -> PlanResponse:
        try:
            ty = self._type_of(request.type_name)
            answer = await self._call(
                "PlanResourceChange",
                pb.PlanResourceChangeRequest(
                    type_name=request.type_name,
                    prior_state=value_message(request.prior, ty),
                    proposed_new_state=value_message(request.proposed, ty),
                    config=value_message(request.config, ty),
                    prior_private=request.prior_private,
                    provider_meta=self._meta(request.provider_meta),
                    client_capabilities=_CAPABILITIES,
                    prior_identity=self._identity_message(request.type_name, request.prior_identity),
                ),
            )
            identity = self._identity_of(request.type_name, answer.planned_identity)
        except (_NoAnswerError, WireError) as failure:
            return PlanResponse(None, problems=_reported(failure))
        planned = _read_object(answer, answer.planned_state, ty, answer.planned_private)
        return PlanResponse(
            planned.value,
            [path_from_message(path) for path in answer.requires_replace],
            planned.private,
            planned.problems,
            legacy_types=answer.legacy_type_system,
            deferred=planned.deferred,
            identity=identity,
        )

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        try:
            ty = self._type_of(request.type_name)
            answer = await self._call(
                "ApplyResourceChange",
                pb.ApplyResourceChangeRequest(
                    type_name=request.type_name,
                    prior_state=value_message(request.prior, ty),
                    planned_state=value_message(request.planned, ty),
                    config=value_message(request.config, ty),
                    planned_private=request.planned_private,
                    provider_meta=self._meta(request.provider_meta),
                    planned_identity=self._identity_message(request.type_name, request.planned_identity),
                ),
            )
            identity = self._identity_of(request.type_name, answer.new_identity)
        except (_NoAnswerError, WireError) as failure:
            return ApplyResponse(None, request.planned_private, _reported(failure))
        applied = _read_object(answer, answer.new_state, ty, answer.private)
        legacy = answer.legacy_type_system
        return ApplyResponse(applied.value, applied.private, applied.problems, legacy_types=legacy, identity=identity)

    # Ephemeral resources

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        try:
            ty = _block_type(self._schema.ephemeral, type_name, "ephemeral resource type")
            request = pb.OpenEphemeralResourceRequest(
                type_name=type_name, config=value_message(config, ty), client_capabilities=_CAPABILITIES
            )
            answer = await self._call("OpenEphemeralResource", request)
            opened = _read_object(answer, answer.result, ty, answer.private)
            renew_at = _moment(answer.renew_at) if answer.HasField("renew_at") else None
            return OpenedEphemeral(opened.value, opened.private, opened.problems, renew_at, opened.deferred)
        except (_NoAnswerError, WireError) as failure:
            return OpenedEphemeral(None, problems=_reported(failure))

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        try:
            request = pb.RenewEphemeralResourceRequest(type_name=type_name, private=private)
            answer = await self._call("RenewEphemeralResource", request)
            renew_at = _moment(answer.renew_at) if answer.HasField("renew_at") else None
            return RenewedEphemeral(answer.private, renew_at, diagnostics_from_messages(answer.diagnostics))
        except (_NoAnswerError, WireError) as failure:
            return RenewedEphemeral(private, problems=_reported(failure))

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        return await self._problems_of(
            "CloseEphemeralResource",
            lambda: pb.CloseEphemeralResourceRequest(type_name=type_name, private=private),
        )

    # The end

    async def stop(self) -> None:
        """Ask the plugin to give up calls that wait. It stays, and so does this instance."""
        plugin = self._plugin
        if plugin is not None and not plugin.channel.is_closed:
            with suppress(RpcError):
                await call_plugin(plugin, "StopProvider", pb.StopProviderRequest())

    async def close(self) -> None:
        plugin, self._plugin = self._plugin, None
        if plugin is not None:
            await plugin.close()


def _block_type(schemas: Any, type_name: str, noun: str) -> ObjectType:
    schema: ResourceSchema | None = schemas.get(type_name)
    if schema is None:
        raise WireError(f"unknown {noun} {quoted(type_name)}")
    return implied_type(schema.block)


def _read_object(answer: Any, message: pb.DynamicValue, ty: ObjectType, private: bytes) -> ReadObject:
    """Translate an answer with a value. Its diagnostics are reported, whatever the value is."""
    problems = diagnostics_from_messages(answer.diagnostics)
    deferred = "deferred" in answer.DESCRIPTOR.fields_by_name and answer.HasField("deferred")
    try:
        return ReadObject(value_from_message(message, ty), private, problems, deferred)
    except WireError as failure:
        return ReadObject(None, private, [*problems, *_reported(failure)], deferred)


def _reported(failure: _NoAnswerError | WireError) -> list[Diagnostic]:
    return failure.problems if isinstance(failure, _NoAnswerError) else [error(str(failure))]


def _moment(message: Timestamp) -> datetime:
    try:
        return message.ToDatetime(tzinfo=UTC)
    except (ValueError, OverflowError) as failure:
        raise WireError("the time of the next renewal is out of range") from failure
