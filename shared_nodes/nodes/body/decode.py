"""Decodes a body into the value that its schema describes.

References of the whole body are checked before anything is evaluated, and a problem with one of them ends the decoding.
After that, all problems are collected in one pass: an argument that cannot be used is replaced by an unknown value of
its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from shared_nodes.addresses.references import Reference
from shared_nodes.config.module import Module
from shared_nodes.context.deprecation import deprecation_warning, remembered_deprecations, without_deprecations
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range
from shared_nodes.lang.unknown_functions import explain_unknown_functions
from shared_nodes.nodes.body.attribute_ranges import attribute_range
from shared_nodes.nodes.body.dynamic_blocks import (
    ExpandedBody,
    ExpandedNestedBlock,
    expand_body,
    with_iterators,
    written_out,
)
from shared_nodes.nodes.body.prepared import BodyArgument, PreparedBody, distinct_references, prepared_body
from shared_nodes.providers.schema import BlockType, Nesting, SchemaBlock, empty_value, implied_type
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.sets import set_of
from shared_nodes.values.text import quoted
from shared_nodes.values.types import (
    ListType,
    MapType,
    SetType,
    Type,
    contains_dynamic,
    without_optional_attributes,
)
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, list_of, map_of, null, object_of, tuple_of, unknown

__all__ = ["body_references", "decode_body"]


def body_references(module: Module, body: tree.Body, block: SchemaBlock) -> Sequence[Reference]:
    """Return everything that arguments of the schema refer to, dynamic blocks included. Malformed references are
    skipped: evaluation reports them."""
    return prepared_body(module, body, block).references


def decode_body(scope: ModuleScope, body: tree.Body, block: SchemaBlock) -> tuple[Value, list[Diagnostic]]:
    """Return the value of a block, of the type that the schema implies."""
    prepared = prepared_body(scope.module, body, block)
    if prepared.is_static:
        expanded = _static_expansion(scope.module, prepared)
        return _decode(scope, expanded, (prepared.references, prepared.distinct, prepared.reference_problems))
    expanded, problems = expand_body(scope, prepared)
    references, reference_problems = expanded.references()
    value, found = _decode(scope, expanded, (references, distinct_references(references), reference_problems))
    return value, [*problems, *found]


def _decode(
    scope: ModuleScope,
    body: ExpandedBody,
    found: tuple[Iterable[Reference], Iterable[Reference], Iterable[Diagnostic]],
) -> tuple[Value, list[Diagnostic]]:
    """Decode the body. `found` holds its references, one per object referred to, and the problems of malformed ones."""
    references, distinct, reference_problems = found
    problems = [*reference_problems, *scope.check(references)]
    if has_errors(problems):
        return unknown(implied_type(body.prepared.schema)), problems
    decoder = _Decoder(scope.values_for(distinct), marks_elements=body.prepared.has_nested_attributes)
    value = decoder.decode(body)
    problems += decoder.problems
    if scope.flavour.values_can_be_deprecated:
        value, warnings = _report_deprecations(value, body.prepared.source)
        problems += warnings
    return value, problems


def _report_deprecations(value: Value, body: tree.Body) -> tuple[Value, list[Diagnostic]]:
    """Return the value without the marks of deprecated sources, and the warnings. They have a range, but get an address
    only from those callers that add one to problems with paths."""
    found = remembered_deprecations(value)
    warnings = [
        replace(deprecation_warning("", cause), attribute=path, subject=attribute_range(body, path))
        for path, cause in found
    ]
    return (without_deprecations(value) if found else value), warnings


def _static_expansion(module: Module, prepared: PreparedBody) -> ExpandedBody:
    return module.expressions.compute_once(("expanded", id(prepared)), lambda: written_out(prepared))


class _Decoder:
    """One decoding: the values of names, and the problems found so far.

    Quirk `sensitive-blocks-by-schema`: the arguments of a dynamic block get the marks of its `for_each`. Each generated
    list, set or map element as a whole gets them too, but only if the schema contains a nested attribute type anywhere.
    """

    __slots__ = ("_marks_elements", "_values", "problems")

    def __init__(self, values: Scope, *, marks_elements: bool) -> None:
        self._values = values
        self._marks_elements = marks_elements
        self.problems: list[Diagnostic] = []

    def _report(self, summary: str, detail: str, subject: Range, context: Range | None = None) -> None:
        self.problems.append(error(summary, detail, subject, context))

    def decode(self, body: ExpandedBody) -> Value:
        prepared = body.prepared
        self.problems.extend(prepared.problems)
        self.problems.extend(body.problems)
        parts = dict(prepared.absent)
        values = with_iterators(self._values, body.iterators)
        for name, argument in prepared.arguments.items():
            parts[name] = self._decode_argument(name, argument, body, values)
        for name, nested in prepared.schema.block_types.items():
            parts[name] = self._decode_blocks(name, nested, prepared.block_values[name], body)
        return object_of(parts)

    def _decode_element(self, body: ExpandedBody) -> Value:
        value = self.decode(body)
        return value.with_marks(body.marks) if self._marks_elements else value

    def _decode_argument(self, name: str, argument: BodyArgument, body: ExpandedBody, values: Scope) -> Value:
        if body.is_unknown:
            value = DYNAMIC_UNKNOWN
        else:
            value, found = argument.prepared.compiled.evaluate(values)
            self.problems.extend(explain_unknown_functions(found, values.flavour))
        try:
            return convert(value.with_marks(body.marks), argument.type)
        except ConversionError as failure:
            expression = argument.expression
            problem = error(
                "Incorrect attribute value type",
                f"Inappropriate value for attribute {quoted(name)}: {failure.explain(self._values.flavour)}.",
                expression.range,
                argument.name_range.through(expression.start_range),
            )
            self.problems.append(found_in(problem, expression, values))
            return unknown(without_optional_attributes(argument.type))

    def _decode_blocks(self, name: str, nested: BlockType, inner: Type, body: ExpandedBody) -> Value:
        blocks = [block for block in body.blocks if block.type == name]
        match nested.nesting:
            case Nesting.SINGLE | Nesting.GROUP:
                return self._decode_single(name, nested, blocks, body.prepared.missing_range)
            case Nesting.MAP:
                return self._decode_map(name, inner, blocks)
        self._check_count(name, nested, blocks, body.prepared.missing_range)
        return self._decode_sequence(nested, inner, blocks)

    def _decode_single(
        self, name: str, nested: BlockType, blocks: Sequence[ExpandedNestedBlock], missing: Range
    ) -> Value:
        if not blocks:
            if nested.min_items == 1:
                self._report(f"Missing {name} block", f"A block of type {quoted(name)} is required here.", missing)
            if nested.nesting is Nesting.GROUP:
                return empty_value(nested.block)
            return null(implied_type(nested.block))
        if len(blocks) > 1:
            detail = f"Only one block of type {quoted(name)} is allowed. Previous definition was at {blocks[0].range}."
            self._report(f"Duplicate {name} block", detail, blocks[1].range)
        return self.decode(blocks[0].body)

    def _check_count(self, name: str, nested: BlockType, blocks: Sequence[ExpandedNestedBlock], missing: Range) -> None:
        """Check the number of blocks, unless it is not known yet."""
        if any(block.body.is_unknown for block in blocks):
            return
        if len(blocks) < nested.min_items:
            detail = f"At least {nested.min_items} {quoted(name)} blocks are required."
            self._report(f"Insufficient {name} blocks", detail, missing)
        elif 0 < nested.max_items < len(blocks):
            detail = f"No more than {nested.max_items} {quoted(name)} blocks are allowed"
            self._report(f"Too many {name} blocks", detail, blocks[nested.max_items].body.prepared.missing_range)

    def _decode_sequence(self, nested: BlockType, inner: Type, blocks: Sequence[ExpandedNestedBlock]) -> Value:
        """Decode a list or a set. One block of unknown number makes the whole sequence unknown."""
        elements: list[Value] = []
        for block in blocks:
            elements.append(self._decode_element(block.body))
            if block.body.is_unknown:
                return _unknown_blocks(nested.nesting, inner)
        if nested.nesting is Nesting.SET:
            return set_of(inner, elements)
        return tuple_of(elements) if contains_dynamic(inner) else list_of(inner, elements)

    def _decode_map(self, name: str, inner: Type, blocks: Sequence[ExpandedNestedBlock]) -> Value:
        elements: dict[str, Value] = {}
        for block in blocks:
            value = self._decode_element(block.body)
            if block.body.is_unknown:
                return _unknown_blocks(Nesting.MAP, inner)
            key = block.labels[0]
            if key in elements:
                detail = f"A block for {name} {quoted(key)} was already defined. The {name} labels must be unique."
                self._report(f"Duplicate {name} block", detail, block.range)
            else:
                elements[key] = value
        return object_of(elements) if contains_dynamic(inner) else map_of(inner, elements)


_COLLECTIONS: Final = {Nesting.LIST: ListType, Nesting.SET: SetType, Nesting.MAP: MapType}


def _unknown_blocks(nesting: Nesting, inner: Type) -> Value:
    """Return the unknown value of all blocks of one type. Blocks whose content has no fixed type form a tuple or an
    object, whose type is then unknown as well."""
    if contains_dynamic(inner) and nesting is not Nesting.SET:
        return DYNAMIC_UNKNOWN
    return unknown(_COLLECTIONS[nesting](inner))
