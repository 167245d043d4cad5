"""Expressions, compiled once to closures and evaluated many times.

`compile_expression` turns a syntax tree into a tree of Python closures `code(frame) -> Value`. Everything that the text
alone determines is decided here: which names are loop variables (and their slots), which templates are constant, which
calls take their arguments unevaluated.

Evaluation never raises an exception for a user's mistake. Closures add to `frame.diagnostics` and continue with an
unknown value of dynamic type, so that one evaluation finds all mistakes, as in the original.

Operators and postfix accesses form left-deep chains of any length (`a + b + c + ...`, `x[i][j]...`). Such a *spine* is
compiled to a loop over steps instead of nested closures, so recursion depth depends only on brackets, which the parser
limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from shared_nodes.lang import tree
from shared_nodes.lang.access import follow, get_index
from shared_nodes.lang.calls import compile_call
from shared_nodes.lang.conditionals import choose
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.frame import Code, Frame
from shared_nodes.lang.loops import ForCode, run_for_object, run_for_tuple
from shared_nodes.lang.operators import BINARY_OPERATORS, UNARY_OPERATORS, BinaryOperator, apply_unary
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Range
from shared_nodes.lang.splats import SplatCode, run_splat
from shared_nodes.lang.suggestions import did_you_mean
from shared_nodes.lang.templates import join_template, render_template
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import NO_MARKS
from shared_nodes.values.types import STRING
from shared_nodes.values.value import DYNAMIC_UNKNOWN, EMPTY_TUPLE, Value, object_of, string, tuple_of

__all__ = ["CompiledExpression", "compile_expression"]


@record
class CompiledExpression:
    """An expression ready to be evaluated. It is stateless, so evaluations may share it, even concurrently."""

    expression: tree.Expression
    code: Code
    slot_count: int

    def evaluate(self, scope: Scope) -> tuple[Value, list[Diagnostic]]:
        frame = Frame(scope, self.slot_count)
        return self.code(frame), frame.diagnostics


@record
class Bindings:
    """Names bound by enclosing `for` expressions, and the slot of the enclosing splat's item."""

    names: Mapping[str, int]
    splat_slot: int | None
    counter: list[int]

    def new_slot(self) -> int:
        self.counter[0] += 1
        return self.counter[0] - 1

    def bind(self, names: Mapping[str, int]) -> Bindings:
        return Bindings({**self.names, **names}, self.splat_slot, self.counter)

    def inside_splat(self, slot: int) -> Bindings:
        return Bindings(self.names, slot, self.counter)


def compile_expression(expression: tree.Expression) -> CompiledExpression:
    counter = [0]
    code = compile_node(expression, Bindings({}, None, counter))
    return CompiledExpression(expression, code, counter[0])


def compile_node(node: tree.Expression, bindings: Bindings) -> Code:
    if isinstance(node, _SPINE_NODES):
        return _compile_spine(node, bindings)
    return _COMPILERS[type(node)](node, bindings)


# Spines: left-deep chains of operators and accesses.

Step = Callable[[Frame, int, Value], Value]
"""(frame, number of diagnostics before the spine began, value of everything to the left) -> value"""


def _compile_spine(node: tree.Expression, bindings: Bindings) -> Code:
    steps: list[Step] = []
    while isinstance(node, _SPINE_NODES):
        compiler, node = _SPINE_STEPS[type(node)](node, bindings)
        steps.append(compiler)
    base = _COMPILERS[type(node)](node, bindings)
    if len(steps) == 1:
        only = steps[0]
        return lambda frame: only(frame, len(frame.diagnostics), base(frame))
    steps.reverse()

    def run(frame: Frame) -> Value:
        before = len(frame.diagnostics)
        value = base(frame)
        for step in steps:
            value = step(frame, before, value)
        return value

    return run


def _binary_step(node: tree.Binary, bindings: Bindings) -> tuple[Step, tree.Expression]:
    operator: BinaryOperator = BINARY_OPERATORS[node.operator]
    right = compile_node(node.right, bindings)

    def apply(frame: Frame, before: int, left: Value) -> Value:
        if frame.scope.flavour.logic_short_circuits:
            return operator.apply_short_circuit(frame, before, left, right, node)
        return operator.apply(frame, before, left, right(frame), node)

    return apply, node.left


def _index_step(node: tree.Index, bindings: Bindings) -> tuple[Step, tree.Expression]:
    key = compile_node(node.key, bindings)
    subject = node.bracket_range

    def index(frame: Frame, _before: int, collection: Value) -> Value:
        return _value_or_report(frame, get_index(collection, key(frame), subject, frame.scope.flavour), node)

    return index, node.collection


def _relative_step(node: tree.RelativeTraversal, _bindings: Bindings) -> tuple[Step, tree.Expression]:
    steps = node.steps

    def traverse(frame: Frame, _before: int, value: Value) -> Value:
        return _value_or_report(frame, follow(value, steps, frame.scope.flavour), node)

    return traverse, node.source


