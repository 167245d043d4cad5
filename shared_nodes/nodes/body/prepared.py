"""Bodies sorted by a schema, with their expressions prepared: everything about a body that does not depend on values.

A block with `count = 5000` is decoded five thousand times. Its content, its problems and its references are the same
each time, so they are computed once and cached with the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from shared_nodes.addresses.expression_cache import PreparedExpression
from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.references import Reference
from shared_nodes.config.module import Module
from shared_nodes.config.syntax.content import ContentSchema, missing_item_range
from shared_nodes.config.syntax.static_reference import static_list, static_reference
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.nodes.body.content import body_content, definition_range
from shared_nodes.providers.schema import (
    BlockType,
    Nesting,
    SchemaAttribute,
    SchemaBlock,
    attribute_type,
    empty_value,
    implied_type,
)
from shared_nodes.record import record
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, STRING, ListType, MapType, ObjectType, SetType, Type
from shared_nodes.values.value import Value

__all__ = ["BodyArgument", "DynamicBlock", "PreparedBody", "StaticBlock", "distinct_references", "prepared_body"]


@record
class BodyArgument:
    """An expression in a body: the value of an argument, or the `for_each` or a label of a dynamic block."""

    expression: tree.Expression
    prepared: PreparedExpression
    name_range: Range
    type: Type
    """The type that its value is converted to."""


@record
class StaticBlock:
    type: str
    labels: tuple[str, ...]
    range: Range
    body: PreparedBody


@record
class DynamicBlock:
    """A `dynamic` block. `problems` prevent its expansion altogether; `late_problems` are only reported once `for_each`
    could be evaluated."""

    type: str
    range: Range
    for_each: BodyArgument | None
    iterator: str
    labels: tuple[BodyArgument, ...]
    content: PreparedBody | None
    problems: tuple[Diagnostic, ...]
    late_problems: tuple[Diagnostic, ...]

    @property
    def expressions(self) -> tuple[BodyArgument, ...]:
        """The expressions that must be known to expand it."""
        return self.labels if self.for_each is None else (self.for_each, *self.labels)


@record
class PreparedBody:
    schema: SchemaBlock
    source: tree.Body
    arguments: Mapping[str, BodyArgument]
    absent: Mapping[str, Value]
    """The null values of arguments that are not set."""

    block_values: Mapping[str, Type]
    """The type that one block of each nested block type is decoded to."""

    blocks: tuple[StaticBlock | DynamicBlock, ...]
    problems: tuple[Diagnostic, ...]
    """Unexpected and missing items."""

    references: tuple[Reference, ...]
    """The references of everything below, dynamic blocks included, except references to their iterators."""

    distinct: tuple[Reference, ...]
    """One reference per object referred to: enough to look up values."""

    reference_problems: tuple[Diagnostic, ...]
    has_nested_attributes: bool
    """Whether an attribute of the schema, at any depth of blocks, has nested attributes."""

    is_static: bool
    """Whether there is no dynamic block in it, at any depth."""

    missing_range: Range
    unused: tuple[BodyArgument, ...] = ()
    """The expressions that decide about dynamic blocks of types that the schema does not have. What they refer to is a
    dependency and is checked, although nothing is generated."""


def prepared_body(module: Module, body: tree.Body, block: SchemaBlock) -> PreparedBody:
    key = ("body", id(body), id(block))
    return module.expressions.compute_once(key, lambda: _prepare(module, body, block, frozenset()))


@record
class _Form:
    """What a schema alone determines about all its bodies."""

    block: SchemaBlock
    content: ContentSchema
    constraints: Mapping[str, Type]
    block_values: Mapping[str, Type]
    has_nested_attributes: bool


def _get_form(module: Module, block: SchemaBlock) -> _Form:
    return module.expressions.compute_once(
        ("form", id(block)),
        lambda: _Form(
            block,
            _content_schema(block),
            {name: _constraint(attribute) for name, attribute in block.attributes.items()},
            {name: implied_type(nested.block) for name, nested in block.block_types.items()},
            _has_nested_attributes(block),
        ),
    )


def _prepare(module: Module, body: tree.Body, block: SchemaBlock, iterators: frozenset[str]) -> PreparedBody:
    block = _as_written(module, body, block)
    form = _get_form(module, block)
    content, problems = body_content(body, form.content)
    arguments = {
        name: _argument(module, given.expression, given.name_range, form.constraints[name], iterators)
        for name, given in content.attributes.items()
    }
    blocks: list[StaticBlock | DynamicBlock] = []
    unused: list[BodyArgument] = []
    for given in content.blocks:
        if given.type != "dynamic":
            blocks.append(_static_block(module, given, block.block_types[given.type], iterators))
        elif given.labels[0] in block.block_types:
            blocks.append(_dynamic_block(module, given, block.block_types[given.labels[0]], iterators))
        else:
            detail = f"Blocks of type {quoted(given.labels[0])} are not expected here."
            problems.append(error("Unsupported block type", detail, given.label_ranges[0]))
            unused.extend(_expressions_of_unknown(module, given, iterators))
    return _assemble(body, form, arguments, blocks, problems=problems, unused=unused)


def _as_written(module: Module, body: tree.Body, block: SchemaBlock) -> SchemaBlock:
    """Return the schema with block types in place of those attributes that the body writes as blocks. That is allowed
    for lists and sets of objects: providers once declared such attributes to distinguish none from an empty list, and
    configurations were to go on as before."""
    written = {given.labels[0] if given.type == "dynamic" and given.labels else given.type for given in body.blocks}
    names = tuple(
        name
        for name, attribute in block.attributes.items()
        if name in written and name not in body.attributes and isinstance(_element_of(attribute), ObjectType)
    )
    if not names:
        return block
    key = ("attributes as blocks", id(block), names)
    return module.expressions.compute_once(key, lambda: _with_block_types(block, names))


def _element_of(attribute: SchemaAttribute) -> Type | None:
    return attribute.type.element if isinstance(attribute.type, ListType | SetType) else None


def _with_block_types(block: SchemaBlock, names: tuple[str, ...]) -> SchemaBlock:
    block_types = dict(block.block_types)
    for name in names:
        attribute = block.attributes[name]
        element = _element_of(attribute)
        assert isinstance(element, ObjectType)
        nesting = Nesting.SET if isinstance(attribute.type, SetType) else Nesting.LIST
        parts = {inner: SchemaAttribute(ty, optional=True) for inner, ty in element.attributes.items()}
        block_types[name] = BlockType(nesting, SchemaBlock(parts))
    attributes = {name: attribute for name, attribute in block.attributes.items() if name not in names}
    return SchemaBlock(attributes, block_types, block.deprecated)


def _assemble(
    body: tree.Body,
    form: _Form,
    arguments: Mapping[str, BodyArgument],
    blocks: Sequence[StaticBlock | DynamicBlock],
    *,
    problems: Sequence[Diagnostic],
    unused: Sequence[BodyArgument],
) -> PreparedBody:
    expressions = [
        *arguments.values(),
        *(part for one in blocks if isinstance(one, DynamicBlock) for part in one.expressions),
    ]
    bodies = [inner for one in blocks if (inner := _body_of(one)) is not None]
    prepared = [expression.prepared for expression in (*expressions, *unused)]
    nothing = empty_value(form.block).payload
    found = tuple(chain(*(one.references for one in prepared), *(inner.references for inner in bodies)))
    return PreparedBody(
        schema=form.block,
        source=body,
        arguments=arguments,
        absent={name: nothing[name] for name in form.block.attributes if name not in arguments},
        block_values=form.block_values,
        blocks=tuple(blocks),
        problems=tuple(problems),
        references=found,
        distinct=tuple(distinct_references(found)),
        reference_problems=tuple(
            chain(*(one.problems for one in prepared), *(inner.reference_problems for inner in bodies))
        ),
        has_nested_attributes=form.has_nested_attributes,
        is_static=not unused
        and not any(isinstance(one, DynamicBlock) for one in blocks)
        and all(inner.is_static for inner in bodies),
        unused=tuple(unused),
        missing_range=missing_item_range(body),
    )


def distinct_references(references: Iterable[Reference]) -> Iterable[Reference]:
    """Return one reference per object referred to and per root it is referred to by."""
    return {(reference.subject, reference.is_prefixed): reference for reference in references}.values()


def _has_nested_attributes(block: SchemaBlock) -> bool:
    return any(attribute.nested is not None for attribute in block.attributes.values()) or any(
        _has_nested_attributes(nested.block) for nested in block.block_types.values()
    )


def _body_of(block: StaticBlock | DynamicBlock) -> PreparedBody | None:
    return block.body if isinstance(block, StaticBlock) else block.content


def _content_schema(block: SchemaBlock) -> ContentSchema:
    required = tuple(name for name, attribute in block.attributes.items() if attribute.required)
    blocks = {name: _labels_of(nested) for name, nested in block.block_types.items()}
    return ContentSchema(frozenset(block.attributes), required, {**blocks, "dynamic": ("type",)})


def _labels_of(nested: BlockType) -> tuple[str, ...]:
    return ("key",) if nested.nesting is Nesting.MAP else ()


def _constraint(attribute: SchemaAttribute) -> Type:
    """Return the type that an argument is converted to. In nested objects, optional and computed attributes may be
    omitted."""
    if attribute.nested is None:
        return attribute_type(attribute)
    parts = attribute.nested.attributes
    optional = [name for name, part in parts.items() if part.optional or part.computed]
    inner = ObjectType({name: _constraint(part) for name, part in parts.items()}, optional)
    match attribute.nested.nesting:
        case Nesting.LIST:
            return ListType(inner)
        case Nesting.SET:
            return SetType(inner)
        case Nesting.MAP:
            return MapType(inner)
    return inner


def _argument(
    module: Module, expression: tree.Expression, name_range: Range, ty: Type, iterators: frozenset[str]
) -> BodyArgument:
    prepared = module.expressions.prepare(expression)
    if iterators:
        found, problems = references(expression, module.flavour, iterators)
        prepared = PreparedExpression(prepared.compiled, found, problems)
    return BodyArgument(expression, prepared, name_range, ty)


def _static_block(module: Module, given: tree.Block, nested: BlockType, iterators: frozenset[str]) -> StaticBlock:
    body = _prepare(module, given.body, nested.block, iterators)
    return StaticBlock(given.type, given.labels, definition_range(given), body)


_DYNAMIC: Final = ContentSchema(frozenset(("iterator",)), ("for_each",), {"content": ()})
_DYNAMIC_WITH_LABELS: Final = ContentSchema(frozenset(("iterator",)), ("for_each", "labels"), {"content": ()})


def _dynamic_block(module: Module, given: tree.Block, nested: BlockType, iterators: frozenset[str]) -> DynamicBlock:
    kind, label_names = given.labels[0], _labels_of(nested)
    content, problems = body_content(given.body, _DYNAMIC_WITH_LABELS if label_names else _DYNAMIC)
    each = content.attributes.get("for_each")
    iterator, iterator_problems = _iterator_name(content.attributes.get("iterator"), kind)
    inner = iterators | {iterator}
    labels, label_problems = _label_expressions(content.attributes.get("labels"), kind, len(label_names))
    bodies = content.blocks_of("content")
    return DynamicBlock(
        type=kind,
        range=definition_range(given),
        for_each=None if each is None else _argument(module, each.expression, each.name_range, DYNAMIC, iterators),
        iterator=iterator,
        labels=tuple(_argument(module, label, label.range, STRING, inner) for label in labels),
        content=_prepare(module, bodies[0].body, nested.block, inner) if bodies else None,
        problems=tuple(problems),
        late_problems=tuple(iterator_problems or label_problems or _content_problems(given, bodies)),
    )


def _expressions_of_unknown(module: Module, given: tree.Block, iterators: frozenset[str]) -> Iterable[BodyArgument]:
    """Return the expressions that decide about a dynamic block of a type that the schema does not have. One whose
    iterator has no possible name is passed over."""
    attributes = given.body.attributes
    _, problems = _iterator_name(attributes.get("iterator"), "")
    for attribute in (attributes[name] for name in ("for_each", "labels") if name in attributes and not problems):
        yield _argument(module, attribute.expression, attribute.name_range, DYNAMIC, iterators)


def _iterator_name(given: tree.Attribute | None, kind: str) -> tuple[str, list[Diagnostic]]:
    if given is None:
        return kind, []
    name = static_reference(given.expression)
    if isinstance(name, Diagnostic):
        return kind, [name]
    if name.steps:
        detail = "Dynamic iterator must be a single variable name."
        return kind, [error("Invalid dynamic iterator name", detail, name.range)]
    return name.root, []


def _label_expressions(
    given: tree.Attribute | None, kind: str, wanted: int
) -> tuple[Sequence[tree.Expression], list[Diagnostic]]:
    if given is None:
        return (), []
    labels, problems = static_list(given.expression)
    if problems:
        return (given.expression,), problems
    detail = f"Blocks of type {quoted(kind)} require {wanted} label(s)."
    if len(labels) > wanted:
        return labels, [error("Extraneous dynamic block label", detail, labels[wanted].range)]
    if len(labels) < wanted:
        return labels, [error("Insufficient dynamic block labels", detail, given.expression.range)]
    return labels, []


def _content_problems(given: tree.Block, bodies: Sequence[tree.Block]) -> list[Diagnostic]:
    if not bodies:
        detail = (
            'A dynamic block must have a nested block of type "content" to describe the body of each generated block.'
        )
        return [error("Missing dynamic content block", detail, missing_item_range(given.body))]
    if len(bodies) > 1:
        detail = "Only one nested content block is allowed for each dynamic block."
        return [error("Extraneous dynamic content block", detail, definition_range(bodies[1]))]
    return []
