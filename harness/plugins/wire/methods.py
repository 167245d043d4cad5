"""The calls of the protocol: their names in both versions, and their messages.

Calls are named as in protocol 6. Protocol 5 has other names for six of them, and its own message for the schema.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from google.protobuf.message import Message

from harness.plugins.wire import protocol_pb2 as pb

__all__ = ["CALLS", "SHUTDOWN", "Major", "method_name", "method_path", "request_type", "response_type"]


class Major(IntEnum):
    """A version of the protocol. Minor versions only add to it, and are not negotiated."""

    FIVE = 5
    SIX = 6


SHUTDOWN: Final = "/plugin.GRPCController/Shutdown"
"""Ends the process of a plugin. It is part of every plugin, and belongs to no version of the protocol."""

CALLS: Final = (
    "GetMetadata",
    "GetProviderSchema",
    "GetResourceIdentitySchemas",
    "GetFunctions",
    "ValidateProviderConfig",
    "ValidateResourceConfig",
    "ValidateDataResourceConfig",
    "ValidateEphemeralResourceConfig",
    "ConfigureProvider",
    "UpgradeResourceState",
    "UpgradeResourceIdentity",
    "ReadResource",
    "PlanResourceChange",
    "ApplyResourceChange",
    "ImportResourceState",
    "MoveResourceState",
    "ReadDataSource",
    "OpenEphemeralResource",
    "RenewEphemeralResource",
    "CloseEphemeralResource",
    "CallFunction",
    "StopProvider",
)

_NAMES_IN_5: Final = {
    "GetProviderSchema": "GetSchema",
    "ValidateProviderConfig": "PrepareProviderConfig",
    "ValidateResourceConfig": "ValidateResourceTypeConfig",
    "ValidateDataResourceConfig": "ValidateDataSourceConfig",
    "ConfigureProvider": "Configure",
    "StopProvider": "Stop",
}


def method_name(call: str, major: Major) -> str:
    return _NAMES_IN_5.get(call, call) if major is Major.FIVE else call


def method_path(call: str, major: Major) -> str:
    """The name of the call on the wire: `/tfplugin6.Provider/PlanResourceChange`."""
    return f"/tfplugin{int(major)}.Provider/{method_name(call, major)}"


def request_type(call: str) -> type[Message]:
    found: type[Message] = getattr(pb, f"{call}Request")
    return found


def response_type(call: str, major: Major) -> type[Message]:
    if call == "GetProviderSchema" and major is Major.FIVE:
        return pb.GetProviderSchemaResponse5
    found: type[Message] = getattr(pb, f"{call}Response")
    return found
