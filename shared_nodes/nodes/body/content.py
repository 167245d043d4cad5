"""The content of a body by a schema, in either syntax.

In the JSON syntax, arguments and nested blocks of a body can only be distinguished with the schema. Such a body has
arguments only; those that are blocks by the schema are read again, as blocks, from their text.
"""

from __future__ import annotations

from shared_nodes.config.blocks.override import OverriddenBody, kept_blocks
from shared_nodes.config.syntax.content import BodyContent, ContentSchema, read_content, split_content
from shared_nodes.lang import tree
from shared_nodes.lang.body_schema import BlockSchema, BodySchema
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.json_syntax import (
    JsonObject,
    JsonProperty,
    JsonScalar,
    JsonString,
    JsonValue,
    body_from_json,
    parse_json,
)
from shared_nodes.lang.source import Range, Source
from shared_nodes.lang.suggestions import nearest_name
from shared_nodes.values.text import quoted

__all__ = ["blocks_named", "body_content", "definition_range"]


def body_content(body: tree.Body, schema: ContentSchema) -> tuple[BodyContent, list[Diagnostic]]:
    """Read the content. Faulty items are reported and left out; the rest can be used."""
    if isinstance(body, OverriddenBody):
        return _overridden_content(body, schema)
    if not any(attribute.name_range.source.is_json for attribute in body.attributes.values()):
        return read_content(body, schema)
    rest, problems = _sort_json_properties(body, schema)
    content, more = read_content(rest, schema)
    return content, [*problems, *more]


def blocks_named(body: tree.Body, name: str, labels: tuple[str, ...]) -> list[tree.Block]:
    """Return the nested blocks of a type. In the JSON syntax any argument that could be such a block is taken for one:
    nothing here says what it is."""
    attribute = body.attributes.get(name)
    if attribute is None or not attribute.name_range.source.is_json:
        return [block for block in body.blocks if block.type == name]
    return list(_read_blocks(attribute, labels)[0])


def _overridden_content(body: tree.Body, schema: ContentSchema) -> tuple[BodyContent, list[Diagnostic]]:
    """Read the content of a body, or of one merged from several. What the schema does not know is ignored. Quirk
    `overridden-bodies-are-not-checked`: both sides are read by themselves, so what is required must be in the first."""
    if not isinstance(body, OverriddenBody):
        known, problems = _without_unknown_properties(body, schema)
        content, _, more = split_content(known, schema)
        return content, [*problems, *more]
    base, problems = _overridden_content(body.base, schema)
    override, more = _overridden_content(body.override, schema.without_requirements())
    attributes = {**base.attributes, **override.attributes}
    blocks = (*kept_blocks(base.blocks, override.blocks), *override.blocks)
    return BodyContent(attributes, blocks), [*problems, *more]


def _without_unknown_properties(body: tree.Body, schema: ContentSchema) -> tuple[tree.Body, list[Diagnostic]]:
    """Return the body with JSON arguments turned into blocks, and without those of no known name."""
    names = schema.known | schema.blocks.keys()
    attributes = {name: attribute for name, attribute in body.attributes.items() if name in names}
    return _sort_json_properties(tree.Body(attributes, body.blocks, body.range, body.end_range), schema)


def definition_range(block: tree.Block) -> Range:
    """Return the range to blame for the block as a whole. A block in the JSON syntax has no header."""
    return block.open_range if block.type_range.source.is_json else block.header_range


def _sort_json_properties(body: tree.Body, schema: ContentSchema) -> tuple[tree.Body, list[Diagnostic]]:
    """Return the body with JSON arguments turned into blocks, or reported, according to the schema."""
    attributes: dict[str, tree.Attribute] = {}
    blocks = list(body.blocks)
    problems: list[Diagnostic] = []
    for name, attribute in body.attributes.items():
        if name in schema.known or not attribute.name_range.source.is_json:
            attributes[name] = attribute
        elif name in schema.blocks:
            found, more = _read_blocks(attribute, schema.blocks[name])
            blocks.extend(found)
            problems.extend(more)
        else:
            problems.append(_extraneous_problem(attribute, body, schema))
    blocks.sort(key=lambda block: block.type_range.start)
    return tree.Body(attributes, tuple(blocks), body.range, body.end_range), problems


def _extraneous_problem(attribute: tree.Attribute, body: tree.Body, schema: ContentSchema) -> Diagnostic:
    nearest = nearest_name(attribute.name, [*sorted(schema.known - body.attributes.keys()), *schema.blocks])
    advice = f" Did you mean {quoted(nearest)}?" if nearest else ""
    detail = f"No argument or block type is named {quoted(attribute.name)}.{advice}"
    return error("Extraneous JSON object property", detail, attribute.name_range, attribute.range)


def _read_blocks(attribute: tree.Attribute, labels: tuple[str, ...]) -> tuple[tuple[tree.Block, ...], list[Diagnostic]]:
    value = _json_value(attribute.expression)
    entry = JsonProperty(attribute.name, value, attribute.name_range)
    wrapper = JsonObject((entry,), attribute.range, attribute.range, attribute.range)
    body, problems = body_from_json(wrapper, BodySchema(frozenset(), {attribute.name: BlockSchema(labels)}))
    return body.blocks, [*problems, *filter(_is_invalid_body, problems)]


def _is_invalid_body(problem: Diagnostic) -> bool:
    """Whether the problem is about a block body that is not an object. Quirk `json-body-read-twice`: such a body is
    reported once when it is searched for items of the schema, and again when it is searched for anything else."""
    return problem.detail.endswith("to define arguments and child blocks.")


def _json_value(expression: tree.Expression) -> JsonValue:
    """Return the JSON that an expression was made from. For a scalar only its kind matters, because it cannot be a
    block."""
    if isinstance(expression, tree.Literal):
        return JsonScalar(expression.value, expression.range)
    if not isinstance(expression, tree.ObjectConstructor | tree.TupleConstructor):
        return JsonString("", expression.range)
    where = expression.range
    value, _ = parse_json(Source(where.source.filename, where.text, where.first, file=where.source.file))
    return value
