"""The provider `dh.test/diffharness/simcloud`: resource types that each provoke one behaviour, on one cloud.

The types are declared in `resource_types.py`; this module has what they share. Unlike `sim`, this provider plans
deletions, takes over objects of other types, has functions, ephemeral resources and module metadata, and its regions
are separate clouds. Nothing fails in here unless the configuration asks for it: faults are injected from outside by
`faulty.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from harness.simulation.problems import block_error
from harness.simulation.simcloud.behaviour import (
    Behaviour,
    plan_update,
    replacing_paths,
    text_of,
    with_parts,
    with_unknown_computed,
    without_write_only,
)
from harness.simulation.simcloud.data_sources import DATA_SOURCES
from harness.simulation.simcloud.ephemerals import EPHEMERALS, close_token, open_token, renew_token
from harness.simulation.simcloud.objects import CallContext, CloudObject
from harness.simulation.simcloud.provider_functions import FUNCTIONS
from harness.simulation.simcloud.refusal import CloudRefusal
from harness.simulation.simcloud.resource_types import RESOURCE_TYPES
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.function import Function
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    FlatAttributes,
    Imported,
    ImportedObject,
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
from shared_nodes.providers.defaults import DefaultProvider, decode_stored, refuse_flat
from shared_nodes.providers.schema import (
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
    empty_value,
    implied_type,
)
from shared_nodes.values.json import Tree
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.stored import stored
from shared_nodes.values.types import BOOL, STRING
from shared_nodes.values.value import NULL_DYNAMIC, TRUE, Value, null, object_of, string
from shared_nodes.world import World

__all__ = ["SIMCLOUD", "SIMCLOUD_SCHEMA", "SimcloudProvider"]

SIMCLOUD: Final = ProviderSource("dh.test", "diffharness", "simcloud")

_CONFIGURATION: Final = SchemaBlock(
    {
        "region": SchemaAttribute(STRING, optional=True),
        "token": SchemaAttribute(STRING, optional=True, sensitive=True),
        "refuse": SchemaAttribute(STRING, optional=True),
        "require_known": SchemaAttribute(BOOL, optional=True),
    }
)

SIMCLOUD_SCHEMA: Final = ProviderSchema(
    provider=_CONFIGURATION,
    managed={name: ResourceSchema(one.block, one.version, one.identity) for name, one in RESOURCE_TYPES.items()},
    data={name: source.schema for name, source in DATA_SOURCES.items()},
    ephemeral=EPHEMERALS,
    provider_meta=SchemaBlock({"module_name": SchemaAttribute(STRING, optional=True)}),
    plans_destroy=True,
    moves_state=True,
)

_PLANNED: Final = b"planned "
_NEW: Final = b"new"
"""The private data in the plan of a new object, which has none yet."""

_MOVABLE_TYPE: Final = "terraform_data"


class SimcloudProvider(DefaultProvider):
    """One instance. Its region is None while it is unknown; then it can only plan, which needs no cloud."""

    __slots__ = ("_region", "_simulation", "_world")

    def __init__(self, simulation: Simulation, world: World) -> None:
        self._simulation = simulation
        self._world = world
        self._region: str | None = ""

    @property
    def schema(self) -> ProviderSchema:
        return SIMCLOUD_SCHEMA

    @property
    def functions(self) -> Sequence[Function]:
        return FUNCTIONS

    # Configuration

    async def validate_provider_config(self, config: Value) -> Problems:
        if text_of(config, "refuse") != "validate":
            return ()
        return [_error("Invalid configuration", "The provider refuses to validate this configuration.", "refuse")]

    async def configure(self, config: Value) -> Problems:
        region = config.payload["region"]
        self._region = text_of(config, "region") or "" if region.is_known else None
        if self._region is None and config.payload["require_known"] == TRUE:
            return [_error("Unknown region", "The region must be known before anything can be done.", "region")]
        if text_of(config, "refuse") == "configure":
            detail = f'The cloud refused the provider configuration for region "{self._region or ""}".'
            return [_error("Configure failed", detail)]
        return ()

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        return RESOURCE_TYPES[type_name].warnings(config)

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        return ()

    def _call_context(
        self, type_name: str, config: Value = NULL_DYNAMIC, provider_meta: Value = NULL_DYNAMIC
    ) -> CallContext:
        if self._region is None:
            raise CloudRefusal("Unknown region", "The region of this provider is not known yet.")
        return CallContext(type_name, self._region, config, provider_meta)

    # Reading

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        """Upgrade step by step from the version the object was written for."""
        behaviour = RESOURCE_TYPES[type_name]
        if isinstance(attributes, FlatAttributes):
            return refuse_flat()
        if not isinstance(attributes, dict):
            return ReadObject(None, problems=[_error("Unreadable object", "It must be an object.")])
        current = dict(attributes)
        for step in behaviour.upgrades[version:]:
            result = step(current)
            if isinstance(result, str):
                return ReadObject(None, problems=[error("Upgrade failed", result)])
            current = result
        return decode_stored(current, implied_type(behaviour.block), "Unreadable object")

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        """Read an object. One that was just imported has no private data yet."""
        behaviour, identifier = RESOURCE_TYPES[type_name], text_of(current, "id")
        try:
            live = self._simulation.cloud.objects.observe(self._call_context(type_name), identifier)
            is_known_to_engine = text_of(current, "name") is not None
            if is_known_to_engine:
                _check_private(behaviour, identifier, private)
        except CloudRefusal as refusal:
            return ReadObject(stored(current), private, [_error(refusal.summary, refusal.detail)])
        if live is None:
            return ReadObject(null(implied_type(behaviour.block)), private)
        return ReadObject(live, _private(behaviour, identifier), identity=self._identity(behaviour, live))

    async def upgrade_identity(self, type_name: str, version: int, stored: Tree) -> UpgradedIdentity:
        """Upgrade from version 0, which had only the name, under another one."""
        name = stored.get("label") if isinstance(stored, dict) else None
        if not isinstance(name, str):
            return UpgradedIdentity(None, [_error("Upgrade failed", f"Version {version} of an identity has a label.")])
        return UpgradedIdentity(object_of({"name": string(name), "region": string(self._region or "")}))

    def _identity(self, behaviour: Behaviour, live: Value) -> Value | None:
        """Return the identity of an object, which is null in a region that is not known yet."""
        if behaviour.identity is None or self._region is None:
            return None
        return object_of({"name": live.payload["name"], "region": string(self._region)})

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        """Return an object with nothing but the id. The read that follows determines whether it exists."""
        behaviour = RESOURCE_TYPES[type_name]
        if not behaviour.importable:
            return Imported((), [error("Import not supported", f"{type_name} cannot be imported.")])
        value = with_parts(empty_value(behaviour.block), {"id": string(identifier)})
        return Imported([ImportedObject(type_name, value, _private(behaviour, identifier))])

    async def import_by_identity(self, type_name: str, identity: Value) -> Imported:
        """Return an object with the id that the cloud knows for an identity; without any if there is no such object, or
        if it is in another region."""
        behaviour = RESOURCE_TYPES[type_name]
        name, region = text_of(identity, "name"), text_of(identity, "region")
        found = None
        if region is None or region == self._region:
            live = self._simulation.cloud.objects.live_objects(name, type_name)
            found = next((one for one in live if one.region == self._region), None)
        value = empty_value(behaviour.block)
        if found is not None:
            value = with_parts(value, {"id": string(found.identifier)})
        return Imported([ImportedObject(type_name, value, identity=identity)])

    async def move(self, request: MoveRequest) -> ReadObject:
        """Take over an object of the type of which this is a new name, or a terraform_data, whose input becomes the
        value of an object that is expected in the cloud under that id."""
        behaviour, attributes = RESOURCE_TYPES[request.target_type_name], request.source_attributes
        if behaviour.stored_as is None or not isinstance(attributes, dict):
            return ReadObject(None, problems=[_move_refused(request)])
        if request.source_type_name == _MOVABLE_TYPE:
            identifier, given = attributes.get("id"), attributes.get("input")
            value = given.get("value") if isinstance(given, dict) else None
            attributes = {"id": identifier, "name": identifier, "value": value if isinstance(value, str) else None}
        elif request.source_type_name != behaviour.stored_as:
            return ReadObject(None, problems=[_move_refused(request)])
        return await self.upgrade(request.target_type_name, behaviour.version, attributes)

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        type_name, config = request.type_name, request.config
        try:
            answer = await DATA_SOURCES[type_name].read(self._simulation, self._call_context(type_name).region, config)
        except CloudRefusal as refusal:
            return ReadObject(None, problems=[_error(refusal.summary, refusal.detail)])
        return ReadObject(stored(with_parts(config, answer)))

    # Changing

    async def plan(self, request: PlanRequest) -> PlanResponse:
        behaviour, prior = RESOURCE_TYPES[request.type_name], request.prior
        identifier = None if prior.is_null else text_of(prior, "id")
        try:
            if not prior.is_null:
                _check_private(behaviour, identifier, request.prior_private)
            if request.proposed.is_null:
                _check_deletion(behaviour, prior)
        except CloudRefusal as refusal:
            return PlanResponse(None, problems=[_error(refusal.summary, refusal.detail)])
        private = _PLANNED + (request.prior_private.removeprefix(_PLANNED) or _NEW) if behaviour.keeps_private else b""
        if request.proposed.is_null:
            return PlanResponse(request.proposed, private=private, identity=request.prior_identity)
        proposed = without_write_only(behaviour.block, request.proposed)
        if prior.is_null:
            planned = with_unknown_computed(behaviour.block, proposed, behaviour.known_defaults)
            return PlanResponse(stored(planned), private=private, legacy_types=behaviour.legacy_types)
        planned = stored(plan_update(behaviour, prior, proposed))
        paths, identity = replacing_paths(behaviour, prior, planned), request.prior_identity
        return PlanResponse(planned, paths, private, legacy_types=behaviour.legacy_types, identity=identity)

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        behaviour = RESOURCE_TYPES[request.type_name]
        try:
            context = self._call_context(request.type_name, request.config, request.provider_meta)
            if not request.prior.is_null:
                _check_private(behaviour, text_of(request.prior, "id"), request.planned_private)
            return self._apply(context, behaviour, request)
        except CloudRefusal as refusal:
            problem = _error(refusal.summary, refusal.detail)
            private = request.planned_private.removeprefix(_PLANNED)
            return ApplyResponse(
                stored(request.prior), private, [problem], behaviour.legacy_types, request.planned_identity
            )

    def _apply(self, context: CallContext, behaviour: Behaviour, request: ApplyRequest) -> ApplyResponse:
        store = self._simulation.cloud.objects
        if request.planned.is_null:
            store.delete(context, text_of(request.prior, "id"))
            return ApplyResponse(request.planned)
        if request.prior.is_null:
            if behaviour.keeps_private and not request.planned_private.startswith(_PLANNED):
                raise CloudRefusal("Private data lost", "The plan's private data did not come back.")
            result = store.create(context, request.planned)
        else:
            result = store.update(context, request.planned)
        private = _private(behaviour, result.identifier)
        value, identity = _answer(behaviour, request.planned, result), self._identity(behaviour, result.value)
        return ApplyResponse(value, private, legacy_types=behaviour.legacy_types, identity=identity)

    # Ephemeral resources

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        return open_token(self._simulation, self._world, config)

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        return renew_token(self._simulation, self._world, type_name, private)

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        return close_token(self._simulation, private)


def _answer(behaviour: Behaviour, planned: Value, result: CloudObject) -> Value:
    """Return the result of an apply. What was planned must come back as planned, even if the server spells it
    differently."""
    if behaviour.canonical is None or behaviour.legacy_types:
        return result.value
    return stored(with_parts(result.value, {name: part for name, part in planned.payload.items() if part.is_known}))


def _private(behaviour: Behaviour, identifier: str | None) -> bytes:
    return f"private {identifier}".encode() if behaviour.keeps_private else b""


def _check_private(behaviour: Behaviour, identifier: str | None, private: bytes) -> None:
    """Check that private data come back. A plan adds to them, and those of a replacement pass through two plans. The
    successor of a tainted object is planned as if it were new, and its private data also come with the deletion."""
    if behaviour.keeps_private and _private(behaviour, identifier) not in private and private != _PLANNED + _NEW:
        raise CloudRefusal("Private data lost", f'The private data of object "{identifier}" did not come back.')


def _check_deletion(behaviour: Behaviour, prior: Value) -> None:
    flag = behaviour.protection.flag
    if flag is not None and prior.payload[flag] == TRUE:
        raise CloudRefusal("Deletion refused", f'Object "{text_of(prior, "id")}" is protected from deletion.')


def _error(summary: str, detail: str, *attribute: str) -> Diagnostic:
    """Return an error about the whole block, or about one attribute of it."""
    return replace(error(summary, detail), attribute=tuple(map(AttributeStep, attribute)))


def _move_refused(request: MoveRequest) -> Diagnostic:
    detail = f"{request.target_type_name} cannot take over objects of type {request.source_type_name}."
    return block_error("Move refused", detail)
