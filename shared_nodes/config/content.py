"""What a body holds, sorted by a schema: known arguments and blocks, and diagnostics for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.lang.suggestions import nearest_name
from shared_nodes.lang.tree import Attribute, Block, Body
from shared_nodes.values.text import quoted

__all__ = ["BodyContent", "ContentSchema", "read_content"]


@dataclass(frozen=True, slots=True)
class ContentSchema:
    """Names of arguments, those that must be there, and block types with the names of their labels."""

    arguments: frozenset[str] = frozenset()
    required: tuple[str, ...] = ()
    blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BodyContent:
    attributes: Mapping[str, Attribute]
    blocks: tuple[Block, ...]

    def blocks_of(self, block_type: str) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if block.type == block_type)


def read_content(body: Body, schema: ContentSchema) -> tuple[BodyContent, list[Diagnostic]]:
    """Faulty items are reported and left out; the rest can be used."""
    problems: list[Diagnostic] = []
    known = schema.arguments | set(schema.required)
    attributes = {name: attribute for name, attribute in body.attributes.items() if name in known}
    blocks: list[Block] = []
    for block in body.blocks:
        labels = schema.blocks.get(block.type)
        if labels is None:
            continue
        problem = _check_labels(block, labels)
        if problem is None:
            blocks.append(block)
        else:
            problems.append(problem)
    problems.extend(_missing_arguments(body, schema))
    problems.extend(_unsupported_arguments(body, schema, known))
    problems.extend(_unsupported_blocks(body, schema, known))
    return BodyContent(attributes, tuple(blocks)), problems


def _missing_arguments(body: Body, schema: ContentSchema) -> list[Diagnostic]:
    return [
        error(
            "Missing required argument",
            f"The argument {quoted(name)} is required, but no definition was found.",
            Range(body.range.source, body.range.start, body.range.start),
        )
        for name in schema.required
        if name not in body.attributes
    ]


def _unsupported_arguments(body: Body, schema: ContentSchema, known: frozenset[str]) -> list[Diagnostic]:
    problems = []
    for name, attribute in body.attributes.items():
        if name in known:
            continue
        suggestion = nearest_name(name, sorted(known - set(body.attributes)))
        hint = f" Did you mean {quoted(suggestion)}?" if suggestion else ""
        if not hint and name in schema.blocks:
            hint = f" Did you mean to define a block of type {quoted(name)}?"
        detail = f"An argument named {quoted(name)} is not expected here.{hint}"
        problems.append(error("Unsupported argument", detail, attribute.name_range))
    return problems


def _unsupported_blocks(body: Body, schema: ContentSchema, known: frozenset[str]) -> list[Diagnostic]:
    problems = []
    for block in body.blocks:
        if block.type in schema.blocks:
            continue
        suggestion = nearest_name(block.type, sorted(schema.blocks))
        hint = f" Did you mean {quoted(suggestion)}?" if suggestion else ""
        if not hint and block.type in known:
            hint = (
                f" Did you mean to define argument {quoted(block.type)}? If so, use the equals sign to assign it a "
                "value."
            )
        detail = f"Blocks of type {quoted(block.type)} are not expected here.{hint}"
        problems.append(error("Unsupported block type", detail, block.type_range))
    return problems


def _check_labels(block: Block, labels: tuple[str, ...]) -> Diagnostic | None:
    if len(block.labels) > len(labels):
        where = block.label_ranges[len(labels)].through(block.label_ranges[-1])
        expected = f"Only {len(labels)} labels ({', '.join(labels)}) are" if labels else "No labels are"
        detail = f"{expected} expected for {block.type} blocks."
        return error(f"Extraneous label for {block.type}", detail, where, block.header_range)
    if len(block.labels) < len(labels):
        missing = labels[len(block.labels)]
        detail = f"All {block.type} blocks must have {len(labels)} labels ({', '.join(labels)})."
        return error(f"Missing {missing} for {block.type}", detail, block.open_range, block.header_range)
    return None
