"""Real schemas for the permissive provider, as `terraform providers schema -json` prints them, or tofu does.
With one, it knows which attributes there are, which types they have, and which of them it has to compute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from shared_nodes.providers.schema import (
    BlockType,
    NestedAttributes,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.values.json import JsonError, JsonNumber, loads, type_from_json
from shared_nodes.world import Files

__all__ = ["KnownSchemasError", "read_known_schemas"]

_LARGEST: Final = 500_000_000
_FLAGS: Final = ("required", "optional", "computed", "sensitive", "write_only", "deprecated")


class KnownSchemasError(Exception):
    """The file cannot be used. The message names it, and what is wrong."""


@lru_cache(maxsize=2)
def read_known_schemas(file: str) -> Mapping[str, ProviderSchema]:
    """Read a file once, and return the schemas by the source of the provider. KnownSchemasError says what is wrong."""
    path = Path(file)
    try:
        tree: Any = loads(Files(path.parent).read_bytes(path.name, _LARGEST).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise KnownSchemasError(f"{file}: cannot be read: {problem}") from problem
    except JsonError as problem:
        raise KnownSchemasError(f"{file}: not JSON: {problem.message}") from problem
    found = tree.get("provider_schemas") if isinstance(tree, dict) else None
    if not isinstance(found, dict):
        raise KnownSchemasError(f"{file}: not what `terraform providers schema -json` prints: no provider_schemas")
    try:
        return {source: _provider(each) for source, each in found.items()}
    except (JsonError, KeyError, TypeError, ValueError, AttributeError) as problem:
        raise KnownSchemasError(f"{file}: not what `terraform providers schema -json` prints: {problem!r}") from problem


def _provider(tree: Any) -> ProviderSchema:
    return ProviderSchema(
        provider=_block(tree.get("provider", {}).get("block", {})),
        managed=_each(tree.get("resource_schemas"), _resource),
        data=_each(tree.get("data_source_schemas"), _resource),
        ephemeral=_each(tree.get("ephemeral_resource_schemas"), _resource),
    )


def _each(tree: Any, read: Callable[[Any], Any]) -> dict[str, Any]:
    return {name: read(each) for name, each in (tree or {}).items()}


def _resource(tree: Any) -> ResourceSchema:
    return ResourceSchema(_block(tree["block"]), _count(tree.get("version")))


def _block(tree: Any) -> SchemaBlock:
    return SchemaBlock(
        _each(tree.get("attributes"), _attribute),
        _each(tree.get("block_types"), _nested),
        deprecated=bool(tree.get("deprecated")),
        deprecation_message=_text(tree.get("deprecation_message")),
    )


def _nested(tree: Any) -> BlockType:
    block = _block(tree.get("block", {}))
    return BlockType(Nesting(tree["nesting_mode"]), block, _count(tree.get("min_items")), _count(tree.get("max_items")))


def _attribute(tree: Any) -> SchemaAttribute:
    nested = tree.get("nested_type")
    flags: dict[str, Any] = {flag: bool(tree.get(flag)) for flag in _FLAGS}
    return SchemaAttribute(
        None if nested is not None else type_from_json(tree["type"]),
        None
        if nested is None
        else NestedAttributes(Nesting(nested["nesting_mode"]), _each(nested["attributes"], _attribute)),
        **flags,
        deprecation_message=_text(tree.get("deprecation_message")),
    )


def _text(tree: Any) -> str:
    return tree if isinstance(tree, str) else ""


def _count(tree: Any) -> int:
    return int(tree.text) if isinstance(tree, JsonNumber) else 0
