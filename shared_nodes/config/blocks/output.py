"""`output` blocks."""

from __future__ import annotations

from typing import Final

from shared_nodes.config.blocks.model import Condition, OutputBlock
from shared_nodes.config.blocks.rules import read_rule
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.literals import check_name, constant_flag, constant_text
from shared_nodes.config.syntax.static_reference import reference_list
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Attribute, Block, Literal, Traversal
from shared_nodes.values.value import NULL_DYNAMIC

__all__ = ["read_output"]

_SCHEMA: Final = ContentSchema(
    arguments=frozenset(("description", "depends_on", "sensitive", "ephemeral")),
    required=("value",),
    blocks={"precondition": (), "postcondition": ()},
)


def read_output(block: Block, flavour: Flavour, *, is_override: bool = False) -> tuple[OutputBlock, list[Diagnostic]]:
    name = block.labels[0]
    schema = _SCHEMA.with_arguments("deprecated") if flavour.values_can_be_deprecated else _SCHEMA
    content, problems = read_content(block.body, schema.without_requirements() if is_override else schema)
    problems.extend(check_name("Invalid output name", name, block.label_ranges[0]))
    attributes = content.attributes
    description = constant_text(attributes.get("description"), flavour, problems) or ""
    sensitive = bool(constant_flag(attributes.get("sensitive"), flavour, problems))
    deprecated = _read_deprecation(attributes.get("deprecated"), flavour, problems)
    ephemeral = bool(constant_flag(attributes.get("ephemeral"), flavour, problems))
    depends_on: list[Traversal] = []
    if "depends_on" in attributes:
        depends_on, found = reference_list(attributes["depends_on"].expression, flavour)
        problems.extend(found)
    preconditions: list[Condition] = []
    for inner in content.blocks:
        if inner.type == "postcondition":
            detail = "Output values can only have preconditions, not postconditions."
            problems.append(error("Postconditions are not allowed", detail, inner.type_range))
            continue
        rule, found = read_rule(inner, flavour, is_override=is_override)
        problems.extend(found)
        preconditions.extend([] if rule is None else [rule])
    value = attributes.get("value")
    output = OutputBlock(
        name=name,
        expression=Literal(block.header_range, NULL_DYNAMIC) if value is None else value.expression,
        range=block.header_range,
        sensitive=sensitive,
        ephemeral=ephemeral,
        deprecated=deprecated,
        description=description,
        depends_on=tuple(depends_on),
        preconditions=tuple(preconditions),
    )
    return output, problems


def _read_deprecation(attribute: Attribute | None, flavour: Flavour, problems: list[Diagnostic]) -> str:
    """Read what to use instead. That it must not be empty is only reported for a block without other errors so far."""
    message = constant_text(attribute, flavour, problems) or ""
    if attribute is not None and not message.strip() and not has_errors(problems):
        detail = (
            'The "deprecated" argument must not be empty, and should provide instructions on how to migrate away from '
            "usage of this deprecated output value."
        )
        problems.append(error("Invalid `deprecated` attribute", detail, attribute.expression.range))
    return message
