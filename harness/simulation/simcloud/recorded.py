"""A provider that records all its calls. It is the outermost wrapper, so a recorded call takes as long as it takes the
engine."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Final, TypeVar

from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.lang.function import Function
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    Imported,
    MoveRequest,
    OpenedEphemeral,
    PlanRequest,
    PlanResponse,
    Problems,
    Provider,
    ReadDataRequest,
    ReadObject,
    RenewedEphemeral,
    StoredAttributes,
    UpgradedIdentity,
)
from shared_nodes.providers.defaults import stored_text
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.values.json import Tree
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["RecordedProvider"]

_Answer = TypeVar("_Answer")

_UNKNOWN_REGION: Final = "(unknown)"


class RecordedProvider:
    """Records the calls of a provider. `name` is used as the type of calls that concern the provider as a whole.
    Requests for schemas and functions, `stop` and `close` are not recorded: how often they happen says nothing about an
    engine."""

    __slots__ = ("_name", "_provider", "_simulation")

    def __init__(self, provider: Provider, name: str, simulation: Simulation) -> None:
        self._provider = provider
        self._name = name
        self._simulation = simulation

    @property
    def schema(self) -> ProviderSchema:
        return self._provider.schema

    @property
    def functions(self) -> Sequence[Function]:
        return self._provider.functions

    async def _record(
        self, verb: str, type_name: str, what: str | None, pending: Awaitable[_Answer], **arguments: object
    ) -> _Answer:
        simulation = self._simulation
        with simulation.record.call(simulation.phase, verb, type_name, what, arguments) as call:
            answer = await pending
            call.result = answer
        return answer

    async def validate_provider_config(self, config: Value) -> Problems:
        pending = self._provider.validate_provider_config(config)
        return await self._record("validate-provider", self._name, _text(config, "region"), pending, config=config)

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        pending = self._provider.validate_resource_config(type_name, config)
        return await self._record("validate", type_name, _text(config, "name"), pending, config=config)

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        pending = self._provider.validate_data_config(type_name, config)
        return await self._record("validate-data", type_name, _text(config, "name"), pending, config=config)

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        pending = self._provider.validate_ephemeral_config(type_name, config)
        return await self._record("validate-ephemeral", type_name, _text(config, "name"), pending, config=config)

    async def configure(self, config: Value) -> Problems:
        region = config.payload.get("region")
        what = _UNKNOWN_REGION if region is not None and not region.is_known else _text(config, "region")
        return await self._record("configure", self._name, what, self._provider.configure(config), config=config)

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        what = stored_text(attributes, "id")
        pending = self._provider.upgrade(type_name, version, attributes)
        return await self._record("upgrade", type_name, what, pending, version=version, attributes=attributes)

    async def upgrade_identity(self, type_name: str, version: int, stored: Tree) -> UpgradedIdentity:
        pending = self._provider.upgrade_identity(type_name, version, stored)
        return await self._record("upgrade-identity", type_name, None, pending, version=version)

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        pending = self._provider.read(type_name, current, private, provider_meta, identity)
        given = {"current": current, "private": private, "provider_meta": provider_meta}
        return await self._record("read", type_name, _text(current, "id"), pending, **given)

    async def plan(self, request: PlanRequest) -> PlanResponse:
        subject = request.prior if request.proposed.is_null else request.proposed
        pending = self._provider.plan(request)
        return await self._record("plan", request.type_name, _text(subject, "name"), pending, request=request)

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        verb, what = "apply-update", _text(request.planned, "id")
        if request.planned.is_null:
            verb, what = "apply-delete", _text(request.prior, "id")
        elif request.prior.is_null:
            verb, what = "apply-create", _text(request.planned, "name")
        return await self._record(verb, request.type_name, what, self._provider.apply(request), request=request)

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        pending = self._provider.import_object(type_name, identifier)
        return await self._record("import", type_name, identifier, pending)

    async def import_by_identity(self, type_name: str, identity: Value) -> Imported:
        pending = self._provider.import_by_identity(type_name, identity)
        return await self._record("import", type_name, _text(identity, "name"), pending, identity=identity)

    async def move(self, request: MoveRequest) -> ReadObject:
        pending = self._provider.move(request)
        return await self._record("move", request.target_type_name, request.source_type_name, pending, request=request)

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        pending = self._provider.read_data(request)
        given = {"config": request.config, "provider_meta": request.provider_meta}
        return await self._record("lookup", request.type_name, _text(request.config, "name"), pending, **given)

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        pending = self._provider.open_ephemeral(type_name, config)
        return await self._record("open", type_name, _text(config, "name"), pending, config=config)

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        pending = self._provider.renew_ephemeral(type_name, private)
        return await self._record("renew", type_name, None, pending, private=private)

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        pending = self._provider.close_ephemeral(type_name, private)
        return await self._record("close", type_name, None, pending, private=private)

    async def stop(self) -> None:
        await self._provider.stop()

    async def close(self) -> None:
        await self._provider.close()


def _text(value: Value, attribute: str) -> str | None:
    """Return a text attribute of an object, if it exists and is known."""
    if value.is_null or not value.is_known:
        return None
    part = value.payload.get(attribute)
    return part.payload if part is not None and isinstance(part.payload, str) else None
