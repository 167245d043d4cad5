"""Checks attributes that accept only whole numbers, which the language's single number type does not enforce."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from harness.simulation.tfcoremock.definition import AttributeDefinition, AttributeKind, BlockDefinition, Definition
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.values import number as numbers
from shared_nodes.values.paths import AttributeStep, IndexStep, Path
from shared_nodes.values.types import SetType
from shared_nodes.values.value import Value

__all__ = ["integer_problems"]

_INT64: Final = range(-(2**63), 2**63)


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
        yield from _check(value, path)
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


def _check(value: Value, path: Path) -> Iterator[Diagnostic]:
    if not numbers.is_whole(value.payload):
        complaint = "is not an integer."
    elif numbers.to_int(value.payload) not in _INT64:
        complaint = "cannot be represented as a 64-bit integer."
    else:
        return
    detail = (
        "An unexpected error was encountered trying to validate an attribute value. This is always an error in the "
        "provider. Please report the following to the provider developer:\n\n"
        f"Value {numbers.short_text(value.payload)} {complaint}"
    )
    yield replace(error("Int64 Type Validation Error", detail), attribute=path)
