"""Expansion of `dynamic` blocks: one block per element of `for_each`.

The generated blocks depend on values, so expansion is repeated for each evaluation. An unknown `for_each` results in
one block with unknown content, which makes all blocks of its type unknown when decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from shared_nodes.addresses.references import Reference
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range
from shared_nodes.lang.unknown_functions import explain_unknown_functions
from shared_nodes.nodes.body.prepared import BodyArgument, DynamicBlock, PreparedBody, StaticBlock
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import NO_MARKS, Marks
from shared_nodes.values.types import DYNAMIC, STRING, Primitive, friendly_name
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, object_of

__all__ = ["ExpandedBody", "ExpandedNestedBlock", "expand_body", "with_iterators", "written_out"]


@record
class ExpandedNestedBlock:
    type: str
    labels: tuple[str, ...]
    range: Range
    body: ExpandedBody


@record
class ExpandedBody:
    """A body with its blocks after expansion."""

    prepared: PreparedBody
    blocks: tuple[ExpandedNestedBlock, ...]
    problems: tuple[Diagnostic, ...] = ()
    """Problems of dynamic blocks that could not be expanded."""

    iterators: Mapping[str, Value] = field(default_factory=dict)
    marks: Marks = NO_MARKS
    """The marks of the `for_each` that generated it. Every argument gets them, because the existence of the block
    depends on it."""

    is_unknown: bool = False
    """Whether the number of such blocks, and therefore all of their content, is unknown."""

    def references(self) -> tuple[list[Reference], list[Diagnostic]]:
        """Return the references of all arguments that will be evaluated, and the problems of malformed ones."""
        prepared = [] if self.is_unknown else [argument.prepared for argument in self.prepared.arguments.values()]
        found = [reference for one in prepared for reference in one.references]
        problems = [problem for one in prepared for problem in one.problems]
        for block in self.blocks:
            more, more_problems = block.body.references()
            found.extend(more)
            problems.extend(more_problems)
        return found, problems


def written_out(body: PreparedBody) -> ExpandedBody:
    """Return the expansion of a body without dynamic blocks."""
    blocks = [
        ExpandedNestedBlock(block.type, block.labels, block.range, written_out(block.body))
        for block in body.blocks
        if isinstance(block, StaticBlock)
    ]
    return ExpandedBody(body, tuple(blocks))


def with_iterators(scope: Scope, iterators: Mapping[str, Value]) -> Scope:
    """Add iterators to a scope. They hide other names."""
    return replace(scope, variables={**(scope.variables or {}), **iterators}) if iterators else scope


def expand_body(scope: ModuleScope, body: PreparedBody) -> tuple[ExpandedBody, list[Diagnostic]]:
    """Check the references of dynamic blocks, then expand. Problems do not stop the expansion: it continues without the
    names in question, and usually finds more problems."""
    found = list(_expansion_arguments(body))
    problems = [problem for argument in found for problem in argument.prepared.problems]
    values, more = scope.lenient_values_for(
        reference for argument in found for reference in argument.prepared.references
    )
    return _expand(ExpandedBody(body, ()), values), [*problems, *more]


def _expansion_arguments(body: PreparedBody) -> Iterator[BodyArgument]:
    yield from body.unused
    for block in body.blocks:
        if isinstance(block, StaticBlock):
            yield from _expansion_arguments(block.body)
            continue
        yield from block.expressions
        if block.content is not None:
            yield from _expansion_arguments(block.content)


def _expand(body: ExpandedBody, values: Scope) -> ExpandedBody:
    """Return the body with its blocks filled in. Static blocks inherit iterators and whether they are unknown.

    Quirk `marks-stop-at-nested-blocks`: they do not inherit the marks of `for_each`.
    """
    blocks: list[ExpandedNestedBlock] = []
    problems: list[Diagnostic] = []
    for block in body.prepared.blocks:
        if isinstance(block, StaticBlock):
            inner = _expand(replace(body, prepared=block.body, marks=NO_MARKS), values)
            blocks.append(ExpandedNestedBlock(block.type, block.labels, block.range, inner))
        else:
            generated, found = _generate(block, body, values)
            blocks.extend(generated)
            problems.extend(found)
    return replace(body, blocks=tuple(blocks), problems=tuple(problems))


def _generate(
    block: DynamicBlock, parent: ExpandedBody, values: Scope
) -> tuple[list[ExpandedNestedBlock], list[Diagnostic]]:
    if block.problems:
        return [], list(block.problems)
    assert block.for_each is not None
    each, problems = block.for_each.prepared.compiled.evaluate(with_iterators(values, parent.iterators))
    problems = explain_unknown_functions(problems, values.flavour)
    if not has_errors(problems):
        seen = with_iterators(values, parent.iterators)
        problems += [
            found_in(problem, block.for_each.expression, seen) for problem in _check_for_each(each, block.for_each)
        ]
    if not has_errors(problems):
        problems = [*problems, *block.late_problems]
    if has_errors(problems):
        return [], problems
    marks, each = each.marks, each.without_marks()
    pairs = list(each.elements()) if each.is_known else [(DYNAMIC_UNKNOWN, DYNAMIC_UNKNOWN)]
    blocks: list[ExpandedNestedBlock] = []
    for key, value in pairs:
        iterators = {**parent.iterators, block.iterator: object_of({"key": key, "value": value})}
        labels, found = _evaluate_labels(block, with_iterators(values, iterators))
        problems.extend(found)
        if labels is not None:
            assert block.content is not None
            is_unknown = parent.is_unknown or not each.is_known
            empty = ExpandedBody(block.content, (), (), iterators, marks, is_unknown)
            blocks.append(ExpandedNestedBlock(block.type, labels, block.range, _expand(empty, values)))
    return blocks, problems


def _check_for_each(each: Value, argument: BodyArgument) -> list[Diagnostic]:
    summary = "Invalid dynamic for_each value"
    if isinstance(each.type, Primitive) and each.type is not DYNAMIC:
        detail = f"Cannot use a {friendly_name(each.type)} value in for_each. An iterable collection is required."
        return [error(summary, detail, argument.expression.range)]
    if each.is_null:
        return [error(summary, "Cannot use a null value in for_each.", argument.expression.range)]
    return []


def _evaluate_labels(block: DynamicBlock, values: Scope) -> tuple[tuple[str, ...] | None, list[Diagnostic]]:
    """Return the labels; None if one of them cannot be used, in which case the block is not generated."""
    labels: list[str] = []
    problems: list[Diagnostic] = []
    for argument in block.labels:
        value, found = argument.prepared.compiled.evaluate(values)
        problems.extend(explain_unknown_functions(found, values.flavour))
        if has_errors(found):
            return None, problems
        reason = None
        try:
            value = convert(value, STRING)
            reason = _check_label(value)
        except ConversionError as failure:
            reason = f"Cannot use this value as a dynamic block label: {failure.explain(values.flavour)}."
        if reason is not None:
            problem = error("Invalid dynamic block label", reason, argument.expression.range)
            problems.append(found_in(problem, argument.expression, values))
            return None, problems
        labels.append(value.payload)
    return tuple(labels), problems


def _check_label(label: Value) -> str | None:
    if label.is_null:
        return "Cannot use a null value as a dynamic block label."
    if not label.is_known:
        return "This value is not yet known. Dynamic block labels must be immediately-known values."
    if label.marks:
        return "This value has dynamic marks that make it unsuitable for use as a block label."
    return None
