"""Values of computed attributes: the value in their definition, otherwise (in early releases) an empty one.

Attributes that were planned with a value keep it. What is still unknown gets its value here, including inside nested
objects and blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.simulation.tfcoremock.definition import (
    AttributeDefinition,
    AttributeKind,
    BlockDefinition,
    Definition,
    type_of,
)
from harness.simulation.tfcoremock.objects import value_from_tree
from shared_nodes.record import record
from shared_nodes.values.rebuild import map_elements
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import ListType, MapType, ObjectType, SetType
from shared_nodes.values.value import FALSE, Value, integer, list_of, map_of, null, object_of, string

__all__ = ["ComputedError", "Computing"]


class ComputedError(Exception):
    """The definition gives an attribute a computed value without declaring it computed."""


@record
class Computing:
    fills_defaults: bool
    new_text: Callable[[], str]
    """Returns a unique text, for computed texts without a defined value."""

    def resource(self, definition: Definition, planned: Value) -> Value:
        return self._object(definition.attributes, definition.blocks, planned)

    def _object(
        self,
        attributes: Mapping[str, AttributeDefinition],
        blocks: Mapping[str, BlockDefinition],
        planned: Value,
    ) -> Value:
        parts = dict(planned.payload)
        for name, attribute in attributes.items():
            parts[name] = self._attribute(name, attribute, parts[name])
        for name, block in blocks.items():
            parts[name] = self._block(block, parts[name])
        return object_of(parts)

    def _block(self, block: BlockDefinition, planned: Value) -> Value:
        if planned.is_null or not planned.is_known:
            return planned
        return map_elements(planned, lambda one: self._object(block.attributes, block.blocks, one))

    def _attribute(self, name: str, attribute: AttributeDefinition, planned: Value) -> Value:
        if planned.is_known and not planned.is_null:
            return self._inside(attribute, planned)
        if attribute.value is not None:
            if not attribute.computed:
                raise ComputedError(
                    f"attribute {name} has specified a value in the json schema without being marked as computed"
                )
            return self._inside(attribute, value_from_tree(attribute.value, type_of(attribute)))
        if self.fills_defaults and (attribute.computed or attribute.required):
            return self._default(attribute)
        return null(planned.type)

    def _inside(self, attribute: AttributeDefinition, value: Value) -> Value:
        """Compute nested attributes, which objects may have at any depth."""
        if attribute.kind is AttributeKind.OBJECT:
            return self._object(attribute.parts, {}, value)
        element = attribute.element
        if element is None:
            return value
        return map_elements(value, lambda one: one if one.is_null or not one.is_known else self._inside(element, one))

    def _default(self, attribute: AttributeDefinition) -> Value:
        wanted = type_of(attribute)
        if isinstance(wanted, ObjectType):
            empty = object_of({name: null(part) for name, part in wanted.attributes.items()})
            return self._object(attribute.parts, {}, empty)
        if isinstance(wanted, ListType):
            return list_of(wanted.element, ())
        if isinstance(wanted, SetType):
            return set_of(wanted.element, ())
        if isinstance(wanted, MapType):
            return map_of(wanted.element, {})
        if attribute.kind is AttributeKind.STRING:
            return string(self.new_text())
        return FALSE if attribute.kind is AttributeKind.BOOLEAN else integer(0)
