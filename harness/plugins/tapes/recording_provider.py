"""A provider whose calls are recorded on a tape.

It stands directly around the provider, and passes on what that answers, in the form that crosses the plugin protocol:
an engine that is recorded sees exactly what a replay will show it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeVar

from harness.plugins.tapes.calls import (
    Call,
    Method,
    apply_call,
    close_ephemeral_call,
    configure_call,
    function_call,
    import_by_identity_call,
    import_call,
    move_call,
    open_ephemeral_call,
    plan_call,
    read_call,
    read_data_call,
    renew_ephemeral_call,
    upgrade_call,
    upgrade_identity_call,
    validate_call,
)
from harness.plugins.tapes.secrets import masked
from harness.plugins.tapes.tape import Exchange, Tape
from harness.plugins.tapes.tape_error import TapeError
from harness.plugins.tapes.tape_schemas import function_tree
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.lang.diagnostics import error
from shared_nodes.lang.function import Arguments, Function, FunctionError
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
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record
from shared_nodes.values.json import Tree
from shared_nodes.values.types import DYNAMIC, Type
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["RecordingProvider", "TapeRecorder"]

_Answer = TypeVar("_Answer")


@record(frozen=False)
class _Recorded:
    """What one provider was asked so far, in the order in which the calls began."""

    schema: ProviderSchema
    functions: Mapping[str, Tree]
    version: str
    protocol: int
    exchanges: list[Exchange | None] = field(default_factory=list)


@record(frozen=False)
class TapeRecorder:
    """Collects what the providers of a run are asked, with all their instances. It holds secrets until `tapes` masks
    them."""

    _recorded: dict[ProviderSource, _Recorded] = field(default_factory=dict)

    def record(
        self, source: ProviderSource, provider: Provider, version: str = "", protocol: int = 6
    ) -> RecordingProvider:
        """Return the provider with a recording. A later instance may have a larger schema."""
        functions = {each.name: function_tree(each) for each in provider.functions}
        known = self._recorded.setdefault(source, _Recorded(provider.schema, functions, version, protocol))
        known.schema, known.functions = _joined(known.schema, provider.schema), {**known.functions, **functions}
        return RecordingProvider(provider, known.exchanges)

    def tapes(self, secrets: Iterable[str] = ()) -> list[Tape]:
        """Return the tapes, without secrets: those of the schemas, and these."""
        made = [
            Tape(
                source,
                recorded.schema,
                tuple(exchange for exchange in recorded.exchanges if exchange is not None),
                recorded.functions,
                recorded.version,
                recorded.protocol,
            )
            for source, recorded in sorted(self._recorded.items(), key=lambda item: str(item[0]))
        ]
        return masked([tape.trimmed() for tape in made if tape.exchanges], secrets)


def _joined(one: ProviderSchema, other: ProviderSchema) -> ProviderSchema:
    """Return a schema with the types of both: some providers have those that a configuration uses."""
    return replace(
        other,
        managed={**one.managed, **other.managed},
        data={**one.data, **other.data},
        ephemeral={**one.ephemeral, **other.ephemeral},
    )


class RecordingProvider:
    __slots__ = ("_exchanges", "_provider")

    def __init__(self, provider: Provider, exchanges: list[Exchange | None]) -> None:
        self._provider = provider
        self._exchanges = exchanges

    @property
    def schema(self) -> ProviderSchema:
        return self._provider.schema

    @property
    def functions(self) -> Sequence[Function]:
        return [_recorded_function(function, self._exchanges) for function in self._provider.functions]

    async def _record(self, call: Call[_Answer], pending: Awaitable[_Answer]) -> _Answer:
        """Make a call. Its place on the tape is that of the request, since another one may be answered earlier. A call
        that raises an exception leaves nothing."""
        position = len(self._exchanges)
        self._exchanges.append(None)
        answer = await pending
        try:
            exchange, recorded = _exchange(call, answer)
        except TapeError as failure:
            return call.refuse(error("Cannot be recorded", f"{failure.message}."))
        self._exchanges[position] = exchange
        return recorded

    async def validate_provider_config(self, config: Value) -> Problems:
        call = validate_call(self.schema, Method.VALIDATE_PROVIDER, "", config)
        return await self._record(call, self._provider.validate_provider_config(config))

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        call = validate_call(self.schema, Method.VALIDATE_RESOURCE, type_name, config)
        return await self._record(call, self._provider.validate_resource_config(type_name, config))

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        call = validate_call(self.schema, Method.VALIDATE_DATA, type_name, config)
        return await self._record(call, self._provider.validate_data_config(type_name, config))

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        call = validate_call(self.schema, Method.VALIDATE_EPHEMERAL, type_name, config)
        return await self._record(call, self._provider.validate_ephemeral_config(type_name, config))

    async def configure(self, config: Value) -> Problems:
        return await self._record(configure_call(self.schema, config), self._provider.configure(config))

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        call = upgrade_call(self.schema, type_name, version, attributes)
        return await self._record(call, self._provider.upgrade(type_name, version, attributes))

    async def upgrade_identity(self, type_name: str, version: int, stored: Tree) -> UpgradedIdentity:
        call = upgrade_identity_call(self.schema, type_name, version, stored)
        return await self._record(call, self._provider.upgrade_identity(type_name, version, stored))

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        call = read_call(self.schema, type_name, current, private, provider_meta, identity=identity)
        return await self._record(call, self._provider.read(type_name, current, private, provider_meta, identity))

    async def plan(self, request: PlanRequest) -> PlanResponse:
        return await self._record(plan_call(self.schema, request), self._provider.plan(request))

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        return await self._record(apply_call(self.schema, request), self._provider.apply(request))

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        call = import_call(self.schema, type_name, identifier)
        return await self._record(call, self._provider.import_object(type_name, identifier))

    async def import_by_identity(self, type_name: str, identity: Value) -> Imported:
        call = import_by_identity_call(self.schema, type_name, identity)
        return await self._record(call, self._provider.import_by_identity(type_name, identity))

    async def move(self, request: MoveRequest) -> ReadObject:
        return await self._record(move_call(self.schema, request), self._provider.move(request))

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        return await self._record(read_data_call(self.schema, request), self._provider.read_data(request))

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        call = open_ephemeral_call(self.schema, type_name, config)
        return await self._record(call, self._provider.open_ephemeral(type_name, config))

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        call = renew_ephemeral_call(type_name, private)
        return await self._record(call, self._provider.renew_ephemeral(type_name, private))

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        call = close_ephemeral_call(type_name, private)
        return await self._record(call, self._provider.close_ephemeral(type_name, private))

    async def stop(self) -> None:
        await self._provider.stop()

    async def close(self) -> None:
        await self._provider.close()


def _exchange(call: Call[_Answer], answer: _Answer) -> tuple[Exchange, _Answer]:
    """Return what stands on the tape, and the answer that is read from it again."""
    written = call.write(answer)
    return Exchange(call.method, call.type_name, call.request(), (written,)), call.read(written)


def _recorded_function(function: Function, exchanges: list[Exchange | None]) -> Function:
    def implementation(arguments: Arguments, return_type: Type) -> Value:
        announced = function.return_type if isinstance(function.return_type, Type) else DYNAMIC
        types = [function.parameter_at(index).type for index in range(len(arguments))]
        call = function_call(function.name, types, arguments, announced)
        answer: Value | FunctionError
        try:
            answer = function.implementation(arguments, return_type)
        except FunctionError as failure:
            answer = failure
        try:
            exchange, recorded = _exchange(call, answer)
        except TapeError as failure:
            raise FunctionError(f"the call cannot be recorded: {failure.message}") from failure
        exchanges.append(exchange)
        if isinstance(recorded, FunctionError):
            raise recorded
        return recorded

    return replace(function, implementation=implementation)
