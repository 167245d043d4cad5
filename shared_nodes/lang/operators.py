"""Operators: conversion of operands, handling of null and unknown, and diagnostics.

The arithmetic itself is in `shared_nodes.values`; this module contains the rules around it. Operands that already have
the right type, by far the most frequent ones, are not converted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.frame import Code, Frame
from shared_nodes.lang.tree import Binary, Expression, Unary
from shared_nodes.record import record
from shared_nodes.values import operations
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.equality import equals
from shared_nodes.values.marks import NO_MARKS
from shared_nodes.values.operations import OperationError
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, Primitive
from shared_nodes.values.value import Value, boolean, unknown

__all__ = ["BINARY_OPERATORS", "UNARY_OPERATORS", "BinaryOperator", "UnaryOperator", "apply_unary"]


@record
class _Operand:
    """A value, and the problems found while it was computed."""

    value: Value
    problems: list[Diagnostic]


@record
class BinaryOperator:
    operand: Primitive
    """The type to which both operands are converted. Dynamic leaves them unchanged."""

    result: Primitive
    compute: Callable[[Value, Value], Value]
    deciding: bool | None = None
    """The operand value that alone decides the result of a logical operator; None for all others."""

    def apply(self, frame: Frame, before: int, left: Value, right: Value, node: Binary) -> Value:
        """Compute the result, unless evaluating the operands added to the `before` diagnostics that existed then.

        Further messages would only confuse.
        """
        left, right = self._convert_operands(frame, left, right, node)
        return self._compute(frame, before, left, right, node)

    def apply_short_circuit(self, frame: Frame, before: int, left: Value, right_code: Code, node: Binary) -> Value:
        """Compute the result by the rules of flavours in which `&&` and `||` stop early. In these, operands of a wrong
        type are reported before the errors inside the operands, by every operator."""
        right, right_problems = frame.attempt(right_code)
        left_problems = frame.diagnostics[before:]
        del frame.diagnostics[before:]
        left, right = self._convert_operands(frame, left, right, node)
        if self.deciding is not None and len(frame.diagnostics) == before:
            decision = self._decide(_Operand(left, left_problems), _Operand(right, right_problems))
            if decision is not None:
                frame.diagnostics.extend(decision.problems)
                return decision.value.with_marks(left.marks | right.marks)
        frame.diagnostics.extend((*left_problems, *right_problems))
        return self._compute(frame, before, left, right, node)

    def _decide(self, left: _Operand, right: _Operand) -> _Operand | None:
        """The result of `&&` or `||` if one operand settles it, and the problems of that operand: those of the other
        are dropped. Null counts as false."""
        undecided = unknown(BOOL, NOT_NULL)
        if not left.value.is_known and not right.value.is_known:
            return None if left.problems else _Operand(undecided, [])
        for operand in (left, right):
            if operand.value.is_known and (operand.value.payload is True) is self.deciding:
                return _Operand(boolean(self.deciding), operand.problems)
        for operand in (left, right):
            if not operand.value.is_known:
                return _Operand(undecided, operand.problems)
        return None

    def _convert_operands(self, frame: Frame, left: Value, right: Value, node: Binary) -> tuple[Value, Value]:
        if left.type is not self.operand and self.operand is not DYNAMIC:
            left = _convert_operand(frame, left, self.operand, "left operand", (node.left, node))
        if right.type is not self.operand and self.operand is not DYNAMIC:
            right = _convert_operand(frame, right, self.operand, "right operand", (node.right, node))
        return left, right

    def _compute(self, frame: Frame, before: int, left: Value, right: Value, node: Binary) -> Value:
        if len(frame.diagnostics) > before:
            return unknown(self.result)
        try:
            return self.compute(left, right)
        except OperationError as failure:
            frame.error("Operation failed", f"Error during operation: {failure.message}.", node.range, of=node)
            return unknown(self.result)


def _convert_operand(
    frame: Frame, value: Value, want: Primitive, which: str, blamed: tuple[Expression, Expression]
) -> Value:
    """Convert an operand. `blamed` is the operand and the whole operation."""
    try:
        return convert(value, want)
    except ConversionError as failure:
        operand, whole = blamed
        detail = f"Unsuitable value for {which}: {frame.explain(failure)}."
        frame.error("Invalid operand", detail, operand.range, whole.range, of=operand)
        return unknown(want)


def _make_strict(
    compute: Callable[[Value, Value], Value], result: Primitive, *, refines: bool = False, keeps_marks: bool = True
) -> Callable[[Value, Value], Value]:
    """Wrap a computation: null operands are refused and unknown ones give an unknown result.

    With `refines`, unknown operands are computed with, since their bounds may decide the result.

    Quirk `logic-loses-marks`: an unknown result of `&&`, `||`, `!` and the negative sign does not carry the marks of
    its operands, such as sensitivity.
    """

    def run(left: Value, right: Value) -> Value:
        if left.is_null or right.is_null:
            raise OperationError("argument must not be null")
        if not refines and not (left.is_known and right.is_known):
            return unknown(result, NOT_NULL).with_marks(left.marks | right.marks if keeps_marks else NO_MARKS)
        return compute(left, right)

    return run


def _not_equal(left: Value, right: Value) -> Value:
    return operations.logical_not(equals(left, right))


def _arithmetic(compute: Callable[[Value, Value], Value]) -> BinaryOperator:
    return BinaryOperator(NUMBER, NUMBER, _make_strict(compute, NUMBER))


def _comparison(compute: Callable[[Value, Value], Value]) -> BinaryOperator:
    return BinaryOperator(NUMBER, BOOL, _make_strict(compute, BOOL, refines=True))


def _logic(compute: Callable[[Value, Value], Value], deciding: bool) -> BinaryOperator:
    return BinaryOperator(BOOL, BOOL, _make_strict(compute, BOOL, keeps_marks=False), deciding=deciding)


BINARY_OPERATORS: Final = {
    "+": _arithmetic(operations.add),
    "-": _arithmetic(operations.subtract),
    "*": _arithmetic(operations.multiply),
    "/": _arithmetic(operations.divide),
    "%": _arithmetic(operations.modulo),
    "<": _comparison(operations.less_than),
    "<=": _comparison(operations.less_or_equal),
    ">": _comparison(operations.greater_than),
    ">=": _comparison(operations.greater_or_equal),
    "==": BinaryOperator(DYNAMIC, BOOL, equals),
    "!=": BinaryOperator(DYNAMIC, BOOL, _not_equal),
    "&&": _logic(operations.logical_and, deciding=False),
    "||": _logic(operations.logical_or, deciding=True),
}


@record
class UnaryOperator:
    operand: Primitive
    compute: Callable[[Value], Value]


UNARY_OPERATORS: Final = {
    "-": UnaryOperator(NUMBER, operations.negate),
    "!": UnaryOperator(BOOL, operations.logical_not),
}


def apply_unary(frame: Frame, before: int, operator: UnaryOperator, operand: Value, node: Unary) -> Value:
    operand = _convert_operand(frame, operand, operator.operand, "unary operand", (node.operand, node))
    if len(frame.diagnostics) > before:
        return unknown(operator.operand)
    if operand.is_null:
        frame.error("Operation failed", "Error during operation: argument must not be null.", node.range, of=node)
        return unknown(operator.operand)
    if not operand.is_known:
        return unknown(operator.operand, NOT_NULL)
    return operator.compute(operand)
