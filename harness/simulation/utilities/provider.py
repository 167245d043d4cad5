"""A provider that consists of its resource types and data sources: it has nothing to configure. Its numbers have the
precision of a plugin's, which an engine can observe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from harness.simulation.problems import block_error
from harness.simulation.utilities.definition import (
    Creation,
    DataSource,
    Object,
    RefusalError,
    ResourceType,
    schema_of,
)
from harness.simulation.utilities.planning import plan_change
from harness.simulation.utilities.validation import attribute_problems
from shared_nodes.lang.diagnostics import warning
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
from shared_nodes.record import record
from shared_nodes.values.stored import stored
from shared_nodes.values.types import ObjectType
from shared_nodes.values.value import NULL_DYNAMIC, Value, null, object_of
from shared_nodes.world import World

__all__ = ["Offer", "UtilityProvider"]


@record
class Offer:
    """Everything a provider offers."""

    managed: Mapping[str, ResourceType] = field(default_factory=dict)
    data: Mapping[str, DataSource] = field(default_factory=dict)

    def schema(self) -> ProviderSchema:
        return ProviderSchema(
            managed={name: schema_of(one) for name, one in self.managed.items()},
            data={name: schema_of(one) for name, one in self.data.items()},
        )


class UtilityProvider(DefaultProvider):
    __slots__ = ("_offer", "_schema", "_world")

    def __init__(self, world: World, offer: Offer, schema: ProviderSchema) -> None:
        self._world = world
        self._offer = offer
        self._schema = schema

    @property
    def schema(self) -> ProviderSchema:
        return self._schema

    def _type(self, type_name: str) -> ObjectType:
        return implied_type(self._schema.managed[type_name].block)

    # Configuration

    async def validate_resource_config(self, type_name: str, config: Value) -> Problems:
        definition = self._offer.managed[type_name]
        return [*attribute_problems(definition.attributes, config.payload), *definition.check(config.payload)]

    async def validate_data_config(self, type_name: str, config: Value) -> Problems:
        source = self._offer.data[type_name]
        deprecated = [warning("Deprecated", source.deprecation)] if source.deprecation else []
        return [*attribute_problems(source.attributes, config.payload), *deprecated]

    # Reading

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        """Decode a stored object. Attributes that another release has or lacks do not matter."""
        definition, wanted = self._offer.managed[type_name], self._type(type_name)
        if isinstance(attributes, dict):
            if version < definition.version:
                attributes = definition.upgrade(self._world, attributes)
            attributes = {name: attributes.get(name) for name in wanted.attributes}
        return decode_stored(attributes, wanted, "Unable to Read Previously Saved State")

    async def read(
        self,
        type_name: str,
        current: Value,
        private: bytes,
        provider_meta: Value = NULL_DYNAMIC,
        identity: Value | None = None,
    ) -> ReadObject:
        try:
            exists = self._offer.managed[type_name].exists(self._world, current.payload)
        except RefusalError as problem:
            return ReadObject(current, private, [block_error(problem.summary, problem.detail)])
        return ReadObject(stored(current) if exists else null(current.type), private)

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        take_over = self._offer.managed[type_name].take_over
        if take_over is None:
            detail = (
                "This resource does not support import. Please contact the provider developer for additional "
                "information."
            )
            return Imported((), [block_error("Resource Import Not Implemented", detail)])
        try:
            known = take_over(self._world, identifier)
        except RefusalError as problem:
            return Imported((), [block_error(problem.summary, problem.detail)])
        return Imported([ImportedObject(type_name, _completed(known, self._type(type_name)))])

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        try:
            found = self._offer.data[request.type_name].read(self._world, request.config.payload)
            return ReadObject(stored(object_of(found)))
        except RefusalError as problem:
            return ReadObject(None, problems=[block_error(problem.summary, problem.detail)])

    # Changing

    async def plan(self, request: PlanRequest) -> PlanResponse:
        return plan_change(self._offer.managed[request.type_name], request)

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        """Apply a change. An update only records new arguments, because everything else is a replacement."""
        definition, planned = self._offer.managed[request.type_name], request.planned
        try:
            if planned.is_null:
                definition.destroy(self._world, request.prior.payload)
            elif request.prior.is_null:
                made = definition.create(Creation(planned.payload, self._world, request.owner))
                return ApplyResponse(stored(object_of({**planned.payload, **made})))
            return ApplyResponse(stored(planned))
        except RefusalError as problem:
            return ApplyResponse(request.prior, problems=[block_error(problem.summary, problem.detail)])


def _completed(known: Object, wanted: ObjectType) -> Value:
    return object_of({name: known.get(name) or null(type) for name, type in wanted.attributes.items()})
