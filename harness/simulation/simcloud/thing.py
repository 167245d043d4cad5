"""The schemas of `sim`: `sim_thing`, `sim_lookup`, and the provider's own configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.providers.schema import (
    BlockType,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
    empty_value,
    implied_type,
)
from shared_nodes.values.json import JsonError, Tree, value_from_json
from shared_nodes.values.paths import path_text
from shared_nodes.values.types import NUMBER, STRING, Type
from shared_nodes.values.value import Value, null, object_of

__all__ = [
    "ITEM",
    "LOOKUP",
    "NO_THING",
    "SIM_SCHEMA",
    "THING",
    "THING_TYPE",
    "fits_thing",
    "known_text",
    "thing_from_json",
    "with_attributes",
]

ITEM: Final = "item"
THING_TYPE: Final = "sim_thing"

THING: Final = SchemaBlock(
    {
        "id": SchemaAttribute(STRING, computed=True),
        "name": SchemaAttribute(STRING, required=True),
        "value": SchemaAttribute(STRING, optional=True),
        "force_new": SchemaAttribute(STRING, optional=True),
        "auto": SchemaAttribute(STRING, optional=True, computed=True),
        "secret": SchemaAttribute(STRING, optional=True, sensitive=True),
        "parent": SchemaAttribute(STRING, optional=True),
        "unique": SchemaAttribute(STRING, optional=True),
        "version": SchemaAttribute(NUMBER, computed=True),
    },
    {
        ITEM: BlockType(
            Nesting.LIST,
            SchemaBlock(
                {"key": SchemaAttribute(STRING, required=True), "amount": SchemaAttribute(NUMBER, optional=True)}
            ),
        )
    },
)

LOOKUP: Final = SchemaBlock(
    {"name": SchemaAttribute(STRING, required=True), "result": SchemaAttribute(STRING, computed=True)}
)

SIM_SCHEMA: Final = ProviderSchema(
    provider=SchemaBlock({"region": SchemaAttribute(STRING, optional=True)}),
    managed={THING_TYPE: ResourceSchema(THING)},
    data={"sim_lookup": ResourceSchema(LOOKUP)},
)

NO_THING: Final = null(implied_type(THING))
_EMPTY: Final = empty_value(THING)


def with_attributes(thing: Value, attributes: Mapping[str, Value]) -> Value:
    return object_of({**thing.payload, **attributes})


def thing_from_json(tree: Mapping[str, Tree], base: Value = _EMPTY) -> Value:
    """Return a thing with the given attributes, all others as in `base`. Raises JsonError if an attribute does not
    fit."""
    types = implied_type(THING).attributes
    unknown = sorted(tree.keys() - types.keys())
    if unknown:
        raise JsonError(f"a thing has no attribute {unknown[0]}; it has {', '.join(sorted(types))}")
    return with_attributes(base, {name: _attribute(name, part, types[name]) for name, part in tree.items()})


def fits_thing(attributes: Mapping[str, Tree]) -> bool:
    return attributes.keys() <= implied_type(THING).attributes.keys()


def _attribute(name: str, tree: Tree, wanted: Type) -> Value:
    try:
        return value_from_json(_complete_items(tree) if name == ITEM else tree, wanted)
    except JsonError as problem:
        raise JsonError(f"{name}{path_text(problem.path)}: {problem.message}") from problem


def _complete_items(items: Tree) -> Tree:
    """Add omitted null attributes to items."""
    if not isinstance(items, list):
        return items
    return [{"key": None, "amount": None, **item} if isinstance(item, dict) else item for item in items]


def known_text(value: Value, attribute: str) -> str | None:
    """Return a text attribute of an object; None if it is null or unknown."""
    part = value.payload[attribute]
    return part.payload if part.is_known and not part.is_null else None
