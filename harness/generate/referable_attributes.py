"""The attributes of a block that expressions may refer to: from the schema of a resource or the type of a value."""

from __future__ import annotations

from functools import cache
from typing import Final

from harness.engines.simulated_providers import KNOWN_SCHEMAS
from harness.generate.model import BlockKind, ModelBlock
from harness.simulation.simcloud.simcloud import SIMCLOUD
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, ObjectType, Type

__all__ = ["LIST", "MAP", "referable_attributes", "schema_of"]

LIST: Final = ListType(STRING)
MAP: Final = MapType(STRING)
_READ: Final = (STRING, NUMBER, BOOL, LIST, MAP)


@cache
def schema_of(kind: BlockKind, type_name: str) -> SchemaBlock:
    schema = KNOWN_SCHEMAS[SIMCLOUD if type_name.startswith("simcloud_") else BUILTIN]
    offered = {BlockKind.MANAGED: schema.managed, BlockKind.DATA: schema.data, BlockKind.EPHEMERAL: schema.ephemeral}
    return offered[kind][type_name].block


@cache
def _attributes(kind: BlockKind, type_name: str) -> tuple[tuple[str, Type, str], ...]:
    """Return path and type of each attribute, and the argument that must be set for it not to be null."""
    found: list[tuple[str, Type, str]] = []
    for name, attribute in schema_of(kind, type_name).attributes.items():
        if attribute.write_only or attribute.type is None:
            continue
        given = "" if attribute.computed or attribute.required else name
        if isinstance(attribute.type, ObjectType):
            found += [
                (f".{name}.{part}", one, given) for part, one in attribute.type.attributes.items() if one in _READ
            ]
        elif attribute.type in _READ:
            found.append((f".{name}", attribute.type, given))
    return tuple(found)


def referable_attributes(block: ModelBlock) -> list[tuple[str, Type, ModelBlock | None]]:
    """Return paths, continuing from one instance, with their types; for a module call also the output."""
    match block.kind:
        case BlockKind.VARIABLE | BlockKind.LOCAL:
            return [] if block.value_type is None else [("", block.value_type, None)]
        case BlockKind.CALL:
            outputs = [] if block.module is None else block.module.live_blocks(BlockKind.OUTPUT)
            return [("", one.value_type, one) for one in outputs if one.value_type is not None]
        case BlockKind.MANAGED | BlockKind.DATA | BlockKind.EPHEMERAL:
            found: list[tuple[str, Type, ModelBlock | None]] = [
                (path, offered, None)
                for path, offered, given in _attributes(block.kind, block.type)
                if not given or given in block.arguments
            ]
            if block.value_type is not None:
                found.append((".output", block.value_type, None))
            return found
    return []
