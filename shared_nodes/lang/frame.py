"""The state of one evaluation, passed to all closures of a compiled expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from shared_nodes.lang.diagnostics import Diagnostic, Evaluated, error
from shared_nodes.lang.scope import Scope
from shared_nodes.values.convert import ConversionError
from shared_nodes.values.value import Value

if TYPE_CHECKING:
    from shared_nodes.lang.function import FunctionError
    from shared_nodes.lang.source import Range
    from shared_nodes.lang.tree import Expression

__all__ = ["Code", "Frame"]


class Frame:
    """Scope, diagnostics so far, and the slots that hold `for` variables and splat items.

    Slots are assigned at compile time, one per binding, so reading a loop variable is a list access. Only the closures
    of one expression share a frame, one after the other; a frame is never shared between evaluations.
    """

    __slots__ = ("bound", "diagnostics", "scope", "slots")

    def __init__(self, scope: Scope, slot_count: int) -> None:
        self.scope = scope
        self.diagnostics: list[Diagnostic] = []
        self.slots: list[Value | None] = [None] * slot_count
        self.bound: Mapping[str, int] = {}
        """Slots of the variables of the `for` expressions being evaluated, by name. Names are needed only for
        diagnostics."""

    def error(
        self,
        summary: str,
        detail: str,
        subject: Range,
        context: Range | None = None,
        *,
        of: Expression | None = None,
        function: str | None = None,
        failure: FunctionError | None = None,
    ) -> None:
        """Report an error. `of` is the expression whose references are worth showing, `function` the one whose call
        failed, and `failure` what that one raised."""
        self.report(error(summary, detail, subject, context), of, function, failure)

    def report(
        self,
        problem: Diagnostic,
        of: Expression | None,
        function: str | None = None,
        failure: FunctionError | None = None,
    ) -> None:
        if of is not None:
            bound = {name: value for name, slot in self.bound.items() if (value := self.slots[slot]) is not None}
            problem = replace(problem, evaluated=Evaluated(of, self.scope, bound, function, failure))
        self.diagnostics.append(problem)

    def explain(self, failure: ConversionError) -> str:
        """Why a conversion failed, in the wording of the flavour."""
        return failure.explain(self.scope.flavour)

    def attempt(self, code: Code) -> tuple[Value, list[Diagnostic]]:
        """Run code and return its diagnostics separately, for `try`, `can` and the branches of a conditional."""
        outer = self.diagnostics
        self.diagnostics = []
        try:
            return code(self), self.diagnostics
        finally:
            self.diagnostics = outer


Code = Callable[[Frame], Value]
