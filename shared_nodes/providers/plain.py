"""What a provider answers to calls it has nothing to say about.

Most providers have nothing to configure, no functions and no ephemeral resources, take nothing over from others and
wait for nothing; and where nothing exists but in the state, reading finds what there was. Those that are like this say
only what is their own; the contract stays a protocol, and nobody has to start here.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.function import Function
from shared_nodes.providers.contract import MoveRequest, OpenedEphemeral, Problems, ReadObject, RenewedEphemeral
from shared_nodes.values.json import JsonError, Tree, value_from_json
from shared_nodes.values.types import ObjectType
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["PlainProvider", "upgraded"]


class PlainProvider:
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
        return [_unsupported(type_name)]

    async def configure(self, config: Value) -> Problems:
        return ()

    async def read(
        self, type_name: str, current: Value, private: bytes, provider_meta: Value = NULL_DYNAMIC
    ) -> ReadObject:
        return ReadObject(current, private)

    async def move(self, request: MoveRequest) -> ReadObject:
        detail = f"This provider takes over no objects of other types as {request.target_type_name}."
        return ReadObject(None, problems=[error("Move Resource State Not Supported", detail)])

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        return OpenedEphemeral(None, problems=[_unsupported(type_name)])

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        return RenewedEphemeral(problems=[_unsupported(type_name)])

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        return [_unsupported(type_name)]

    async def stop(self) -> None:
        """No call waits for anything."""

    async def close(self) -> None:
        """There is nothing to let go of."""


def upgraded(attributes: Tree, ty: ObjectType, summary: str) -> ReadObject:
    """An object as it was stored, where nothing but reading is left to do about it."""
    try:
        return ReadObject(value_from_json(attributes, ty))
    except JsonError as problem:
        return ReadObject(None, problems=[error(summary, problem.message)])


def _unsupported(type_name: str) -> Diagnostic:
    return error("Unsupported resource type", f"This provider has no ephemeral resource type {type_name}.")
