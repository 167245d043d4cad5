"""Expressions prepared once for many evaluations: compiled, with their references extracted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.references import Reference
from shared_nodes.flavour import Flavour
from shared_nodes.lang.compile import CompiledExpression, compile_expression
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record

__all__ = ["ExpressionCache", "PreparedExpression"]

T = TypeVar("T")


@record
class PreparedExpression:
    compiled: CompiledExpression
    references: Sequence[Reference]
    problems: Sequence[Diagnostic]
    """Problems with the form of references. Whether their subjects exist is not checked here."""


class ExpressionCache:
    """Prepares each expression on first use. A cache lives as long as the configuration it belongs to.

    Expressions are keyed by identity, because comparing whole trees would cost more than preparing them again. A
    prepared expression keeps its tree alive, so an `id` is never reused.
    """

    __slots__ = ("_flavour", "_known", "_others")

    def __init__(self, flavour: Flavour) -> None:
        self._flavour = flavour
        self._known: dict[int, PreparedExpression] = {}
        self._others: dict[tuple[object, ...], Any] = {}

    def prepare(self, expression: Expression) -> PreparedExpression:
        prepared = self._known.get(id(expression))
        if prepared is None:
            found, problems = references(expression, self._flavour)
            prepared = PreparedExpression(compile_expression(expression), found, problems)
            self._known[id(expression)] = prepared
        return prepared

    def compute_once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Compute a result of another kind once per configuration.

        If the key contains an `id`, the result must keep the identified object alive.
        """
        found: T | None = self._others.get(key)
        if found is None:
            found = self._others[key] = make()
        return found
