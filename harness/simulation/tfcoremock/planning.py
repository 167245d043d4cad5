"""What tfcoremock plans: the proposed object, less what only applying will tell.

If anything changes, every computed attribute that is not configured becomes unknown, and then goes back to what it was
wherever the prior object had a value for it. An attribute that asks for replacement does so where it is different
afterwards. Elements of nested lists and sets meet the prior element at the same position, those of maps the one under
the same key; of an element of a set only the set can be named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.simulation.tfcoremock.definition import AttributeDefinition, BlockDefinition, Definition
from shared_nodes.providers.contract import Planned, PlanRequest
from shared_nodes.providers.schema import Nesting
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step
from shared_nodes.values.raw_equality import raw_equals
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import ListType, MapType, ObjectType, SetType, Type
from shared_nodes.values.value import Value, integer, null, object_of, string, unknown

__all__ = ["plan_change"]

_Attributes = Mapping[str, AttributeDefinition]
_Blocks = Mapping[str, BlockDefinition]
_Way = tuple[Step | None, ...]
"""A path, with None for the step to an element of a set."""


def plan_change(definition: Definition, request: PlanRequest) -> Planned:
    if request.proposed.is_null or raw_equals(request.proposed, request.prior):
        return Planned(request.proposed)
    content = _Content(definition.with_identity, definition.blocks)
    planning = _Planning(is_creation=request.prior.is_null)
    value = planning.object(content, (), _Places(request.proposed, request.config, request.prior))
    return Planned(value, requires_replace=tuple(planning.replaced))


@dataclass(frozen=True, slots=True)
class _Content:
    """What an object consists of: of attributes only, unless it comes from a block."""

    attributes: _Attributes
    blocks: _Blocks = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Places:
    """The same place in the proposed object, the configuration and the prior object."""

    proposed: Value
    config: Value
    prior: Value

    def below(self, name: str) -> _Places:
        return _Places(_part(self.proposed, name), _part(self.config, name), _part(self.prior, name))

    @property
    def has_content(self) -> bool:
        return self.proposed.is_known and not self.proposed.is_null


def _part(value: Value, name: str) -> Value:
    if value.is_known and not value.is_null:
        part: Value = value.payload[name]
        return part
    assert isinstance(value.type, ObjectType)
    wanted = value.type.attributes[name]
    return null(wanted) if value.is_known else unknown(wanted)


@dataclass(slots=True)
class _Planning:
    is_creation: bool
    replaced: dict[Path, None] = field(default_factory=dict)
    """An ordered set: several elements of one set give the same path."""

    def object(self, content: _Content, path: _Way, places: _Places) -> Value:
        parts = {
            name: self._attribute(one, (*path, AttributeStep(name)), places.below(name))
            for name, one in content.attributes.items()
        }
        for name, block in content.blocks.items():
            inner = _Content(block.attributes, block.blocks)
            below = places.below(name)
            there = (*path, AttributeStep(name))
            parts[name] = self._nested(block.nesting, inner, there, below) if below.has_content else below.proposed
        return object_of(parts)

    def _attribute(self, attribute: AttributeDefinition, path: _Way, places: _Places) -> Value:
        value = places.proposed
        if attribute.computed and places.config.is_null:
            # An attribute of an object that is there already keeps its value, but a null is not one.
            value = unknown(value.type) if places.prior.is_null else places.prior
        if attribute.replace and not self.is_creation and not raw_equals(value, places.prior):
            self.replaced[_nameable(path)] = None
        settled = _Places(value, places.config, places.prior)
        if attribute.nested is None or not settled.has_content:
            return value
        nesting, parts = attribute.nested
        return self._nested(nesting, _Content(parts), path, settled)

    def _nested(self, nesting: Nesting, content: _Content, path: _Way, places: _Places) -> Value:
        value = places.proposed
        if nesting is Nesting.SINGLE:
            return self.object(content, path, places)
        made: dict[str | int, Value] = {}
        for key, element in value.payload.items() if nesting is Nesting.MAP else enumerate(value.payload):
            there = (*path, None if nesting is Nesting.SET else _step(key))
            below = _Places(element, _element(places.config, key), _element(places.prior, key))
            made[key] = self.object(content, there, below) if below.has_content else element
        if nesting is Nesting.MAP:
            return Value(value.type, made)
        if nesting is Nesting.SET:
            return set_of(_element_type(value), made.values())
        return Value(value.type, tuple(made.values()))


def _nameable(way: _Way) -> Path:
    """As far as it can be told: up to the first set."""
    if None in way:
        way = way[: way.index(None)]
    return tuple(step for step in way if step is not None)


def _step(key: str | int) -> IndexStep:
    return IndexStep(string(key) if isinstance(key, str) else integer(key))


def _element_type(value: Value) -> Type:
    assert isinstance(value.type, ListType | MapType | SetType)
    return value.type.element


def _element(value: Value, key: str | int) -> Value:
    """Null where there is none under this key, or at this position."""
    wanted = _element_type(value)
    if not value.is_known:
        return unknown(wanted)
    payload = value.payload
    found: Value | None = None
    if isinstance(key, str) and payload.__class__ is dict:
        found = payload.get(key)
    elif isinstance(key, int) and payload.__class__ is tuple and key < len(payload):
        found = payload[key]
    return null(wanted) if found is None else found
