"""The syntax tree: bodies of arguments and blocks, and expressions.

Nodes are plain frozen data. Ranges are not compared, so two trees are equal if their text means the same, wherever it
is located. Every expression has a `range` (all of it) and a `start_range` (what a message points at if the expression
is an invalid function argument).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from shared_nodes.lang.source import Range
from shared_nodes.record import record
from shared_nodes.values.value import Value

__all__ = [
    "Attribute",
    "Binary",
    "Block",
    "Body",
    "Call",
    "Conditional",
    "Expression",
    "For",
    "Index",
    "Literal",
    "ObjectConstructor",
    "ObjectItem",
    "Parentheses",
    "RelativeTraversal",
    "Splat",
    "SplatItem",
    "Template",
    "TemplateJoin",
    "TemplateWrap",
    "Traversal",
    "TraverseAttribute",
    "TraverseIndex",
    "TupleConstructor",
    "Unary",
    "walk",
]


@record
class Expression:
    range: Range = field(compare=False, repr=False)

    @property
    def start_range(self) -> Range:
        return self.range

    def children(self) -> tuple[Expression, ...]:
        """Direct sub-expressions, in source order."""
        return ()


@record
class Literal(Expression):
    """A number, `true`, `false`, `null`, or a literal piece of a template (always a string)."""

    value: Value


@record
class Template(Expression):
    """A string built from parts. A quoted string without any sequence is a template of one literal (or of none)."""

    parts: tuple[Expression, ...]

    @property
    def start_range(self) -> Range:
        if self.parts:
            return self.parts[0].start_range
        return Range(self.range.source, self.range.end, self.range.end + 1)

    def children(self) -> tuple[Expression, ...]:
        return self.parts


@record
class TemplateWrap(Expression):
    """A quoted template that is exactly one interpolation. It has the value and the type of what it wraps."""

    wrapped: Expression

    def children(self) -> tuple[Expression, ...]:
        return (self.wrapped,)


@record
class TemplateJoin(Expression):
    """A `%{ for }` directive: the string results of a for expression, joined."""

    sequence: For

    def children(self) -> tuple[Expression, ...]:
        return (self.sequence,)


@record
class TraverseAttribute:
    """`.name`; the range covers the dot and the name."""

    name: str
    range: Range = field(compare=False, repr=False)


@record
class TraverseIndex:
    """`[literal]` or the legacy `.0`; the key is a known string or number. The range covers the brackets or the dot."""

    key: Value
    range: Range = field(compare=False, repr=False)


Step = TraverseAttribute | TraverseIndex


@record
class Traversal(Expression):
    """A name in scope, followed by attribute and literal index steps: `var.a["b"][0]`."""

    root: str
    root_range: Range = field(compare=False, repr=False)
    steps: tuple[Step, ...]


@record
class RelativeTraversal(Expression):
    """Attribute and literal index steps applied to the result of an expression that is not itself a traversal."""

    source: Expression
    steps: tuple[Step, ...]
    steps_range: Range = field(compare=False, repr=False)

    def children(self) -> tuple[Expression, ...]:
        return (self.source,)


@record
class Index(Expression):
    """`collection[key]` with a key that is not a literal. The bracket range covers `[` through `]`."""

    collection: Expression
    key: Expression
    bracket_range: Range = field(compare=False, repr=False)

    @property
    def start_range(self) -> Range:
        return self.bracket_range._replace(end=self.bracket_range.start + 1)

    def children(self) -> tuple[Expression, ...]:
        return (self.collection, self.key)


@record
class SplatItem(Expression):
    """The element being visited, inside the `each` of a `Splat`. Its range is the splat's marker."""


@record
class Splat(Expression):
    """`source[*]...` or `source.*...`: `each`, which contains one `SplatItem`, is applied to every element."""

    source: Expression
    each: Expression
    marker_range: Range = field(compare=False, repr=False)

    @property
    def start_range(self) -> Range:
        return self.marker_range

    def children(self) -> tuple[Expression, ...]:
        return (self.source, self.each)


@record
class Call(Expression):
    """`name(arguments)`. The name includes namespaces, as in `core::upper`; `expand_final` is the trailing `...`."""

    name: str
    arguments: tuple[Expression, ...]
    expand_final: bool
    name_range: Range = field(compare=False, repr=False)
    open_range: Range = field(compare=False, repr=False)
    close_range: Range = field(compare=False, repr=False)

    @property
    def start_range(self) -> Range:
        return self.name_range.through(self.open_range)

    def children(self) -> tuple[Expression, ...]:
        return self.arguments