def _splat_step(node: tree.Splat, bindings: Bindings) -> tuple[Step, tree.Expression]:
    slot = bindings.new_slot()
    each = compile_node(node.each, bindings.inside_splat(slot))
    code = SplatCode(node, each, slot)
    return lambda frame, before, source: run_splat(frame, before, source, code), node.source


_SPINE_NODES: Final = (tree.Binary, tree.Index, tree.RelativeTraversal, tree.Splat)
_SPINE_STEPS: Final[Mapping[type, Callable[..., tuple[Step, tree.Expression]]]] = {
    tree.Binary: _binary_step,
    tree.Index: _index_step,
    tree.RelativeTraversal: _relative_step,
    tree.Splat: _splat_step,
}


# Names and accesses.


def _value_or_report(frame: Frame, outcome: Value | Diagnostic, node: tree.Expression) -> Value:
    if isinstance(outcome, Value):
        return outcome
    frame.report(outcome, node)
    return DYNAMIC_UNKNOWN


def _compile_traversal(node: tree.Traversal, bindings: Bindings) -> Code:
    steps = node.steps
    slot = bindings.names.get(node.root)
    if slot is not None:
        bound = slot

        def read_slot(frame: Frame) -> Value:
            value = frame.slots[bound]
            assert value is not None
            return _value_or_report(frame, follow(value, steps, frame.scope.flavour), node) if steps else value

        return read_slot
    root, root_range, in_loop = node.root, node.root_range, bool(bindings.names)

    def read_scope(frame: Frame) -> Value:
        variables = frame.scope.variables
        value = variables.get(root) if variables is not None else None
        if value is None:
            _report_unknown_name(frame, root, root_range, in_loop, bindings.names)
            return DYNAMIC_UNKNOWN
        return _value_or_report(frame, follow(value, steps, frame.scope.flavour), node) if steps else value

    return read_scope


def _report_unknown_name(frame: Frame, name: str, subject: Range, in_loop: bool, loop_names: Mapping[str, int]) -> None:
    """Report an undefined variable.

    Quirk `loop-allows-variables`: where no variables are allowed at all, the message differs inside a `for`.
    """
    variables = frame.scope.variables
    if variables is None and not in_loop:
        frame.error("Variables not allowed", "Variables may not be used here.", subject)
        return
    suggestion = did_you_mean(name, [*(variables or ()), *loop_names])
    frame.error("Unknown variable", f'There is no variable named "{name}".{suggestion}', subject)


def _compile_splat_item(_node: tree.SplatItem, bindings: Bindings) -> Code:
    slot = bindings.splat_slot
    assert slot is not None

    def read(frame: Frame) -> Value:
        value = frame.slots[slot]
        return DYNAMIC_UNKNOWN if value is None else value

    return read


# Constants, templates, operators, conditionals.


def _compile_literal(node: tree.Literal, _bindings: Bindings) -> Code:
    value = node.value
    return lambda _frame: value


def _literal_text(part: tree.Expression) -> str | None:
    """The text of a literal part of a template. An interpolated literal such as `${1}` is not one."""
    if isinstance(part, tree.Literal) and isinstance(part.value.payload, str):
        return part.value.payload
    return None


def _compile_template(node: tree.Template, bindings: Bindings) -> Code:
    texts = [_literal_text(part) for part in node.parts]
    literals = [text for text in texts if text is not None]
    if len(literals) == len(texts):
        constant = string("".join(literals))
        return lambda _frame: constant
    parts = [(text, compile_node(part, bindings), part) for text, part in zip(texts, node.parts, strict=True)]
    whole = node.range
    return lambda frame: render_template(frame, parts, whole)


def _compile_wrap(node: tree.TemplateWrap, bindings: Bindings) -> Code:
    return compile_node(node.wrapped, bindings)


def _compile_parentheses(node: tree.Parentheses, bindings: Bindings) -> Code:
    return compile_node(node.inner, bindings)


def _compile_join(node: tree.TemplateJoin, bindings: Bindings) -> Code:
    sequence = compile_node(node.sequence, bindings)
    return lambda frame: join_template(frame, sequence(frame), node)


def _compile_unary(node: tree.Unary, bindings: Bindings) -> Code:
    operator = UNARY_OPERATORS[node.operator]
    operand = compile_node(node.operand, bindings)
    return lambda frame: apply_unary(frame, len(frame.diagnostics), operator, operand(frame), node)


