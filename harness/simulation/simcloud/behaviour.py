"""What a resource type of simcloud is: its schema, and in what it differs from the plainest one there could be.

The plainest type changes in place, and the server fills in every computed attribute that nobody has set. Each type adds
one behaviour to that by a declaration, so that what a type provokes can be read in one place and nothing has to be
overridden. Planning and filling in are the same for all, and follow from the schema alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.providers.schema import Attribute, Block, Nesting, attribute_type
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
    "Making",
    "Protection",
    "Upgrade",
    "changed_in_place",
    "filled",
    "left_open",
    "replacing_paths",
    "text_of",
    "with_parts",
    "without_write_only",
]


@dataclass(frozen=True, slots=True)
class Making:
    """What the server knows while it makes or changes an object. `config` is the only place where write-only values
    are."""

    identifier: str
    name: str
    region: str
    revision: int
    config: Value
    provider_meta: Value


@dataclass(frozen=True, slots=True)
class Protection:
    """When an object may not be made, or not go, although the call is in order."""

    one_a_region: bool = False
    unique: str | None = None
    """An attribute whose value no other live object of the type may have."""

    parent: str | None = None
    """An attribute that must name a live object: of any type that can be a parent."""

    children: bool = False
    """It can be a parent, and stays as long as it has children."""

    cascades: bool = False
    """It can be a parent, and its children go with it."""

    flag: str | None = None
    """An attribute that forbids to plan its deletion while it is true."""


Upgrade = Callable[[dict[str, Tree]], dict[str, Tree] | str]
"""From one schema version to the next; a text says why that cannot be done."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    block: Block
    provokes: str
    replaced_by: tuple[tuple[str, ...], ...] = ()
    """Paths by names alone: every element of a list or map in between is meant."""

    names_replacing_always: bool = False
    """Those paths are told with every change, whether or not they differ: that is for the engine to find out."""

    recomputed: tuple[str, ...] = ()
    """Computed attributes that any change makes unknown again."""

    known_defaults: Mapping[str, Value] = field(default_factory=dict)
    """What the provider knows while planning that the server will say."""

    fill: Callable[[Value, Making], Mapping[str, Value]] = lambda _planned, _making: {}
    """Values of computed attributes the server has its own idea of."""

    canonical: Callable[[Value], Value] | None = None
    """How the server spells what it was given. The provider does not take another spelling for a change."""

    legacy_types: bool = False
    """The canonical spelling is answered at once, and the engine is asked to forgive it."""

    keeps_private: bool = False
    lagging_reads: bool = False
    importable: bool = True
    protection: Protection = Protection()
    upgrades: Sequence[Upgrade] = ()
    """From version 0 on; as many as there have been versions before the current one."""

    stored_as: str | None = None
    """Another type, of which this is only a new name: the cloud holds the same objects."""

    warnings: Callable[[Value], list[Diagnostic]] = lambda _config: []

    @property
    def version(self) -> int:
        return len(self.upgrades)


# Planning


def left_open(block: Block, proposed: Value, known_defaults: Mapping[str, Value] | None = None) -> Value:
    """The proposed object, with everything unknown that nobody has set and the server will. What is computed and still
    null is new here, since the server leaves nothing of that kind null."""
    parts = dict(_open_object(block.attributes, proposed, known_defaults).payload)
    for name, nested in block.block_types.items():
        parts[name] = _each(nested.nesting, proposed.payload[name], partial(left_open, nested.block))
    return object_of(parts)


def _open_object(
    attributes: Mapping[str, Attribute], proposed: Value, known_defaults: Mapping[str, Value] | None = None
) -> Value:
    parts: dict[str, Value] = {}
    for name, attribute in attributes.items():
        part = proposed.payload[name]
        if attribute.computed and part.is_null:
            part = (known_defaults or {}).get(name, unknown(attribute_type(attribute)))
        elif attribute.nested is not None:
            part = _each(attribute.nested.nesting, part, partial(_open_object, attribute.nested.attributes))
        parts[name] = part
    return object_of(parts)


def _each(nesting: Nesting, value: Value, change: Callable[[Value], Value]) -> Value:
    """The same with every object in it changed. What is null or not known has none."""
    if value.is_null or not value.is_known:
        return value
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        return change(value)
    elements = value.payload.values() if value.payload.__class__ is dict else value.payload
    changed = [part if part.is_null or not part.is_known else change(part) for part in elements]
    return rebuilt(value, changed)


def changed_in_place(behaviour: Behaviour, prior: Value, proposed: Value) -> Value:
    """The plan of an update. An object that stays as it is keeps its computed attributes."""
    planned = left_open(behaviour.block, proposed, behaviour.known_defaults)
    if behaviour.canonical is not None:
        planned = _respelt(behaviour.canonical, prior, planned)
    if planned == prior:
        return planned
    types = {name: attribute_type(attribute) for name, attribute in behaviour.block.attributes.items()}
    return with_parts(planned, {name: unknown(types[name]) for name in behaviour.recomputed})


