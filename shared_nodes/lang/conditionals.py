"""The conditional operator: both branches are evaluated for their types, and one is taken for its value."""

from __future__ import annotations

from typing import Final

from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.frame import Code, Frame
from shared_nodes.values.convert import ConversionError, convert, unify
from shared_nodes.values.marks import kept_by_branch
from shared_nodes.values.mismatch import conditional_mismatch
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.refinement import NOT_NULL, UNREFINED, Refinement
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, CollectionType, Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, null, unknown

__all__ = ["choose"]

_INCONSISTENT: Final = "Inconsistent conditional result types"


Outcome = tuple[Value, list[Diagnostic]]
"""A branch evaluated separately: its value, and the problems that count only if it is taken."""


def choose(
    frame: Frame, node: tree.Conditional, condition_code: Code, when_true: Outcome, when_false: Outcome
) -> Value:
    """Evaluate the condition and take a branch.

    Problems of the other branch are dropped. While the condition is unknown, those of both branches are.
    """
    true_value, true_problems = when_true
    false_value, false_problems = when_false
    result_type = _result_type(true_value, false_value)
    if result_type is None:
        detail = (
            "The true and false result expressions must have consistent types. "
            f"{conditional_mismatch(true_value.type, false_value.type)}."
        )
        subject = node.true_result.range.through(node.false_result.range)
        frame.error(_INCONSISTENT, detail, subject, node.range, of=node)
        return DYNAMIC_UNKNOWN
    condition = condition_code(frame)
    if condition.is_null:
        detail = "The condition value is null. Conditions must either be true or false."
        frame.error("Null condition", detail, node.condition.range, node.range, of=node.condition)
        return unknown(result_type)
    if not condition.is_known:
        marks = condition.marks | true_value.marks | false_value.marks
        return _merge_branches(true_value.without_marks(), false_value.without_marks(), result_type).with_marks(marks)
    try:
        decision = convert(condition, BOOL)
    except ConversionError:
        detail = "The condition expression must be of type bool."
        frame.error("Incorrect condition type", detail, node.condition.range, node.range, of=node.condition)
        return unknown(result_type)
    frame.diagnostics.extend(true_problems if decision.payload else false_problems)
    taken, other = (true_value, false_value) if decision.payload else (false_value, true_value)
    marks = condition.marks | taken.marks | kept_by_branch(other.marks)
    return _as_result(frame, taken, result_type, node, bool(decision.payload)).with_marks(marks)


def _result_type(true_value: Value, false_value: Value) -> Type | None:
    """The type of the conditional, or None. A literal null takes the type of the other branch; otherwise both are
    unified."""
    if _is_literal_null(true_value):
        return false_value.type
    if _is_literal_null(false_value):
        return true_value.type
    if true_value.type is DYNAMIC or false_value.type is DYNAMIC:
        return DYNAMIC
    if true_value.type == false_value.type:
        return true_value.type
    return unify((true_value.type, false_value.type), unsafe=True)


def _is_literal_null(value: Value) -> bool:
    """Whether the value is an untyped null.

    Quirk `sensitive-null-is-not-literal`: a marked null is not recognised as one, and the result has a dynamic type.
    """
    return value.is_null and value.type is DYNAMIC and not value.marks


def _as_result(frame: Frame, value: Value, result_type: Type, node: tree.Conditional, was_true: bool) -> Value:
    if value.type == result_type:
        return value
    try:
        return convert(value, result_type)
    except ConversionError as failure:
        name, branch = ("true", node.true_result) if was_true else ("false", node.false_result)
        detail = f"The {name} result value has the wrong type: {frame.explain(failure)}."
        frame.error(_INCONSISTENT, detail, branch.range, of=branch)
        return unknown(result_type)


def _merge_branches(true_value: Value, false_value: Value, result_type: Type) -> Value:
    """What both branches have in common, which is all that is certain while the condition is unknown."""
    if true_value.is_null and false_value.is_null:
        return null(result_type)
    not_null = _is_never_null(true_value) and _is_never_null(false_value)
    base = NOT_NULL if not_null else UNREFINED
    if true_value.type is NUMBER and false_value.type is NUMBER:
        return unknown(NUMBER, _span(true_value, false_value, not_null))
    if isinstance(true_value.type, CollectionType) and true_value.type == false_value.type:
        low = min(_length_bounds(true_value)[0], _length_bounds(false_value)[0])
        highs = [_length_bounds(value)[1] for value in (true_value, false_value)]
        high = None if None in highs else max(length for length in highs if length is not None)
        return unknown(result_type, Refinement(not_null=not_null, min_length=low, max_length=high))
    return unknown(result_type, base)


def _is_never_null(value: Value) -> bool:
    return value.refinement.not_null if not value.is_known else not value.is_null


Bound = tuple[mpfr | None, bool]


def _span(first: Value, second: Value, not_null: bool) -> Refinement:
    """The smallest range of numbers that contains both values."""
    lower, lower_inclusive = _outer_bound(
        _number_bound(first, lower=True), _number_bound(second, lower=True), lower=True
    )
    upper, upper_inclusive = _outer_bound(
        _number_bound(first, lower=False), _number_bound(second, lower=False), lower=False
    )
    return Refinement(
        not_null=not_null,
        lower=lower,
        lower_inclusive=lower_inclusive,
        upper=upper,
        upper_inclusive=upper_inclusive,
    )


def _number_bound(value: Value, *, lower: bool) -> Bound:
    if value.is_null:
        return None, True
    if value.is_known:
        return value.payload, True
    refinement = value.refinement
    return (refinement.lower, refinement.lower_inclusive) if lower else (refinement.upper, refinement.upper_inclusive)


def _outer_bound(first: Bound, second: Bound, *, lower: bool) -> Bound:
    if first[0] is None or second[0] is None:
        return None, True
    if first[0] == second[0]:
        return first[0], first[1] or second[1]
    return first if (first[0] < second[0]) == lower else second


def _length_bounds(value: Value) -> tuple[int, int | None]:
    if value.is_null:
        return 0, None
    if not value.is_known:
        return value.refinement.min_length, value.refinement.max_length
    count = len(value.payload)
    if value.is_wholly_known or value.payload.__class__ is dict or not isinstance(value.type, CollectionType):
        return count, count
    return (count, count) if value.type.kind == "list" or count <= 1 else (1, count)
