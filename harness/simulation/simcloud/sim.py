"""The provider `dh.test/diffharness/sim`: `sim_thing`, `sim_lookup`, and nothing that needs more than one page.

Real Terraform was recorded against a plugin that follows the same specification, so every answer here is fixed: what
is planned, what an error says, what is returned together with it. A refusal by the cloud comes after the fault `error`
and before all others, which all need the effect to have taken place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from harness.simulation.simcloud.cloud import CloudRefusal
from harness.simulation.simcloud.faults import Kind, Subject, Verb
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
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.providers.contract import (
    Applied,
    ApplyRequest,
    Imported,
    ImportedObject,
    Planned,
    PlanRequest,
    Problems,
    ReadObject,
)
from shared_nodes.providers.plain import PlainProvider, upgraded
from shared_nodes.providers.schema import ProviderSchema, implied_type
from shared_nodes.values.json import Tree
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.stored import stored
from shared_nodes.values.types import STRING
from shared_nodes.values.value import NULL_DYNAMIC, Value, integer, string, unknown

__all__ = ["SIM", "SimProvider"]

SIM: Final = ProviderSource("dh.test", "diffharness", "sim")

_COUNTED_BY_CLOUD: Final = ("id", "version")
_WRONG: Final = string("auto-inconsistent")


class SimProvider(PlainProvider):
    """One configured instance. All instances of a run work in the same cloud: `region` changes nothing but which
    faults a configuration meets."""

    __slots__ = ("_simulation",)

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    @property
    def schema(self) -> ProviderSchema:
        return SIM_SCHEMA

    # Configuration

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        return self._validated(type_name, config)

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        return self._validated(type_name, config)

    def _validated(self, type_name: str, config: Value) -> Problems:
        name = known_text(config, "name")
        if self._simulation.struck(Subject(Verb.VALIDATE, name, type_name, config)) is None:
            return ()
        return [_error("Invalid thing", f'The thing "{name}" is not acceptable.')]

    async def configure(self, config: Value) -> Problems:
        """Faults know a configuration without a region by the empty name, and one that is not known yet by none."""
        region = known_text(config, "region") or ""
        is_known = config.payload["region"].is_known
        if self._simulation.struck(Subject(Verb.CONFIGURE, region if is_known else None, SIM.type, config)) is None:
            return ()
        detail = f'The cloud refused the provider configuration for region "{region}".'
        return [_error("Configure failed", detail)]

    # Reading

    async def upgrade(self, type_name: str, version: int, attributes: Tree) -> ReadObject:
        """There has only ever been version 0."""
        return upgraded(attributes, implied_type(THING), "Unreadable thing")

    async def read(
        self, type_name: str, current: Value, private: bytes, provider_meta: Value = NULL_DYNAMIC
    ) -> ReadObject:
        """An object just imported has no name yet, so that a fault goes by the live one's."""
        identifier = known_text(current, "id")
        live = self._simulation.cloud.find(identifier)
        name = known_text(current, "name")
        if name is None and live is not None:
            name = known_text(live, "name")
        kind = self._simulation.struck(Subject(Verb.READ, name, type_name, current))
        if kind is Kind.ERROR:
            problem = _error("Read failed", f'The cloud failed to read thing "{identifier}".')
            return ReadObject(_transmitted(current), private, [problem])
        if kind is Kind.GONE and live is not None:
            self._simulation.lost.append(f"{type_name} {identifier}")
            live = None
        return ReadObject(NO_THING if live is None else live, private)

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        """Whether it exists is for the read that follows to find out."""
        return Imported([ImportedObject(type_name, thing_from_json({"id": identifier}))])

    async def read_data(self, type_name: str, config: Value, provider_meta: Value = NULL_DYNAMIC) -> ReadObject:
        name = known_text(config, "name")
        if self._simulation.struck(Subject(Verb.LOOKUP, name, type_name, config)) is not None:
            return ReadObject(None, problems=[_error("Lookup failed", f'The cloud has no answer for "{name}".')])
        return ReadObject(with_attributes(config, {"result": string(f"found-{name}")}))

    # Changing

    async def plan(self, request: PlanRequest) -> Planned:
        planned = self._plan(request)
        return replace(planned, value=_transmitted(planned.value))

    def _plan(self, request: PlanRequest) -> Planned:
        name = known_text(request.proposed, "name")
        kind = self._simulation.struck(Subject(Verb.PLAN, name, request.type_name, request.proposed))
        if kind is Kind.ERROR:
            problem = _error("Plan failed", f'The cloud refused to plan thing "{name}".')
            return Planned(request.proposed, problems=[problem])
        planned = _planned_creation(request) if request.prior.is_null else _planned_update(request)
        if kind is Kind.INCONSISTENT_PLAN:
            attribute, wrong = ("version", integer(99)) if request.prior.is_null else ("auto", _WRONG)
            return _spoilt(planned, attribute, wrong)
        return _spoilt(planned, "value", string("invalid")) if kind is Kind.INVALID_PLAN else planned

    async def apply(self, request: ApplyRequest) -> Applied:
        applied = self._apply(request)
        return replace(applied, value=_transmitted(applied.value))

    def _apply(self, request: ApplyRequest) -> Applied:
        try:
            if request.planned.is_null:
                return self._delete(request)
            return self._create(request) if request.prior.is_null else self._update(request)
        except CloudRefusal as refusal:
            return Applied(request.prior, problems=[_error(refusal.summary, refusal.detail)])

    def _create(self, request: ApplyRequest) -> Applied:
        name = known_text(request.planned, "name")
        kind = self._simulation.struck(Subject(Verb.CREATE, name, request.type_name, request.planned))
        if kind is Kind.ERROR:
            return _failed(NO_THING, "Create failed", f'The cloud failed to create thing "{name}".')
        made = self._simulation.cloud.create(request.planned)
        identifier = known_text(made, "id")
        match kind:
            case Kind.ERROR_AFTER:
                return _failed(made, "Create failed late", f'The cloud created thing "{identifier}" and then failed.')
            case Kind.PARTIAL:
                part = thing_from_json({"id": identifier, "name": name})
                return _failed(part, "Create incomplete", f'The cloud created thing "{identifier}" in part.')
            case Kind.LOST:
                self._simulation.lost.append(f"{request.type_name} {identifier}")
                return _failed(NO_THING, "Create lost", f'The cloud lost track of thing "{name}".')
            case _:
                return _answered(made, kind)

    def _update(self, request: ApplyRequest) -> Applied:
        name = known_text(request.planned, "name")
        kind = self._simulation.struck(Subject(Verb.UPDATE, name, request.type_name, request.planned))
        identifier = known_text(request.planned, "id")
        if kind is Kind.ERROR:
            return _failed(request.prior, "Update failed", f'The cloud failed to update thing "{identifier}".')
        made = self._simulation.cloud.update(request.planned)
        if kind is Kind.ERROR_AFTER:
            return _failed(made, "Update failed late", f'The cloud updated thing "{identifier}" and then failed.')
        return _answered(made, kind)

    def _delete(self, request: ApplyRequest) -> Applied:
        name = known_text(request.prior, "name")
        kind = self._simulation.struck(Subject(Verb.DELETE, name, request.type_name, request.prior))
        identifier = known_text(request.prior, "id")
        if kind is Kind.ERROR:
            return _failed(request.prior, "Delete failed", f'The cloud failed to delete thing "{identifier}".')
        self._simulation.cloud.delete(identifier)
        if kind is Kind.ERROR_AFTER:
            return _failed(NO_THING, "Delete failed late", f'The cloud deleted thing "{identifier}" and then failed.')
        return Applied(NO_THING)


