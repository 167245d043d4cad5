"""The proposed object for a provider: the configuration, completed with prior values where it sets nothing.

The provider gets it together with the prior object and the configuration. For most it is close to the plan they return.
Nested objects keep their own computed values, so each one in the configuration must be matched with one in the prior
value: by position in lists, by key in maps, and in sets, whose elements have no identity, with the first one that could
have come from this configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shared_nodes.providers.schema import Nesting, SchemaAttribute, SchemaBlock, empty_value, implied_type
from shared_nodes.values.paths import elements_by_step
from shared_nodes.values.raw_equality import raw_equals_unrefined
from shared_nodes.values.rebuild import rebuilt
from shared_nodes.values.types import ObjectType, SetType
from shared_nodes.values.value import NULL, Value, null, object_of, unknown

__all__ = ["planned_data_value", "proposed_value"]


def proposed_value(block: SchemaBlock, prior: Value, config: Value) -> Value:
    """Merge values without marks. If there is no prior object, the configuration is merged with the value of an empty
    block."""
    if prior.is_null:
        if config.is_null:
            return prior
        prior = empty_value(block)
    return _merge_block(block, prior, config)


def planned_data_value(block: SchemaBlock, config: Value) -> Value:
    """Return what is known of a data resource that can only be read later: everything that is not configured is
    unknown."""
    return _merge_block(block, unknown(implied_type(block)), config)


def _merge_block(block: SchemaBlock, prior: Value, config: Value) -> Value:
    if config.is_null or not config.is_known:
        return prior
    parts = _merge_attributes(block.attributes, prior, config)
    for name, nested in block.block_types.items():
        parts[name] = _merge_nested(
            nested.nesting, nested.block, _part(prior, name), config.payload[name], proposed_value
        )
    return object_of(parts)


def _part(value: Value, name: str) -> Value:
    """Return an attribute of an object; it is null or unknown if the object is."""
    payload = value.payload
    if payload.__class__ is dict:
        part: Value = payload[name]
        return part
    assert isinstance(value.type, ObjectType)
    inner = value.type.attributes[name]
    return null(inner) if payload is NULL else unknown(inner)


def _merge_attributes(attributes: Mapping[str, SchemaAttribute], prior: Value, config: Value) -> dict[str, Value]:
    parts: dict[str, Value] = {}
    for name, attribute in attributes.items():
        wanted: Value = config.payload[name]
        if attribute.computed and wanted.is_null:
            existing = _part(prior, name)
            parts[name] = wanted if _was_configured(attribute, existing) else existing
        elif attribute.nested is not None:
            inner = SchemaBlock(attribute.nested.attributes)
            parts[name] = _merge_nested(attribute.nested.nesting, inner, _part(prior, name), wanted, _merge_object)
        else:
            parts[name] = wanted
    return parts


def _was_configured(attribute: SchemaAttribute, prior: Value) -> bool:
    """Whether an optional nested object has content that cannot come from the provider. Then it was configured before,
    and must not be kept as if it were computed."""
    if not attribute.optional or attribute.nested is None:
        return False
    return _has_configured_part(attribute.nested.attributes, attribute.nested.nesting, prior)


def _has_configured_part(attributes: Mapping[str, SchemaAttribute], nesting: Nesting, prior: Value) -> bool:
    if prior.is_null or not prior.is_known:
        return False
    if nesting not in (Nesting.SINGLE, Nesting.GROUP):
        return any(_has_configured_part(attributes, Nesting.SINGLE, element) for _, element in prior.elements())
    for name, attribute in attributes.items():
        part: Value = prior.payload[name]
        if part.is_null:
            continue
        if not attribute.computed:
            return True
        nested = attribute.nested
        if nested is not None and _has_configured_part(nested.attributes, nested.nesting, part):
            return True
    return False


Merge = Callable[[SchemaBlock, Value, Value], Value]
"""How one object is merged: as a block, or as an object of a nested attribute, which may be null."""


def _merge_object(inner: SchemaBlock, prior: Value, config: Value) -> Value:
    if config.is_null:
        return config
    return object_of(_merge_attributes(inner.attributes, prior, config))


def _merge_nested(nesting: Nesting, inner: SchemaBlock, prior: Value, config: Value, merge: Merge) -> Value:
    """Merge nested content. A value that is null, unknown (for example because of a dynamic block) or empty in the
    configuration stays so."""
    if not config.is_known or config.is_null:
        return config
    match nesting:
        case Nesting.SINGLE | Nesting.GROUP:
            return merge(inner, prior, config)
        case Nesting.LIST:
            return _merge_list(inner, prior, config, merge)
        case Nesting.MAP:
            return _merge_map(inner, prior, config, merge)
        case Nesting.SET:
            return _merge_set(inner, prior, config, merge)


def _merge_list(inner: SchemaBlock, prior: Value, config: Value, merge: Merge) -> Value:
    """Merge two lists by position. An unknown prior list counts as having as many unknown elements as the configured
    one."""
    if not prior.is_known:
        existing = [unknown(element.type) for element in config.payload]
    else:
        existing = [] if prior.is_null else list(prior.payload)
    merged = [merge(inner, old, new) for old, new in zip(existing, config.payload, strict=False)]
    return rebuilt(config, [*merged, *config.payload[len(merged) :]])


def _merge_map(inner: SchemaBlock, prior: Value, config: Value, merge: Merge) -> Value:
    existing: Mapping[str, Value] = prior.payload if prior.payload.__class__ is dict else {}
    elements = [merge(inner, existing[key], new) if key in existing else new for key, new in config.payload.items()]
    return rebuilt(config, elements)


def _merge_set(inner: SchemaBlock, prior: Value, config: Value, merge: Merge) -> Value:
    """Merge two sets. Each prior element is matched with only one configured element."""
    assert isinstance(config.type, SetType)
    left = list(prior.payload) if prior.payload.__class__ is tuple else []
    elements: list[Value] = []
    for new in config.payload:
        position = next((at for at, old in enumerate(left) if _could_come_from(inner, old, new)), None)
        old = null(config.type.element) if position is None else left.pop(position)
        elements.append(merge(inner, old, new))
    return rebuilt(config, elements)


def _could_come_from(inner: SchemaBlock, prior: Value, config: Value) -> bool:
    """Whether the prior object consists of the configuration plus values that only a provider can have added.

    Only the content of the prior object counts: nested objects or elements that the configuration has in addition are
    allowed.
    """
    if raw_equals_unrefined(prior, config) or prior.payload.__class__ is not dict:
        return True
    if config.payload.__class__ is not dict:
        return False
    for name, attribute in inner.attributes.items():
        if not _attribute_could_come_from(attribute, prior.payload[name], config.payload[name]):
            return False
    return all(
        _nested_could_come_from(nested.nesting, nested.block, prior.payload[name], config.payload[name])
        for name, nested in inner.block_types.items()
    )


def _attribute_could_come_from(attribute: SchemaAttribute, prior: Value, config: Value) -> bool:
    if raw_equals_unrefined(prior, config):
        return True
    if isinstance(config.type, SetType):
        return False
    if attribute.nested is None:
        return attribute.computed and config.is_null
    return _nested_could_come_from(attribute.nested.nesting, SchemaBlock(attribute.nested.attributes), prior, config)


def _nested_could_come_from(nesting: Nesting, inner: SchemaBlock, prior: Value, config: Value) -> bool:
    """Whether nested content could come from the configuration. Elements of sets have no identity, so sets must be
    equal as a whole."""
    if raw_equals_unrefined(prior, config):
        return True
    if nesting is Nesting.SET:
        return False
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        return _could_come_from(inner, prior, config)
    existing, given = elements_by_step(prior), elements_by_step(config)
    return all(step in given and _could_come_from(inner, old, given[step]) for step, old in existing.items())
