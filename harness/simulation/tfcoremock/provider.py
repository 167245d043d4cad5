"""The provider `hashicorp/tfcoremock`, in process. Terraform uses it to test its core, so the published equivalence
tests of Terraform and OpenTofu are written for it.

It accepts every configuration and keeps each object as a file named after its id. The file is the object: edit it, and
the object has drifted; delete it, and the object is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from harness.simulation.problems import block_error
from harness.simulation.tfcoremock.computed import ComputedError, Computing
from harness.simulation.tfcoremock.definition import FIXED, IDENTITY, Definition, data_schema, managed_schema
from harness.simulation.tfcoremock.integers import integer_problems
from harness.simulation.tfcoremock.objects import Objects, object_from_tree, tree_from_object
from harness.simulation.tfcoremock.planning import plan_change
from harness.simulation.tfcoremock.release import NEWEST, Release
from shared_nodes.lang.diagnostics import Diagnostic, error
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
from shared_nodes.providers.schema import ProviderSchema, SchemaAttribute, SchemaBlock, implied_type
from shared_nodes.values.json import JsonError
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.stored import stored
from shared_nodes.values.types import BOOL, STRING, ListType, ObjectType, Type
from shared_nodes.values.value import NULL_DYNAMIC, Value, null, object_of, string
from shared_nodes.world import World

__all__ = ["CoreMockProvider", "coremock_schema"]


def coremock_schema(dynamic: Mapping[str, Definition], release: Release = NEWEST) -> ProviderSchema:
    """Return the schema. Every resource type is a data source as well."""
    definitions = {**FIXED, **dynamic}
    return ProviderSchema(
        provider=SchemaBlock({name: SchemaAttribute(ty, optional=True) for name, ty in _settings(release).items()}),
        managed={name: managed_schema(one) for name, one in definitions.items()},
        data={name: data_schema(one, release) for name, one in definitions.items()},
    )


_FAILURES: Final = ("fail_on_create", "fail_on_delete", "fail_on_read", "fail_on_update")
_DEFERRED: Final = "defer_changes"


def _settings(release: Release) -> dict[str, Type]:
    settings: dict[str, Type] = {"data_directory": STRING, "resource_directory": STRING, "use_only_state": BOOL}
    if release.fails_on_request:
        settings |= dict.fromkeys(_FAILURES, ListType(STRING))
    if release.defers_on_request:
        settings[_DEFERRED] = ListType(STRING)
    return settings


class CoreMockProvider(DefaultProvider):
    """One instance. The schema is a parameter because building it is expensive: the complex resource has thousands of
    attributes, and there may be dozens of instances."""

    __slots__ = ("_definitions", "_listed_ids", "_objects", "_only_state", "_release", "_schema", "_world")

    def __init__(
        self, world: World, dynamic: Mapping[str, Definition], release: Release, schema: ProviderSchema
    ) -> None:
        self._world = world
        self._definitions = {**FIXED, **dynamic}
        self._release = release
        self._schema = schema
        self._objects = Objects(world.files, removes_empty_directory=release.removes_empty_directory)
        self._only_state = False
        self._listed_ids: dict[str, frozenset[str]] = {}

    @property
    def schema(self) -> ProviderSchema:
        return self._schema

    # Configuration

    async def configure(self, config: Value) -> Problems:
        given = {name: part for name, part in config.payload.items() if part.is_known and not part.is_null}
        self._objects = replace(
            self._objects,
            **{name: given[name].payload for name in ("resource_directory", "data_directory") if name in given},
        )
        self._only_state = "use_only_state" in given and given["use_only_state"].payload
        self._listed_ids = {
            name: frozenset(one.payload for one in given[name].payload if one.is_known and not one.is_null)
            for name in (*_FAILURES, _DEFERRED)
            if name in given
        }
        return ()

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        return integer_problems(self._definitions[type_name], config)

    def _is_listed(self, setting: str, identifier: str | None) -> bool:
        return identifier in self._listed_ids.get(setting, ())

    # Reading

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        """Decode the object; there has only ever been version 0."""
        return decode_stored(attributes, self._type(type_name), "Unable to Read Previously Saved State")

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        identifier = _identifier(current)
        if self._is_listed("fail_on_read", identifier):
            return ReadObject(current, private, [_forced_failure("read")])
        if self._only_state or identifier is None:
            return ReadObject(current, private)
        place = self._objects.place(identifier)
        try:
            return ReadObject(stored(self._objects.read(place, self._type(type_name))), private)
        except FileNotFoundError:
            return ReadObject(null(current.type), private)
        except (OSError, JsonError) as problem:
            return ReadObject(current, private, [_failure("read resource", f"open {place}", problem)])

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        """Return an object with nothing but the id. The read that follows determines whether it exists."""
        attributes = {name: null(ty) for name, ty in self._type(type_name).attributes.items()}
        return Imported([ImportedObject(type_name, object_of({**attributes, IDENTITY: string(identifier)}))])

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        place = self._objects.data_place(_identifier(request.config) or "")
        wanted = implied_type(self.schema.data[request.type_name].block)
        try:
            return ReadObject(stored(self._objects.read(place, wanted)))
        except (OSError, JsonError) as problem:
            return ReadObject(None, problems=[_failure("read data source", f"open {place}", problem)])

    # Changing

    async def plan(self, request: PlanRequest) -> PlanResponse:
        planned = plan_change(self._definitions[request.type_name], request)
        if planned.value is not None and self._is_listed(_DEFERRED, _identifier(planned.value)):
            return replace(planned, problems=[_no_deferral()])
        return planned

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        """Apply a change. If anything fails, everything stays as it was."""
        try:
            if request.planned.is_null:
                return self._delete(request)
            return self._create(request) if request.prior.is_null else self._update(request)
        except ComputedError as problem:
            return ApplyResponse(
                request.prior, problems=[block_error("failed to generate computed values", str(problem))]
            )

    def _create(self, request: ApplyRequest) -> ApplyResponse:
        result = self._compute(request)
        identifier = _identifier(result)
        if identifier is None:
            identifier = self._world.identifiers.new(request.owner)
            result = object_of({**result.payload, IDENTITY: string(identifier)})
        if self._is_listed("fail_on_create", identifier):
            return ApplyResponse(request.prior, problems=[_forced_failure("create")])
        place = self._objects.place(identifier)
        try:
            if not self._only_state:
                self._objects.create(place, result)
        except FileExistsError:
            taken = block_error("failed to write resource", "resource with the specified id likely already exists")
            return ApplyResponse(request.prior, problems=[taken])
        except OSError as problem:
            return ApplyResponse(request.prior, problems=[_failure("write resource", f"open {place}", problem)])
        return ApplyResponse(result)

    def _update(self, request: ApplyRequest) -> ApplyResponse:
        result = self._compute(request)
        identifier = _identifier(result) or ""
        if self._is_listed("fail_on_update", identifier):
            return ApplyResponse(request.prior, problems=[_forced_failure("update")])
        place = self._objects.place(identifier)
        try:
            if not self._only_state:
                self._objects.update(place, result)
        except OSError as problem:
            return ApplyResponse(request.prior, problems=[_failure("update resource", f"stat {place}", problem)])
        return ApplyResponse(result)

    def _delete(self, request: ApplyRequest) -> ApplyResponse:
        identifier = _identifier(request.prior) or ""
        if self._is_listed("fail_on_delete", identifier):
            return ApplyResponse(request.prior, problems=[_forced_failure("delete")])
        place = self._objects.place(identifier)
        try:
            if not self._only_state:
                self._objects.delete(place)
        except OSError as problem:
            return ApplyResponse(request.prior, problems=[_failure("delete resource", f"remove {place}", problem)])
        return ApplyResponse(request.planned)

    def _compute(self, request: ApplyRequest) -> Value:
        """Return the object as it will be read from its file, so that the state contains nothing that the file does
        not."""
        computing = Computing(self._release.computes_defaults, lambda: self._world.identifiers.new(request.owner))
        result = computing.resource(self._definitions[request.type_name], request.planned)
        return stored(object_from_tree(tree_from_object(result), self._type(request.type_name)))

    def _type(self, type_name: str) -> ObjectType:
        return implied_type(self.schema.managed[type_name].block)


def _identifier(value: Value) -> str | None:
    if value.is_null or not value.is_known:
        return None
    part = value.payload[IDENTITY]
    return part.payload if part.is_known and not part.is_null else None


def _forced_failure(verb: str) -> Diagnostic:
    return block_error(f"failed to {verb} resource", "forced failure")


def _no_deferral() -> Diagnostic:
    detail = (
        'This `id` was marked as "should be deferred", but the current version of Terraform does not support deferrals.'
    )
    return replace(error("Invalid resource deferral", detail), attribute=(AttributeStep(IDENTITY),))


def _failure(what: str, call: str, problem: OSError | JsonError) -> Diagnostic:
    """Report the failing system call, as the original does: `open terraform.data/a.json: no such file or directory`."""
    if isinstance(problem, JsonError):
        reason = problem.message
    else:
        reason = f"{call}: {(problem.strerror or str(problem)).lower()}"
    return block_error(f"failed to {what}", reason)
