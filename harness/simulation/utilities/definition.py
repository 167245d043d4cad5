"""Definitions of resource types and data sources: attributes with their rules, and what happens to objects.

An object is a mapping from names to values here; the provider turns it into a value of the schema's type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.providers.schema import ResourceSchema, SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.json import Tree
from shared_nodes.values.raw_equality import raw_equals
from shared_nodes.values.types import Type
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = [
    "Attribute",
    "Creation",
    "DataSource",
    "Object",
    "RefusalError",
    "ResourceType",
    "computed",
    "defaulted",
    "if_changed",
    "optional",
    "required",
    "schema_of",
    "text_of",
    "whole_of",
]

Object: TypeAlias = Mapping[str, Value]


class RefusalError(Exception):
    """The provider refuses a call, with a summary and a detail."""

    def __init__(self, summary: str, detail: str) -> None:
        super().__init__(summary)
        self.summary = summary
        self.detail = detail


ReplaceRule: TypeAlias = Callable[[Value, Value, Value], bool]
"""Returns whether a change forces a replacement, from the planned, the configured and the prior value."""


def if_changed(planned: Value, _config: Value, prior: Value) -> bool:
    return not raw_equals(planned, prior)


@record
class Attribute:
    schema: SchemaAttribute
    default: Value | None = None
    replaces: ReplaceRule | None = None
    """None: an update in place is always possible."""

    is_kept: bool = False
    """Whether an update keeps the computed value; otherwise it is unknown in every planned update."""

    is_whole: bool = False
    """Whether only whole numbers are accepted."""

    deprecation: str = ""


def required(type: Type, *, is_whole: bool = False) -> Attribute:
    return Attribute(SchemaAttribute(type, required=True), replaces=if_changed, is_whole=is_whole)


def optional(
    type: Type,
    *,
    replaces: ReplaceRule = if_changed,
    sensitive: bool = False,
    is_whole: bool = False,
    deprecation: str = "",
) -> Attribute:
    schema = SchemaAttribute(type, optional=True, sensitive=sensitive, deprecated=bool(deprecation))
    return Attribute(schema, replaces=replaces, is_whole=is_whole, deprecation=deprecation)


def defaulted(default: Value, *, is_whole: bool = False) -> Attribute:
    schema = SchemaAttribute(default.type, optional=True, computed=True)
    return Attribute(schema, default=default, replaces=if_changed, is_whole=is_whole)


def computed(type: Type, *, is_kept: bool = True, sensitive: bool = False, deprecation: str = "") -> Attribute:
    schema = SchemaAttribute(type, computed=True, sensitive=sensitive, deprecated=bool(deprecation))
    return Attribute(schema, is_kept=is_kept, deprecation=deprecation)


@record
class Creation:
    """A new object as planned, and what is available to make it."""

    planned: Object
    world: World
    owner: str
    """The address of the object, on which its random values depend."""


def _always(_world: World, _current: Object) -> bool:
    return True


def _nothing(_world: World, _current: Object) -> None:
    return


@record
class ResourceType:
    """A managed resource type. All functions but `settle` and `check` may raise RefusalError."""

    attributes: Mapping[str, Attribute]
    create: Callable[[Creation], Object]
    """Makes an object, and returns the attributes that were unknown."""

    exists: Callable[[World, Object], bool] = _always
    """Returns whether an object is still as it was created; if not, it is gone as far as the state is concerned."""

    destroy: Callable[[World, Object], None] = _nothing
    take_over: Callable[[World, str], Object] | None = None
    """Imports an object. Attributes that are left out are null."""

    check: Callable[[Object], Iterable[Diagnostic]] = lambda _config: ()
    """Refuses configurations that the attributes one by one allow."""

    settle: Callable[[Object, Object], Object] = lambda _config, planned: planned
    """Changes a planned object where one attribute decides about another. May raise RefusalError."""

    upgrade: Callable[[World, dict[str, Tree]], dict[str, Tree]] = lambda _world, stored: stored
    """Turns an object of an earlier schema version into the current form."""

    version: int = 0


@record
class DataSource:
    attributes: Mapping[str, Attribute]
    read: Callable[[World, Object], Object]
    """Returns all attributes. May raise RefusalError."""

    deprecation: str = ""


def schema_of(definition: ResourceType | DataSource) -> ResourceSchema:
    attributes = {name: attribute.schema for name, attribute in definition.attributes.items()}
    version = definition.version if isinstance(definition, ResourceType) else 0
    deprecated = isinstance(definition, DataSource) and bool(definition.deprecation)
    return ResourceSchema(SchemaBlock(attributes, deprecated=deprecated), version)


def text_of(value: Value) -> str:
    """Return a text; null is empty."""
    return "" if value.is_null else value.payload


def whole_of(value: Value) -> int:
    """Return a whole number; null is zero."""
    return 0 if value.is_null else numbers.to_int(value.payload)