def _respelt(canonical: Callable[[Value], Value], prior: Value, planned: Value) -> Value:
    """Attributes that only differ in spelling from what is there stay as they are there."""
    ours, theirs = canonical(planned), canonical(prior)
    same = {name: prior.payload[name] for name, part in ours.payload.items() if part == theirs.payload[name]}
    return with_parts(planned, same)


def without_write_only(block: Block, value: Value) -> Value:
    """Neither a plan nor a result may hold what is only ever written."""
    parts = dict(_unwritten_object(block.attributes, value).payload)
    for name, nested in block.block_types.items():
        parts[name] = _each(nested.nesting, value.payload[name], partial(without_write_only, nested.block))
    return object_of(parts)


def _unwritten_object(attributes: Mapping[str, Attribute], value: Value) -> Value:
    parts: dict[str, Value] = {}
    for name, attribute in attributes.items():
        part = value.payload[name]
        if attribute.write_only:
            part = null(attribute_type(attribute))
        elif attribute.nested is not None:
            part = _each(attribute.nested.nesting, part, partial(_unwritten_object, attribute.nested.attributes))
        parts[name] = part
    return object_of(parts)


def replacing_paths(behaviour: Behaviour, prior: Value, planned: Value) -> list[Path]:
    """Where a change is one the object cannot survive, in the order they are declared."""
    if behaviour.names_replacing_always:
        return [tuple(map(AttributeStep, names)) for names in behaviour.replaced_by]
    found: list[Path] = []
    for names in behaviour.replaced_by:
        _differing(names, prior, planned, (), found)
    return found


def _differing(names: Sequence[str], prior: Value, planned: Value, path: Path, found: list[Path]) -> None:
    """An element that has come or gone differs as a whole: its index cannot be named in both, so what holds it is."""
    if not names or prior.payload.__class__ is not planned.payload.__class__ or _is_scalar(prior):
        if prior != planned:
            found.append(path)
        return
    if isinstance(prior.type, ObjectType) and isinstance(planned.type, ObjectType):
        name, rest = names[0], names[1:]
        _differing(rest, prior.payload[name], planned.payload[name], (*path, AttributeStep(name)), found)
        return
    if isinstance(prior.type, SetType) or len(prior.payload) != len(planned.payload):
        _differing((), prior, planned, path, found)
        return
    for (key, old), (_, new) in zip(prior.elements(), planned.elements(), strict=True):
        _differing(names, old, new, (*path, IndexStep(key)), found)


def _is_scalar(value: Value) -> bool:
    return value.payload.__class__ is not dict and value.payload.__class__ is not tuple


# What the server fills in

_LIST_LENGTH: Final = 2


def filled(value: Value, source: str, revision: int) -> Value:
    """The value with everything unknown in it made known, by where it stands and nothing else: two engines that ask for
    the same get the same."""
    if not value.is_known:
        return _made_up(value.type, source, revision)
    if value.payload.__class__ is dict:
        parts = [filled(part, f"{source}.{key}", revision) for key, part in value.payload.items()]
        return rebuilt(value, parts)
    if value.payload.__class__ is tuple:
        places = [_place(value, at, part) for at, part in enumerate(value.payload)]
        parts = [filled(part, f"{source}.{place}", revision) for place, part in zip(places, value.payload, strict=True)]
        return rebuilt(value, parts)
    return value


def _place(container: Value, position: int, part: Value) -> str:
    """What an element is known by. In a set that is its key, if it has one: positions there mean nothing."""
    key = text_of(part, "key") if isinstance(container.type, SetType) else None
    return str(position) if key is None else key


def _made_up(type: Type, source: str, revision: int) -> Value:
    """A server's own value of any type. Numbers count revisions, so that an update shows."""
    match type:
        case ObjectType():
            parts = {name: _made_up(part, f"{source}.{name}", revision) for name, part in type.attributes.items()}
            return object_of(parts)
        case ListType():
            return list_of(type.element, _several(type.element, source, revision))
        case SetType():
            return set_of(type.element, _several(type.element, source, revision))
        case MapType():
            return map_of(type.element, {"made": _made_up(type.element, f"{source}.made", revision)})
        case TupleType():
            return tuple_of(_made_up(part, f"{source}.{at}", revision) for at, part in enumerate(type.elements))
    if type is NUMBER:
        return integer(revision)
    if type is BOOL:
        return TRUE
    return string(source)


def _several(type: Type, source: str, revision: int) -> list[Value]:
    return [_made_up(type, f"{source}.{at}", revision) for at in range(_LIST_LENGTH)]


# Small things


def with_parts(value: Value, parts: Mapping[str, Value]) -> Value:
    return object_of({**value.payload, **parts}) if parts else value


def text_of(value: Value, attribute: str) -> str | None:
    """A text attribute of an object; None where it has none, or it is null or not known."""
    if value.payload.__class__ is not dict:
        return None
    part = value.payload.get(attribute)
    return part.payload if part is not None and isinstance(part.payload, str) else None
