"""Functions that take an argument unevaluated: `try`, `can`, `templatestring` and `convert`.

An ordinary function gets values. These get the argument's closure and syntax, because whether it fails (`try`, `can`),
what it refers to (`templatestring`), or that it is a type and not a value (`convert`) is what matters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared_nodes.diagnostics import Diagnostic
from shared_nodes.functions.function import FunctionError, Parameter
from shared_nodes.lang import tree
from shared_nodes.lang.frame import Code, Frame
from shared_nodes.values.types import BOOL, DYNAMIC, Type
from shared_nodes.values.value import DYNAMIC_UNKNOWN, FALSE, TRUE, Value, unknown

__all__ = ["CAN", "TRY", "Argument", "LazyFunction"]


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call: its syntax, and the closure that evaluates it."""

    expression: tree.Expression
    code: Code


@dataclass(frozen=True, slots=True)
class LazyFunction:
    """`lazy` says which positions stay unevaluated; the others are evaluated and converted as usual and given as
    values. `implementation` may raise the errors of `shared_nodes.functions.function`."""

    name: str
    parameters: tuple[Parameter, ...]
    variadic: Parameter | None
    lazy: Callable[[int], bool]
    implementation: Callable[[Frame, Sequence[Argument], Sequence[Value | None]], Value]
    return_type: Type = DYNAMIC

    def parameter_at(self, index: int) -> Parameter:
        if index < len(self.parameters):
            return self.parameters[index]
        assert self.variadic is not None
        return self.variadic


def _try(frame: Frame, arguments: Sequence[Argument], _values: Sequence[Value | None]) -> Value:
    """The first argument that evaluates without errors. One that holds anything unknown might still fail later, so
    nothing at all is promised about the result then."""
    if not arguments:
        raise FunctionError("at least one argument is required")
    problems: list[Diagnostic] = []
    for argument in arguments:
        value, found = frame.attempt(argument.code)
        if not found:
            return value if value.is_wholly_known else DYNAMIC_UNKNOWN
        problems.extend(found)
    listing = "".join(_problem_line(problem) for problem in problems)
    raise FunctionError(
        f"no expression succeeded:\n{listing}\nAt least one expression must produce a successful result"
    )


def _problem_line(problem: Diagnostic) -> str:
    where = f" (at {problem.subject})" if problem.subject is not None else ""
    return f"- {problem.summary}{where}\n  {problem.detail}\n"


def _can(frame: Frame, arguments: Sequence[Argument], _values: Sequence[Value | None]) -> Value:
    value, problems = frame.attempt(arguments[0].code)
    if problems:
        return FALSE
    return TRUE if value.is_wholly_known else unknown(BOOL)


TRY = LazyFunction("try", (), Parameter("expressions"), lambda _index: True, _try)
CAN = LazyFunction("can", (Parameter("expression"),), None, lambda _index: True, _can, BOOL)
