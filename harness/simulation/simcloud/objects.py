"""The objects of simcloud's own types: where they are stored, and the rules of the cloud.

Each region is a separate cloud: what exists in one is invisible in another. Identifiers consist of the region, the name
and the number of creates of that name, `eu.web-2`, so they depend on what is created and not on when, and no two
objects of a type ever have the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from harness.simulation.simcloud.behaviour import (
    Behaviour,
    ChangeContext,
    fill_unknown,
    text_of,
    with_parts,
    without_write_only,
)
from harness.simulation.simcloud.refusal import CloudRefusal
from harness.simulation.simcloud.resource_types import RESOURCE_TYPES
from shared_nodes.providers.schema import BlockType, Nesting, SchemaBlock, empty_value, implied_type
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, JsonNumber, Tree, value_from_json, value_to_json
from shared_nodes.values.paths import path_text
from shared_nodes.values.stored import stored
from shared_nodes.values.value import NULL_DYNAMIC, Value, string

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CallContext", "CloudObject", "ObjectStore", "object_from_json", "stored_type"]

_OBJECT_KEYS: Final = frozenset({"type", "region", "object", "revision", "before", "lag"})


@record
class CloudObject:
    """A live object. `before` is what reads still return while `lag` is positive."""

    type_name: str
    region: str
    value: Value
    revision: int = 1
    before: Value | None = None
    lag: int = 0

    @property
    def identifier(self) -> str:
        return text_of(self.value, "id") or ""

    @property
    def name(self) -> str | None:
        return text_of(self.value, "name")

    @property
    def behaviour(self) -> Behaviour:
        return RESOURCE_TYPES[self.type_name]


@record
class CallContext:
    """The context of a call: its type, region and configuration."""

    type_name: str
    region: str
    config: Value = NULL_DYNAMIC
    provider_meta: Value = NULL_DYNAMIC


def stored_type(type_name: str) -> str:
    """Return the type of which this type is a new name, or the type itself."""
    return RESOURCE_TYPES[type_name].stored_as or type_name


@record(frozen=False)
class ObjectStore:
    objects: dict[tuple[str, str], CloudObject] = field(default_factory=dict)
    """Live objects by type and id."""

    created: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """How often each name was created, by type, region and name."""

    # Requests of providers

    def find(self, context: CallContext, identifier: str | None) -> CloudObject | None:
        found = None if identifier is None else self.objects.get((stored_type(context.type_name), identifier))
        return None if found is None or found.region != context.region else found

    def observe(self, context: CallContext, identifier: str | None) -> Value | None:
        """Return the object as a read shows it, which may be its value before the last change. Each call counts as a
        read."""
        found = self.find(context, identifier)
        if found is None or found.lag == 0 or found.before is None:
            return None if found is None else found.value
        self._keep(replace(found, lag=found.lag - 1))
        return found.before

    def create(self, context: CallContext, wanted: Value, identifier: str | None = None) -> CloudObject:
        type_name, name = stored_type(context.type_name), text_of(wanted, "name") or ""
        self._check_creation(context, wanted)
        key = (type_name, context.region, name)
        self.created[key] += 1
        given, identifier = identifier, identifier or f"{_prefix(context.region)}{name}-{self.created[key]}"
        created = self._complete(context, with_parts(wanted, {"id": string(identifier)}), None)
        if given is not None:
            self._count_live(created)
        return created

    def update(self, context: CallContext, planned: Value) -> CloudObject:
        identifier = text_of(planned, "id")
        live = self.find(context, identifier)
        if live is None:
            raise CloudRefusal("Update refused", f'There is no object "{identifier}".')
        return self._complete(context, planned, live)

    def delete(self, context: CallContext, identifier: str | None) -> None:
        live = self.find(context, identifier)
        if live is None:
            return
        children = self._children(live)
        if children and live.behaviour.protection.children:
            detail = f'Object "{identifier}" is the parent of "{children[0].identifier}".'
            raise CloudRefusal("Delete refused", detail)
        self._remove(live)

    # Changes made outside of every provider

    def live_objects(self, name: str | None, type_name: str | None = None) -> Iterator[CloudObject]:
        """Yield the live objects of that name and type; None means any."""
        wanted = None if type_name is None else stored_type(type_name)
        for live in list(self.objects.values()):
            if name in (None, live.name) and wanted in (None, live.type_name):
                yield live

    def drift(self, live: CloudObject, attributes: Mapping[str, Tree]) -> None:
        del self.objects[live.type_name, live.identifier]
        drifted = object_from_json(live.type_name, attributes, live.value)
        self._keep(replace(live, value=stored(drifted), before=None, lag=0))

    def vanish(self, live: CloudObject) -> None:
        self.objects.pop((live.type_name, live.identifier), None)

    # Implementation

    def _complete(self, context: CallContext, planned: Value, live: CloudObject | None) -> CloudObject:
        """Complete the planned object with what only the server knows, and replace the live one by it."""
        type_name = stored_type(context.type_name)
        behaviour, revision = RESOURCE_TYPES[type_name], 1 if live is None else live.revision + 1
        identifier, name = text_of(planned, "id") or "", text_of(planned, "name") or ""
        change = ChangeContext(identifier, name, context.region, revision, context.config, context.provider_meta)
        value = with_parts(planned, behaviour.fill(planned, change))
        value = without_write_only(behaviour.block, fill_unknown(value, identifier, revision))
        value = stored(value if behaviour.canonical is None else behaviour.canonical(value))
        completed = CloudObject(type_name, context.region, value, revision)
        if behaviour.lagging_reads and live is not None:
            completed = replace(completed, before=live.value, lag=1)
        self._keep(completed)
        return completed

    def _keep(self, live: CloudObject) -> None:
        self.objects[live.type_name, live.identifier] = live

    def _check_creation(self, context: CallContext, wanted: Value) -> None:
        protection = RESOURCE_TYPES[context.type_name].protection
        same_type = [
            live for live in self._in_region(context.region) if live.type_name == stored_type(context.type_name)
        ]
        if protection.one_per_region and same_type:
            detail = f'There can be only one {context.type_name}, and "{same_type[0].identifier}" is it.'
            raise CloudRefusal("Create refused", detail)
        if protection.unique is not None:
            _check_unique(same_type, protection.unique, text_of(wanted, protection.unique))
        parent = None if protection.parent is None else text_of(wanted, protection.parent)
        if parent is not None and not any(live.identifier == parent for live in self._parents(context.region)):
            raise CloudRefusal("Create refused", f'There is no parent "{parent}".')

    def _in_region(self, region: str) -> list[CloudObject]:
        return [self.objects[key] for key in sorted(self.objects) if self.objects[key].region == region]

    def _parents(self, region: str) -> Iterator[CloudObject]:
        for live in self._in_region(region):
            protection = live.behaviour.protection
            if protection.children or protection.cascades:
                yield live

    def _children(self, parent: CloudObject) -> list[CloudObject]:
        protection = parent.behaviour.protection
        if not protection.children and not protection.cascades:
            return []
        found: list[CloudObject] = []
        for live in self._in_region(parent.region):
            attribute = live.behaviour.protection.parent
            if attribute is not None and text_of(live.value, attribute) == parent.identifier:
                found.append(live)
        return found

    def _remove(self, live: CloudObject) -> None:
        if self.objects.pop((live.type_name, live.identifier), None) is not None:
            for child in self._children(live):
                self._remove(child)

    # Between commands

    def inventory(self) -> list[Tree]:
        """Return all live objects, complete, by type and id."""
        return [_to_json(self.objects[key]) for key in sorted(self.objects)]

    def counts(self) -> list[Tree]:
        """Return how often each name was created: type, region, name, number."""
        return [[*key, JsonNumber(str(self.created[key]))] for key in sorted(self.created)]

    def read(self, items: Iterable[Mapping[str, Tree]], counts: Tree) -> None:
        """Read what `inventory` and `counts` have written. Raises JsonError for invalid input."""
        for item in items:
            live = _from_json(item)
            self._keep(live)
            self._count_live(live)
        if not isinstance(counts, list):
            raise JsonError("created_objects: must be a list")
        for count in counts:
            *key, number = count if isinstance(count, list) and len(count) == _COUNT_PARTS else (None, None, None, None)
            if not all(isinstance(part, str) for part in key) or not isinstance(number, JsonNumber):
                raise JsonError("created_objects: each must be a type, a region, a name and a number")
            type_name, region, name = map(str, key)
            place = (type_name, region, name)
            self.created[place] = max(self.created[place], int(number.text))

    def _count_live(self, live: CloudObject) -> None:
        """Derive the counts from the identifiers, for an inventory without counts."""
        name, _, number = live.identifier.removeprefix(_prefix(live.region)).rpartition("-")
        if number.isdigit():
            key = (live.type_name, live.region, name)
            self.created[key] = max(self.created[key], int(number))


_COUNT_PARTS: Final = 4


def _prefix(region: str) -> str:
    return f"{region}." if region else ""


def _check_unique(others: list[CloudObject], attribute: str, wanted: str | None) -> None:
    for live in others:
        if wanted is not None and text_of(live.value, attribute) == wanted:
            detail = f'The {attribute} "{wanted}" is taken by object "{live.identifier}".'
            raise CloudRefusal("Create refused", detail)


# JSON


def object_from_json(type_name: str, tree: Mapping[str, Tree], base: Value | None = None) -> Value:
    """Return an object of a type with the given attributes, all others as in `base`. Raises JsonError if an attribute
    does not fit."""
    behaviour = RESOURCE_TYPES.get(type_name)
    if behaviour is None:
        raise JsonError(f"there is no type {type_name}; there are {', '.join(sorted(RESOURCE_TYPES))}")
    types = implied_type(behaviour.block).attributes
    extra = sorted(tree.keys() - types.keys())
    if extra:
        raise JsonError(f"{type_name} has no attribute {extra[0]}; it has {', '.join(sorted(types))}")
    parts: dict[str, Value] = {}
    for name, part in tree.items():
        complete = _complete_tree(behaviour.block, name, part)
        try:
            parts[name] = value_from_json(complete, types[name])
        except JsonError as problem:
            raise JsonError(f"{name}{path_text(problem.path)}: {problem.message}") from problem
    return with_parts(empty_value(behaviour.block) if base is None else base, parts)


def _complete_tree(block: SchemaBlock, name: str, tree: Tree) -> Tree:
    """Add omitted null attributes to objects in blocks and nested attributes."""
    if name in block.block_types:
        return _complete_nested(block.block_types[name], tree)
    nested = block.attributes[name].nested
    if nested is None:
        return tree
    return _complete_nested(BlockType(nested.nesting, SchemaBlock(nested.attributes)), tree)


def _complete_nested(nested: BlockType, tree: Tree) -> Tree:
    def complete(part: Tree) -> Tree:
        if not isinstance(part, dict):
            return part
        inner = nested.block
        given = {
            name: _complete_tree(inner, name, value) if _has(inner, name) else value for name, value in part.items()
        }
        missing: dict[str, Tree] = dict.fromkeys(inner.attributes, None)
        missing |= {name: _empty_tree(block.nesting) for name, block in inner.block_types.items()}
        return {**missing, **given}

    if nested.nesting in (Nesting.SINGLE, Nesting.GROUP):
        return complete(tree)
    if isinstance(tree, dict):
        return {key: complete(part) for key, part in tree.items()}
    return [complete(part) for part in tree] if isinstance(tree, list) else tree


def _has(block: SchemaBlock, name: str) -> bool:
    return name in block.attributes or name in block.block_types


def _empty_tree(nesting: Nesting) -> Tree:
    match nesting:
        case Nesting.LIST | Nesting.SET:
            return []
        case Nesting.MAP | Nesting.GROUP:
            return {}
        case Nesting.SINGLE:
            return None


def _to_json(live: CloudObject) -> Tree:
    wanted = implied_type(live.behaviour.block)
    tree: dict[str, Tree] = {"type": live.type_name, "region": live.region}
    tree["object"] = value_to_json(live.value, wanted)
    tree["revision"] = JsonNumber(str(live.revision))
    if live.lag and live.before is not None:
        tree |= {"before": value_to_json(live.before, wanted), "lag": JsonNumber(str(live.lag))}
    return tree


def _from_json(tree: Mapping[str, Tree]) -> CloudObject:
    type_name, region, attributes = tree.get("type"), tree.get("region", ""), tree.get("object")
    if not isinstance(type_name, str) or not isinstance(region, str) or not isinstance(attributes, dict):
        raise JsonError("an object in the inventory needs a type, a region and an object")
    if tree.keys() - _OBJECT_KEYS:
        raise JsonError(f"an object in the inventory has no key {sorted(tree.keys() - _OBJECT_KEYS)[0]}")
    value = stored(object_from_json(type_name, attributes))
    if text_of(value, "id") is None:
        raise JsonError("an object in the inventory has no id")
    before = tree.get("before")
    earlier = stored(object_from_json(type_name, before)) if isinstance(before, dict) else None
    return CloudObject(
        type_name, region, value, _whole_number(tree, "revision", 1), earlier, _whole_number(tree, "lag", 0)
    )


def _whole_number(tree: Mapping[str, Tree], key: str, default: int) -> int:
    number = tree.get(key)
    if number is None:
        return default
    if not isinstance(number, JsonNumber) or not number.text.isdigit():
        raise JsonError(f"{key}: must be a whole number")
    return int(number.text)
