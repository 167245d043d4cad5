"""The declaration of a simcloud resource type: its schema, and how it differs from the simplest possible type.

The simplest type changes in place, and the server fills in every computed attribute that is not set. Each type declares
one additional behaviour, so that what it provokes can be read in one place and nothing has to be overridden. Planning
and filling in are the same for all types, and follow from the schema alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.providers.schema import IdentitySchema, Nesting, SchemaAttribute, SchemaBlock, attribute_type
from shared_nodes.record import record
from shared_nodes.values.json import Tree
from shared_nodes.values.paths import AttributeStep, IndexStep, Path
from shared_nodes.values.rebuild import rebuilt
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import (
    BOOL,
    NUMBER,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from shared_nodes.values.value import TRUE, Value, integer, list_of, map_of, null, object_of, string, tuple_of, unknown

__all__ = [
    "Behaviour",
    "ChangeContext",
    "Protection",
    "Upgrade",
    "fill_unknown",
    "plan_update",
    "replacing_paths",
    "text_of",
    "with_parts",
    "with_unknown_computed",
    "without_write_only",
]


@record
class ChangeContext:
    """What the server knows while it creates or changes an object. Write-only values are found only in `config`."""

    identifier: str
    name: str
    region: str
    revision: int
    config: Value
    provider_meta: Value


@record
class Protection:
    """The conditions under which an object may not be created or deleted, although the call is valid."""

    one_per_region: bool = False
    unique: str | None = None
    """An attribute whose value no other live object of the type may have."""

    parent: str | None = None
    """An attribute that must name a live object, of any type that can be a parent."""

    children: bool = False
    """Whether the object can be a parent, and cannot be deleted while it has children."""

    cascades: bool = False
    """Whether the object can be a parent, and its children are deleted with it."""

    flag: str | None = None
    """An attribute that makes planning a deletion fail while it is true."""


Upgrade = Callable[[dict[str, Tree]], dict[str, Tree] | str]
"""Converts attributes from one schema version to the next; a text is the reason why that is impossible."""


@record
class Behaviour:
    block: SchemaBlock
    provokes: str
    replaced_by: tuple[tuple[str, ...], ...] = ()
    """Paths as names only, which apply to every element of the lists and maps in between."""

    names_replacing_always: bool = False
    """Whether every change reports all those paths, even if they do not differ; the engine has to find out."""

    recomputed: tuple[str, ...] = ()
    """Computed attributes that every change makes unknown again."""

    known_defaults: Mapping[str, Value] = field(default_factory=dict)
    """Values of the server that the provider already knows while planning."""

    fill: Callable[[Value, ChangeContext], Mapping[str, Value]] = lambda _planned, _making: {}
    """Returns the values of computed attributes for which the server has its own rule."""

    canonical: Callable[[Value], Value] | None = None
    """How the server spells what it receives. The provider does not treat a different spelling as a change."""

    legacy_types: bool = False
    """Whether the canonical spelling is returned at once, and the engine is asked to tolerate it."""

    keeps_private: bool = False
    lagging_reads: bool = False
    importable: bool = True
    protection: Protection = Protection()
    upgrades: Sequence[Upgrade] = ()
    """One upgrade per older schema version, starting with version 0."""

    identity: IdentitySchema | None = None
    """What identifies an object besides its id: always its name and its region."""

    stored_as: str | None = None
    """Another type, of which this is only a new name: both denote the same objects in the cloud."""

    warnings: Callable[[Value], list[Diagnostic]] = lambda _config: []

    @property
    def version(self) -> int:
        return len(self.upgrades)


# Planning


def with_unknown_computed(
    block: SchemaBlock, proposed: Value, known_defaults: Mapping[str, Value] | None = None
) -> Value:
    """Return the proposed object with every computed attribute that is not set made unknown. One that is still null is
    new, since the server leaves no computed attribute null."""
    parts = dict(_with_unknown_attributes(block.attributes, proposed, known_defaults).payload)
    for name, nested in block.block_types.items():
        parts[name] = _each(nested.nesting, proposed.payload[name], partial(with_unknown_computed, nested.block))
    return object_of(parts)


def _with_unknown_attributes(
    attributes: Mapping[str, SchemaAttribute], proposed: Value, known_defaults: Mapping[str, Value] | None = None
) -> Value:
    parts: dict[str, Value] = {}
    for name, attribute in attributes.items():
        part = proposed.payload[name]
        if attribute.computed and part.is_null:
            part = (known_defaults or {}).get(name, unknown(attribute_type(attribute)))
        elif attribute.nested is not None:
            part = _each(attribute.nested.nesting, part, partial(_with_unknown_attributes, attribute.nested.attributes))
        parts[name] = part
    return object_of(parts)


def _each(nesting: Nesting, value: Value, change: Callable[[Value], Value]) -> Value:
    """Apply a change to every object in a value. Null and unknown values contain none."""
    if value.is_null or not value.is_known:
        return value
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        return change(value)
    elements = value.payload.values() if value.payload.__class__ is dict else value.payload
    changed = [part if part.is_null or not part.is_known else change(part) for part in elements]
    return rebuilt(value, changed)


def plan_update(behaviour: Behaviour, prior: Value, proposed: Value) -> Value:
    """Plan an update. An object without other changes keeps its computed attributes."""
    planned = with_unknown_computed(behaviour.block, proposed, behaviour.known_defaults)
    if behaviour.canonical is not None:
        planned = _keep_spelling(behaviour.canonical, prior, planned)
    if planned == prior:
        return planned
    types = {name: attribute_type(attribute) for name, attribute in behaviour.block.attributes.items()}
    return with_parts(planned, {name: unknown(types[name]) for name in behaviour.recomputed})


def _keep_spelling(canonical: Callable[[Value], Value], prior: Value, planned: Value) -> Value:
    """Keep the prior spelling of attributes that differ from the prior object only in spelling."""
    new_spelling, old_spelling = canonical(planned), canonical(prior)
    same = {
        name: prior.payload[name] for name, part in new_spelling.payload.items() if part == old_spelling.payload[name]
    }
    return with_parts(planned, same)


def without_write_only(block: SchemaBlock, value: Value) -> Value:
    """Remove write-only values, which neither a plan nor a result may contain."""
    parts = dict(_without_written(block.attributes, value).payload)
    for name, nested in block.block_types.items():
        parts[name] = _each(nested.nesting, value.payload[name], partial(without_write_only, nested.block))
    return object_of(parts)


def _without_written(attributes: Mapping[str, SchemaAttribute], value: Value) -> Value:
    parts: dict[str, Value] = {}
    for name, attribute in attributes.items():
        part = value.payload[name]
        if attribute.write_only:
            part = null(attribute_type(attribute))
        elif attribute.nested is not None:
            part = _each(attribute.nested.nesting, part, partial(_without_written, attribute.nested.attributes))
        parts[name] = part
    return object_of(parts)


def replacing_paths(behaviour: Behaviour, prior: Value, planned: Value) -> list[Path]:
    """Return the paths of the changes that force a replacement, in the order in which they are declared."""
    if behaviour.names_replacing_always:
        return [tuple(map(AttributeStep, names)) for names in behaviour.replaced_by]
    found: list[Path] = []
    for names in behaviour.replaced_by:
        _collect_differing(names, prior, planned, (), found)
    return found


def _collect_differing(names: Sequence[str], prior: Value, planned: Value, path: Path, found: list[Path]) -> None:
    """Collect the paths that differ. If elements were added or removed, the path of their container is reported,
    because their index does not exist in both."""
    if not names or prior.payload.__class__ is not planned.payload.__class__ or _is_scalar(prior):
        if prior != planned:
            found.append(path)
        return
    if isinstance(prior.type, ObjectType) and isinstance(planned.type, ObjectType):
        name, rest = names[0], names[1:]
        _collect_differing(rest, prior.payload[name], planned.payload[name], (*path, AttributeStep(name)), found)
        return
    if isinstance(prior.type, SetType) or len(prior.payload) != len(planned.payload):
        _collect_differing((), prior, planned, path, found)
        return
    for (key, old), (_, new) in zip(prior.elements(), planned.elements(), strict=True):
        _collect_differing(names, old, new, (*path, IndexStep(key)), found)


def _is_scalar(value: Value) -> bool:
    return value.payload.__class__ is not dict and value.payload.__class__ is not tuple


# Values filled in by the server

_LIST_LENGTH: Final = 2


def fill_unknown(value: Value, source: str, revision: int) -> Value:
    """Make everything unknown in a value known, depending only on its place, so that two engines that request the same
    get the same."""
    if not value.is_known:
        return _invent(value.type, source, revision)
    if value.payload.__class__ is dict:
        parts = [fill_unknown(part, f"{source}.{key}", revision) for key, part in value.payload.items()]
        return rebuilt(value, parts)
    if value.payload.__class__ is tuple:
        places = [_place(value, at, part) for at, part in enumerate(value.payload)]
        parts = [
            fill_unknown(part, f"{source}.{place}", revision) for place, part in zip(places, value.payload, strict=True)
        ]
        return rebuilt(value, parts)
    return value


def _place(container: Value, position: int, part: Value) -> str:
    """Return what identifies an element: in a set its key, if it has one, because positions mean nothing there."""
    key = text_of(part, "key") if isinstance(container.type, SetType) else None
    return str(position) if key is None else key


def _invent(type: Type, source: str, revision: int) -> Value:
    """Invent a value of any type, as the server would. Numbers are the revision, so that an update is visible."""
    match type:
        case ObjectType():
            parts = {name: _invent(part, f"{source}.{name}", revision) for name, part in type.attributes.items()}
            return object_of(parts)
        case ListType():
            return list_of(type.element, _invent_several(type.element, source, revision))
        case SetType():
            return set_of(type.element, _invent_several(type.element, source, revision))
        case MapType():
            return map_of(type.element, {"made": _invent(type.element, f"{source}.made", revision)})
        case TupleType():
            return tuple_of(_invent(part, f"{source}.{at}", revision) for at, part in enumerate(type.elements))
    if type is NUMBER:
        return integer(revision)
    if type is BOOL:
        return TRUE
    return string(source)


def _invent_several(type: Type, source: str, revision: int) -> list[Value]:
    return [_invent(type, f"{source}.{at}", revision) for at in range(_LIST_LENGTH)]


# Helpers


def with_parts(value: Value, parts: Mapping[str, Value]) -> Value:
    return object_of({**value.payload, **parts}) if parts else value


def text_of(value: Value, attribute: str) -> str | None:
    """Return a text attribute of an object; None if it is missing, null or unknown."""
    if value.payload.__class__ is not dict:
        return None
    part = value.payload.get(attribute)
    return part.payload if part is not None and isinstance(part.payload, str) else None
