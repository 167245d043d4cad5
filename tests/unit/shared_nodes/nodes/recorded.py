"""Schemas and values exchanged between the real Terraform 1.11.4 and a scripted provider.

Values are JSON, read by their type. `{"$unknown": {...}}` is an unknown with its refinement, `{"$float": 0.5}` a number
that was sent as a float, and a string in place of a number one that was sent as text. An object leaves out top-level
nulls.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shared_nodes.providers.schema import (
    BlockType,
    NestedAttributes,
    Nesting,
    SchemaAttribute,
    SchemaBlock,
    implied_type,
)
from shared_nodes.values import number as numbers
from shared_nodes.values.json import type_from_json
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from shared_nodes.values.value import (
    Value,
    boolean,
    list_of,
    map_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)

HERE = Path(__file__).parent


def rows(name: str) -> list[Any]:
    """The recorded rows as parameters, numbered by line."""
    lines = (HERE / f"recorded_{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [pytest.param(json.loads(line), id=f"{name}-{at}") for at, line in enumerate(lines, 1)]


def schema(name: str) -> SchemaBlock:
    return _block(json.loads((HERE / "recorded_schemas.json").read_text(encoding="utf-8"))[name])


def recorded_object(block: SchemaBlock, recorded: dict[str, Any] | None) -> Value:
    ty = implied_type(block)
    if recorded is None:
        return null(ty)
    return object_of({name: recorded_value(part, recorded.get(name)) for name, part in ty.attributes.items()})


def recorded_value(ty: Type, recorded: Any) -> Value:
    if isinstance(recorded, dict) and "$unknown" in recorded:
        return unknown(ty, _refinement(recorded["$unknown"]))
    if recorded is None:
        return null(ty)
    if ty is DYNAMIC:
        return recorded_value(type_from_json(recorded[0]), recorded[1])
    if ty is NUMBER:
        return number(_number(recorded))
    if ty is STRING or ty is BOOL:
        return string(recorded) if ty is STRING else boolean(recorded)
    if isinstance(ty, ListType):
        return list_of(ty.element, [recorded_value(ty.element, part) for part in recorded])
    if isinstance(ty, SetType):
        return set_of(ty.element, [recorded_value(ty.element, part) for part in recorded])
    if isinstance(ty, TupleType):
        return tuple_of([recorded_value(part, given) for part, given in zip(ty.elements, recorded, strict=True)])
    if isinstance(ty, MapType):
        return map_of(ty.element, {key: recorded_value(ty.element, part) for key, part in recorded.items()})
    assert isinstance(ty, ObjectType)
    return object_of({name: recorded_value(part, recorded[name]) for name, part in ty.attributes.items()})


def _number(recorded: Any) -> Any:
    if isinstance(recorded, dict):
        return numbers.from_float(recorded["$float"])
    return numbers.from_int(recorded) if isinstance(recorded, int) else numbers.parse(recorded)


def _refinement(recorded: dict[str, Any]) -> Refinement:
    bounds = {name: recorded.get(name, [None, True]) for name in ("lower", "upper")}
    return Refinement(
        not_null=recorded.get("null") is False,
        prefix=recorded.get("prefix", ""),
        lower=None if bounds["lower"][0] is None else _number(bounds["lower"][0]),
        lower_inclusive=bounds["lower"][1],
        upper=None if bounds["upper"][0] is None else _number(bounds["upper"][0]),
        upper_inclusive=bounds["upper"][1],
        min_length=recorded.get("min_length", 0),
        max_length=recorded.get("max_length"),
    )


def _block(recorded: dict[str, Any]) -> SchemaBlock:
    return SchemaBlock(
        {name: _attribute(part) for name, part in recorded.get("attrs", {}).items()},
        {
            name: BlockType(Nesting(part["nesting"]), _block(part["block"]), part.get("min", 0), part.get("max", 0))
            for name, part in recorded.get("blocks", {}).items()
        },
    )


def _attribute(recorded: dict[str, Any]) -> SchemaAttribute:
    flags = {name: flag for name, flag in recorded.items() if name not in ("type", "nested")}
    if "nested" not in recorded:
        return SchemaAttribute(type_from_json(recorded.get("type", "string")), **flags)
    nesting, parts = recorded["nested"]
    inner = {name: _attribute(part) for name, part in parts.items()}
    return SchemaAttribute(nested=NestedAttributes(Nesting(nesting), inner), **flags)
