"""The provider: it plans what is configured and invents what expressions read.

Nothing ever has to be replaced, and nothing exists outside the state. A computed attribute is a text made of the
object's id and its own name, or a list or object of such texts if expressions use it as one. That is enough for plans
and for applying them in a dry run, but it is never a number, an address or a document where one is needed.
"""

from __future__ import annotations

from collections.abc import Mapping

from harness.simulation.permissive.derived import IDENTITY, Derived
from harness.simulation.permissive.uses import Use
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.lang.diagnostics import error
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    Imported,
    ImportedObject,
    OpenedEphemeral,
    PlanRequest,
    PlanResponse,
    Problems,
    ReadDataRequest,
    ReadObject,
    RenewedEphemeral,
)
from shared_nodes.providers.defaults import DefaultProvider
from shared_nodes.providers.schema import ProviderSchema, SchemaAttribute, SchemaBlock, empty_value
from shared_nodes.values.json import JsonError, Tree, implied_value, value_from_json
from shared_nodes.values.raw_equality import raw_equals
from shared_nodes.values.types import DYNAMIC, STRING
from shared_nodes.values.value import Value, object_of, string, tuple_of, unknown
from shared_nodes.world import World

__all__ = ["PermissiveProvider"]


class PermissiveProvider(DefaultProvider):
    __slots__ = ("_derived", "_world")

    def __init__(self, world: World, derived: Derived) -> None:
        self._world = world
        self._derived = derived

    @property
    def schema(self) -> ProviderSchema:
        return self._derived.schema

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        return ()

    # Managed objects

    async def upgrade(self, type_name: str, version: int, attributes: Tree) -> ReadObject:
        """Read what the real provider has stored, with the types that the JSON implies."""
        try:
            return ReadObject(_restore(self.schema.managed[type_name].block, attributes))
        except JsonError as problem:
            return ReadObject(None, problems=[error("Unreadable object", problem.message)])

    async def import_object(self, type_name: str, identifier: str) -> Imported:
        empty = empty_value(self.schema.managed[type_name].block)
        result = object_of({**empty.payload, IDENTITY: string(identifier)})
        return Imported([ImportedObject(type_name, result)])

    async def plan(self, request: PlanRequest) -> PlanResponse:
        if request.proposed.is_null or raw_equals(request.proposed, request.prior):
            return PlanResponse(request.proposed)
        block = self.schema.managed[request.type_name].block
        return PlanResponse(_plan_object(block, request.proposed, request.config))

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        if request.planned.is_null:
            return ApplyResponse(request.planned)
        identifier = _known_text(request.planned.payload[IDENTITY]) or self._world.identifiers.new(request.owner)
        return ApplyResponse(self._make_object(ResourceMode.MANAGED, request.type_name, request.planned, identifier))

    # Data sources and ephemeral resources: every request succeeds

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        type_name, config = request.type_name, request.config
        planned = _plan_object(self.schema.data[type_name].block, config, config)
        identifier = _known_text(config.payload[IDENTITY]) or type_name
        return ReadObject(self._make_object(ResourceMode.DATA, type_name, planned, identifier))

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        planned = _plan_object(self.schema.ephemeral[type_name].block, config, config)
        return OpenedEphemeral(self._make_object(ResourceMode.EPHEMERAL, type_name, planned, type_name))

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        return RenewedEphemeral(private)

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        return ()

    def _make_object(self, mode: ResourceMode, type_name: str, planned: Value, identifier: str) -> Value:
        known = object_of({**planned.payload, IDENTITY: string(identifier)})
        return _complete(known, self._derived.uses.get((mode, type_name), Use()), identifier)


def _known_text(value: Value) -> str | None:
    return value.payload if value.is_known and not value.is_null else None


def _plan_object(block: SchemaBlock, proposed: Value, config: Value) -> Value:
    """Return the plan: computed attributes that are not configured keep their value, or become unknown if they had
    none."""
    parts = dict(proposed.payload)
    for name, attribute in block.attributes.items():
        if attribute.computed and parts[name].is_null and config.payload[name].is_null:
            parts[name] = _unknown_attribute(attribute)
    for name, nested in block.block_types.items():
        blocks, given = parts[name], config.payload[name]
        if blocks.is_known and not blocks.is_null and given.is_known:
            pairs = zip(blocks.payload, given.payload, strict=True)
            result = [_plan_object(nested.block, one, configured) for one, configured in pairs]
            parts[name] = tuple_of(result) if result else blocks
    return object_of(parts)


def _unknown_attribute(attribute: SchemaAttribute) -> Value:
    return unknown(attribute.type or DYNAMIC)


def _complete(value: Value, use: Use, text: str) -> Value:
    """Replace everything unknown by invented values."""
    if not value.is_known:
        return _invent(use, text)
    if value.is_wholly_known:
        return value
    payload = value.payload
    if isinstance(payload, dict):
        return object_of(_complete_parts(payload, use, text))
    element = use.element or Use()
    return tuple_of(_complete(one, element, f"{text}-{index}") for index, one in enumerate(payload))


def _complete_parts(parts: Mapping[str, Value], use: Use, text: str) -> dict[str, Value]:
    return {name: _complete(part, use.parts.get(name, Use()), f"{text}-{name}") for name, part in parts.items()}


def _invent(use: Use, text: str) -> Value:
    if use.parts:
        return object_of({name: _invent(part, f"{text}-{name}") for name, part in use.parts.items()})
    if use.element is not None:
        element = use.element
        return tuple_of(_invent(element, f"{text}-{index}") for index in range(use.count))
    return string(text)


def _restore(block: SchemaBlock, stored: Tree) -> Value:
    if not isinstance(stored, dict):
        raise JsonError("an object is required")
    parts = dict(empty_value(block).payload)
    for name, attribute in block.attributes.items():
        if name in stored:
            parts[name] = _decode_dynamic(stored[name]) if attribute.type is DYNAMIC else _text(stored[name])
    for name, nested in block.block_types.items():
        found = stored.get(name)
        if isinstance(found, list):
            parts[name] = tuple_of(_restore(nested.block, one) for one in found)
        elif found is not None:
            parts[name] = _decode_dynamic(found)
    return object_of(parts)


def _decode_dynamic(stored: Tree) -> Value:
    if isinstance(stored, dict) and stored.keys() == {"type", "value"}:
        return value_from_json(stored, DYNAMIC)
    return implied_value(stored)


def _text(stored: Tree) -> Value:
    return value_from_json(stored, STRING)
