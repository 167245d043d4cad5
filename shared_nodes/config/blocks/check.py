"""`check` blocks, each with at most one data source of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shared_nodes.config.blocks.model import CheckBlock, Condition, ResourceBlock
from shared_nodes.config.blocks.resource import read_resource
from shared_nodes.config.blocks.rules import read_rule
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.literals import check_name
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Block

__all__ = ["read_check"]

_SCHEMA: Final = ContentSchema(blocks={"data": ("type", "name"), "assert": ()})


def read_check(block: Block, flavour: Flavour) -> tuple[CheckBlock, list[Diagnostic]]:
    """Read a check. Only valid assertions count: a check whose assertions are all faulty has none."""
    name = block.labels[0]
    content, problems = read_content(block.body, _SCHEMA)
    problems.extend(check_name("Invalid check block name", name, block.label_ranges[0]))
    data: ResourceBlock | None = None
    asserts: list[Condition] = []
    for inner in content.blocks:
        if inner.type == "assert":
            rule, found = read_rule(inner, flavour)
            asserts.extend([] if rule is None or found else [rule])
        elif data is not None:
            detail = f"This check block already has a data resource defined at {data.range}."
            found = [error("Multiple data resource blocks", detail, inner.header_range)]
        else:
            nested, found = _read_data(inner, flavour)
            data = None if has_errors(found) else replace(nested, check=name)
        problems.extend(found)
    if not asserts:
        detail = "Check blocks must have at least one assert block."
        problems.append(error("Zero assert blocks", detail, block.header_range))
    return CheckBlock(name, tuple(asserts), data, block.header_range), problems


def _read_data(block: Block, flavour: Flavour) -> tuple[ResourceBlock, list[Diagnostic]]:
    """Read the nested data source, for which further restrictions apply."""
    nested, problems = read_resource(block, flavour, is_nested=True)
    for word in ("count", "for_each"):
        if word in block.body.attributes:
            subject = '"count" and "for_each" meta-arguments are'
            if flavour.repetition_problems_name_arguments:
                subject = f'"{word}" meta-argument is'
            detail = f"The {subject} not supported within nested data blocks."
            problems.append(error(f'Invalid "{word}" attribute', detail, block.body.attributes[word].name_range))
    for inner in block.body.blocks:
        if inner.type == "lifecycle":
            detail = (
                'Nested data blocks do not support "lifecycle" blocks as the lifecycle is managed by the containing '
                "block."
            )
            problems.append(error("Invalid lifecycle block", detail, inner.header_range))
    return nested, problems
