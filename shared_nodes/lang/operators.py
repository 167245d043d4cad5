"""Operators: conversion of operands, handling of null and unknown, and diagnostics.

The arithmetic itself is in `shared_nodes.values`; this module contains the rules around it. Operands that already have
the right type, by far the most frequent ones, are not converted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from shared_nodes.lang.frame import Code, Frame
from shared_nodes.lang.tree import Binary, Expression, Unary
from shared_nodes.values import operations
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.equality import equals
from shared_nodes.values.marks import NO_MARKS
from shared_nodes.values.operations import OperationError
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, Primitive
from shared_nodes.values.value import Value, unknown

__all__ = ["BINARY_OPERATORS", "UNARY_OPERATORS", "BinaryOperator", "UnaryOperator", "apply_unary"]


@dataclass(frozen=True, slots=True)
class BinaryOperator:
    operand: Primitive
    """The type to which both operands are converted. Dynamic leaves them unchanged."""

    result: Primitive
    compute: Callable[[Value, Value, Frame], Value]
    is_logic: bool = False
    deciding: bool | None = None
    """The operand value that alone decides the result of a logical operator."""

    def apply(self, frame: Frame, before: int, left: Value, right: Value, node: Binary) -> Value:
        """Compute the result, unless evaluating the operands added to the `before` diagnostics that existed then.

        Further messages would only confuse.
        """
        if left.type is not self.operand and self.operand is not DYNAMIC:
            left = _convert_operand(frame, left, self.operand, "left operand", (node.left, node))
        if right.type is not self.operand and self.operand is not DYNAMIC:
            right = _convert_operand(frame, right, self.operand, "right operand", (node.right, node))
        if len(frame.diagnostics) > before:
            return unknown(self.result)
        try:
            return self.compute(left, right, frame)
        except OperationError as failure:
            frame.error("Operation failed", f"Error during operation: {failure.message}.", node.range, of=node)
            return unknown(self.result)

    def apply_short_circuit(self, frame: Frame, before: int, left: Value, right_code: Code, node: Binary) -> Value:
        """Apply the newer rule for `&&` and `||`: an operand that decides the result wins, and errors of the other are
        dropped."""
        right, right_problems = frame.attempt(right_code)
        if len(frame.diagnostics) == before and (decided := self._deciding_value(left)) is not None:
            return decided
        if not right_problems and (decided := self._deciding_value(right)) is not None:
            del frame.diagnostics[before:]
            return decided
        frame.diagnostics.extend(right_problems)
        return self.apply(frame, before, left, right, node)

    def _deciding_value(self, operand: Value) -> Value | None:
        try:
            converted = convert(operand, BOOL)
        except ConversionError:
            return None
        return converted if converted.payload is self.deciding else None


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
) -> Callable[[Value, Value, Frame], Value]:
    """Wrap a computation: null operands are refused and unknown ones give an unknown result.

    With `refines`, unknown operands are computed with, since their bounds may decide the result.

    Quirk `logic-loses-marks`: an unknown result of `&&`, `||`, `!` and the negative sign does not carry the marks of
    its operands, such as sensitivity.
    """

    def run(left: Value, right: Value, _frame: Frame) -> Value:
        if left.is_null or right.is_null:
            raise OperationError("argument must not be null")
        if not refines and not (left.is_known and right.is_known):
            return unknown(result, NOT_NULL).with_marks(left.marks | right.marks if keeps_marks else NO_MARKS)
        return compute(left, right)

    return run


def _equal(left: Value, right: Value, frame: Frame) -> Value:
    return equals(left, right, frame.scope.flavour)


def _not_equal(left: Value, right: Value, frame: Frame) -> Value:
    return operations.logical_not(equals(left, right, frame.scope.flavour))


def _arithmetic(compute: Callable[[Value, Value], Value]) -> BinaryOperator:
    return BinaryOperator(NUMBER, NUMBER, _make_strict(compute, NUMBER))


def _comparison(compute: Callable[[Value, Value], Value]) -> BinaryOperator:
    return BinaryOperator(NUMBER, BOOL, _make_strict(compute, BOOL, refines=True))


def _logic(compute: Callable[[Value, Value], Value], deciding: bool) -> BinaryOperator:
    return BinaryOperator(BOOL, BOOL, _make_strict(compute, BOOL, keeps_marks=False), is_logic=True, deciding=deciding)


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
    "==": BinaryOperator(DYNAMIC, BOOL, _equal),
    "!=": BinaryOperator(DYNAMIC, BOOL, _not_equal),
    "&&": _logic(operations.logical_and, deciding=False),
    "||": _logic(operations.logical_or, deciding=True),
}


@dataclass(frozen=True, slots=True)
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
