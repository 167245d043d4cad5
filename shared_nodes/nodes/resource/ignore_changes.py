"""`ignore_changes`: what the configuration says is replaced by what is there, before anything is planned.

It is applied to the configuration, not to the plan, so that the provider is never told of a change it is not to make.
Marks are part of a value here: a change of sensitivity is ignored along with the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared_nodes.config.blocks import Lifecycle
from shared_nodes.lang import tree
from shared_nodes.providers.schema import Attribute, Block, Nesting
from shared_nodes.values.operations import has_index, index
from shared_nodes.values.paths import AttributeStep, IndexStep, Path, Step
from shared_nodes.values.rebuild import rebuilt, transformed
from shared_nodes.values.types import STRING, ListType, MapType, ObjectType, TupleType
from shared_nodes.values.value import Value, integer, map_of, null, string, unknown

__all__ = ["apply_ignore_changes"]


def apply_ignore_changes(lifecycle: Lifecycle, block: Block, prior: Value, config: Value) -> Value:
    """The configuration to plan with. A new object has nothing to keep, so nothing is ignored for it."""
    if prior.is_null:
        return config
    if lifecycle.ignore_all_changes:
        return _without_computed(block, prior)
    if not lifecycle.ignore_changes or config.is_null:
        return config
    kept = _kept_values(map(_path_of, lifecycle.ignore_changes), prior, config)
    return _keep(config, kept) if kept else config


def _without_computed(block: Block, prior: Value) -> Value:
    """The prior object as a configuration could have written it: without what only the provider can set."""
    if prior.is_null or not prior.is_known:
        return prior
    parts: dict[str, Value] = dict(prior.payload)
    for name, attribute in block.attributes.items():
        parts[name] = _attribute_without_computed(attribute, parts[name])
    for name, nested in block.block_types.items():
        parts[name] = _nested_without_computed(nested.nesting, nested.block, parts[name])
    return rebuilt(prior, list(parts.values()))


def _attribute_without_computed(attribute: Attribute, prior: Value) -> Value:
    if attribute.computed and not attribute.optional:
        return null(prior.type)
    if attribute.nested is None:
        return prior
    return _nested_without_computed(attribute.nested.nesting, Block(attribute.nested.attributes), prior)


def _nested_without_computed(nesting: Nesting, inner: Block, prior: Value) -> Value:
    if nesting in (Nesting.SINGLE, Nesting.GROUP):
        return _without_computed(inner, prior)
    return transformed(prior, lambda element: _without_computed(inner, element))


@dataclass(frozen=True, slots=True)
class _Kept:
    """What to put in place: at `path` the prior value, or only the element under `key` of that value."""

    path: Path
    value: Value
    key: str | None


def _path_of(traversal: tree.Traversal) -> Path:
    """The path a traversal means, which is relative to the resource: its root is the name of an attribute."""
    steps: list[Step] = [AttributeStep(traversal.root)]
    for step in traversal.steps:
        steps.append(AttributeStep(step.name) if isinstance(step, tree.AttributeStep) else IndexStep(step.key))
    return tuple(steps)


def _kept_values(paths: Iterable[Path], prior: Value, config: Value) -> list[_Kept]:
    """Where prior value and configuration differ. A final string index need not exist in either, so it is left off
    and looked up later; any other path that leads nowhere, in either of the two, is passed over in silence."""
    found: list[_Kept] = []
    for full_path in paths:
        path, key = _split_key(full_path)
        there, wanted = _at(prior, path), _at(config, path)
        if there is not None and wanted is not None and there != wanted:
            found.append(_Kept(path, there, key))
    return found


def _split_key(path: Path) -> tuple[Path, str | None]:
    last = path[-1]
    if isinstance(last, IndexStep) and last.key.type is STRING:
        return path[:-1], str(last.key.payload)
    return path, None


def _at(value: Value, path: Path) -> Value | None:
    for step in path:
        following = _step_into(value, step)
        if following is None:
            return None
        value = following
    return value


def _step_into(value: Value, step: Step) -> Value | None:
    """Strictly by kind: an attribute of an object, an element of a map by string, of a list or tuple by number."""
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
    """Kept values put in place, innermost first. Paths are relative to this value."""
    here = [one for one in kept if not one.path]
    below: dict[Step, list[_Kept]] = {}
    for one in kept:
        if one.path:
            below.setdefault(one.path[0], []).append(_Kept(one.path[1:], one.value, one.key))
    if below and value.is_known:
        value = rebuilt(value, [_keep(part, below.get(step, ())) for step, part in _steps_of(value)])
    if not here:
        return value
    if isinstance(value.type, MapType):
        return _keep_elements(value, here)
    return here[0].value


def _steps_of(value: Value) -> list[tuple[Step, Value]]:
    if value.payload.__class__ is tuple:
        return [(IndexStep(integer(position)), part) for position, part in enumerate(value.payload)]
    if isinstance(value.type, ObjectType):
        return [(AttributeStep(name), part) for name, part in value.payload.items()]
    return [(IndexStep(string(key)), part) for key, part in value.payload.items()]


def _keep_elements(value: Value, kept: Sequence[_Kept]) -> Value:
    """Only maps are kept by key: of an object all is kept, whichever key is named.

    Quirk `unknown-map-not-ignored`: a map that is not known yet stays, even if all of it is to be ignored.
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
