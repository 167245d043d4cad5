"""Schemas: a provider's description of the shape of a block.

A `Block` has attributes and nested block types. An attribute has either a type, or a nested structure of attributes
with its own nesting mode. The value of a block is always an object with one attribute for each attribute and each
nested block type; `implied_type` returns its type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum

from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.record import record
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import DYNAMIC, ListType, MapType, ObjectType, SetType, Type, contains_dynamic
from shared_nodes.values.value import EMPTY_OBJECT, EMPTY_TUPLE, Value, list_of, map_of, null, object_of

__all__ = [
    "BlockType",
    "IdentityAttribute",
    "IdentitySchema",
    "NestedAttributes",
    "Nesting",
    "ProviderSchema",
    "ResourceSchema",
    "SchemaAttribute",
    "SchemaBlock",
    "attribute_type",
    "empty_value",
    "has_deprecated",
    "has_sensitive",
    "has_write_only",
    "implied_type",
]


class Nesting(StrEnum):
    SINGLE = "single"
    GROUP = "group"
    LIST = "list"
    SET = "set"
    MAP = "map"


@record
class NestedAttributes:
    nesting: Nesting
    attributes: Mapping[str, SchemaAttribute]


@record
class SchemaAttribute:
    """An attribute of a block. Exactly one of `type` and `nested` is set. An attribute that is `computed` but not
    `optional` is set only by the provider."""

    type: Type | None = None
    nested: NestedAttributes | None = None
    required: bool = False
    optional: bool = False
    computed: bool = False
    sensitive: bool = False
    write_only: bool = False
    deprecated: bool = False
    deprecation_message: str = field(default="", repr=False)
    """What to use instead, if the provider says so."""


@record
class BlockType:
    nesting: Nesting
    block: SchemaBlock
    min_items: int = 0
    max_items: int = 0
    """The greatest number of blocks; 0 means any number."""


@record
class SchemaBlock:
    attributes: Mapping[str, SchemaAttribute] = field(default_factory=dict)
    block_types: Mapping[str, BlockType] = field(default_factory=dict)
    deprecated: bool = False
    deprecation_message: str = field(default="", repr=False)
    _implied_type: ObjectType | None = field(default=None, init=False, repr=False, compare=False)
    _empty_value: Value | None = field(default=None, init=False, repr=False, compare=False)
    _has_sensitive: bool | None = field(default=None, init=False, repr=False, compare=False)
    _has_write_only: bool | None = field(default=None, init=False, repr=False, compare=False)
    _has_deprecated: bool | None = field(default=None, init=False, repr=False, compare=False)


@record
class IdentityAttribute:
    """An attribute of an identity. An import may leave it out if it is `optional`."""

    type: Type
    required: bool = False
    optional: bool = False


@record
class IdentitySchema:
    """The shape of what identifies an object of a type to its provider, where an id is not enough."""

    attributes: Mapping[str, IdentityAttribute]
    version: int = 0

    @property
    def type(self) -> ObjectType:
        return ObjectType({name: attribute.type for name, attribute in self.attributes.items()})

    @property
    def given_type(self) -> ObjectType:
        """The type of an identity in an import, where some attributes may be left out."""
        left_out = [name for name, attribute in self.attributes.items() if attribute.optional]
        return ObjectType(self.type.attributes, left_out)


@record
class ResourceSchema:
    block: SchemaBlock
    version: int = 0
    identity: IdentitySchema | None = field(default=None, repr=False)
    """Not printed, because plans are distinguished by the printed form of schemas, and identities came later."""


@record
class ProviderSchema:
    """Everything one provider offers, by type name."""

    provider: SchemaBlock = field(default_factory=SchemaBlock)
    managed: Mapping[str, ResourceSchema] = field(default_factory=dict)
    data: Mapping[str, ResourceSchema] = field(default_factory=dict)
    ephemeral: Mapping[str, ResourceSchema] = field(default_factory=dict)
    provider_meta: SchemaBlock | None = None
    """The schema of `provider_meta` blocks; None if the provider does not accept any."""

    plans_destroy: bool = False
    """The provider is to be consulted before an object is destroyed."""

    moves_state: bool = False
    """The provider can take over objects of other types."""

    def resource(self, resource: Resource) -> ResourceSchema | None:
        """Return the schema of a resource type of any mode."""
        match resource.mode:
            case ResourceMode.MANAGED:
                return self.managed.get(resource.type)
            case ResourceMode.DATA:
                return self.data.get(resource.type)
            case ResourceMode.EPHEMERAL:
                return self.ephemeral.get(resource.type)


def attribute_type(attribute: SchemaAttribute) -> Type:
    if attribute.nested is None:
        assert attribute.type is not None
        return attribute.type
    inner = ObjectType({name: attribute_type(part) for name, part in attribute.nested.attributes.items()})
    return _wrap(attribute.nested.nesting, inner)


def _wrap(nesting: Nesting, inner: ObjectType) -> Type:
    """Return the type of nested content. Content with dynamic parts cannot be the element type of a list or map, so the
    whole is dynamic."""
    match nesting:
        case Nesting.SINGLE | Nesting.GROUP:
            return inner
        case Nesting.SET:
            return SetType(inner)
        case Nesting.LIST:
            return DYNAMIC if contains_dynamic(inner) else ListType(inner)
        case Nesting.MAP:
            return DYNAMIC if contains_dynamic(inner) else MapType(inner)


def implied_type(block: SchemaBlock) -> ObjectType:
    """Return the type of every object of this shape. Cached per block, because it is needed several times per resource
    instance."""
    known = block._implied_type
    if known is None:
        known = _implied_type(block)
        object.__setattr__(block, "_implied_type", known)
    return known


def _implied_type(block: SchemaBlock) -> ObjectType:
    types = {name: attribute_type(attribute) for name, attribute in block.attributes.items()}
    types |= {name: _wrap(nested.nesting, implied_type(nested.block)) for name, nested in block.block_types.items()}
    return ObjectType(types)


def has_sensitive(block: SchemaBlock) -> bool:
    """Return whether the block has any sensitive attribute, at any depth. Cached per block, like `implied_type`."""
    if block._has_sensitive is None:
        object.__setattr__(block, "_has_sensitive", _has_attribute(block, lambda attribute: attribute.sensitive))
    return bool(block._has_sensitive)


def has_write_only(block: SchemaBlock) -> bool:
    """Return whether the block has any write-only attribute, at any depth. Cached per block."""
    if block._has_write_only is None:
        object.__setattr__(block, "_has_write_only", _has_attribute(block, lambda attribute: attribute.write_only))
    return bool(block._has_write_only)


def has_deprecated(block: SchemaBlock) -> bool:
    """Return whether the block has any deprecated attribute, at any depth. Cached per block."""
    if block._has_deprecated is None:
        object.__setattr__(block, "_has_deprecated", _has_attribute(block, lambda attribute: attribute.deprecated))
    return bool(block._has_deprecated)


def _has_attribute(block: SchemaBlock, matches: Callable[[SchemaAttribute], bool]) -> bool:
    nested = [SchemaBlock(each.nested.attributes) for each in block.attributes.values() if each.nested is not None]
    nested += [each.block for each in block.block_types.values()]
    return any(map(matches, block.attributes.values())) or any(_has_attribute(each, matches) for each in nested)


def empty_value(block: SchemaBlock) -> Value:
    """Return the value of a block that sets nothing: null attributes, and no nested blocks. Cached per block."""
    known = block._empty_value
    if known is None:
        known = _empty_value(block)
        object.__setattr__(block, "_empty_value", known)
    return known


def _empty_value(block: SchemaBlock) -> Value:
    parts = {name: null(attribute_type(attribute)) for name, attribute in block.attributes.items()}
    parts |= {name: _no_blocks(nested) for name, nested in block.block_types.items()}
    return object_of(parts)


def _no_blocks(nested: BlockType) -> Value:
    inner = implied_type(nested.block)
    match nested.nesting:
        case Nesting.SINGLE:
            return null(inner)
        case Nesting.GROUP:
            return empty_value(nested.block)
        case Nesting.SET:
            return set_of(inner, ())
        case Nesting.LIST:
            return EMPTY_TUPLE if contains_dynamic(inner) else list_of(inner, ())
        case Nesting.MAP:
            return EMPTY_OBJECT if contains_dynamic(inner) else map_of(inner, {})
