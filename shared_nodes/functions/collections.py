"""Functions about a whole collection (alltrue anytrue contains index length one sum), the first non-empty argument
(coalesce coalescelist), and `list` and `map`, which exist only to name their replacements.

Most return a result as soon as the known elements decide it, even if others are unknown. Where they differ in this
(alltrue examines elements in order, anytrue and contains all of them), the difference is the original's.
"""

from __future__ import annotations

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, Parameter
from shared_nodes.values import operations
from shared_nodes.values.convert import ConversionError, convert, unify
from shared_nodes.values.equality import equals
from shared_nodes.values.number import from_int
from shared_nodes.values.operations import OperationError
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.text import length_in_graphemes
from shared_nodes.values.types import (
    BOOL,
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ListType,
    ObjectType,
    SetType,
    TupleType,
    Type,
    friendly_name,
)
from shared_nodes.values.value import FALSE, NULL, TRUE, Value, integer, null, unknown

__all__ = ["functions"]

_UNKNOWN_BOOL = unknown(BOOL)
_UNKNOWN_NUMBER = unknown(NUMBER)

_ANYTHING = Parameter("vals", allow_null=True, allow_unknown=True, allow_dynamic=True)


def _all_true(arguments: Arguments, _type: Type) -> Value:
    for element in arguments[0].payload:
        if not element.is_known:
            return _UNKNOWN_BOOL
        if element.is_null or not element.payload:
            return FALSE
    return TRUE


def _any_true(arguments: Arguments, _type: Type) -> Value:
    elements = arguments[0].payload
    if any(element.payload is True for element in elements):
        return TRUE
    return FALSE if all(element.is_known for element in elements) else _UNKNOWN_BOOL


def _coalesce_type(arguments: Arguments) -> Type:
    common = unify([argument.type for argument in arguments], unsafe=True) if arguments else None
    if common is None:
        raise FunctionError("all arguments must have the same type")
    return common


def _coalesce(arguments: Arguments, return_type: Type) -> Value:
    """Return the first usable argument. One that cannot be converted to the common type counts as null: the original
    ignores the error."""
    for argument in arguments:
        try:
            converted = convert(argument, return_type)
        except ConversionError:
            continue
        if not converted.is_known:
            return unknown(return_type)
        if not converted.is_null and not (return_type is STRING and converted.payload == ""):
            return converted
    raise FunctionError("no non-null, non-empty-string arguments")


def _coalesce_list_type(arguments: Arguments) -> Type:
    """Return the result type. The first unknown argument ends the check: arguments after it may be of any type."""
    if not arguments:
        raise FunctionError("at least one argument is required")
    for argument in arguments:
        if not argument.is_known:
            return DYNAMIC
        if not isinstance(argument.type, ListType | TupleType):
            raise FunctionError("coalescelist arguments must be lists or tuples")
    first = arguments[0].type
    return first if all(argument.type == first for argument in arguments) else DYNAMIC


def _coalesce_list(arguments: Arguments, return_type: Type) -> Value:
    for argument in arguments:
        if not argument.is_known:
            return unknown(return_type)
        if not argument.is_null and argument.payload:
            return argument
    raise FunctionError("no non-null arguments")


def _contains(arguments: Arguments, _type: Type) -> Value:
    collection, wanted = arguments
    if not isinstance(collection.type, ListType | TupleType | SetType):
        raise FunctionError("argument must be list, tuple, or set")
    answers = [equals(wanted, element) for element in collection.payload]
    if any(answer is TRUE for answer in answers):
        return TRUE
    return FALSE if all(answer is FALSE for answer in answers) else _UNKNOWN_BOOL


def _index(arguments: Arguments, _type: Type) -> Value:
    sequence, wanted = arguments
    if not isinstance(sequence.type, ListType | TupleType):
        raise FunctionError("argument must be a list or tuple")
    if not sequence.payload:
        raise FunctionError("cannot search an empty list")
    for position, element in enumerate(sequence.payload):
        same = equals(element, wanted)
        if not same.is_known:
            return _UNKNOWN_NUMBER
        if same.payload:
            return integer(position)
    raise FunctionError("item not found")


def _length_type(arguments: Arguments) -> Type:
    ty = arguments[0].type
    if ty is NUMBER or ty is BOOL:
        raise FunctionError("argument must be a string, a collection type, or a structural type")
    return NUMBER


