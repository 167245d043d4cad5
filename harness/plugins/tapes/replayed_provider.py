"""A provider that answers from a tape.

It knows nothing of what it stands for: a request that the tape does not have is answered by an error that says how it
differs from what was recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
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
from harness.plugins.tapes.differences import describe_nearest
from harness.plugins.tapes.secrets import filled, fits, has_secrets
from harness.plugins.tapes.tape import Exchange, Tape, request_key, tape_name
from harness.plugins.tapes.tape_error import TapeError
from harness.plugins.tapes.tape_schemas import functions_from_tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.function import Arguments, Function, FunctionError, Implementation
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    Imported,
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
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record
from shared_nodes.values.json import Tree
from shared_nodes.values.types import Type
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["ReplayedProvider"]

_Answer = TypeVar("_Answer")


@record
class _Index:
    """The exchanges of a tape, as they are looked up."""

    exact: Mapping[str, int]
    """Positions of exchanges by the key of the request."""

    with_secrets: tuple[int, ...]
    """Positions of those that many requests fit."""


def _index_of(tape: Tape) -> _Index:
    exact: dict[str, int] = {}
    with_secrets: list[int] = []
    for position, exchange in enumerate(tape.exchanges):
        if has_secrets(dict(exchange.request)):
            with_secrets.append(position)
        else:
            exact[exchange.key] = position
    return _Index(exact, tuple(with_secrets))


class ReplayedProvider:
    """An instance of a provider. All instances of a run share `asked`, which counts how often each exchange was found:
    an answer may belong to a later call of another instance."""

    __slots__ = ("_asked", "_functions", "_index", "_tape")

    def __init__(self, tape: Tape, asked: MutableMapping[str, int]) -> None:
        self._tape = tape
        self._asked = asked
        self._index = _index_of(tape)
        self._functions = functions_from_tree(dict(tape.functions), self._implement)

    @property
    def schema(self) -> ProviderSchema:
        return self._tape.schema

    @property
    def functions(self) -> Sequence[Function]:
        return self._functions

    def _implement(self, name: str) -> Implementation:
        def implementation(arguments: Arguments, return_type: Type) -> Value:
            function = next(one for one in self._functions if one.name == name)
            types = [function.parameter_at(index).type for index in range(len(arguments))]
            answer = self._answer(function_call(name, types, arguments, return_type))
            if isinstance(answer, FunctionError):
                raise answer
            return answer

        return implementation

    # Looking up

    def _answer(self, call: Call[_Answer]) -> _Answer:
        try:
            request = call.request()
            found = self._find(call, request)
            return call.refuse(self._missing(call, request)) if found is None else call.read(found)
        except TapeError as failure:
            return call.refuse(error("Cannot be replayed", f"{failure.message}."))

    def _find(self, call: Call[_Answer], request: dict[str, Tree]) -> Tree | None:
        position = self._index.exact.get(request_key(call.method, call.type_name, request))
        if position is not None:
            return filled(dict(self._next_answer(position)), {})
        for position in self._index.with_secrets:
            exchange = self._tape.exchanges[position]
            if (exchange.method, exchange.type_name) == (call.method, call.type_name):
                bound = fits(dict(exchange.request), request)
                if bound is not None:
                    return filled(dict(self._next_answer(position)), bound)
        return None

    def _next_answer(self, position: int) -> Mapping[str, Tree]:
        answers = self._tape.exchanges[position].answers
        if len(answers) == 1:
            return answers[0]
        name = f"{self._tape.source} {position}"
        count = self._asked.get(name, 0)
        self._asked[name] = count + 1
        return answers[min(count, len(answers) - 1)]

    def _missing(self, call: Call[_Answer], request: dict[str, Tree]) -> Diagnostic:
        what = f"{call.method} of {call.type_name}" if call.type_name else call.method.value
        alike = [one for one in self._tape.exchanges if (one.method, one.type_name) == (call.method, call.type_name)]
        if alike:
            reason = describe_nearest(dict(request), alike)
        else:
            reason = f"No request of this kind was recorded: the tape has {_listed(self._tape.exchanges)}"
        detail = (
            f"The tape {tape_name(self._tape.source)} has no answer to this request: {what}. {reason}\n\nIf the "
            "configuration was changed on purpose, the tape has to be recorded again."
        )
        return error("Not on the tape", detail)

    # Calls

    async def validate_provider_config(self, config: Value) -> Problems:
        call = validate_call(self.schema, Method.VALIDATE_PROVIDER, "", config)
        return self._answer(call)

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        call = validate_call(self.schema, Method.VALIDATE_RESOURCE, type_name, config)
        return self._answer(call)

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        call = validate_call(self.schema, Method.VALIDATE_DATA, type_name, config)
        return self._answer(call)

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        call = validate_call(self.schema, Method.VALIDATE_EPHEMERAL, type_name, config)
        return self._answer(call)

    async def configure(self, config: Value) -> Problems:
        return self._answer(configure_call(self.schema, config))

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        call = upgrade_call(self.schema, type_name, version, attributes)
        return self._answer(call)

    async def upgrade_identity(self, type_name: str, version: int, stored: Tree) -> UpgradedIdentity:
        call = upgrade_identity_call(self.schema, type_name, version, stored)
        return self._answer(call)

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        call = read_call(self.schema, type_name, current, private, provider_meta, identity=identity)
        return self._answer(call)

    async def plan(self, request: PlanRequest) -> PlanResponse:
        return self._answer(plan_call(self.schema, request))

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        return self._answer(apply_call(self.schema, request))

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        call = import_call(self.schema, type_name, identifier)
        return self._answer(call)

    async def import_by_identity(self, type_name: str, identity: Value) -> Imported:
        call = import_by_identity_call(self.schema, type_name, identity)
        return self._answer(call)

    async def move(self, request: MoveRequest) -> ReadObject:
        return self._answer(move_call(self.schema, request))

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        return self._answer(read_data_call(self.schema, request))

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        call = open_ephemeral_call(self.schema, type_name, config)
        return self._answer(call)

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        call = renew_ephemeral_call(type_name, private)
        return self._answer(call)

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        call = close_ephemeral_call(type_name, private)
        return self._answer(call)

    async def stop(self) -> None:
        """Do nothing, because no call ever waits."""

    async def close(self) -> None:
        """Do nothing, because there are no resources to release."""


def _listed(exchanges: Sequence[Exchange]) -> str:
    names = {f"{one.method} of {one.type_name}" if one.type_name else one.method.value for one in exchanges}
    return f"{', '.join(sorted(names))}." if names else "none at all."
