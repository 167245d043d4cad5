"""`try` and `can`: whether an expression evaluates without errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.frame import Frame
from shared_nodes.lang.function import FunctionError, Parameter
from shared_nodes.lang.lazy_function import LazyArgument, LazyFunction
from shared_nodes.values.types import BOOL
from shared_nodes.values.value import DYNAMIC_UNKNOWN, FALSE, TRUE, Value, unknown

__all__ = ["CAN", "TRY"]


def _try(frame: Frame, arguments: Sequence[LazyArgument], _values: Sequence[Value | None]) -> Value:
    """Return the first argument that evaluates without errors.

    An argument that contains anything unknown may still fail later, so its result is unknown, type included.
    """
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


def _can(frame: Frame, arguments: Sequence[LazyArgument], _values: Sequence[Value | None]) -> Value:
    value, problems = frame.attempt(arguments[0].code)
    if problems:
        return FALSE
    return TRUE if value.is_wholly_known else unknown(BOOL)


TRY: Final = LazyFunction("try", (), Parameter("expressions"), lambda _index: True, _try)
CAN: Final = LazyFunction("can", (Parameter("expression"),), None, lambda _index: True, _can, BOOL)
