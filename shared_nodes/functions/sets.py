"""Functions on sets: setintersection setproduct setsubtract setunion.

The element types of all sets are unified first, so `setunion([1], ["a"])` is a set of strings. Only a union may contain
unknowns; for the others an unknown element may turn out to match, so the whole result is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.construction import list_from, panic_type_text, set_from
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.values import operations
from shared_nodes.values.convert import ConversionError, convert, unify
from shared_nodes.values.equality import equals
from shared_nodes.values.marks import NO_MARKS
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.set_key import set_key
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import DYNAMIC, ListType, SetType, TupleType, Type, contains_dynamic
from shared_nodes.values.value import TRUE, Value, list_of, refine, tuple_of, unknown

__all__ = ["functions"]

_ANY_SET: Final = SetType(DYNAMIC)

Members = Sequence[Value]


class _Membership:
    """The elements of a set by key. Two values are the same element if they have the same key and are equal."""

    def __init__(self, members: Iterable[Value]) -> None:
        self._by_key: dict[str, list[Value]] = {}
        for member in members:
            self._by_key.setdefault(set_key(member), []).append(member)

    def __contains__(self, value: Value) -> bool:
        return any(equals(value, member) is TRUE for member in self._by_key.get(set_key(value), ()))


def _union(left: Members, right: Members) -> Members:
    return [*left, *right]


def _intersection(left: Members, right: Members) -> Members:
    others = _Membership(right)
    return [member for member in left if member in others]


def _difference(left: Members, right: Members) -> Members:
    others = _Membership(right)
    return [member for member in left if member not in others]


def _common_set_type(arguments: Arguments) -> Type:
    """The common type. Empty sets of dynamic type are ignored, since they convert to a set of any type."""
    elements: list[Type] = []
    for argument in arguments:
        assert isinstance(argument.type, SetType)
        if not (argument.type.element is DYNAMIC and argument.is_known and not argument.payload):
            elements.append(argument.type.element)
    if not elements:
        return _ANY_SET
    common = unify(elements, unsafe=True)
    if common is None:
        raise FunctionError("given sets must all have compatible element types")
    return SetType(common)


def _set_operation(
    name: str,
    parameters: tuple[Parameter, ...],
    variadic: Parameter | None,
    combine: Callable[[Members, Members], Members],
    flavour: Flavour,
    *,
    unknown_elements: bool = False,
) -> Function:
    def operate(arguments: Arguments, return_type: Type) -> Value:
        combined: Value | None = None
        for index, argument in enumerate(arguments):
            try:
                converted = convert(argument, return_type)
            except ConversionError as failure:
                raise ArgumentError(index, failure.explain(flavour)) from failure
            if not unknown_elements and not converted.is_wholly_known:
                return unknown(return_type)
            combined = converted if combined is None else _combine(combined, converted, combine)
        assert combined is not None
        return combined

    return Function(name, parameters, _common_set_type, operate, variadic=variadic)


def _combine(left: Value, right: Value, combine: Callable[[Members, Members], Members]) -> Value:
    """Combine two sets. If their common type is dynamic (as for a set that contains only null), their own types may
    differ."""
    assert isinstance(left.type, SetType)
    assert isinstance(right.type, SetType)
    if left.type != right.type:
        rules = [f"cty.setRules{{Type:{panic_type_text(ty)}}}" for ty in (left.type.element, right.type.element)]
        raise PanicError(f"incompatible set rules: {rules[0]}, {rules[1]}")
    return set_of(left.type.element, combine(left.payload, right.payload))


# setproduct

_MAX_PRODUCT: Final = 1_000_000
"""A product with more elements than this is refused; the original would exhaust memory."""

_MAX_REFINED_PRODUCT: Final = 2048
"""The original predicts the length of an unknown product only up to this number."""


def _product_type(arguments: Arguments) -> Type:
    if len(arguments) < 2:
        raise FunctionError("at least two arguments are required")
    row = TupleType([_factor_type(index, argument.type) for index, argument in enumerate(arguments)])
    return SetType(row) if any(isinstance(argument.type, SetType) for argument in arguments) else ListType(row)


def _factor_type(index: int, ty: Type) -> Type:
    if isinstance(ty, SetType | ListType):
        return ty.element
    if not isinstance(ty, TupleType):
        raise ArgumentError(index, "a set or a list is required")
    if not ty.elements:
        return DYNAMIC
    common = unify(ty.elements, unsafe=True)
    if common is None:
        raise ArgumentError(index, "all elements must be of the same type")
    return common


def _product(arguments: Arguments, return_type: Type) -> Value:
    """All combinations of one element per argument. The last argument varies fastest."""
    assert isinstance(return_type, ListType | SetType)
    marks = NO_MARKS.union(*(argument.marks for argument in arguments))
    if not all(argument.is_known and operations.length(argument).is_known for argument in arguments):
        return _unknown_product(arguments, return_type).with_marks(marks)
    if prod(len(argument.payload) for argument in arguments) > _MAX_PRODUCT:
        raise FunctionError(f"the product has more than {_MAX_PRODUCT} elements")
    row = return_type.element
    assert isinstance(row, TupleType)
    factors = [
        [convert(element, ty) for element in argument.payload]
        for argument, ty in zip(arguments, row.elements, strict=True)
    ]
    return _rows(factors, row, return_type).with_marks(marks)


def _rows(factors: Sequence[Members], row: TupleType, return_type: ListType | SetType) -> Value:
    is_list = isinstance(return_type, ListType)
    if contains_dynamic(row):
        untyped = [tuple_of(combination) for combination in product(*factors)]
        return list_from(untyped, row) if is_list else set_from(untyped, row)
    rows = [Value(row, combination) for combination in product(*factors)]
    return list_of(row, rows) if is_list else set_of(row, rows)


def _unknown_product(arguments: Arguments, return_type: Type) -> Value:
    """The result for unknown factors. If every factor has a greatest length, so does the product.

    The original then also promises at least one element, unless one factor is certainly empty. That is wrong for
    factors that may be empty, but it is what plans show.
    """
    most = 1
    for argument in arguments:
        length = _greatest_length(argument)
        if length is None:
            return unknown(return_type)
        most *= length
        if most > _MAX_REFINED_PRODUCT:
            return unknown(return_type)
    return refine(unknown(return_type), Refinement(not_null=True, min_length=min(most, 1), max_length=most))


def _greatest_length(argument: Value) -> int | None:
    if isinstance(argument.type, TupleType):
        return len(argument.type.elements)
    if not argument.is_known:
        return argument.refinement.max_length
    return len(argument.payload) if operations.length(argument).is_known else None


def functions(context: FunctionContext) -> tuple[Function, ...]:
    flavour = context.flavour
    first = (Parameter("first_set", _ANY_SET, allow_dynamic=True),)
    others = Parameter("other_sets", _ANY_SET, allow_dynamic=True)
    pair = (Parameter("a", _ANY_SET, allow_dynamic=True), Parameter("b", _ANY_SET, allow_dynamic=True))
    factors = Parameter("sets", allow_unknown=True, allow_marked=True)
    return (
        _set_operation("setintersection", first, others, _intersection, flavour),
        Function("setproduct", (), _product_type, _product, variadic=factors),
        _set_operation("setsubtract", pair, None, _difference, flavour),
        _set_operation("setunion", first, others, _union, flavour, unknown_elements=True),
    )
