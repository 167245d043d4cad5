"""Validates a document against a JSON Schema, with the keywords that the published schemas of this project use.

An unknown keyword is an error, so that a schema cannot contain anything that tests ignore.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["violations"]

_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
_REMARKS: Final = {"$schema", "$id", "$defs", "title", "description", "default", "examples"}


def violations(document: Any, schema: Any, root: Mapping[str, Any] | None = None, path: str = "$") -> Iterator[str]:
    """Yield violations, each with its place."""
    root = schema if root is None else root
    if schema is True:
        return
    for keyword, value in schema.items():
        if keyword not in _REMARKS:
            yield from _CHECKS[keyword](document, value, schema, root, path)


def _is(document: Any, name: str) -> bool:
    if isinstance(document, bool):
        return name == "boolean"
    return isinstance(document, _TYPES[name])


def _reference(document: Any, value: str, _schema: Any, root: Any, path: str) -> Iterator[str]:
    target = root
    for part in value.removeprefix("#/").split("/"):
        target = target[part]
    yield from violations(document, target, root, path)


def _type(document: Any, value: Any, _schema: Any, _root: Any, path: str) -> Iterator[str]:
    names = [value] if isinstance(value, str) else value
    if not any(_is(document, name) for name in names):
        yield f"{path}: not {value}"


def _required(document: Any, value: Any, _schema: Any, _root: Any, path: str) -> Iterator[str]:
    yield from (f"{path}: {key} is missing" for key in value if isinstance(document, dict) and key not in document)


def _properties(document: Any, value: Any, _schema: Any, root: Any, path: str) -> Iterator[str]:
    for key, schema in value.items():
        if isinstance(document, dict) and key in document:
            yield from violations(document[key], schema, root, f"{path}.{key}")


def _additional(document: Any, value: Any, schema: Any, root: Any, path: str) -> Iterator[str]:
    for key in document if isinstance(document, dict) else ():
        if key not in schema.get("properties", {}):
            if value is False:
                yield f"{path}: {key} is unknown"
            else:
                yield from violations(document[key], value, root, f"{path}.{key}")


def _names(document: Any, value: Any, _schema: Any, root: Any, path: str) -> Iterator[str]:
    for key in document if isinstance(document, dict) else ():
        yield from violations(key, value, root, f"{path}: the name {key}")


def _items(document: Any, value: Any, _schema: Any, root: Any, path: str) -> Iterator[str]:
    for index, item in enumerate(document if isinstance(document, list) else ()):
        yield from violations(item, value, root, f"{path}[{index}]")


def _dependent(document: Any, value: Any, _schema: Any, _root: Any, path: str) -> Iterator[str]:
    for key, others in value.items():
        if isinstance(document, dict) and key in document:
            yield from (f"{path}: {other} is missing next to {key}" for other in others if other not in document)


def _conditional(document: Any, value: Any, schema: Any, root: Any, path: str) -> Iterator[str]:
    if _fits(document, value, root):
        yield from violations(document, schema["then"], root, path)


def _fits(document: Any, schema: Any, root: Any) -> bool:
    return not any(violations(document, schema, root))


def _require(is_right: bool, path: str, keyword: str) -> Iterator[str]:
    if not is_right:
        yield f"{path}: violates {keyword}"


_CHECKS: Final[Mapping[str, Any]] = {
    "$ref": _reference,
    "type": _type,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "items": _items,
    "enum": lambda document, value, _schema, _root, path: _require(document in value, path, "enum"),
    "const": lambda document, value, _schema, _root, path: _require(document == value, path, "const"),
    "minimum": lambda document, value, _schema, _root, path: _require(
        not _is(document, "number") or document >= value, path, "minimum"
    ),
    "minItems": lambda document, value, _schema, _root, path: _require(
        not isinstance(document, list) or len(document) >= value, path, "minItems"
    ),
    "minProperties": lambda document, value, _schema, _root, path: _require(
        not isinstance(document, dict) or len(document) >= value, path, "minProperties"
    ),
    "uniqueItems": lambda document, value, _schema, _root, path: _require(
        not value
        or not isinstance(document, list)
        or all(item not in document[:at] for at, item in enumerate(document)),
        path,
        "uniqueItems",
    ),
    "dependentRequired": _dependent,
    "oneOf": lambda document, value, _schema, root, path: _require(
        sum(_fits(document, schema, root) for schema in value) == 1, path, "oneOf"
    ),
    "anyOf": lambda document, value, _schema, root, path: _require(
        any(_fits(document, schema, root) for schema in value), path, "anyOf"
    ),
    "allOf": lambda document, value, _schema, root, path: (
        found for schema in value for found in violations(document, schema, root, path)
    ),
    "not": lambda document, value, _schema, root, path: _require(not _fits(document, value, root), path, "not"),
    "if": _conditional,
    "then": lambda *_: iter(()),
    "pattern": lambda document, value, _schema, _root, path: _require(
        re.search(value, document) is not None, path, "pattern"
    ),
}
