"""A provider plugin whose answers a test dictates, served to any client from a thread.

It has one resource type, `fake_thing`, a data source and a function of the same kind, and behaves well, except for the
calls that a test replaces. It speaks raw messages on purpose: a plugin that is written against our own provider
contract could not answer nonsense.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import trio
from google.protobuf.message import Message

from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.address import Address, listen
from harness.plugins.wire.functions import function_message
from harness.plugins.wire.methods import CALLS, Major, method_path, request_type
from harness.plugins.wire.rpc_server import Handler, serve_connections
from harness.plugins.wire.schemas import identity_schemas_message, provider_schema_message
from harness.plugins.wire.values import decode_value, encode_value, value_from_message
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.lang.function import Function, Parameter
from shared_nodes.providers.schema import (
    BlockType,
    IdentityAttribute,
    IdentitySchema,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
    implied_type,
)
from shared_nodes.values.types import NUMBER, STRING, ListType, ObjectType, SetType
from shared_nodes.values.value import TRUE, Value, null, object_of, string, unknown

__all__ = [
    "FAKE",
    "IDENTIFIED",
    "IDENTIFIED_SCHEMA",
    "SCHEMA",
    "THING",
    "WELL_BEHAVED",
    "Answer",
    "ScriptedPlugin",
    "dynamic",
    "reattach_variable",
    "served",
]

FAKE: Final = ProviderSource("dh.test", "x", "fake")

_BLOCK: Final = SchemaBlock(
    {
        "name": SchemaAttribute(STRING, required=True),
        "value": SchemaAttribute(STRING, optional=True, computed=True),
        "size": SchemaAttribute(NUMBER, optional=True),
        "id": SchemaAttribute(STRING, computed=True),
        "rules": SchemaAttribute(
            ListType(ObjectType({"port": NUMBER, "to": SetType(ObjectType({"a": STRING}))})), optional=True
        ),
        "secret": SchemaAttribute(STRING, optional=True, write_only=True),
    },
    {"part": BlockType(Nesting.LIST, SchemaBlock({"label": SchemaAttribute(STRING, required=True)}))},
)
_DATA: Final = SchemaBlock(
    {"name": SchemaAttribute(STRING, required=True), "id": SchemaAttribute(STRING, computed=True)}
)
SCHEMA: Final = ProviderSchema(
    provider=SchemaBlock({"region": SchemaAttribute(STRING, optional=True)}),
    managed={"fake_thing": ResourceSchema(_BLOCK, version=1)},
    data={"fake_thing": ResourceSchema(_DATA)},
    ephemeral={"fake_thing": ResourceSchema(_DATA)},
)
THING: Final = implied_type(_BLOCK)
_FOUND: Final = implied_type(_DATA)
_ECHO: Final = Function("echo", (Parameter("text", STRING),), STRING, lambda _arguments, _type: TRUE)

Answer = Callable[[Any], "Message | bytes | Awaitable[Message | bytes]"]
"""Answers a request by a message, or by bytes that need not be one. It may raise RpcError, or wait."""


class ScriptedPlugin:
    """One plugin for all connections. `requests` are those received, by the name of the call."""

    def __init__(self, answers: Mapping[str, Answer] | None = None, major: Major = Major.SIX) -> None:
        self.major: Final = major
        self.requests: list[tuple[str, Any]] = []
        self._answers = {**WELL_BEHAVED, "GetProviderSchema": self._schema, **(answers or {})}

    def _schema(self, _request: Message) -> Message:
        return provider_schema_message(SCHEMA, [_ECHO], self.major)

    def handler(self, method: str) -> Handler | None:
        call = next((one for one in CALLS if method_path(one, self.major) == method), None)
        return None if call is None or call not in self._answers else lambda data: self._handle(call, data)

    async def _handle(self, call: str, data: bytes) -> bytes:
        request = request_type(call).FromString(data)
        self.requests.append((call, request))
        answer = self._answers[call](request)
        if isinstance(answer, Awaitable):
            answer = await answer
        return answer if isinstance(answer, bytes) else answer.SerializeToString()

    async def close(self) -> None:
        """Nothing belongs to a connection."""


def dynamic(value: Value, ty: Any = THING) -> pb.DynamicValue:
    return pb.DynamicValue(msgpack=encode_value(value, ty))


def _object(message: pb.DynamicValue) -> Value:
    return decode_value(message.msgpack, THING)


def _changed(thing: Value, /, **parts: Value) -> Value:
    return object_of({**thing.payload, **parts})


def _plan(request: pb.PlanResourceChangeRequest) -> Message:
    proposed, prior = _object(request.proposed_new_state), _object(request.prior_state)
    if proposed.is_null:
        return pb.PlanResourceChangeResponse(planned_state=request.proposed_new_state)
    planned = _changed(proposed, secret=null(STRING))
    if proposed.payload["value"].is_null:
        planned = _changed(planned, value=unknown(STRING))
    if prior.is_null:
        planned = _changed(planned, id=unknown(STRING))
    return pb.PlanResourceChangeResponse(planned_state=dynamic(planned), planned_private=b"planned")


def _apply(request: pb.ApplyResourceChangeRequest) -> Message:
    planned = _object(request.planned_state)
    if planned.is_null:
        return pb.ApplyResourceChangeResponse(new_state=request.planned_state)
    name = planned.payload["name"].payload
    if not planned.payload["value"].is_known:
        planned = _changed(planned, value=string(f"value of {name}"))
    if not planned.payload["id"].is_known:
        planned = _changed(planned, id=string(f"id-{name}"))
    return pb.ApplyResourceChangeResponse(new_state=dynamic(planned), private=b"applied")


def _import(request: pb.ImportResourceStateRequest) -> Message:
    empty = {name: null(ty) for name, ty in THING.attributes.items()}
    value = object_of({**empty, "id": string(request.id), "part": decode_value(b"\x90", THING.attributes["part"])})
    found = pb.ImportResourceStateResponse.ImportedResource(type_name=request.type_name, state=dynamic(value))
    return pb.ImportResourceStateResponse(imported_resources=[found])


def _read_data(request: pb.ReadDataSourceRequest) -> Message:
    found = _changed(decode_value(request.config.msgpack, _FOUND), id=string("found"))
    return pb.ReadDataSourceResponse(state=dynamic(found, _FOUND))


def _open(request: pb.OpenEphemeralResourceRequest) -> Message:
    found = _changed(decode_value(request.config.msgpack, _FOUND), id=string("opened"))
    return pb.OpenEphemeralResourceResponse(result=dynamic(found, _FOUND), private=b"open")


def _upgrade(request: pb.UpgradeResourceStateRequest) -> Message:
    stored = value_from_message(pb.DynamicValue(json=request.raw_state.json), THING)
    return pb.UpgradeResourceStateResponse(upgraded_state=dynamic(stored))


WELL_BEHAVED: Final[Mapping[str, Answer]] = {
    "ValidateProviderConfig": lambda request: pb.ValidateProviderConfigResponse(prepared_config=request.config),
    "ValidateResourceConfig": lambda _request: pb.ValidateResourceConfigResponse(),
    "ValidateDataResourceConfig": lambda _request: pb.ValidateDataResourceConfigResponse(),
    "ValidateEphemeralResourceConfig": lambda _request: pb.ValidateEphemeralResourceConfigResponse(),
    "ConfigureProvider": lambda _request: pb.ConfigureProviderResponse(),
    "UpgradeResourceState": _upgrade,
    "ReadResource": lambda request: pb.ReadResourceResponse(new_state=request.current_state, private=request.private),
    "PlanResourceChange": _plan,
    "ApplyResourceChange": _apply,
    "ImportResourceState": _import,
    "ReadDataSource": _read_data,
    "OpenEphemeralResource": _open,
    "CloseEphemeralResource": lambda _request: pb.CloseEphemeralResourceResponse(),
    "GetFunctions": lambda _request: pb.GetFunctionsResponse(functions={"echo": function_message(_ECHO)}),
    "CallFunction": lambda request: pb.CallFunctionResponse(result=request.arguments[0]),
    "StopProvider": lambda _request: pb.StopProviderResponse(),
}


# Identities, which only some plugins have

_IDENTITY: Final = IdentitySchema(
    {"name": IdentityAttribute(STRING, required=True), "number": IdentityAttribute(NUMBER, optional=True)}, version=1
)
IDENTIFIED_SCHEMA: Final = replace(SCHEMA, managed={"fake_thing": ResourceSchema(_BLOCK, 1, _IDENTITY)})


def _identity(name: str) -> pb.ResourceIdentityData:
    value = object_of({"name": string(name), "number": null(NUMBER)})
    return pb.ResourceIdentityData(identity_data=dynamic(value, _IDENTITY.type))


def _identified(request: pb.ApplyResourceChangeRequest) -> Any:
    answer: Any = _apply(request)
    planned = _object(request.planned_state)
    if not planned.is_null:
        answer.new_identity.CopyFrom(_identity(planned.payload["name"].payload))
    return answer


def _planned_with_identity(request: pb.PlanResourceChangeRequest) -> Any:
    answer: Any = _plan(request)
    if request.HasField("prior_identity"):
        answer.planned_identity.CopyFrom(request.prior_identity)
    return answer


def _import_identified(request: pb.ImportResourceStateRequest) -> Any:
    name = decode_value(request.identity.identity_data.msgpack, _IDENTITY.type).payload["name"].payload
    answer: Any = _import(pb.ImportResourceStateRequest(type_name=request.type_name, id=f"id-{name}"))
    answer.imported_resources[0].identity.CopyFrom(request.identity)
    return answer


def _upgrade_identity(request: pb.UpgradeResourceIdentityRequest) -> Message:
    return pb.UpgradeResourceIdentityResponse(
        upgraded_identity=_identity(json.loads(request.raw_identity.json)["label"])
    )


IDENTIFIED: Final[Mapping[str, Answer]] = {
    "GetResourceIdentitySchemas": lambda _request: identity_schemas_message(IDENTIFIED_SCHEMA),
    "UpgradeResourceIdentity": _upgrade_identity,
    "ReadResource": lambda request: pb.ReadResourceResponse(
        new_state=request.current_state, private=request.private, new_identity=request.current_identity
    ),
    "PlanResourceChange": _planned_with_identity,
    "ApplyResourceChange": _identified,
    "ImportResourceState": _import_identified,
}
"""The answers of a plugin that identifies its objects by name. Version 0 of an identity had a label in its place."""


@contextmanager
def served(plugin: ScriptedPlugin, directory: Path) -> Iterator[Address]:
    """Serve a plugin from a thread, for the time of the block."""
    started = threading.Event()
    scope = trio.CancelScope()
    place = Address("unix", str(directory / "s"))
    token: list[trio.lowlevel.TrioToken] = []

    async def serve() -> None:
        with scope:
            listener, _ = await listen(place)
            token.append(trio.lowlevel.current_trio_token())
            started.set()
            await serve_connections(listener, lambda: plugin)

    thread = threading.Thread(target=trio.run, args=(serve,))
    thread.start()
    started.wait()
    try:
        yield place
    finally:
        trio.from_thread.run_sync(scope.cancel, trio_token=token[0])
        thread.join()


def reattach_variable(address: Address, major: Major = Major.SIX) -> str:
    entry = {
        "Protocol": "grpc",
        "ProtocolVersion": int(major),
        "Pid": 1,
        "Test": True,
        "Addr": {"Network": address.network, "String": address.place},
    }
    return json.dumps({str(FAKE): entry})
