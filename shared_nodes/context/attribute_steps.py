"""Steps after a resource (`.nested[0].name`), checked against its schema without looking at any value.

Nested blocks are followed one by one. After an attribute only its type counts: a reference to a whole attribute does
not show whether a deprecated attribute inside its nested type is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang import tree
from shared_nodes.lang.access import follow
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.suggestions import did_you_mean
from shared_nodes.providers.schema import BlockType, Nesting, SchemaBlock, attribute_type
from shared_nodes.values.text import quoted
from shared_nodes.values.types import STRING
from shared_nodes.values.value import unknown

__all__ = ["check_attributes"]

_Steps = tuple[tree.Step, ...]


def check_attributes(schema: SchemaBlock | None, steps: _Steps, flavour: Flavour) -> list[Diagnostic]:
    """Check the steps. A schema of None means that too little is known to check anything."""
    return [] if schema is None else list(_check(schema, steps, flavour))


def _check(schema: SchemaBlock, steps: _Steps, flavour: Flavour) -> Iterator[Diagnostic]:
    if not steps:
        return
    step, rest = steps[0], steps[1:]
    if not isinstance(step, tree.TraverseAttribute):
        yield _index_problem(step)
    elif step.name in schema.attributes:
        attribute = schema.attributes[step.name]
        if attribute.deprecated and not flavour.deprecated_attributes_mark_values:
            detail = (
                f"The attribute {quoted(step.name)} is deprecated. Refer to the provider documentation for details."
            )
            yield warning("Deprecated attribute", detail, step.range)
        outcome = follow(unknown(attribute_type(attribute)), rest, flavour)
        if isinstance(outcome, Diagnostic):
            yield outcome
    elif step.name in schema.block_types:
        yield from _check_blocks(step.name, schema.block_types[step.name], rest, flavour)
    else:
        detail = (
            f'This object has no argument, nested block, or exported attribute named "{step.name}".'
            f"{did_you_mean(step.name, [*schema.attributes, *schema.block_types])}"
        )
        yield error("Unsupported attribute", detail, step.range)


def _check_blocks(name: str, blocks: BlockType, steps: _Steps, flavour: Flavour) -> Iterator[Diagnostic]:
    """Check the steps after the name of nested blocks. Keys of a map are left to evaluation."""
    if blocks.nesting in (Nesting.SINGLE, Nesting.GROUP):
        yield from _check(blocks.block, steps, flavour)
    elif steps and blocks.nesting is Nesting.SET:
        detail = (
            f"Block type {quoted(name)} is represented by a set of objects, and set elements do not have addressable "
            'keys. To find elements matching specific criteria, use a "for" expression with an "if" clause.'
        )
        yield error("Cannot index a set value", detail, steps[0].range)
    elif steps and blocks.nesting is Nesting.LIST and isinstance(steps[0], tree.TraverseAttribute):
        detail = (
            f"Block type {quoted(name)} is represented by a list of objects, so it must be indexed using a numeric "
            f"key, like .{name}[0]."
        )
        yield error("Invalid operation", detail, steps[0].range)
    else:
        yield from _check(blocks.block, steps[1:], flavour)


_ONLY_ATTRIBUTES: Final = "Only attribute access is allowed here"


def _index_problem(step: tree.TraverseIndex) -> Diagnostic:
    detail = f"{_ONLY_ATTRIBUTES}, using the dot operator."
    if step.key.type is STRING and is_identifier(step.key.payload or ""):
        detail = (
            f"{_ONLY_ATTRIBUTES}. Did you mean to access attribute {quoted(step.key.payload)} using the dot operator?"
        )
    return error("Invalid index operation", detail, step.range)
