"""Functions that take an argument unevaluated: `try`, `can`, `templatestring` and `convert`.

An ordinary function gets values. These functions get the syntax and the closure of an argument, because they need to
know whether it fails (`try`, `can`), what it refers to (`templatestring`), or because it is a type rather than a value
(`convert`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared_nodes.lang import tree
from shared_nodes.lang.frame import Code, Frame
from shared_nodes.lang.function import Parameter
from shared_nodes.record import record
from shared_nodes.values.types import DYNAMIC, Type
from shared_nodes.values.value import Value

__all__ = ["LazyArgument", "LazyFunction"]


@record
class LazyArgument:
    """One argument of a call: its syntax and the closure that evaluates it."""

    expression: tree.Expression
    code: Code


@record
class LazyFunction:
    """A function that receives some arguments unevaluated.

    `lazy` decides by position which arguments those are; the others are evaluated and converted as usual.
    `implementation` gets the frame, all arguments, and the values (None in lazy positions). It may raise
    `FunctionError` and `ArgumentError`, as an ordinary function may.
    """

    name: str
    parameters: tuple[Parameter, ...]
    variadic: Parameter | None
    lazy: Callable[[int], bool]
    implementation: Callable[[Frame, Sequence[LazyArgument], Sequence[Value | None]], Value]
    return_type: Type = DYNAMIC

    def parameter_at(self, index: int) -> Parameter:
        if index < len(self.parameters):
            return self.parameters[index]
        assert self.variadic is not None
        return self.variadic