@record
class Unary(Expression):
    """`-operand` or `!operand`."""

    operator: str
    operand: Expression
    symbol_range: Range = field(compare=False, repr=False)

    @property
    def start_range(self) -> Range:
        return self.symbol_range

    def children(self) -> tuple[Expression, ...]:
        return (self.operand,)


@record
class Binary(Expression):
    operator: str
    left: Expression
    right: Expression

    @property
    def start_range(self) -> Range:
        node: Expression = self.left
        while isinstance(node, Binary):
            node = node.left
        return node.start_range

    def children(self) -> tuple[Expression, ...]:
        return (self.left, self.right)


@record
class Conditional(Expression):
    condition: Expression
    true_result: Expression
    false_result: Expression

    @property
    def start_range(self) -> Range:
        return self.condition.start_range

    def children(self) -> tuple[Expression, ...]:
        return (self.condition, self.true_result, self.false_result)


@record
class Parentheses(Expression):
    inner: Expression

    @property
    def start_range(self) -> Range:
        return self.inner.start_range

    def children(self) -> tuple[Expression, ...]:
        return (self.inner,)


@record
class TupleConstructor(Expression):
    items: tuple[Expression, ...]
    open_range: Range = field(compare=False, repr=False)

    @property
    def start_range(self) -> Range:
        return self.open_range

    def children(self) -> tuple[Expression, ...]:
        return self.items


@record
class ObjectItem:
    """One `key = value`. A key that is a bare name (a `Traversal` without steps, or `true`, `false`, `null`) denotes
    itself; in parentheses (`Parentheses`) it is an expression."""

    key: Expression
    value: Expression

    @property
    def literal_key(self) -> str | None:
        """The text of the key if it is a bare name, or None if the key is an expression to evaluate."""
        if isinstance(self.key, Traversal) and not self.key.steps:
            return self.key.root
        if isinstance(self.key, Literal) and (self.key.value.is_null or self.key.value.payload.__class__ is bool):
            return self.key.range.text
        return None


@record
class ObjectConstructor(Expression):
    items: tuple[ObjectItem, ...]
    open_range: Range = field(compare=False, repr=False)

    @property
    def start_range(self) -> Range:
        return self.open_range

    def children(self) -> tuple[Expression, ...]:
        return tuple(part for item in self.items for part in (item.key, item.value))


@record
class For(Expression):
    """`[for k, v in collection : value if condition]`, or with `key =>` (and `...` for grouping) in braces."""

    key_name: str | None
    value_name: str
    collection: Expression
    key: Expression | None
    value: Expression
    condition: Expression | None
    group: bool
    open_range: Range = field(compare=False, repr=False)
    close_range: Range = field(compare=False, repr=False)

    @property
    def start_range(self) -> Range:
        return self.open_range

    def children(self) -> tuple[Expression, ...]:
        parts = (self.collection, self.key, self.value, self.condition)
        return tuple(part for part in parts if part is not None)


@record
class Attribute:
    """`name = expression` in a body."""

    name: str
    expression: Expression
    range: Range = field(compare=False, repr=False)
    name_range: Range = field(compare=False, repr=False)


@record
class Block:
    """`type "label" { body }`. The header range covers type and labels."""

    type: str
    labels: tuple[str, ...]
    body: Body
    type_range: Range = field(compare=False, repr=False)
    label_ranges: tuple[Range, ...] = field(compare=False, repr=False)
    open_range: Range = field(compare=False, repr=False)
    close_range: Range = field(compare=False, repr=False)

    @property
    def header_range(self) -> Range:
        """The range of type and labels. In JSON, where these are scattered, the bracket that opens the content."""
        if self.type_range.source.is_json:
            return self.open_range
        last = self.label_ranges[-1] if self.label_ranges else self.type_range
        return self.type_range.through(last)

    @property
    def range(self) -> Range:
        """The range from the type through the closing brace."""
        return self.type_range.through(self.close_range)


@record
class Body:
    """Arguments by name and blocks, both in source order. `end_range`, the empty range at the end of the body, is where
    missing arguments are reported."""

    attributes: Mapping[str, Attribute]
    blocks: tuple[Block, ...]
    range: Range = field(compare=False, repr=False)
    end_range: Range = field(compare=False, repr=False)


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and everything below it, parents first, in source order. Not recursive, so depth is unlimited."""
    pending = [expression]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.children()))
