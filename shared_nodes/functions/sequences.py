"""Functions on lists and tuples: chunklist compact concat distinct element flatten matchkeys range reverse slice sort.

A list stays a list, and a tuple a tuple. Functions that only rearrange elements keep the marks of each element; the
others put all marks on the whole result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.construction import list_from
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.numbers import whole_number
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values import operations
from shared_nodes.values.convert import ConversionError, convert, unify
from shared_nodes.values.equality import equals
from shared_nodes.values.marks import NO_MARKS, Marks
from shared_nodes.values.number import NumberError
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.types import (
    DYNAMIC,
    NUMBER,
    STRING,
    ListType,
    SetType,
    TupleType,
    Type,
    friendly_name,
)
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    NULL,
    TRUE,
    Value,
    integer,
    list_of,
    number,
    string,
    tuple_of,
    unknown,
)

__all__ = ["functions"]

_ANY_LIST: Final = ListType(DYNAMIC)
_STRINGS: Final = ListType(STRING)


def _to_whole(value: Value, what: str) -> int:
    try:
        return whole_number(value)
    except FunctionError as failure:
        raise FunctionError(f"invalid {what}: {failure.message}") from failure


# chunklist, compact, distinct, matchkeys


def _chunklist(arguments: Arguments, return_type: Type) -> Value:
    source, size_argument = arguments
    size = _to_whole(size_argument, "size")
    if size < 0:
        raise FunctionError("the size argument must be positive")
    elements = source.payload
    size = size or max(1, len(elements))
    chunks = [Value(source.type, elements[start : start + size]) for start in range(0, len(elements), size)]
    return Value(return_type, tuple(chunks), source.marks | size_argument.marks)


def _compact(arguments: Arguments, return_type: Type) -> Value:
    source = arguments[0]
    if not source.is_wholly_known:
        return unknown(return_type)
    return list_of(STRING, [element for element in source.payload if element.payload is not NULL and element.payload])


def _distinct(arguments: Arguments, return_type: Type) -> Value:
    source = arguments[0]
    if not source.is_wholly_known:
        return unknown(return_type)
    if return_type == _STRINGS:
        first_of_each: dict[object, Value] = {}
        for element in source.payload:
            first_of_each.setdefault(element.payload, element)
        return Value(return_type, tuple(first_of_each.values()))
    kept: list[Value] = []
    for element in source.payload:
        if not any(equals(other, element) is TRUE for other in kept):
            kept.append(element)
    return Value(return_type, tuple(kept))


def _matchkeys_type(arguments: Arguments) -> Type:
    if unify([arguments[1].type, arguments[2].type], unsafe=True) is None:
        raise FunctionError("keys and searchset must be of the same type")
    return arguments[0].type


def _matchkeys(arguments: Arguments, return_type: Type) -> Value:
    """The values whose keys are in the search set.

    If an unknown search key has to be compared, the result is *empty*, not unknown. The original intends otherwise, but
    this is what it does.
    """
    values, keys, wanted = arguments
    if len(values.payload) != len(keys.payload):
        raise FunctionError("length of keys and values should be equal")
    common = unify([keys.type, wanted.type], unsafe=True)
    assert common is not None
    keys, wanted = convert(keys, common), convert(wanted, common)
    if not wanted.payload:
        return Value(return_type, ())
    if not values.is_wholly_known or not keys.is_wholly_known:
        return unknown(return_type)
    matching: list[Value] = []
    for value, key in zip(values.payload, keys.payload, strict=True):
        found = _is_among(key, wanted)
        if found is None:
            return Value(return_type, ())
        if found:
            matching.append(value)
    return Value(return_type, tuple(matching))


def _is_among(key: Value, wanted: Value) -> bool | None:
    """Whether a known key equals one in the search set; None if an unknown one is compared before a match."""
    for candidate in wanted.payload:
        same = equals(key, candidate)
        if not same.is_known:
            return None
        if same.payload:
            return True
    return False


# concat, reverse


def _concat_type(arguments: Arguments) -> Type:
    """The type of a concatenation: a list if the list types unify, otherwise a tuple, which requires known lengths."""
    if not arguments:
        raise FunctionError("at least one argument is required")
    types = [argument.type for argument in arguments]
    if all(isinstance(ty, ListType) for ty in types):
        common = unify(types, unsafe=True)
        if common is not None:
            return common
    elements: list[Type] = []
    for index, argument in enumerate(arguments):
        if isinstance(argument.type, TupleType):
            elements += argument.type.elements
        elif not isinstance(argument.type, ListType):
            raise ArgumentError(index, f"all arguments must be lists or tuples; got {friendly_name(argument.type)}")
        elif not argument.is_known:
            return DYNAMIC
        else:
            elements += [argument.type.element] * len(argument.payload)
    return TupleType(elements)


def _concat(flavour: Flavour, arguments: Arguments, return_type: Type) -> Value:
    if isinstance(return_type, ListType):
        parts = [_as_list(index, argument, return_type, flavour) for index, argument in enumerate(arguments)]
        elements = [element for part in parts for element in part.payload]
        return list_from(elements, return_type.element).with_marks(_marks_of(parts))
    return tuple_of(element for part in arguments for element in part.payload).with_marks(_marks_of(arguments))


def _as_list(index: int, argument: Value, ty: ListType, flavour: Flavour) -> Value:
    try:
        return convert(argument, ty)
    except ConversionError as failure:
        raise ArgumentError(index, failure.explain(flavour)) from failure


def _marks_of(values: Sequence[Value]) -> Marks:
    return NO_MARKS.union(*(value.marks for value in values))


def _reverse_type(arguments: Arguments) -> Type:
    """Return the result type. Sets are accepted too, in their own order, because sets used to be converted to lists
    implicitly."""
    ty = arguments[0].type
    if isinstance(ty, TupleType):
        return TupleType(reversed(ty.elements))
    if isinstance(ty, ListType | SetType):
        return ListType(ty.element)
    raise ArgumentError(0, f"can only reverse list or tuple values, not {friendly_name(ty)}")


def _reverse(arguments: Arguments, return_type: Type) -> Value:
    source = arguments[0]
    return Value(return_type, source.payload[::-1], source.marks)


# element, slice


def _element_type(flavour: Flavour) -> Callable[[Arguments], Type]:
    def element_type(arguments: Arguments) -> Type:
        """The type of an element. For a tuple, the wrapped index is looked up in the type; a negative remainder is out
        of range."""
        ty, index = arguments[0].type, arguments[1]
        if isinstance(ty, ListType):
            return ty.element
        if not isinstance(ty, TupleType):
            raise FunctionError(f"cannot read elements from {friendly_name(ty)}")
        if not index.is_known:
            return DYNAMIC
        position = _to_whole(index, "index")
        if not ty.elements:
            raise FunctionError(_EMPTY)
        remainder = _remainder(position, len(ty.elements))
        if remainder < 0 and not flavour.element_wraps_negative_on_tuples:
            raise PanicError(f"runtime error: index out of range [{remainder}]")
        return ty.elements[remainder]

    return element_type


_EMPTY: Final = "cannot use element function with an empty list"


def _remainder(dividend: int, divisor: int) -> int:
    """The remainder of division toward zero, with the sign of the dividend. Exact where floats are not."""
    return dividend % divisor if dividend >= 0 else -(-dividend % divisor)


def _element(arguments: Arguments, _type: Type) -> Value:
    sequence, index = arguments
    position = _to_whole(index, "index")
    if not sequence.payload:
        raise FunctionError(_EMPTY)
    element: Value = sequence.payload[position % len(sequence.payload)]
    return element.with_marks(sequence.marks)


@record
class _Bounds:
    """Where a slice starts and ends, as far as known."""

    start: int | None
    end: int | None


def _slice_bounds(arguments: Arguments) -> _Bounds:
    sequence, start_argument, end_argument = arguments
    length: int | None = None
    if isinstance(sequence.type, TupleType):
        length = len(sequence.type.elements)
    elif sequence.is_known:
        length = len(sequence.payload)
    start = _slice_bound(1, "start", start_argument, length)
    end = _slice_bound(2, "end", end_argument, length)
    if start is not None and end is not None and start > end:
        raise ArgumentError(1, "start index must not be greater than end index")
    return _Bounds(start, end)


def _slice_bound(parameter: int, noun: str, bound: Value, length: int | None) -> int | None:
    if not bound.is_known:
        return None
    try:
        position = _to_whole(bound, f"{noun} index")
    except FunctionError as failure:
        raise ArgumentError(parameter, failure.message) from failure
    if position < 0:
        raise ArgumentError(parameter, f"{noun} index must not be less than zero")
    if length is not None and position > length:
        raise ArgumentError(parameter, f"{noun} index must not be greater than the length of the list")
    return position


def _slice_type(arguments: Arguments) -> Type:
    ty = arguments[0].type
    if isinstance(ty, SetType):
        raise ArgumentError(
            0,
            "cannot slice a set, because its elements do not have indices; explicitly convert to a list if the "
            "ordering of the result is not important",
        )
    if not isinstance(ty, ListType | TupleType):
        raise ArgumentError(0, "must be a list or tuple value")
    bounds = _slice_bounds(arguments)
    if isinstance(ty, ListType):
        return ty
    if bounds.start is None or bounds.end is None:
        return DYNAMIC
    return TupleType(ty.elements[bounds.start : bounds.end])


def _slice(arguments: Arguments, return_type: Type) -> Value:
    sequence = arguments[0]
    bounds = _slice_bounds(arguments)
    return Value(return_type, sequence.payload[bounds.start : bounds.end], sequence.marks)


# flatten


@record(frozen=False)
class _Flattening:
    """The result of traversing nested sequences: the leaves, the marks of all sequences, and whether everything was
    known.

    The traversal continues after an unknown part, to collect the remaining marks.
    """

    leaves: list[Value]
    marks: Marks = NO_MARKS
    complete: bool = True

    def visit(self, sequence: Value) -> None:
        self.marks |= sequence.marks
        if not sequence.is_known or not operations.length(sequence).is_known:
            self.complete = False
            return
        payload = sequence.payload
        for element in payload.values() if isinstance(payload, dict) else payload:
            if not element.is_null and isinstance(element.type, ListType | SetType | TupleType):
                self.visit(element)
                continue
            self.leaves.append(element)
            if element == DYNAMIC_UNKNOWN:
                self.complete = False


def _flatten_type(arguments: Arguments) -> Type:
    """The type of the result. If anything inside is unknown nothing is checked, an oversight that allows `flatten({ a =
    unknown })`."""
    source = arguments[0]
    if not source.is_wholly_known:
        return DYNAMIC
    if not isinstance(source.type, ListType | SetType | TupleType):
        raise FunctionError("can only flatten lists, sets and tuples")
    found = _Flattening([])
    found.visit(source)
    return TupleType([leaf.type for leaf in found.leaves])


def _flatten(arguments: Arguments, return_type: Type) -> Value:
    """Flatten a sequence. Leaves keep their marks.

    A marked leaf of unknown type counts as an element, whereas an unmarked one might still become a sequence: the
    original compares with the one value that represents those, and a mark makes a value different.
    """
    found = _Flattening([])
    found.visit(arguments[0])
    result = tuple_of(found.leaves) if found.complete else unknown(return_type)
    return result.with_marks(found.marks)


# range, sort

_MAX_RANGE: Final = 1024

_ZERO: Final = number(numbers.from_float(0.0))
"""The start of `range(n)`.

