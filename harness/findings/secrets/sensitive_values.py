"""Finds the sensitive values of a case: all that a configuration, a schema or a document calls sensitive.

observed      what plans and states mark: `after_sensitive`, `sensitive_attributes`, sensitive outputs
in the cloud  attributes whose schema says so
written       constants in files of the case: `written_values.py`; these must be known even where a run ends before
              anything is observed
in documents  what states and plans among the files of the case mark, for the same reason
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from harness.case.case import CASE_FILE, Case
from harness.engines.simulated_providers import KNOWN_SCHEMAS
from harness.findings.secrets.written_values import leaves, sensitive_attributes, written_values
from harness.observe.document_layout import OBSERVATION, Layout, Part
from harness.observe.json_trees import as_items, as_object, as_objects
from harness.play.case_runner import Observations
from harness.simulation.simcloud.thing import THING_TYPE
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.values.json import JsonError, JsonNumber, Tree, loads

__all__ = ["Hide", "hidden_document", "sensitive_values"]

_LARGEST: Final = 4_000_000
"""Limit in bytes of a file that is read as a state or a plan."""

Hide = Callable[[Tree], Tree]
"""Returns the replacement of a sensitive value."""


def sensitive_values(case: Case | None, observations: Mapping[str, Observations]) -> Iterator[Tree]:
    """Return texts and numbers, with repetitions. Structures are taken apart. `case` is None if it cannot be read."""
    found: list[Tree] = []
    for places in observations.values():
        for observation in places.values():
            hidden_document(observation, found.append)
    yield from leaves(found)
    if case is not None:
        yield from written_values(case)
        yield from leaves([*_in_documents(case)])


def _in_documents(case: Case) -> Iterator[Tree]:
    """Return what files of the case with a state or a plan call sensitive, and attributes that are secret by their
    schema."""
    for file in case.files:
        if file.name != CASE_FILE and file.stat().st_size <= _LARGEST:
            tree = _document_in(file)
            found: list[Tree] = []
            hidden_document({"plan" if "resource_changes" in tree else "state": tree}, found.append)
            yield from found
            for resource in as_objects(tree.get("resources")):
                secret = sensitive_attributes(str(resource.get("type")))
                for instance in as_objects(resource.get("instances")):
                    attributes = as_object(instance.get("attributes"))
                    yield from (attributes[name] for name in secret & attributes.keys())


def _document_in(file: Path) -> dict[str, Tree]:
    """Return the state or plan in a file; nothing if it has none."""
    content = file.read_bytes()
    if not content.lstrip().startswith(b"{"):
        return {}
    try:
        return as_object(loads(content.decode("utf-8")))
    except (JsonError, UnicodeDecodeError):
        return {}


# Observed


def hidden_document(observation: Mapping[str, Tree], hide: Hide) -> dict[str, Tree]:
    """Return the observation with everything replaced that its documents call sensitive. Null is never hidden: that a
    value is absent is not a secret."""
    return as_object(_hidden(dict(observation), OBSERVATION, hide))


def _hidden(tree: Tree, layout: Layout, hide: Hide) -> Tree:
    if layout.part is Part.CLOUD_OBJECT:
        return _stored(tree, hide)
    if layout.is_value:
        return tree
    if isinstance(tree, list):
        return [_hidden(item, layout.item, hide) for item in tree]
    if not isinstance(tree, dict):
        return tree
    result = {name: _hidden(member, layout.at(name), hide) for name, member in tree.items()}
    match layout.part:
        case Part.CHANGE:
            for name in ("before", "after"):
                if name in tree:
                    result[name] = _marked(tree[name], tree.get(f"{name}_sensitive"), hide)
        case Part.RECORD if "values" in tree:
            result["values"] = _marked(tree["values"], tree.get("sensitive_values"), hide)
        case Part.OUTPUT if tree.get("sensitive") is True and "value" in tree:
            result["value"] = hide(tree["value"])
        case Part.INSTANCE if "attributes" in tree:
            result["attributes"] = _at_paths(tree["attributes"], tree.get("sensitive_attributes"), hide)
    return result


def _marked(value: Tree, marks: Tree, hide: Hide) -> Tree:
    if marks is True:
        return None if value is None else hide(value)
    if isinstance(value, dict) and isinstance(marks, dict):
        return {name: _marked(part, marks.get(name), hide) for name, part in value.items()}
    if isinstance(value, list) and isinstance(marks, list):
        several = [*marks, *[None] * len(value)]
        return [_marked(part, mark, hide) for part, mark in zip(value, several, strict=False)]
    return value


def _at_paths(attributes: Tree, paths: Tree, hide: Hide) -> Tree:
    for path in as_items(paths):
        attributes = _at_path(attributes, [step.get("value") for step in as_objects(path)], hide)
    return attributes


def _at_path(tree: Tree, steps: Sequence[Tree], hide: Hide) -> Tree:
    if not steps:
        return None if tree is None else hide(tree)
    key = steps[0].get("value") if isinstance(steps[0], dict) else steps[0]
    if isinstance(tree, dict) and isinstance(key, str) and key in tree:
        return {**tree, key: _at_path(tree[key], steps[1:], hide)}
    if isinstance(tree, list) and isinstance(key, JsonNumber) and int(key.text) < len(tree):
        index = int(key.text)
        return [*tree[:index], _at_path(tree[index], steps[1:], hide), *tree[index + 1 :]]
    return tree


def _stored(item: Tree, hide: Hide) -> Tree:
    """Hide values of an object in the simulated cloud. One without a type is a thing, of which there is only one
    type."""
    if not isinstance(item, dict):
        return item
    for schema in KNOWN_SCHEMAS.values():
        for name, resource in schema.managed.items():
            if item.get("type", THING_TYPE) == name:
                return _by_schema(item, resource.block, hide)
    return item


def _by_schema(item: Tree, block: SchemaBlock, hide: Hide) -> Tree:
    if isinstance(item, list):
        return [_by_schema(part, block, hide) for part in item]
    if not isinstance(item, dict):
        return item
    result = dict(item)
    for name, attribute in block.attributes.items():
        if (attribute.sensitive or attribute.write_only) and item.get(name) is not None:
            result[name] = hide(item[name])
        elif attribute.nested is not None and name in item:
            result[name] = _by_schema(item[name], SchemaBlock(attribute.nested.attributes), hide)
    for name, nested in block.block_types.items():
        if name in item:
            result[name] = _by_schema(item[name], nested.block, hide)
    return result
