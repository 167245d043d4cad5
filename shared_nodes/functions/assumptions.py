"""The assume... functions of OpenTofu, which assert something about a value that is not known yet.

Each returns its first argument, refined if it is unknown; a known value that contradicts the assumption is an error.
`assumeequal` asserts the value itself, `assumenotnull` and `assumestringprefix` what their names say, and the
`assumeKINDlength` functions, for lists, sets and maps, a length between two bounds or beyond one (`...min`, `...max`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Arguments, Function, Parameter
from shared_nodes.values import number as numbers
from shared_nodes.values import operations
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.equality import equals
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.paths import mark_at_paths, marks_by_path
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.text import known_prefix, normalise
from shared_nodes.values.types import (
    DYNAMIC,
    NUMBER,
    STRING,
    CollectionType,
    ListType,
    MapType,
    SetType,
    Type,
    friendly_name,
)
from shared_nodes.values.value import Value, refine

__all__ = ["functions"]

_BROKEN: Final = "assumption was not upheld"


# assumeequal


def _assume_equal(arguments: Arguments, _type: Type) -> Value:
    """Return the assumed value, with the engine's marks of the actual one, which record its origin.

    Sensitive and ephemeral marks are dropped: a value equal to a public one is public.
    """
    actual, assumed = arguments
    try:
        converted = convert(actual, assumed.type)
    except ConversionError as failure:
        message = (
            f"actual value type {friendly_name(actual.type)} does not match "
            f"assumed value type {friendly_name(assumed.type)}"
        )
        raise ArgumentError(0, message) from failure
    same = equals(converted, assumed)
    if same.is_known and not same.payload:
        raise ArgumentError(0, "the actual value does not match the assumed value")
    kept = ((path, marks - {SENSITIVE, EPHEMERAL}) for path, marks in marks_by_path(converted))
    return mark_at_paths(assumed, [(path, marks) for path, marks in kept if marks])


# Refinements

Assertion = Callable[[Value, Sequence[Value]], Refinement | None]
"""What the remaining arguments assert about the first, or None if that is impossible. Raises `ArgumentError` if the
assertion makes no sense for any value."""


def _refining_function(name: str, ty: Type, assertion: Assertion, *parameters: Parameter) -> Function:
    def assume(arguments: Arguments, _type: Type) -> Value:
        value = arguments[0]
        refinement = assertion(value, arguments[1:])
        if refinement is None:
            raise ArgumentError(0, _BROKEN)
        return refine(value, refinement)

    first = Parameter("value", ty, allow_null=True, allow_unknown=True, allow_dynamic=True)
    return Function(name, (first, *parameters), ty, assume, refinement=None)


def _not_null(value: Value, _arguments: Sequence[Value]) -> Refinement | None:
    """Assert that the value is not null. A literal null fails because it has no type, before its nullness is
    checked."""
    if value.type is DYNAMIC:
        raise ArgumentError(
            0,
            r"given value must have a known type; consider using the \"convert\" function to specify a type to assume",
        )
    return None if value.is_null else NOT_NULL


def _string_prefix(value: Value, arguments: Sequence[Value]) -> Refinement | None:
    """Assert a string prefix, as far as later text cannot change it.

    Only the overlap is compared: a known string shorter than the prefix passes, and so does null.
    """
    prefix = known_prefix(arguments[0].payload)
    known = normalise(value.payload) if value.is_known and not value.is_null else value.refinement.prefix
    overlap = min(len(prefix), len(known))
    if prefix[:overlap] != known[:overlap]:
        return None
    return Refinement(prefix=prefix)


def _lengths(value: Value, minimum: int, maximum: int | None) -> Refinement | None:
    """Assert the bounds of a length. A null collection has no length, so it fails every such assertion."""
    if value.is_null or (maximum is not None and maximum < minimum):
        return None
    least, most = _possible_lengths(value)
    if (most is not None and minimum > most) or (maximum is not None and maximum < least):
        return None
    return Refinement(min_length=max(minimum, 0), max_length=maximum)


def _possible_lengths(value: Value) -> tuple[int, int | None]:
    if not value.is_known:
        return value.refinement.min_length, value.refinement.max_length
    count = len(value.payload)
    return (count if operations.length(value).is_known else 1), count


_LARGEST_LENGTH: Final = 2**63 - 1


def _length_argument(index: int, argument: Value) -> int:
    payload = argument.payload
    if not numbers.is_whole(payload) or not -_LARGEST_LENGTH - 1 <= payload < _LARGEST_LENGTH:
        raise ArgumentError(index, f"must be a whole number between 0 and {_LARGEST_LENGTH}")
    return numbers.to_int(payload)


def _length_functions(ty: CollectionType) -> tuple[Function, ...]:
    """The functions about lengths of one kind of collection.

    The one-sided functions report an invalid bound at their first argument, because the original counts wrongly there.
    """
    minimum, maximum = Parameter("min_length", NUMBER), Parameter("max_length", NUMBER)

    def between(value: Value, bounds: Sequence[Value]) -> Refinement | None:
        least, most = (_length_argument(index, bound) for index, bound in enumerate(bounds, start=1))
        return _lengths(value, least, most)

    def at_least(value: Value, bounds: Sequence[Value]) -> Refinement | None:
        return _lengths(value, _length_argument(0, bounds[0]), None)

    def at_most(value: Value, bounds: Sequence[Value]) -> Refinement | None:
        return _lengths(value, 0, _length_argument(0, bounds[0]))

    name = f"assume{ty.kind}length"
    return (
        _refining_function(name, ty, between, minimum, maximum),
        _refining_function(f"{name}min", ty, at_least, minimum),
        _refining_function(f"{name}max", ty, at_most, maximum),
    )


def functions(context: FunctionContext) -> tuple[Function, ...]:
    if not context.flavour.opentofu_functions:
        return ()
    names = ("actual_value", "expected_value")
    operands = [
        Parameter(name, allow_null=True, allow_unknown=True, allow_dynamic=True, allow_marked=True) for name in names
    ]
    return (
        Function("assumeequal", tuple(operands), lambda arguments: arguments[1].type, _assume_equal, refinement=None),
        _refining_function("assumenotnull", DYNAMIC, _not_null),
        _refining_function("assumestringprefix", STRING, _string_prefix, Parameter("prefix", STRING)),
        *_length_functions(ListType(DYNAMIC)),
        *_length_functions(SetType(DYNAMIC)),
        *_length_functions(MapType(DYNAMIC)),
    )