def _length(arguments: Arguments, _type: Type) -> Value:
    value = arguments[0]
    if isinstance(value.type, CollectionType | TupleType | ObjectType):
        return operations.length(value)
    if value.type is DYNAMIC:
        return _UNKNOWN_NUMBER.with_marks(value.marks)
    if value.is_known:
        return integer(length_in_graphemes(value.payload)).with_marks(value.marks)
    least = from_int(length_in_graphemes(value.refinement.prefix))
    return unknown(NUMBER, Refinement(not_null=True, lower=least)).with_marks(value.marks)


_NOT_ONE = "must be a list, set, or tuple value with either zero or one elements"


def _one_type(arguments: Arguments) -> Type:
    ty = arguments[0].type
    if isinstance(ty, ListType | SetType):
        return ty.element
    if not isinstance(ty, TupleType) or len(ty.elements) > 1:
        raise ArgumentError(0, _NOT_ONE)
    return ty.elements[0] if ty.elements else DYNAMIC


def _one(arguments: Arguments, return_type: Type) -> Value:
    collection = arguments[0]
    if not operations.length(collection).is_known:
        return unknown(return_type)
    if len(collection.payload) > 1:
        raise ArgumentError(0, _NOT_ONE)
    element: Value = collection.payload[0] if collection.payload else null(return_type)
    return element


def _sum(arguments: Arguments, _type: Type) -> Value:
    """Add the elements. The checks are in the original's order: an empty object is reported as an empty list."""
    collection = arguments[0]
    if not isinstance(collection.type, CollectionType | TupleType | ObjectType):
        raise ArgumentError(0, "cannot sum noniterable")
    if not collection.payload:
        raise ArgumentError(0, "cannot sum an empty list")
    if not isinstance(collection.type, ListType | SetType | TupleType):
        raise ArgumentError(0, f"argument must be list, set, or tuple. Received {friendly_name(collection.type)}")
    if not collection.is_wholly_known:
        return _UNKNOWN_NUMBER
    total, *rest = [_summand(element) for element in collection.payload]
    try:
        for element in rest:
            total = operations.add(total, element)
    except OperationError as failure:
        raise FunctionError("can't compute sum of opposing infinities") from failure
    return total


def _summand(element: Value) -> Value:
    try:
        converted = convert(element, NUMBER)
    except ConversionError as failure:
        raise ArgumentError(0, _NOT_NUMBERS) from failure
    if converted.payload is NULL:
        raise ArgumentError(0, _NOT_NUMBERS)
    return converted


_NOT_NUMBERS = "argument must be list, set, or tuple of number values"


def _removed_function(name: str, instead: str, flavour: Flavour) -> Function:
    """A removed function of old configurations. Every call fails, even with unknown arguments."""
    fate = "is not available in OpenTofu" if flavour.opentofu_functions else "is no longer available"

    def fail(_arguments: Arguments) -> Type:
        raise FunctionError(
            f'the "{name}" function was deprecated in Terraform v0.12 and {fate}; '
            f"use {instead} syntax to write a literal {name}"
        )

    return Function(name, (), fail, lambda _arguments, ty: unknown(ty), variadic=_ANYTHING, refinement=None)


def functions(context: FunctionContext) -> tuple[Function, ...]:
    bools = Parameter("list", ListType(BOOL))
    anything_with_marks = Parameter("value", allow_unknown=True, allow_dynamic=True, allow_marked=True)
    return (
        Function("alltrue", (bools,), BOOL, _all_true),
        Function("anytrue", (bools,), BOOL, _any_true),
        Function("coalesce", (), _coalesce_type, _coalesce, variadic=_ANYTHING),
        Function("coalescelist", (), _coalesce_list_type, _coalesce_list, variadic=_ANYTHING),
        Function("contains", (Parameter("list"), Parameter("value")), BOOL, _contains),
        Function("index", (Parameter("list"), Parameter("value")), NUMBER, _index),
        Function("length", (anything_with_marks,), _length_type, _length),
        _removed_function("list", "tolist([ ... ])", context.flavour),
        _removed_function("map", "tomap({ ... })", context.flavour),
        Function("one", (Parameter("list"),), _one_type, _one, refinement=None),
        Function("sum", (Parameter("list"),), NUMBER, _sum),
    )
