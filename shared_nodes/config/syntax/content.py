"""The content of a body, split by a schema: known arguments and blocks, and diagnostics for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.lang.suggestions import nearest_name
from shared_nodes.lang.tree import Attribute, Block, Body
from shared_nodes.record import record
from shared_nodes.values.text import quoted

__all__ = ["BodyContent", "ContentSchema", "merged_body", "missing_item_range", "read_content", "split_content"]


@record
class ContentSchema:
    """Names of optional and required arguments, and block types with the names of their labels."""

    arguments: frozenset[str] = frozenset()
    required: tuple[str, ...] = ()
    blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def known(self) -> frozenset[str]:
        return self.arguments.union(self.required) if self.required else self.arguments

    def with_arguments(self, *names: str) -> ContentSchema:
        """Return the schema with further optional arguments."""
        return ContentSchema(self.arguments.union(names), self.required, self.blocks)

    def without_requirements(self) -> ContentSchema:
        """Return the schema of an override, which may omit what it does not change."""
        return ContentSchema(self.known, (), self.blocks)


@record
class BodyContent:
    attributes: Mapping[str, Attribute]
    blocks: tuple[Block, ...]

    def blocks_of(self, block_type: str) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if block.type == block_type)


def read_content(body: Body, schema: ContentSchema) -> tuple[BodyContent, list[Diagnostic]]:
    """Read a body that the schema describes completely. Faulty items are reported and left out; the rest can be
    used."""
    content, problems = _known_content(body, schema)
    known = schema.known
    if body.range.source.is_json:
        return content, [*problems, *_extraneous_properties(body, schema, known)]
    if len(content.attributes) != len(body.attributes):
        problems.extend(_unsupported_arguments(body, schema, known))
    if len(content.blocks) != len(body.blocks):
        problems.extend(_unsupported_blocks(body, schema, known))
    return content, problems


def split_content(body: Body, schema: ContentSchema) -> tuple[BodyContent, Body, list[Diagnostic]]:
    """Read what the schema describes, and return everything else as a body for another reader."""
    content, problems = _known_content(body, schema)
    attributes = {name: attribute for name, attribute in body.attributes.items() if name not in content.attributes}
    blocks = tuple(block for block in body.blocks if block.type not in schema.blocks)
    return content, Body(attributes, blocks, body.range, body.end_range), problems


def merged_body(first: Body, second: Body) -> Body:
    """Combine two bodies. If both have an argument, that of the first is kept."""
    return Body(
        {**second.attributes, **first.attributes}, (*first.blocks, *second.blocks), first.range, first.end_range
    )


def _known_content(body: Body, schema: ContentSchema) -> tuple[BodyContent, list[Diagnostic]]:
    problems: list[Diagnostic] = []
    known = schema.known
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
    return BodyContent(attributes, tuple(blocks)), problems


def missing_item_range(body: Body) -> Range:
    """Return where to report that something is missing: at the opening brace, or in JSON at the closing one."""
    if body.range.source.is_json:
        return body.end_range
    return Range(body.range.source, body.range.start, body.range.start)


def _missing_arguments(body: Body, schema: ContentSchema) -> list[Diagnostic]:
    return [
        error(
            "Missing required argument",
            f"The argument {quoted(name)} is required, but no definition was found.",
            missing_item_range(body),
        )
        for name in schema.required
        if name not in body.attributes
    ]


def _extraneous_properties(body: Body, schema: ContentSchema, known: frozenset[str]) -> list[Diagnostic]:
    """Report properties that are neither arguments nor blocks. In JSON the two cannot be distinguished."""
    places = {name: attribute.name_range for name, attribute in body.attributes.items() if name not in known}
    places |= {block.type: block.type_range for block in body.blocks if block.type not in schema.blocks}
    names = [*sorted(known - set(body.attributes)), *schema.blocks]
    problems = []
    for name, subject in places.items():
        suggestion = nearest_name(name, names)
        hint = f" Did you mean {quoted(suggestion)}?" if suggestion else ""
        detail = f"No argument or block type is named {quoted(name)}.{hint}"
        problems.append(error("Extraneous JSON object property", detail, subject))
    return problems


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
        where = block.label_ranges[len(labels)]
        expected = f"Only {len(labels)} labels ({', '.join(labels)}) are" if labels else "No labels are"
        detail = f"{expected} expected for {block.type} blocks."
        return error(f"Extraneous label for {block.type}", detail, where, block.header_range)
    if len(block.labels) < len(labels):
        missing = labels[len(block.labels)]
        detail = f"All {block.type} blocks must have {len(labels)} labels ({', '.join(labels)})."
        return error(f"Missing {missing} for {block.type}", detail, block.open_range, block.header_range)
    return None
