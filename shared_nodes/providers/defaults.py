"""Default answers for calls that a provider does not support.

Most providers have nothing to configure, no functions and no ephemeral resources, cannot take over other types and
never wait; and if nothing exists outside the state, reading returns the object unchanged. Such providers inherit from
`DefaultProvider` and implement only the rest. Inheriting is optional, since the contract is a protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.function import Function
from shared_nodes.providers.contract import MoveRequest, OpenedEphemeral, Problems, ReadObject, RenewedEphemeral
from shared_nodes.values.json import JsonError, Tree, value_from_json
from shared_nodes.values.types import ObjectType
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["DefaultProvider", "decode_stored"]


class DefaultProvider:
    __slots__ = ()

    @property
    def functions(self) -> Sequence[Function]:
        return ()

    async def validate_provider_config(self, config: Value) -> Problems:
        return ()

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        return ()

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        return ()

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        return [_unsupported_problem(type_name)]

    async def configure(self, config: Value) -> Problems:
        return ()

    async def read(
        self, type_name: str, current: Value, private: bytes, provider_meta: Value = NULL_DYNAMIC
    ) -> ReadObject:
        return ReadObject(current, private)

    async def move(self, request: MoveRequest) -> ReadObject:
        detail = f"This provider takes over no objects of other types as {request.target_type_name}."
        problem = replace(error("Move Resource State Not Supported", detail), attribute=())
        return ReadObject(None, problems=[problem])

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        return OpenedEphemeral(None, problems=[_unsupported_problem(type_name)])

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        return RenewedEphemeral(problems=[_unsupported_problem(type_name)])

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        return [_unsupported_problem(type_name)]

    async def stop(self) -> None:
        """Do nothing, because no call ever waits."""

    async def close(self) -> None:
        """Do nothing, because there are no resources to release."""


def decode_stored(attributes: Tree, ty: ObjectType, summary: str) -> ReadObject:
    """Decode a stored object that needs no upgrade."""
    try:
        return ReadObject(value_from_json(attributes, ty))
    except JsonError as problem:
        return ReadObject(None, problems=[error(summary, problem.message)])


def _unsupported_problem(type_name: str) -> Diagnostic:
    return error("Unsupported resource type", f"This provider has no ephemeral resource type {type_name}.")
