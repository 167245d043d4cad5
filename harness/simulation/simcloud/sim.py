"""The provider `dh.test/diffharness/sim`, a small one: it has only `sim_thing` and `sim_lookup`.

Real Terraform was recorded against a plugin that follows the same specification, so every answer here is fixed: what is
planned, the text of errors, and what is returned with them. A refusal by the cloud takes precedence over all faults
except `error`, because the others need the effect to have taken place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from harness.simulation.problems import block_error
from harness.simulation.simcloud.cloud import CloudRefusal
from harness.simulation.simcloud.faults import FaultKind, Subject, Verb
from harness.simulation.simcloud.simulation import Simulation
from harness.simulation.simcloud.thing import (
    NO_THING,
    SIM_SCHEMA,
    THING,
    known_text,
    thing_from_json,
    with_attributes,
)
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    Imported,
    ImportedObject,
    PlanRequest,
    PlanResponse,
    Problems,
    ReadDataRequest,
    ReadObject,
    StoredAttributes,
)
from shared_nodes.providers.defaults import DefaultProvider, decode_stored
from shared_nodes.providers.schema import ProviderSchema, implied_type
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.stored import stored
from shared_nodes.values.types import STRING
from shared_nodes.values.value import NULL_DYNAMIC, Value, integer, string, unknown

__all__ = ["SIM", "BrokenCallError", "SimProvider"]

SIM: Final = ProviderSource("dh.test", "diffharness", "sim")

_COUNTED_BY_CLOUD: Final = ("id", "version")
_WRONG: Final = string("auto-inconsistent")
_UNKNOWN_NAME: Final = 'TypeError: can only concatenate str (not "Unknown") to str'
"""The end of a lookup by an unknown name, in the words of the plugin of the recordings."""


class BrokenCallError(Exception):
    """A call that ends without an answer, because the provider does not expect such a request."""


class SimProvider(DefaultProvider):
    """One instance. All instances of a run work in the same cloud; `region` only decides which faults affect a
    configuration."""

    __slots__ = ("_simulation",)

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    @property
    def schema(self) -> ProviderSchema:
        return SIM_SCHEMA

    # Configuration

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        return self._validate(type_name, config)

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        return self._validate(type_name, config)

    def _validate(self, type_name: str, config: Value) -> Problems:
        name = known_text(config, "name")
        if self._simulation.fault_kind(Subject(Verb.VALIDATE, name, type_name, config)) is None:
            return ()
        return [block_error("Invalid thing", f'The thing "{name}" is not acceptable.')]

    async def configure(self, config: Value) -> Problems:
        """Faults identify a configuration without a region by the empty name, and one with an unknown region by no
        name."""
        region = known_text(config, "region") or ""
        is_known = config.payload["region"].is_known
        if self._simulation.fault_kind(Subject(Verb.CONFIGURE, region if is_known else None, SIM.type, config)) is None:
            return ()
        detail = f'The cloud refused the provider configuration for region "{region}".'
        return [block_error("Configure failed", detail)]

    # Reading

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        """Decode the object; there has only ever been version 0."""
        return decode_stored(attributes, implied_type(THING), "Unreadable thing")

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        """Read a thing. An object that was just imported has no name yet, so faults match the name of the live
        object."""
        identifier = known_text(current, "id")
        live = self._simulation.cloud.find(identifier)
        name = known_text(current, "name")
        if name is None and live is not None:
            name = known_text(live, "name")
        kind = self._simulation.fault_kind(Subject(Verb.READ, name, type_name, current))
        if kind is FaultKind.ERROR:
            problem = block_error("Read failed", f'The cloud failed to read thing "{identifier}".')
            return ReadObject(_transmitted(current), private, [problem])
        if kind is FaultKind.GONE and live is not None:
            self._simulation.lost.append(f"{type_name} {identifier}")
            live = None
        return ReadObject(NO_THING if live is None else live, private)

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        """Return a thing with nothing but the id. The read that follows determines whether it exists."""
        return Imported([ImportedObject(type_name, thing_from_json({"id": identifier}))])

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        """Look up a name. An engine that asks before the name is known gets no answer."""
        if not request.config.payload["name"].is_known:
            raise BrokenCallError(_UNKNOWN_NAME)
        name = known_text(request.config, "name")
        if self._simulation.fault_kind(Subject(Verb.LOOKUP, name, request.type_name, request.config)) is not None:
            return ReadObject(None, problems=[block_error("Lookup failed", f'The cloud has no answer for "{name}".')])
        return ReadObject(with_attributes(request.config, {"result": string(f"found-{name}")}))

    # Changing

    async def plan(self, request: PlanRequest) -> PlanResponse:
        planned = self._plan(request)
        return replace(planned, value=_transmitted(planned.value))

    def _plan(self, request: PlanRequest) -> PlanResponse:
        name = known_text(request.proposed, "name")
        kind = self._simulation.fault_kind(Subject(Verb.PLAN, name, request.type_name, request.proposed))
        if kind is FaultKind.ERROR:
            problem = block_error("Plan failed", f'The cloud refused to plan thing "{name}".')
            return PlanResponse(request.proposed, problems=[problem])
        planned = _plan_creation(request) if request.prior.is_null else _plan_update(request)
        if kind is FaultKind.INCONSISTENT_PLAN:
            attribute, wrong = ("version", integer(99)) if request.prior.is_null else ("auto", _WRONG)
            return _with_attribute(planned, attribute, wrong)
        return _with_attribute(planned, "value", string("invalid")) if kind is FaultKind.INVALID_PLAN else planned

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        applied = self._apply(request)
        return replace(applied, value=_transmitted(applied.value))

    def _apply(self, request: ApplyRequest) -> ApplyResponse:
        try:
            if request.planned.is_null:
                return self._delete(request)
            return self._create(request) if request.prior.is_null else self._update(request)
        except CloudRefusal as refusal:
            return ApplyResponse(request.prior, problems=[block_error(refusal.summary, refusal.detail)])

    def _create(self, request: ApplyRequest) -> ApplyResponse:
        name = known_text(request.planned, "name")
        kind = self._simulation.fault_kind(Subject(Verb.CREATE, name, request.type_name, request.planned))
        if kind is FaultKind.ERROR:
            return _make_failure(NO_THING, "Create failed", f'The cloud failed to create thing "{name}".')
        result = self._simulation.cloud.create(request.planned)
        identifier = known_text(result, "id")
        match kind:
            case FaultKind.ERROR_AFTER:
                return _make_failure(
                    result, "Create failed late", f'The cloud created thing "{identifier}" and then failed.'
                )
            case FaultKind.PARTIAL:
                part = thing_from_json({"id": identifier, "name": name})
                return _make_failure(part, "Create incomplete", f'The cloud created thing "{identifier}" in part.')
            case FaultKind.LOST:
                self._simulation.lost.append(f"{request.type_name} {identifier}")
                return _make_failure(NO_THING, "Create lost", f'The cloud lost track of thing "{name}".')
            case _:
                return _make_answer(result, kind)

    def _update(self, request: ApplyRequest) -> ApplyResponse:
        name = known_text(request.planned, "name")
        kind = self._simulation.fault_kind(Subject(Verb.UPDATE, name, request.type_name, request.planned))
        identifier = known_text(request.planned, "id")
        if kind is FaultKind.ERROR:
            return _make_failure(request.prior, "Update failed", f'The cloud failed to update thing "{identifier}".')
        result = self._simulation.cloud.update(request.planned)
        if kind is FaultKind.ERROR_AFTER:
            return _make_failure(
                result, "Update failed late", f'The cloud updated thing "{identifier}" and then failed.'
            )
        return _make_answer(result, kind)

    def _delete(self, request: ApplyRequest) -> ApplyResponse:
        name = known_text(request.prior, "name")
        kind = self._simulation.fault_kind(Subject(Verb.DELETE, name, request.type_name, request.prior))
        identifier = known_text(request.prior, "id")
        if kind is FaultKind.ERROR:
            return _make_failure(request.prior, "Delete failed", f'The cloud failed to delete thing "{identifier}".')
        self._simulation.cloud.delete(identifier)
        if kind is FaultKind.ERROR_AFTER:
            return _make_failure(
                NO_THING, "Delete failed late", f'The cloud deleted thing "{identifier}" and then failed.'
            )
        return ApplyResponse(NO_THING)


def _transmitted(value: Value | None) -> Value | None:
    """Return the value as an engine receives it from a plugin: numbers have the precision of the wire format."""
    return None if value is None else stored(value)


def _plan_creation(request: PlanRequest) -> PlanResponse:
    attributes = {"id": unknown(STRING), "version": integer(1)}
    if request.config.payload["auto"].is_null:
        attributes["auto"] = unknown(STRING)
    return PlanResponse(with_attributes(request.proposed, attributes))


def _plan_update(request: PlanRequest) -> PlanResponse:
    """Plan an update. An unknown value counts as changed."""
    prior, proposed = request.prior.payload, request.proposed.payload
    changed = {name for name in proposed if name not in _COUNTED_BY_CLOUD and proposed[name] != prior[name]}
    version = unknown(prior["version"].type) if changed else prior["version"]
    planned = with_attributes(request.proposed, {"id": prior["id"], "version": version})
    return PlanResponse(planned, requires_replace=[(AttributeStep("force_new"),)] if "force_new" in changed else ())


def _with_attribute(planned: PlanResponse, attribute: str, value: Value) -> PlanResponse:
    assert planned.value is not None
    return replace(planned, value=with_attributes(planned.value, {attribute: value}))


def _make_answer(result: Value, kind: FaultKind | None) -> ApplyResponse:
    if kind is FaultKind.INCONSISTENT_RESULT:
        return ApplyResponse(with_attributes(result, {"value": string("inconsistent")}))
    return ApplyResponse(result)


def _make_failure(value: Value, summary: str, detail: str) -> ApplyResponse:
    return ApplyResponse(value, problems=[block_error(summary, detail)])