The original has one zero with the precision of a float and recognises a step of zero only if it is exactly that number,
so `range(0, 5, range(1)[0])` behaves differently from `range(0, 5, 0)`.
"""


def _range(arguments: Arguments, _type: Type) -> Value:
    if not 1 <= len(arguments) <= 3:
        raise FunctionError("must have one, two, or three arguments")
    start, end = (_ZERO, arguments[0]) if len(arguments) == 1 else arguments[:2]
    step = arguments[2] if len(arguments) == 3 else integer(-1 if end.payload < start.payload else 1)
    if step.payload is _ZERO.payload:
        raise ArgumentError(2, "step must not be zero")
    down = bool(step.payload < 0)
    if down and end.payload > start.payload:
        raise ArgumentError(1, "end must be less than start when step is negative")
    if not down and end.payload < start.payload:
        raise ArgumentError(1, "end must be greater than start when step is positive")
    return list_of(NUMBER, _count(start, end, step, down=down))


def _count(start: Value, end: Value, step: Value, *, down: bool) -> Sequence[Value]:
    counted: list[Value] = []
    current = start
    while current.payload > end.payload if down else current.payload < end.payload:
        if len(counted) >= _MAX_RANGE:
            raise FunctionError(
                f"more than {_MAX_RANGE} values were generated; either decrease the difference between start and end "
                "or use a smaller step"
            )
        counted.append(current)
        try:
            current = number(numbers.add(current.payload, step.payload))
        except NumberError as failure:
            raise PanicError("addition of infinities with opposite signs") from failure
    return counted


def _sort(arguments: Arguments, return_type: Type) -> Value:
    """Sort strings. An unknown element makes the order, and so every element, unknown, but not the length."""
    source = arguments[0]
    if not source.is_wholly_known:
        known = source.is_known
        least = len(source.payload) if known else source.refinement.min_length
        most = len(source.payload) if known else source.refinement.max_length
        return unknown(return_type, Refinement(not_null=True, min_length=least, max_length=most))
    for position, element in enumerate(source.payload):
        if element.is_null:
            raise FunctionError(f"given list element {position} is null; a null string cannot be sorted")
    return list_of(STRING, map(string, sorted(element.payload for element in source.payload)))


def functions(context: FunctionContext) -> tuple[Function, ...]:
    any_list = Parameter("list", _ANY_LIST)
    strings = Parameter("list", _STRINGS)
    marked = Parameter("list", allow_marked=True)
    concat = partial(_concat, context.flavour)
    return (
        Function(
            "chunklist",
            (Parameter("list", _ANY_LIST, allow_marked=True), Parameter("size", NUMBER, allow_marked=True)),
            lambda arguments: ListType(arguments[0].type),
            _chunklist,
        ),
        Function("compact", (strings,), _STRINGS, _compact),
        Function("concat", (), _concat_type, concat, variadic=Parameter("seqs", allow_marked=True)),
        Function("distinct", (any_list,), lambda arguments: arguments[0].type, _distinct),
        Function(
            "element", (marked, Parameter("index", NUMBER)), _element_type(context.flavour), _element, refinement=None
        ),
        Function("flatten", (marked,), _flatten_type, _flatten),
        Function(
            "matchkeys",
            (Parameter("values", _ANY_LIST), Parameter("keys", _ANY_LIST), Parameter("searchset", _ANY_LIST)),
            _matchkeys_type,
            _matchkeys,
        ),
        Function("range", (), ListType(NUMBER), _range, variadic=Parameter("params", NUMBER)),
        Function("reverse", (marked,), _reverse_type, _reverse),
        Function(
            "slice",
            (marked, Parameter("start_index", NUMBER), Parameter("end_index", NUMBER)),
            _slice_type,
            _slice,
        ),
        Function("sort", (Parameter("list", _STRINGS, allow_unknown=True),), _STRINGS, _sort),
    )