def _compile_conditional(node: tree.Conditional, bindings: Bindings) -> Code:
    """Compile a chain `a ? b : c ? d : e` to a loop that starts from its end. All branches are evaluated anyway."""
    levels: list[tuple[tree.Conditional, Code, Code]] = []
    last: tree.Expression = node
    while isinstance(last, tree.Conditional):
        levels.append((last, compile_node(last.condition, bindings), compile_node(last.true_result, bindings)))
        last = last.false_result
    otherwise = compile_node(last, bindings)
    levels.reverse()

    def run(frame: Frame) -> Value:
        outer = frame.diagnostics
        outcome = frame.attempt(otherwise)
        for level, condition, when_true in levels:
            frame.diagnostics = outer if level is node else []
            value = choose(frame, level, condition, frame.attempt(when_true), outcome)
            outcome = value, frame.diagnostics
        return outcome[0]

    return run


# Constructors and for expressions.


def _compile_tuple(node: tree.TupleConstructor, bindings: Bindings) -> Code:
    if not node.items:
        return lambda _frame: EMPTY_TUPLE
    items = [compile_node(item, bindings) for item in node.items]
    return lambda frame: tuple_of([item(frame) for item in items])


def _compile_object(node: tree.ObjectConstructor, bindings: Bindings) -> Code:
    items = [_compile_item(item, bindings) for item in node.items]

    def run(frame: Frame) -> Value:
        attributes: dict[str, Value] = {}
        marks = NO_MARKS
        known = True
        for literal, key_code, key_node, value_code, value_range in items:
            if literal is not None:
                attributes[literal] = value_code(frame)
                continue
            before = len(frame.diagnostics)
            key = key_code(frame)
            key_failed = len(frame.diagnostics) > before
            value = value_code(frame)
            name = None if key_failed else _object_key(frame, key, key_node, value_range)
            marks |= key.marks
            if name is None:
                known = False
            else:
                attributes[name] = value
        return object_of(attributes).with_marks(marks) if known else DYNAMIC_UNKNOWN

    return run


def _compile_item(item: tree.ObjectItem, bindings: Bindings) -> tuple[str | None, Code, tree.Expression, Code, Range]:
    key = item.key
    value_code = compile_node(item.value, bindings)
    if isinstance(key, tree.Traversal) and key.steps:
        return None, _ambiguous_key(key.range), key, value_code, item.value.range
    return item.literal_key, compile_node(key, bindings), key, value_code, item.value.range


def _ambiguous_key(subject: Range) -> Code:
    def report(frame: Frame) -> Value:
        frame.error(
            "Ambiguous attribute key",
            "If this expression is intended to be a reference, wrap it in parentheses. If it's instead intended as a "
            "literal name containing periods, wrap it in quotes to create a string literal.",
            subject,
        )
        return DYNAMIC_UNKNOWN

    return report


def _object_key(frame: Frame, key: Value, node: tree.Expression, value_range: Range) -> str | None:
    """The attribute name that a key expression evaluates to, or None if the key is unknown, or invalid and reported.

    Quirk `null-key-blames-value`: a null key is reported at the range of the item's value.
    """
    if key.is_null:
        frame.error("Null value as key", "Can't use a null value as a key.", value_range, of=node)
        return None
    try:
        text = convert(key.without_marks(), STRING)
    except ConversionError as failure:
        detail = f"Can't use this value as a key: {frame.explain(failure)}."
        frame.error("Incorrect key type", detail, node.range, of=node)
        return None
    return text.payload if text.is_known else None


def _compile_for(node: tree.For, bindings: Bindings) -> Code:
    collection = compile_node(node.collection, bindings)
    key_slot = bindings.new_slot() if node.key_name is not None else None
    value_slot = bindings.new_slot()
    names = {node.value_name: value_slot}
    if node.key_name is not None and key_slot is not None:
        names = {node.key_name: key_slot, **names}
    inner = bindings.bind(names)
    code = ForCode(
        node=node,
        collection=collection,
        key_slot=key_slot,
        value_slot=value_slot,
        bound=inner.names,
        key=None if node.key is None else compile_node(node.key, inner),
        value=compile_node(node.value, inner),
        condition=None if node.condition is None else compile_node(node.condition, inner),
    )
    return (lambda frame: run_for_tuple(frame, code)) if node.key is None else lambda frame: run_for_object(frame, code)


def _compile_function_call(node: tree.Call, bindings: Bindings) -> Code:
    return compile_call(node, [compile_node(argument, bindings) for argument in node.arguments])


Node = TypeVar("Node", bound=tree.Expression)

_COMPILERS: Final[Mapping[type, Callable[..., Code]]] = {
    tree.Literal: _compile_literal,
    tree.Template: _compile_template,
    tree.TemplateWrap: _compile_wrap,
    tree.TemplateJoin: _compile_join,
    tree.Traversal: _compile_traversal,
    tree.SplatItem: _compile_splat_item,
    tree.Call: _compile_function_call,
    tree.Unary: _compile_unary,
    tree.Conditional: _compile_conditional,
    tree.Parentheses: _compile_parentheses,
    tree.TupleConstructor: _compile_tuple,
    tree.ObjectConstructor: _compile_object,
    tree.For: _compile_for,
}
