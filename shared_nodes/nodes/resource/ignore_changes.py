"""`ignore_changes`: values of the configuration are replaced by prior values before anything is planned.

This is applied to the configuration, not to the plan, so the provider never sees a change that it must not make. Marks
are part of a value here: a change of sensitivity is ignored along with the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared_nodes.config.blocks import Lifecycle
from shared_nodes.lang import tree
from shared_nodes.providers.schema import Nesting, SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.operations import has_index, index
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step
from shared_nodes.values.rebuild import rebuilt, transformed
from shared_nodes.values.types import STRING, ListType, MapType, ObjectType, TupleType
from shared_nodes.values.value import Value, integer, map_of, null, string, unknown

__all__ = ["apply_ignore_changes"]


def apply_ignore_changes(lifecycle: Lifecycle, block: SchemaBlock, prior: Value, config: Value) -> Value:
    """Return the configuration to plan with. A new object has no prior values, so nothing is ignored for it."""
    if prior.is_null:
        return config
    if lifecycle.ignore_all_changes:
        return _without_computed(block, prior)
    if not lifecycle.ignore_changes or config.is_null:
        return config
    kept = _find_kept_values(map(_to_path, lifecycle.ignore_changes), prior, config)
    return _keep(config, kept) if kept else config


def _without_computed(block: SchemaBlock, prior: Value) -> Value:
    """Return the prior object as a configuration could have written it: without attributes that only the provider can
    set."""
    if prior.is_null or not prior.is_known:
        return prior
    parts: dict[str, Value] = dict(prior.payload)
    for name, attribute in block.attributes.items():
        parts[name] = _attribute_without_computed(attribute, parts[name])
    for name, nested in block.block_types.items():
        parts[name] = _nested_without_computed(nested.nesting, nested.block, parts[name])
    return rebuilt(prior, list(parts.values()))


def _attribute_without_computed(attribute: SchemaAttribute, prior: Value) -> Value:
    if attribute.computed and not attribute.optional:
        return null(prior.type)
    if attribute.nested is None:
        return prior
    return _nested_without_computed(attribute.nested.nesting, SchemaBlock(attribute.nested.attributes), prior)


def _nested_without_computed(nesting: Nesting, inner: SchemaBlock, prior: Value) -> Value:
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        return _without_computed(inner, prior)
    return transformed(prior, lambda element: _without_computed(inner, element))


@record
class _Kept:
    """A prior value to keep at `path`, or only the element of it under `key`."""

    path: Path
    value: Value
    key: str | None


def _to_path(traversal: tree.Traversal) -> Path:
    """Return the path of a traversal. It is relative to the resource: its root is the name of an attribute."""
    steps: list[Step] = [AttributeStep(traversal.root)]
    for step in traversal.steps:
        steps.append(AttributeStep(step.name) if isinstance(step, tree.TraverseAttribute) else IndexStep(step.key))
    return tuple(steps)


def _find_kept_values(paths: Iterable[Path], prior: Value, config: Value) -> list[_Kept]:
    """Return where prior value and configuration differ. A final string index need not exist in either, so it is split
    off and looked up later; any other path that is missing in either of the two is silently skipped."""
    found: list[_Kept] = []
    for full_path in paths:
        path, key = _split_key(full_path)
        existing, wanted = _value_at(prior, path), _value_at(config, path)
        if existing is not None and wanted is not None and existing != wanted:
            found.append(_Kept(path, existing, key))
    return found


def _split_key(path: Path) -> tuple[Path, str | None]:
    last = path[-1]
    if isinstance(last, IndexStep) and last.key.type is STRING:
        return path[:-1], str(last.key.payload)
    return path, None


def _value_at(value: Value, path: Path) -> Value | None:
    for step in path:
        following = _step_into(value, step)
        if following is None:
            return None
        value = following
    return value


def _step_into(value: Value, step: Step) -> Value | None:
    """Return the part that a step leads to. Kinds are strict: an attribute of an object, an element of a map by string,
    an element of a list or tuple by number."""
    if value.is_null:
        return None
    if isinstance(step, AttributeStep):
        if not isinstance(value.type, ObjectType) or step.name not in value.type.attributes:
            return None
        if value.is_known:
            part: Value = value.payload[step.name]
            return part.with_marks(value.marks)
        return unknown(value.type.attributes[step.name]).with_marks(value.marks)
    kinds = MapType if step.key.type is STRING else (ListType, TupleType)
    if not isinstance(value.type, kinds) or has_index(value, step.key).payload is False:
        return None
    return index(value, step.key)


def _keep(value: Value, kept: Sequence[_Kept]) -> Value:
    """Put kept values in place, innermost first. Their paths are relative to this value."""
    here = [one for one in kept if not one.path]
    below: dict[Step, list[_Kept]] = {}
    for one in kept:
        if one.path:
            below.setdefault(one.path[0], []).append(_Kept(one.path[1:], one.value, one.key))
    if below and value.is_known:
        value = rebuilt(value, [_keep(part, below.get(step, ())) for step, part in _list_steps(value)])
    if not here:
        return value
    if isinstance(value.type, MapType):
        return _keep_elements(value, here)
    return here[0].value


def _list_steps(value: Value) -> list[tuple[Step, Value]]:
    if value.payload.__class__ is tuple:
        return [(IndexStep(integer(position)), part) for position, part in enumerate(value.payload)]
    if isinstance(value.type, ObjectType):
        return [(AttributeStep(name), part) for name, part in value.payload.items()]
    return [(IndexStep(string(key)), part) for key, part in value.payload.items()]


def _keep_elements(value: Value, kept: Sequence[_Kept]) -> Value:
    """Keep single elements of a map. Only maps are kept by key: an object is kept as a whole, whichever key is given.

    Quirk `unknown-map-not-ignored`: an unknown map stays, even if all of it is ignored.
    """
    assert isinstance(value.type, MapType)
    if not value.is_known:
        return value
    elements: dict[str, Value] = {} if value.is_null else dict(value.payload)
    for one in kept:
        if one.key is None:
            return one.value
        prior = one.value.payload if one.value.payload.__class__ is dict else {}
        elements.pop(one.key, None)
        if one.key in prior:
            elements[one.key] = prior[one.key]
    if value.is_null and not elements:
        return value
    return map_of(value.type.element, elements).with_marks(value.marks)
