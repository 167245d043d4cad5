"""Injects faults into the calls of any provider.

The wrapped provider is unaware of it. `sim` implements the kinds with recorded wording itself, so around it only the
others are injected; around `simcloud` all are.

Two kinds concern more than one call. A `crash` is that of a process: this call and all later ones of the same instance
get no response. A `stuck` call waits until the engine stops the provider. Both happen only when nothing else can
proceed: whatever does not depend on the call has been done by then, in every engine and under every schedule, as long
as the concurrency limit leaves room for it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from harness.simulation.problems import block_error
from harness.simulation.simcloud.behaviour import text_of
from harness.simulation.simcloud.faults import OF_ANSWERS, OF_CALLS, Fault, FaultKind, Subject, Verb
from harness.simulation.simcloud.simulation import Simulation
from harness.simulation.simcloud.spoiling import spoil_data, spoil_opened, spoil_plan, spoil_read, spoil_result
from harness.simulation.simcloud.thing import THING_TYPE
from shared_nodes import tasks
from shared_nodes.lang.diagnostics import Diagnostic, error
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
from shared_nodes.record import record
from shared_nodes.values.json import Tree
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["FaultyProvider", "is_no_response"]

_Answer = TypeVar("_Answer")

_NO_RESPONSE: Final = "Plugin did not respond"
_PLUGIN: Final = "plugin6.(*GRPCProvider)"

_WORDS: Final = {
    Verb.PLAN: ("Plan failed", "refused to plan"),
    Verb.CREATE: ("Create failed", "failed to create"),
    Verb.UPDATE: ("Update failed", "failed to update"),
    Verb.DELETE: ("Delete failed", "failed to delete"),
    Verb.READ: ("Read failed", "failed to read"),
    Verb.UPGRADE: ("Upgrade failed", "failed to upgrade"),
    Verb.IMPORT: ("Import failed", "failed to import"),
    Verb.MOVE: ("Move failed", "failed to take over"),
    Verb.OPEN: ("Open failed", "failed to open"),
    Verb.RENEW: ("Renew failed", "failed to renew"),
    Verb.CLOSE: ("Close failed", "failed to close"),
}


@record
class _Refused:
    """The call ends before it has any effect. Without an answer (`is_answered`) the result contains no object
    either."""

    problem: Diagnostic
    is_answered: bool = True


class FaultyProvider:
    """A provider with faults. With `implements_answers`, the wrapped provider implements `OF_ANSWERS` itself."""

    __slots__ = ("_has_crashed", "_kinds", "_name", "_provider", "_simulation", "_stopped")

    def __init__(self, provider: Provider, name: str, simulation: Simulation, *, implements_answers: bool) -> None:
        self._provider = provider
        self._name = name
        self._simulation = simulation
        self._kinds: Final = frozenset(OF_CALLS if implements_answers else (*OF_CALLS, *OF_ANSWERS))
        self._has_crashed = False
        self._stopped = tasks.Event()

    @property
    def schema(self) -> ProviderSchema:
        return self._provider.schema

    @property
    def functions(self) -> Sequence[Function]:
        return self._provider.functions

    # The path of every call

    async def _check_faults(self, subject: Subject | None, method: str) -> _Refused | FaultKind | None:
        """Return what happens to this call before it does anything; a kind determines how its answer is altered."""
        if self._has_crashed:
            return _Refused(_no_response(method), is_answered=False)
        if subject is None:
            return None
        faults = self._simulation.match_faults(subject, self._kinds)
        for fault in faults:
            await self._simulation.time.sleep(fault.seconds)
        others = [fault for fault in faults if fault.kind is not FaultKind.LATENCY]
        return await self._inject(others[0], subject, method) if others else None

    async def _inject(self, fault: Fault, subject: Subject, method: str) -> _Refused | FaultKind:
        match fault.kind:
            case FaultKind.ERROR | FaultKind.FLAKY:
                return _Refused(_failure(subject))
            case FaultKind.STUCK:
                await self._simulation.time.until_idle()
                self._simulation.interrupt()
                await self._stopped.wait()
                return _Refused(_stopped_problem(subject))
            case FaultKind.CRASH:
                await self._simulation.time.until_idle()
                self._has_crashed = True
                return _Refused(_no_response(method), is_answered=False)
            case FaultKind.CRASH_AFTER:
                await self._simulation.time.until_idle()
        return fault.kind

    async def _call_for_problems(
        self, subject: Subject | None, method: str, call: Callable[[], Awaitable[Problems]]
    ) -> Problems:
        return await self._call(subject, method, call, lambda refused: [refused.problem])

    async def _call(
        self,
        subject: Subject | None,
        method: str,
        call: Callable[[], Awaitable[_Answer]],
        refuse: Callable[[_Refused], _Answer],
        spoil: Callable[[_Answer, FaultKind], _Answer] = lambda answer, _kind: answer,
    ) -> _Answer:
        outcome = await self._check_faults(subject, method)
        if isinstance(outcome, _Refused):
            return refuse(outcome)
        answer = await call()
        return answer if outcome is None else spoil(answer, outcome)

    # Configuration

    async def validate_provider_config(self, config: Value) -> Problems:
        call = partial(self._provider.validate_provider_config, config)
        return await self._call_for_problems(None, "ValidateProviderConfig", call)

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        subject = Subject(Verb.VALIDATE, text_of(config, "name"), type_name, config)
        call = partial(self._provider.validate_resource_config, type_name, config)
        return await self._call_for_problems(subject, "ValidateResourceConfig", call)

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        subject = Subject(Verb.VALIDATE, text_of(config, "name"), type_name, config)
        call = partial(self._provider.validate_data_config, type_name, config)
        return await self._call_for_problems(subject, "ValidateDataResourceConfig", call)

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        subject = Subject(Verb.VALIDATE, text_of(config, "name"), type_name, config)
        call = partial(self._provider.validate_ephemeral_config, type_name, config)
        return await self._call_for_problems(subject, "ValidateEphemeralResourceConfig", call)

    async def configure(self, config: Value) -> Problems:
        """Faults identify the call by its region: the empty name if there is none, no name while it is unknown."""
        region = text_of(config, "region") or "" if config.payload["region"].is_known else None
        subject = Subject(Verb.CONFIGURE, region, self._name, config)
        return await self._call_for_problems(subject, "ConfigureProvider", partial(self._provider.configure, config))

    # Reading

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        subject = Subject(Verb.UPGRADE, stored_text(attributes, "name"), type_name)
        call = partial(self._provider.upgrade, type_name, version, attributes)
        return await self._call(subject, "UpgradeResourceState", call, _no_object)

    async def upgrade_identity(self, type_name: str, version: int, stored: Tree) -> UpgradedIdentity:
        """No fault concerns these calls."""
        return await self._provider.upgrade_identity(type_name, version, stored)

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        subject = Subject(Verb.READ, self._live_name(type_name, current), type_name, current)
        call = partial(self._provider.read, type_name, current, private, provider_meta, identity)
        return await self._call(
            subject,
            "ReadResource",
            call,
            lambda refused: ReadObject(current if refused.is_answered else None, private, [refused.problem]),
            lambda answer, kind: self._spoil_read_answer(answer, kind, type_name),
        )

    def _spoil_read_answer(self, answer: ReadObject, kind: FaultKind, type_name: str) -> ReadObject:
        if kind is FaultKind.GONE and answer.value is not None and not answer.value.is_null:
            self._simulation.lost.append(f"{type_name} {text_of(answer.value, 'id')}")
        return spoil_read(answer, kind, self.schema.managed[type_name].block)

    def _live_name(self, type_name: str, current: Value) -> str | None:
        """Return the object's name, or that of the live object if it was just imported and has none yet."""
        name, identifier, cloud = text_of(current, "name"), text_of(current, "id"), self._simulation.cloud
        if name is not None or identifier is None:
            return name
        if type_name == THING_TYPE:
            live = cloud.find(identifier)
            return None if live is None else text_of(live, "name")
        return next((live.name for live in cloud.objects.live_objects(None) if live.identifier == identifier), None)

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        """Faults identify the call by the requested id."""
        subject = Subject(Verb.IMPORT, identifier, type_name)
        call = partial(self._provider.import_object, type_name, identifier)
        return await self._call(subject, "ImportResourceState", call, lambda refused: Imported((), [refused.problem]))

    async def import_by_identity(self, type_name: str, identity: Value) -> Imported:
        """Faults identify the call by the name in the identity."""
        subject = Subject(Verb.IMPORT, text_of(identity, "name"), type_name)
        call = partial(self._provider.import_by_identity, type_name, identity)
        return await self._call(subject, "ImportResourceState", call, lambda refused: Imported((), [refused.problem]))

    async def move(self, request: MoveRequest) -> ReadObject:
        subject = Subject(Verb.MOVE, stored_text(request.source_attributes, "name"), request.target_type_name)
        return await self._call(subject, "MoveResourceState", partial(self._provider.move, request), _no_object)

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        type_name = request.type_name
        subject = Subject(Verb.LOOKUP, text_of(request.config, "name"), type_name, request.config)
        return await self._call(
            subject,
            "ReadDataSource",
            partial(self._provider.read_data, request),
            _no_object,
            lambda answer, kind: spoil_data(answer, kind, self.schema.data[type_name].block),
        )

    # Changing

    async def plan(self, request: PlanRequest) -> PlanResponse:
        subject_value = request.prior if request.proposed.is_null else request.proposed
        subject = Subject(Verb.PLAN, text_of(subject_value, "name"), request.type_name, subject_value)
        block = self.schema.managed[request.type_name].block
        return await self._call(
            subject,
            "PlanResourceChange",
            partial(self._provider.plan, request),
            lambda refused: PlanResponse(request.proposed if refused.is_answered else None, problems=[refused.problem]),
            lambda answer, kind: spoil_plan(answer, kind, block, is_creation=request.prior.is_null),
        )

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        """A refused create returns nothing; any other refused call returns the prior object."""
        subject_value, verb = request.planned, Verb.UPDATE
        if request.planned.is_null:
            subject_value, verb = request.prior, Verb.DELETE
        elif request.prior.is_null:
            verb = Verb.CREATE
        subject = Subject(verb, text_of(subject_value, "name"), request.type_name, subject_value)
        return await self._call(
            subject,
            "ApplyResourceChange",
            partial(self._provider.apply, request),
            lambda refused: ApplyResponse(
                request.prior if refused.is_answered else None, request.planned_private, [refused.problem]
            ),
            lambda answer, kind: self._spoil_applied(answer, kind, subject),
        )

    def _spoil_applied(self, answer: ApplyResponse, kind: FaultKind, subject: Subject) -> ApplyResponse:
        """Alter the answer to an apply. A refusal by the cloud takes precedence over everything that needs the
        effect."""
        if answer.problems:
            return answer
        identifier = None if answer.value is None or answer.value.is_null else text_of(answer.value, "id")
        is_reported = kind not in (FaultKind.LOST, FaultKind.NULL_RESULT, FaultKind.CRASH_AFTER)
        if subject.verb is Verb.CREATE and not is_reported:
            self._simulation.lost.append(f"{subject.type_name} {identifier}")
        if kind is FaultKind.CRASH_AFTER:
            self._has_crashed = True
            return ApplyResponse(None, problems=[_no_response("ApplyResourceChange")])
        block = self.schema.managed[subject.type_name].block
        return spoil_result(answer, kind, block, subject, _noun(subject.type_name))

    # Ephemeral resources

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        subject = Subject(Verb.OPEN, text_of(config, "name"), type_name, config)
        return await self._call(
            subject,
            "OpenEphemeralResource",
            partial(self._provider.open_ephemeral, type_name, config),
            lambda refused: OpenedEphemeral(None, problems=[refused.problem]),
            lambda answer, kind: spoil_opened(answer, kind, self.schema.ephemeral[type_name].block),
        )

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        call = partial(self._provider.renew_ephemeral, type_name, private)
        return await self._call(
            Subject(Verb.RENEW, None, type_name),
            "RenewEphemeralResource",
            call,
            lambda refused: RenewedEphemeral(private, problems=[refused.problem]),
        )

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        call = partial(self._provider.close_ephemeral, type_name, private)
        return await self._call_for_problems(Subject(Verb.CLOSE, None, type_name), "CloseEphemeralResource", call)

    async def stop(self) -> None:
        self._stopped.set()
        await self._provider.stop()

    async def close(self) -> None:
        await self._provider.close()


