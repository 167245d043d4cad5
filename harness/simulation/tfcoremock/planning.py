"""Plans as tfcoremock makes them: the proposed object, without what is known only after the apply.

If anything changes, every computed attribute that is not configured becomes unknown, except where the prior object had
a value for it, which is kept. An attribute that forces replacement does so if its value changes. Elements of nested
lists and sets are compared with the prior element at the same position, those of maps with the one under the same key.
A path ends at a set, because elements of sets cannot be addressed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from harness.simulation.tfcoremock.definition import AttributeDefinition, BlockDefinition, Definition
from shared_nodes.providers.contract import PlanRequest, PlanResponse
from shared_nodes.providers.schema import Nesting
from shared_nodes.record import record
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step
from shared_nodes.values.raw_equality import raw_equals
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import ListType, MapType, ObjectType, SetType, Type
from shared_nodes.values.value import Value, integer, null, object_of, string, unknown

__all__ = ["plan_change"]

_Attributes = Mapping[str, AttributeDefinition]
_Blocks = Mapping[str, BlockDefinition]
_PathWithSets = tuple[Step | None, ...]
"""A path, with None for the step to an element of a set."""


def plan_change(definition: Definition, request: PlanRequest) -> PlanResponse:
    if request.proposed.is_null or raw_equals(request.proposed, request.prior):
        return PlanResponse(request.proposed)
    content = _Content(definition.with_identity, definition.blocks)
    planning = _Planning(is_creation=request.prior.is_null)
    value = planning.object(content, (), _Places(request.proposed, request.config, request.prior))
    return PlanResponse(value, requires_replace=tuple(planning.replaced))


@record
class _Content:
    """The definition of an object's content. Only blocks contain further blocks."""

    attributes: _Attributes
    blocks: _Blocks = field(default_factory=dict)


@record
class _Places:
    """One part of an object in three versions: proposed, configured and prior."""

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


@record(frozen=False)
class _Planning:
    is_creation: bool
    replaced: dict[Path, None] = field(default_factory=dict)
    """An ordered set: several elements of one set give the same path."""

    def object(self, content: _Content, path: _PathWithSets, places: _Places) -> Value:
        parts = {
            name: self._attribute(one, (*path, AttributeStep(name)), places.below(name))
            for name, one in content.attributes.items()
        }
        for name, block in content.blocks.items():
            inner = _Content(block.attributes, block.blocks)
            below = places.below(name)
            inner_path = (*path, AttributeStep(name))
            parts[name] = self._nested(block.nesting, inner, inner_path, below) if below.has_content else below.proposed
        return object_of(parts)

    def _attribute(self, attribute: AttributeDefinition, path: _PathWithSets, places: _Places) -> Value:
        value = places.proposed
        if attribute.computed and places.config.is_null:
            # A computed attribute of an existing object keeps its value, unless that is null.
            value = unknown(value.type) if places.prior.is_null else places.prior
        if attribute.replace and not self.is_creation and not raw_equals(value, places.prior):
            self.replaced[_up_to_first_set(path)] = None
        decided = _Places(value, places.config, places.prior)
        if attribute.nested is None or not decided.has_content:
            return value
        nesting, parts = attribute.nested
        return self._nested(nesting, _Content(parts), path, decided)

    def _nested(self, nesting: Nesting, content: _Content, path: _PathWithSets, places: _Places) -> Value:
        value = places.proposed
        if nesting is Nesting.SINGLE:
            return self.object(content, path, places)
        elements: dict[str | int, Value] = {}
        for key, element in value.payload.items() if nesting is Nesting.MAP else enumerate(value.payload):
            inner_path = (*path, None if nesting is Nesting.SET else _step(key))
            below = _Places(element, _element(places.config, key), _element(places.prior, key))
            elements[key] = self.object(content, inner_path, below) if below.has_content else element
        if nesting is Nesting.MAP:
            return Value(value.type, elements)
        if nesting is Nesting.SET:
            return set_of(_element_type(value), elements.values())
        return Value(value.type, tuple(elements.values()))


def _up_to_first_set(path: _PathWithSets) -> Path:
    """Return the part of the path that can be expressed: up to the first set."""
    if None in path:
        path = path[: path.index(None)]
    return tuple(step for step in path if step is not None)


def _step(key: str | int) -> IndexStep:
    return IndexStep(string(key) if isinstance(key, str) else integer(key))


def _element_type(value: Value) -> Type:
    assert isinstance(value.type, ListType | MapType | SetType)
    return value.type.element


def _element(value: Value, key: str | int) -> Value:
    """Return the element under this key or at this position; null if there is none."""
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
