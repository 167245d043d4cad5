"""`output` blocks."""

from __future__ import annotations

from typing import Final

from shared_nodes.config.blocks.model import Condition, OutputBlock
from shared_nodes.config.blocks.rules import read_rule
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.literals import check_name, constant_flag, constant_text
from shared_nodes.config.syntax.static_reference import reference_list
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.tree import Block, Literal, Traversal
from shared_nodes.values.value import NULL_DYNAMIC

__all__ = ["read_output"]

_SCHEMA: Final = ContentSchema(
    arguments=frozenset(("description", "depends_on", "sensitive", "ephemeral")),
    required=("value",),
    blocks={"precondition": (), "postcondition": ()},
)
_OVERRIDE: Final = _SCHEMA.without_requirements()


def read_output(block: Block, flavour: Flavour, *, is_override: bool = False) -> tuple[OutputBlock, list[Diagnostic]]:
    name = block.labels[0]
    content, problems = read_content(block.body, _OVERRIDE if is_override else _SCHEMA)
    problems.extend(check_name("Invalid output name", name, block.label_ranges[0]))
    attributes = content.attributes
    depends_on: list[Traversal] = []
    if "depends_on" in attributes:
        depends_on, found = reference_list(attributes["depends_on"].expression)
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
        sensitive=bool(constant_flag(attributes.get("sensitive"), flavour, problems)),
        ephemeral=bool(constant_flag(attributes.get("ephemeral"), flavour, problems)),
        description=constant_text(attributes.get("description"), flavour, problems) or "",
        depends_on=tuple(depends_on),
        preconditions=tuple(preconditions),
    )
    return output, problems
