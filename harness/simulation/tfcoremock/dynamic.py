"""`dynamic_resources.json`: resource types that a configuration declares.

    {"tfcoremock_thing": {"attributes": {"size": {"type": "integer", "required": true}}, "blocks": {...}}}

The original crashes on an invalid file. Here that is an ordinary diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from harness.simulation.tfcoremock.definition import (
    IDENTITY,
    AttributeDefinition,
    AttributeKind,
    BlockDefinition,
    Definition,
    type_of,
)
from harness.simulation.tfcoremock.objects import value_from_tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.providers.schema import Nesting
from shared_nodes.values.json import JsonError, Tree, loads
from shared_nodes.world import World

__all__ = ["definitions_from_json", "dynamic_definitions"]

_FILE: Final = "dynamic_resources.json"
_FILE_VARIABLE: Final = "TFCOREMOCK_DYNAMIC_RESOURCES_FILE"

_Read = TypeVar("_Read")


def dynamic_definitions(world: World) -> tuple[Mapping[str, Definition], list[Diagnostic]]:
    """Read the definitions from the file in the working directory, or from the one named in the environment. A file
    that does not exist gives no definitions, even if the environment names it."""
    file = world.environment.get(_FILE_VARIABLE) or _FILE
    try:
        content = world.files.read_bytes(file)
    except FileNotFoundError:
        return {}, []
    except OSError as problem:
        return {}, [_unusable(file, problem.strerror or str(problem))]
    try:
        return definitions_from_json(loads(content.decode("utf-8")) if content.strip() else {}), []
    except UnicodeDecodeError:
        return {}, [_unusable(file, "it is not text in UTF-8")]
    except JsonError as problem:
        return {}, [_unusable(file, problem.message)]


def _unusable(file: str, reason: str) -> Diagnostic:
    detail = f"The dynamic resource types of provider tfcoremock cannot be read from {file}: {reason}."
    return error("Invalid dynamic resources", detail)


def definitions_from_json(tree: Tree) -> Mapping[str, Definition]:
    """Read the definitions. Raises JsonError with the reason and the place."""
    return _each(tree, "", _definition)


def _definition(tree: Tree, where: str) -> Definition:
    members = _members(tree, where, {"attributes", "blocks"})
    attributes = _each(members.get("attributes", {}), where, _attribute)
    if IDENTITY in attributes:
        raise JsonError(f"{where}: {IDENTITY} is not to be defined, every resource type has it")
    return Definition(attributes, _each(members.get("blocks", {}), where, _block))


def _block(tree: Tree, where: str) -> BlockDefinition:
    members = _members(tree, where, {"attributes", "blocks", "mode"})
    mode = members.get("mode", "") or "list"
    if mode not in ("list", "set"):
        raise JsonError(f"{where}: mode must be list or set")
    return BlockDefinition(
        Nesting(mode),
        _each(members.get("attributes", {}), where, _attribute),
        _each(members.get("blocks", {}), where, _block),
    )


_FLAGS: Final = ("optional", "required", "computed", "sensitive", "replace", "skip_nested_metadata")
_COLLECTIONS: Final = (AttributeKind.LIST, AttributeKind.MAP, AttributeKind.SET)


def _attribute(tree: Tree, where: str) -> AttributeDefinition:
    members = _members(tree, where, {"type", "value", "list", "map", "object", "set", *_FLAGS})
    try:
        kind = AttributeKind(str(members.get("type")))
    except ValueError:
        raise JsonError(f"{where}: type must be one of {', '.join(AttributeKind)}") from None
    flags = {name: _flag(members.get(name, False), f"{where}.{name}") for name in _FLAGS}
    element: AttributeDefinition | None = None
    if kind in _COLLECTIONS:
        if kind.value not in members:
            raise JsonError(f"{where}: a {kind} needs the key {kind}, which says what its elements are")
        element = _attribute(members[kind.value], f"{where}.{kind}")
    parts = _each(members.get("object", {}), where, _attribute) if kind is AttributeKind.OBJECT else {}
    plain = flags.pop("skip_nested_metadata")
    value = members.get("value")
    attribute = AttributeDefinition(kind, plain=plain, value=value, element=element, parts=parts, **flags)
    if value is not None:
        _check_value(attribute, where)
    return attribute


def _check_value(attribute: AttributeDefinition, where: str) -> None:
    try:
        value_from_tree(attribute.value, type_of(attribute))
    except JsonError as problem:
        raise JsonError(f"{where}.value: {problem.message}") from problem


def _flag(tree: Tree, where: str) -> bool:
    if not isinstance(tree, bool):
        raise JsonError(f"{where} must be true or false")
    return tree


def _members(tree: Tree, where: str, known: set[str]) -> dict[str, Tree]:
    if not isinstance(tree, dict):
        raise JsonError(f"{where or 'the document'} must be an object")
    for name in tree:
        if name not in known:
            raise JsonError(f"{where} has an unknown key {name}")
    return tree


def _each(tree: Tree, where: str, read: Callable[[Tree, str], _Read]) -> dict[str, _Read]:
    if not isinstance(tree, dict):
        raise JsonError(f"{where or 'the document'} must be an object by name")
    return {name: read(part, f"{where}.{name}" if where else name) for name, part in tree.items()}
