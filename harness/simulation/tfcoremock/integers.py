"""Finds the attributes, at any depth, that accept only whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from harness.simulation.tfcoremock.definition import AttributeDefinition, AttributeKind, BlockDefinition, Definition
from harness.simulation.whole_numbers import whole_number_problems
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.values.paths import AttributeStep, IndexStep, Path
from shared_nodes.values.types import SetType
from shared_nodes.values.value import Value

__all__ = ["integer_problems"]


def integer_problems(definition: Definition, config: Value) -> list[Diagnostic]:
    return list(_check_object(definition.with_identity, definition.blocks, config, ()))


def _check_object(
    attributes: Mapping[str, AttributeDefinition], blocks: Mapping[str, BlockDefinition], value: Value, path: Path
) -> Iterator[Diagnostic]:
    if value.is_null or not value.is_known:
        return
    for name, attribute in attributes.items():
        yield from _check_attribute(attribute, value.payload[name], (*path, AttributeStep(name)))
    for name, block in blocks.items():
        for element_path, element in _elements(value.payload[name], (*path, AttributeStep(name))):
            yield from _check_object(block.attributes, block.blocks, element, element_path)


def _check_attribute(attribute: AttributeDefinition, value: Value, path: Path) -> Iterator[Diagnostic]:
    if value.is_null or not value.is_known:
        return
    if attribute.kind is AttributeKind.INTEGER:
        yield from whole_number_problems(value, path)
    elif attribute.kind is AttributeKind.OBJECT:
        yield from _check_object(attribute.parts, {}, value, path)
    elif attribute.element is not None:
        for element_path, element in _elements(value, path):
            yield from _check_attribute(attribute.element, element, element_path)


def _elements(value: Value, path: Path) -> Iterator[tuple[Path, Value]]:
    """Yield the elements with their paths. Elements of a set have only the path of the set."""
    if value.is_null or not value.is_known:
        return
    for key, element in value.elements():
        yield (path if isinstance(value.type, SetType) else (*path, IndexStep(key))), element
