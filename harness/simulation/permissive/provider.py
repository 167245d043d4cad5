"""The provider: it plans what is configured and invents what expressions read.

Nothing ever has to be replaced, and nothing exists outside the state. What an attribute is computed as is decided by
its type, its use and its name (`invented.py`), unless the user says what it is (`known_values.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from harness.simulation.permissive.derived import IDENTITY, Derived
from harness.simulation.permissive.invented import complete, invent
from harness.simulation.permissive.known_values import NO_KNOWN_VALUES, KnownValues
from harness.simulation.permissive.uses import Use
from harness.simulation.problems import block_error
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.lang.function import Function, Parameter
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    FlatAttributes,
    Imported,
    ImportedObject,
    OpenedEphemeral,
    PlanRequest,
    PlanResponse,
    Problems,
    ReadDataRequest,
    ReadObject,
    RenewedEphemeral,
    StoredAttributes,
)
from shared_nodes.providers.defaults import DefaultProvider, refuse_flat
from shared_nodes.providers.schema import (
    BlockType,
    Nesting,
    ProviderSchema,
    SchemaAttribute,
    SchemaBlock,
    attribute_type,
    empty_value,
    implied_type,
)
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.json import JsonError, Tree, implied_value, value_from_json
from shared_nodes.values.raw_equality import raw_equals
from shared_nodes.values.types import DYNAMIC, ListType, MapType, Type, contains_dynamic
from shared_nodes.values.value import Value, list_of, map_of, null, object_of, string, tuple_of, unknown
from shared_nodes.world import World

__all__ = ["PermissiveProvider"]

_TYPED: Final = {"type", "value"}
"""The keys of a stored value of any type."""


class PermissiveProvider(DefaultProvider):
    __slots__ = ("_derived", "_known", "_world")

    def __init__(self, world: World, derived: Derived, known: KnownValues = NO_KNOWN_VALUES) -> None:
        self._world = world
        self._derived = derived
        self._known = known

    @property
    def functions(self) -> Sequence[Function]:
        return [self._function(name, use) for name, use in sorted(self._derived.functions.items())]

    @property
    def schema(self) -> ProviderSchema:
        return self._derived.schema

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Problems:
        return ()

    # Managed objects

    async def upgrade(self, type_name: str, version: int, attributes: StoredAttributes) -> ReadObject:
        """Read what the real provider has stored, with the types that the JSON implies."""
        if isinstance(attributes, FlatAttributes):
            return refuse_flat()
        try:
            return ReadObject(_restore(self.schema.managed[type_name].block, attributes))
        except JsonError as problem:
            return ReadObject(None, problems=[block_error("Unreadable object", problem.message)])

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
        made = self._make_object(ResourceMode.MANAGED, request.type_name, request.planned, identifier, request.owner)
        return ApplyResponse(made)

    # Data sources and ephemeral resources: every request succeeds

    async def read_data(self, request: ReadDataRequest) -> ReadObject:
        type_name, config = request.type_name, request.config
        planned = _plan_object(self.schema.data[type_name].block, config, config)
        identifier = _known_text(config.payload[IDENTITY]) or type_name
        owner = request.owner or request.address
        return ReadObject(self._make_object(ResourceMode.DATA, type_name, planned, identifier, owner))

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        planned = _plan_object(self.schema.ephemeral[type_name].block, config, config)
        return OpenedEphemeral(self._make_object(ResourceMode.EPHEMERAL, type_name, planned, type_name))

    async def renew_ephemeral(self, type_name: str, private: bytes) -> RenewedEphemeral:
        return RenewedEphemeral(private)

    async def close_ephemeral(self, type_name: str, private: bytes) -> Problems:
        return ()

    def _make_object(
        self, mode: ResourceMode, type_name: str, planned: Value, identifier: str, owner: str = ""
    ) -> Value:
        block = self._block(mode, type_name)
        parts = dict(planned.payload)
        if IDENTITY in parts and not (parts[IDENTITY].is_known and not parts[IDENTITY].is_null):
            parts[IDENTITY] = string(identifier)
        for name, value in self._known.of(mode, type_name, owner).items():
            if name in parts and not parts[name].is_wholly_known:
                parts[name] = _fitting(value, block, name)
        return complete(object_of(parts), self._derived.uses.get((mode, type_name), Use()), identifier)

    def _block(self, mode: ResourceMode, type_name: str) -> SchemaBlock:
        found = self.schema.resource(Resource(mode, type_name, ""))
        assert found is not None, "engines ask about known types only"
        return found.block

    def _function(self, name: str, use: Use) -> Function:
        def call(_arguments: Sequence[Value], _kind: Type) -> Value:
            known = self._known.of_function(name)
            return invent(DYNAMIC, use, name, "") if known is None else known

        anything = Parameter("argument", DYNAMIC, allow_null=True, allow_dynamic=True)
        return Function(name, (), DYNAMIC, call, variadic=anything, refinement=None)


def _fitting(value: Value, block: SchemaBlock, name: str) -> Value:
    """Return a value that the user has given, converted to the type of the attribute if that is possible."""
    attribute = block.attributes.get(name)
    try:
        return value if attribute is None else convert(value, attribute_type(attribute))
    except ConversionError:
        return value


def _known_text(value: Value) -> str | None:
    return value.payload if value.is_known and not value.is_null else None


def _plan_object(block: SchemaBlock, proposed: Value, config: Value) -> Value:
    """Return the plan: computed attributes that are not configured keep their value, or become unknown if they had
    none. What is write-only is never returned."""
    parts = dict(proposed.payload)
    for name, attribute in block.attributes.items():
        if attribute.write_only:
            parts[name] = null(attribute_type(attribute))
        elif attribute.computed and parts[name].is_null and config.payload[name].is_null:
            parts[name] = _unknown_attribute(attribute)
    for name, nested in block.block_types.items():
        blocks, given = parts[name], config.payload[name]
        if blocks.is_known and not blocks.is_null and given.is_known:
            parts[name] = _plan_blocks(nested, blocks, given)
    return object_of(parts)


def _plan_blocks(nested: BlockType, blocks: Value, given: Value) -> Value:
    """Return the plans of nested blocks, in the form of their collection."""
    block, payload = nested.block, blocks.payload
    if nested.nesting in (Nesting.SINGLE, Nesting.GROUP):
        return _plan_object(block, blocks, given)
    if not payload or nested.nesting is Nesting.SET:
        return blocks
    if isinstance(payload, dict):
        planned = {key: _plan_object(block, one, given.payload[key]) for key, one in payload.items()}
        return map_of(blocks.type.element, planned) if isinstance(blocks.type, MapType) else object_of(planned)
    pairs = zip(payload, given.payload, strict=True)
    result = [_plan_object(block, one, configured) for one, configured in pairs]
    return list_of(blocks.type.element, result) if isinstance(blocks.type, ListType) else tuple_of(result)


def _unknown_attribute(attribute: SchemaAttribute) -> Value:
    return unknown(attribute_type(attribute))


def _restore(block: SchemaBlock, stored: Tree) -> Value:
    if not isinstance(stored, dict):
        raise JsonError("an object is required")
    parts = dict(empty_value(block).payload)
    for name, attribute in block.attributes.items():
        if name in stored:
            kind = attribute_type(attribute)
            parts[name] = _decode_dynamic(stored[name]) if kind is DYNAMIC else value_from_json(stored[name], kind)
    for name, nested in block.block_types.items():
        if (found := stored.get(name)) is not None:
            parts[name] = _restore_blocks(nested, found, parts[name].type)
    return object_of(parts)


def _restore_blocks(nested: BlockType, stored: Tree, kind: Type) -> Value:
    """Read nested blocks. Where they are of any type, a state has the type beside the value, and what another provider
    has stored has not."""
    if not contains_dynamic(implied_type(nested.block)):
        return value_from_json(stored, kind)
    if isinstance(stored, list):
        return tuple_of(_restore(nested.block, one) for one in stored)
    if isinstance(stored, dict) and nested.nesting is Nesting.MAP and stored.keys() != _TYPED:
        return object_of({key: _restore(nested.block, one) for key, one in stored.items()})
    return _decode_dynamic(stored)


def _decode_dynamic(stored: Tree) -> Value:
    if isinstance(stored, dict) and stored.keys() == _TYPED:
        return value_from_json(stored, DYNAMIC)
    return implied_value(stored)