def _no_object(refused: _Refused) -> ReadObject:
    return ReadObject(None, problems=[refused.problem])


def _noun(type_name: str) -> str:
    return "thing" if type_name == THING_TYPE else "object"


def _failure(subject: Subject) -> Diagnostic:
    """Describe the failure, in the wording of `sim` where it has one."""
    name = subject.name or ""
    identifier = None if subject.value is None else text_of(subject.value, "id")
    match subject.verb:
        case Verb.VALIDATE:
            noun = _noun(subject.type_name)
            return block_error(f"Invalid {noun}", f'The {noun} "{name}" is not acceptable.')
        case Verb.LOOKUP:
            return block_error("Lookup failed", f'The cloud has no answer for "{name}".')
        case Verb.CONFIGURE:
            detail = f'The cloud refused the provider configuration for region "{name}".'
            return block_error("Configure failed", detail)
    summary, done = _WORDS[subject.verb]
    if subject.verb in (Verb.UPDATE, Verb.DELETE, Verb.READ) and identifier is not None:
        name = identifier
    return block_error(summary, f'The cloud {done} {_noun(subject.type_name)} "{name}".')


def _stopped_problem(subject: Subject) -> Diagnostic:
    summary = f"{str(subject.verb).capitalize()} stopped"
    return block_error(summary, "The provider was asked to stop before the call had any effect.")


def _no_response(method: str) -> Diagnostic:
    """Report a plugin that no longer responds, in the engine's words, since the plugin can say nothing."""
    detail = (
        f"The plugin encountered an error, and failed to respond to the {_PLUGIN}.{method} call. The plugin logs may "
        "contain more details."
    )
    return error(_NO_RESPONSE, detail)


def is_no_response(problem: Diagnostic) -> bool:
    """Return whether a problem stands for a plugin that no longer responds. Over a connection there is none: the call
    just gets no answer."""
    return problem.summary == _NO_RESPONSE
