"""What can be read of a node: by its schema for resources, by its declared type for values."""

from __future__ import annotations

from functools import cache
from typing import Final

from harness.engines.simulated import KNOWN_SCHEMAS
from harness.fuzz.model import Node, Sort
from harness.simulation.simcloud.simcloud import SIMCLOUD
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.providers.schema import Block
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, ObjectType, Type

__all__ = ["LIST", "MAP", "readable", "schema_of"]

LIST: Final = ListType(STRING)
MAP: Final = MapType(STRING)
_READ: Final = (STRING, NUMBER, BOOL, LIST, MAP)


@cache
def schema_of(sort: Sort, type_name: str) -> Block:
    schema = KNOWN_SCHEMAS[SIMCLOUD if type_name.startswith("simcloud_") else BUILTIN]
    offered = {Sort.MANAGED: schema.managed, Sort.DATA: schema.data, Sort.EPHEMERAL: schema.ephemeral}
    return offered[sort][type_name].block


@cache
def _attributes(sort: Sort, type_name: str) -> tuple[tuple[str, Type, str], ...]:
    """Paths and types, and the argument that has to be set lest the value is null."""
    found: list[tuple[str, Type, str]] = []
    for name, attribute in schema_of(sort, type_name).attributes.items():
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


def readable(node: Node) -> list[tuple[str, Type, Node | None]]:
    """Paths from one instance on, with their types; of a call with the output that is meant."""
    match node.sort:
        case Sort.VARIABLE | Sort.LOCAL:
            return [] if node.value_type is None else [("", node.value_type, None)]
        case Sort.CALL:
            outputs = [] if node.module is None else node.module.alive(Sort.OUTPUT)
            return [("", one.value_type, one) for one in outputs if one.value_type is not None]
        case Sort.MANAGED | Sort.DATA | Sort.EPHEMERAL:
            found: list[tuple[str, Type, Node | None]] = [
                (path, offered, None)
                for path, offered, given in _attributes(node.sort, node.type)
                if not given or given in node.arguments
            ]
            if node.value_type is not None:
                found.append((".output", node.value_type, None))
            return found
    return []