def _transmitted(value: Value | None) -> Value | None:
    """As an engine gets it from a plugin: numbers have the precision that the wire leaves them."""
    return None if value is None else stored(value)


def _planned_creation(request: PlanRequest) -> Planned:
    attributes = {"id": unknown(STRING), "version": integer(1)}
    if request.config.payload["auto"].is_null:
        attributes["auto"] = unknown(STRING)
    return Planned(with_attributes(request.proposed, attributes))


def _planned_update(request: PlanRequest) -> Planned:
    """What is not known yet counts as changed."""
    prior, proposed = request.prior.payload, request.proposed.payload
    changed = {name for name in proposed if name not in _COUNTED_BY_CLOUD and proposed[name] != prior[name]}
    version = unknown(prior["version"].type) if changed else prior["version"]
    planned = with_attributes(request.proposed, {"id": prior["id"], "version": version})
    return Planned(planned, requires_replace=[(AttributeStep("force_new"),)] if "force_new" in changed else ())


def _spoilt(planned: Planned, attribute: str, value: Value) -> Planned:
    assert planned.value is not None
    return replace(planned, value=with_attributes(planned.value, {attribute: value}))


def _answered(made: Value, kind: Kind | None) -> Applied:
    if kind is Kind.INCONSISTENT_RESULT:
        return Applied(with_attributes(made, {"value": string("inconsistent")}))
    return Applied(made)


def _failed(value: Value, summary: str, detail: str) -> Applied:
    return Applied(value, problems=[_error(summary, detail)])


def _error(summary: str, detail: str) -> Diagnostic:
    """Of the whole block: this provider never blames a single attribute."""
    return replace(error(summary, detail), attribute=())
