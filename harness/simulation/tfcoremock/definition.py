"""Definitions of tfcoremock's resource types: the two fixed types, and those from `dynamic_resources.json`.

A definition contains more than a schema: which changes force a replacement, and the values of computed attributes. Each
definition gives two schemas, one for the resource and one for the data source of the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Final

from harness.simulation.tfcoremock.release import Release
from shared_nodes.providers.schema import (
    BlockType,
    NestedAttributes,
    Nesting,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.record import record
from shared_nodes.values.json import Tree
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, ObjectType, SetType, Type

__all__ = [
    "FIXED",
    "IDENTITY",
    "AttributeDefinition",
    "AttributeKind",
    "BlockDefinition",
    "Definition",
    "data_schema",
    "managed_schema",
    "type_of",
]


class AttributeKind(StrEnum):
    BOOLEAN = "boolean"
    FLOAT = "float"
    INTEGER = "integer"
    NUMBER = "number"
    STRING = "string"
    LIST = "list"
    MAP = "map"
    OBJECT = "object"
    SET = "set"


@record
class AttributeDefinition:
    """An attribute. `element` is set for lists, maps and sets, `parts` for objects."""

    kind: AttributeKind
    optional: bool = False
    required: bool = False
    computed: bool = False
    sensitive: bool = False
    replace: bool = False
    """Whether a change forces a replacement."""

    plain: bool = False
    """Whether objects inside are part of its type, without metadata of their own (`skip_nested_metadata`)."""

    value: Tree = None
    """The computed value, in the form of stored objects; None if not defined."""

    element: AttributeDefinition | None = None
    parts: Mapping[str, AttributeDefinition] = field(default_factory=dict)

    @property
    def nested(self) -> tuple[Nesting, Mapping[str, AttributeDefinition]] | None:
        """Return the attributes below this one that have metadata of their own."""
        if self.plain:
            return None
        if self.kind is AttributeKind.OBJECT:
            return Nesting.SINGLE, self.parts
        if self.element is None or self.element.kind is not AttributeKind.OBJECT:
            return None
        return Nesting(self.kind.value), self.element.parts


@record
class BlockDefinition:
    nesting: Nesting = Nesting.LIST
    attributes: Mapping[str, AttributeDefinition] = field(default_factory=dict)
    blocks: Mapping[str, BlockDefinition] = field(default_factory=dict)


@record
class Definition:
    """A resource type. The attribute `id` cannot be defined, because every type has it; see `with_identity`."""

    attributes: Mapping[str, AttributeDefinition] = field(default_factory=dict)
    blocks: Mapping[str, BlockDefinition] = field(default_factory=dict)

    @property
    def with_identity(self) -> Mapping[str, AttributeDefinition]:
        return {**self.attributes, IDENTITY: _IDENTITY}


IDENTITY: Final = "id"
_IDENTITY: Final = AttributeDefinition(AttributeKind.STRING, optional=True, computed=True, replace=True)

# The fixed types

_SCALARS: Final = {
    "bool": AttributeDefinition(AttributeKind.BOOLEAN, optional=True),
    "float": AttributeDefinition(AttributeKind.FLOAT, optional=True),
    "integer": AttributeDefinition(AttributeKind.INTEGER, optional=True),
    "number": AttributeDefinition(AttributeKind.NUMBER, optional=True),
    "string": AttributeDefinition(AttributeKind.STRING, optional=True),
}
_DEPTH: Final = 3


def _complex_attributes(levels: int) -> Mapping[str, AttributeDefinition]:
    if levels == 0:
        return _SCALARS
    parts = _complex_attributes(levels - 1)
    element = AttributeDefinition(AttributeKind.OBJECT, parts=parts)
    collections = {
        kind.value: AttributeDefinition(kind, optional=True, element=element)
        for kind in (AttributeKind.LIST, AttributeKind.MAP, AttributeKind.SET)
    }
    return _SCALARS | collections | {"object": AttributeDefinition(AttributeKind.OBJECT, optional=True, parts=parts)}


def _complex_blocks(levels: int) -> Mapping[str, BlockDefinition]:
    if levels == 0:
        return {}
    content = BlockDefinition(Nesting.LIST, _complex_attributes(levels - 1), _complex_blocks(levels - 1))
    return {"list_block": content, "set_block": replace(content, nesting=Nesting.SET)}


FIXED: Final[Mapping[str, Definition]] = {
    "tfcoremock_simple_resource": Definition(_SCALARS),
    "tfcoremock_complex_resource": Definition(_complex_attributes(_DEPTH), _complex_blocks(_DEPTH)),
}

# Schemas


def type_of(attribute: AttributeDefinition) -> Type:
    match attribute.kind:
        case AttributeKind.BOOLEAN:
            return BOOL
        case AttributeKind.FLOAT | AttributeKind.INTEGER | AttributeKind.NUMBER:
            return NUMBER
        case AttributeKind.STRING:
            return STRING
        case AttributeKind.OBJECT:
            return ObjectType({name: type_of(part) for name, part in attribute.parts.items()})
    assert attribute.element is not None
    element = type_of(attribute.element)
    match attribute.kind:
        case AttributeKind.LIST:
            return ListType(element)
        case AttributeKind.MAP:
            return MapType(element)
    return SetType(element)


def managed_schema(definition: Definition) -> ResourceSchema:
    return ResourceSchema(_block(definition.with_identity, definition.blocks, all_computed=False))


def data_schema(definition: Definition, release: Release) -> ResourceSchema:
    """Return the schema of a data source: its id is required, everything else is computed."""
    computed = release.data_attributes_are_computed
    block = _block(definition.attributes, definition.blocks, all_computed=computed)
    return ResourceSchema(
        SchemaBlock({**block.attributes, IDENTITY: SchemaAttribute(STRING, required=True)}, block.block_types)
    )


def _block(
    attributes: Mapping[str, AttributeDefinition], blocks: Mapping[str, BlockDefinition], *, all_computed: bool
) -> SchemaBlock:
    return SchemaBlock(
        {name: _attribute(one, all_computed=all_computed) for name, one in attributes.items()},
        {
            name: BlockType(one.nesting, _block(one.attributes, one.blocks, all_computed=all_computed))
            for name, one in blocks.items()
        },
    )


def _attribute(definition: AttributeDefinition, *, all_computed: bool) -> SchemaAttribute:
    attribute = SchemaAttribute(
        required=definition.required and not all_computed,
        optional=definition.optional and not all_computed,
        computed=definition.computed or all_computed,
        sensitive=definition.sensitive,
    )
    if definition.nested is None:
        return replace(attribute, type=type_of(definition))
    nesting, parts = definition.nested
    inner = {name: _attribute(part, all_computed=all_computed) for name, part in parts.items()}
    return replace(attribute, nested=NestedAttributes(nesting, inner))
