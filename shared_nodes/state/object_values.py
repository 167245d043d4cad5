"""Objects of the state as values: stored attributes are decoded, and sensitive ones marked."""

from __future__ import annotations

from shared_nodes.providers.schema import Nesting, SchemaAttribute, SchemaBlock, has_sensitive, implied_type
from shared_nodes.state.flat_attributes import value_from_flat
from shared_nodes.state.model import InstanceObject
from shared_nodes.values.json import Tree, value_from_json
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.paths import mark_at_paths
from shared_nodes.values.rebuild import map_elements
from shared_nodes.values.value import Value

__all__ = ["decoded", "fit_to_schema", "mark_sensitive", "object_value"]


def fit_to_schema(attributes: Tree, block: SchemaBlock) -> Tree:
    """Return the stored attributes without those that the schema does not have (any more)."""
    if not isinstance(attributes, dict):
        return attributes
    known = block.attributes.keys() | block.block_types.keys()
    return {name: value for name, value in attributes.items() if name in known}


def decoded(stored: InstanceObject, block: SchemaBlock) -> Value:
    """Decode stored attributes. Raises JsonError if they do not fit the schema."""
    ty = implied_type(block)
    if stored.stored_flat is None:
        value = value_from_json(fit_to_schema(stored.stored, block), ty)
    else:
        value = value_from_flat(stored.stored_flat, ty)
    return mark_at_paths(value, [(path, frozenset((SENSITIVE,))) for path in stored.stored_sensitive])


def object_value(stored: InstanceObject, block: SchemaBlock) -> Value:
    """Return the value of an object as expressions see it. Attributes that the schema declares as sensitive are marked
    even if this was not recorded."""
    value = stored.value
    if value is None:
        value = decoded(stored, block)
    return mark_sensitive(value, block)


def mark_sensitive(value: Value, schema: SchemaBlock) -> Value:
    """Mark everything that the schema declares as sensitive, in addition to the marks that the value has."""
    if value.is_null or not value.is_known or not has_sensitive(schema):
        return value
    parts = dict(value.payload)
    for name, attribute in schema.attributes.items():
        parts[name] = _mark_attribute(parts[name], attribute)
    for name, nested in schema.block_types.items():
        parts[name] = _mark_nested(parts[name], nested.nesting, nested.block)
    return Value(value.type, parts, value.marks)


def _mark_attribute(value: Value, attribute: SchemaAttribute) -> Value:
    if attribute.sensitive:
        return value.mark(SENSITIVE)
    if attribute.nested is None:
        return value
    return _mark_nested(value, attribute.nested.nesting, SchemaBlock(attribute.nested.attributes))


def _mark_nested(value: Value, nesting: Nesting, block: SchemaBlock) -> Value:
    if value.is_null or not value.is_known:
        return value
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        return mark_sensitive(value, block)
    return map_elements(value, lambda element: mark_sensitive(element, block))
