"""A function of the language: its signature, and the rules that hold for every call.

A `Function` is data: parameters, return type, implementation. `call` applies the rules that all functions share, in
this order, so that an implementation only sees arguments it declares it can handle:

1. A null argument is an `ArgumentError`, unless the parameter allows null.
2. Marks are removed from arguments, deeply, and added to the whole result, unless the parameter allows marks.
3. An argument of dynamic type, or an unknown one, makes the result unknown, unless the parameter allows it.
4. Otherwise the implementation runs, and an unknown result is refined as declared (by default, not null).

Arguments are already converted to the parameter types: the caller does that, since it knows the ranges to report.
Errors are exceptions without a position; the expression that made the call turns them into diagnostics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final, Protocol

from shared_nodes.record import record
from shared_nodes.values.marks import NO_MARKS
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.types import DYNAMIC, CollectionType, Primitive, Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, refine, unknown

__all__ = ["ArgumentError", "Arguments", "Callee", "Function", "FunctionError", "PanicError", "Parameter"]


class FunctionError(Exception):
    """The call failed. The message completes `Call to function "f" failed: `, without the final period."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message: Final = message


class ArgumentError(FunctionError):
    """One argument is invalid. The message completes `Invalid value for "p" parameter: `."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(message)
        self.index: Final = index


class PanicError(FunctionError):
    """The original's implementation panics here, which it reports as an error of the call, and so do we."""

    def __init__(self, message: str) -> None:
        super().__init__(f"panic in function implementation: {message}")


@record
class Parameter:
    """One parameter. By default an implementation never sees null, unknown, dynamically typed or marked arguments."""

    name: str
    type: Type = DYNAMIC
    allow_null: bool = False
    allow_unknown: bool = False
    allow_dynamic: bool = False
    allow_marked: bool = False


Arguments = Sequence[Value]
ReturnType = Type | Callable[[Arguments], Type]
Implementation = Callable[[Arguments, Type], Value]


def not_null(_arguments: Arguments) -> Refinement:
    return NOT_NULL


class Callee(Protocol):
    """What an expression can call by name: a `Function`, or a `LazyFunction`, which takes arguments unevaluated."""

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> tuple[Parameter, ...]: ...

    @property
    def variadic(self) -> Parameter | None: ...

    @property
    def return_type(self) -> ReturnType: ...

    def parameter_at(self, index: int) -> Parameter: ...


@record
class Function:
    """A named function.

    `return_type` is a type, or computes one from the arguments. It may raise the errors above, even for unknown
    arguments: this is how type errors are found before values are known. `implementation` gets the arguments and the
    computed return type. `refinement`, if not None, says what is known about an unknown result; it is only applied if
    the result type is not dynamic.
    """

    name: str
    parameters: tuple[Parameter, ...]
    return_type: ReturnType
    implementation: Implementation
    variadic: Parameter | None = None
    refinement: Callable[[Arguments], Refinement] | None = field(default=not_null)

    def parameter_at(self, index: int) -> Parameter:
        """The parameter for the argument at this position. The caller has checked the number of arguments."""
        if index < len(self.parameters):
            return self.parameters[index]
        assert self.variadic is not None
        return self.variadic

    def call(self, arguments: Arguments) -> Value:
        plain: list[Value] = []
        marks = NO_MARKS
        for index, argument in enumerate(arguments):
            if self.parameter_at(index).allow_marked:
                plain.append(argument)
                continue
            unmarked, found = argument.unmark_deep()
            marks |= found
            plain.append(unmarked)
        return self._call_unmarked(plain).with_marks(marks)

    def _call_unmarked(self, arguments: Arguments) -> Value:
        unknown_argument = False
        for index, argument in enumerate(arguments):
            parameter = self.parameter_at(index)
            if argument.is_null and not parameter.allow_null:
                raise ArgumentError(index, "argument must not be null")
            if argument.type is DYNAMIC and not parameter.allow_dynamic:
                return DYNAMIC_UNKNOWN
            if not argument.is_known:
                _check_conforms(index, argument.type, parameter.type)
                unknown_argument = unknown_argument or not parameter.allow_unknown
        return_type = self.return_type if isinstance(self.return_type, Type) else self.return_type(arguments)
        result = unknown(return_type) if unknown_argument else self.implementation(arguments, return_type)
        if self.refinement is not None and not result.is_known and result.type is not DYNAMIC:
            return refine(result, self.refinement(arguments))
        return result


def _check_conforms(index: int, got: Type, want: Type) -> None:
    """Check the type of an unknown argument.

    Conversion ensures the types of known arguments. For an unknown one it may keep the element type of the source
    (quirk `set-with-unknowns-keeps-element-type`), which is refused here.
    """
    while isinstance(got, CollectionType) and isinstance(want, CollectionType):
        got, want = got.element, want.element
    if isinstance(got, Primitive) and isinstance(want, Primitive) and got is not want and DYNAMIC not in (got, want):
        raise ArgumentError(index, f"{want.name} required, but received {got.name}")
